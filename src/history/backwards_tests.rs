use std::io::Cursor;

use proptest::prelude::*;

use super::{Backwards, LineEnd};

/// Every line with its place, from the end.
fn backwards(bytes: &[u8], first: usize, block: usize) -> Vec<(u64, Vec<u8>, LineEnd)> {
    let mut reader = Backwards::with_blocks(Cursor::new(bytes), first, block).unwrap();
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        lines.push((line.offset, line.bytes.to_vec(), line.end));
    }
    lines
}

/// The same, read from the front in the plainest way, and turned round.
fn forwards(bytes: &[u8]) -> Vec<(u64, Vec<u8>, LineEnd)> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text, LineEnd::Newline),
            None => (line, LineEnd::Open),
        };
        lines.push((at, text.to_vec(), end));
        at += line.len() as u64;
    }
    lines.reverse();
    lines
}

#[test]
fn the_last_line_comes_first_and_knows_whether_it_is_closed() {
    assert_eq!(
        backwards(b"one\ntwo\nthr", 64, 64),
        [
            (8, b"thr".to_vec(), LineEnd::Open),
            (4, b"two".to_vec(), LineEnd::Newline),
            (0, b"one".to_vec(), LineEnd::Newline),
        ]
    );
    assert_eq!(backwards(b"", 1, 1), []);
    assert_eq!(
        backwards(b"\n", 1, 1),
        [(0, Vec::new(), LineEnd::Newline)],
        "a blank line is a line"
    );
}

#[test]
fn a_character_across_the_edge_of_a_block_is_whole() {
    let text = "日本語の\n質問 👩‍👩‍👧\n";
    for block in 1..text.len() + 2 {
        assert_eq!(
            backwards(text.as_bytes(), block, block),
            forwards(text.as_bytes()),
            "blocks of {block}"
        );
    }
}

#[test]
fn only_the_blocks_that_are_needed_are_read() {
    struct Counting(Cursor<Vec<u8>>, u64);
    impl std::io::Read for Counting {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1 += read as u64;
            Ok(read)
        }
    }
    impl std::io::Seek for Counting {
        fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
            self.0.seek(to)
        }
    }
    let text = "a line of some length\n".repeat(100_000).into_bytes();
    let mut reader = Backwards::new(Counting(Cursor::new(text), 0)).unwrap();
    for _ in 0..50 {
        reader.next_line().unwrap().expect("a line");
    }
    assert_eq!(reader.source.1, 64 * 1024);
}

proptest! {
    #[test]
    fn any_content_in_any_blocks_is_what_a_forward_read_gives(
        pieces in prop::collection::vec(
            prop_oneof![
                Just(b"\n".to_vec()),
                prop::collection::vec(any::<u8>(), 0..40),
                "[a-zé日👩\"{}\\\\]{0,20}".prop_map(String::into_bytes),
            ],
            0..40,
        ),
        first in 1_usize..80,
        block in 1_usize..80,
    ) {
        let bytes = pieces.concat();
        prop_assert_eq!(backwards(&bytes, first, block), forwards(&bytes));
    }
}
