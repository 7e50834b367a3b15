use std::io::{Seek, SeekFrom, Write};

use super::*;

const END: u64 = 3 * PIECE + 100;

/// A file of so many bytes, with the sums of its first `end` bytes.
fn summed(length: u64, end: u64) -> (File, Prefix) {
    let mut file = tempfile::tempfile().expect("a file");
    let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
    file.write_all(&bytes).expect("written");
    let prefix = read(&file, Prefix::default(), 0, end);
    (file, prefix)
}

fn read(mut file: &File, known: Prefix, start: u64, end: u64) -> Prefix {
    file.seek(SeekFrom::Start(start)).expect("sought");
    let mut source = Summing::new(file, known, start);
    io::copy(&mut source, &mut io::sink()).expect("read");
    source.finish(end).expect("summed")
}

fn change(mut file: &File, at: u64) {
    file.seek(SeekFrom::Start(at)).expect("sought");
    file.write_all(b"\xff").expect("written");
}

#[test]
fn every_byte_of_a_short_beginning_counts_and_none_after_it() {
    for at in [0, 1, PIECE - 1, PIECE, 2 * PIECE + 7, 3 * PIECE, END - 1] {
        let (file, prefix) = summed(END + 10, END);
        assert!(prefix.is_kept(&file, END).expect("read"));
        change(&file, END + 5);
        assert!(prefix.is_kept(&file, END).expect("read"), "after it");
        change(&file, at);
        assert!(!prefix.is_kept(&file, END).expect("read"), "byte {at}");
    }
}

#[test]
fn reading_on_gives_the_sums_of_reading_whole() {
    for (first, end) in [
        (0, END),
        (5, 6),
        (PIECE, END),
        (END - PIECE, END),
        (END, END),
    ] {
        let (file, known) = summed(END + 10, first);
        let (_, whole) = summed(END + 10, end);
        assert_eq!(read(&file, known, first, end), whole, "from {first}");
    }
}

#[test]
fn a_long_beginning_is_compared_at_its_ends_and_between() {
    let end = (WHOLE + 10) * PIECE + 1;
    for at in [0, PIECE - 1, end - 2, end - 1] {
        let (file, prefix) = summed(end, end);
        assert!(prefix.is_kept(&file, end).expect("read"));
        change(&file, at);
        assert!(!prefix.is_kept(&file, end).expect("read"), "byte {at}");
    }
}

#[test]
fn sums_of_another_length_fit_nothing() {
    let (file, prefix) = summed(END, END);
    assert!(!prefix.is_kept(&file, PIECE).expect("read"));
    assert!(!prefix.is_kept(&file, END - 1).expect("read"));
}
