use std::cell::Cell;
use std::io::{ErrorKind, Read};

use crate::transcript::passages::tests::{lines, read, user};
use crate::transcript::passages::{Checkpoint, Passage, passages};

#[test]
fn bytes_before_and_after_a_line_do_no_harm() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(format!("{}\r\n\r\n\0\0{}\n", user("one"), user("two")).into_bytes());
    let (found, checkpoint) = read(&bytes);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (checkpoint.damaged, checkpoint.offset),
        (0, bytes.len() as u64)
    );
}

#[test]
fn damage_is_counted_and_only_the_damaged_part_is_lost() {
    let whole = user("whole").to_string();
    let cases = [
        (format!("garbage\n{whole}\n"), 1, 1),
        (format!("{}{whole}\n", &whole[..40]), 1, 1),
        (format!("{whole}{whole}\n"), 0, 2),
        (
            format!("{{\"type\":\"api-request\",\"x\":\"torn{whole}\n"),
            1,
            1,
        ),
        (format!("[1]\n3\n{whole}\n"), 2, 1),
        // Not yet written.
        (format!("{whole}\n{}", &whole[..40]), 0, 1),
        (format!("{whole}\n{whole}"), 0, 2),
    ];
    for (text, damaged, count) in cases {
        let (found, checkpoint) = read(text.as_bytes());
        assert_eq!(
            (checkpoint.damaged, found.len()),
            (damaged, count),
            "{text}"
        );
        let newline = text.rfind('\n').expect("a line") + 1;
        assert_eq!(checkpoint.offset, newline as u64);
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    const FRONT: &[u8] = b"{\"type\":\"user\",\"message\":{\"content\":\"";
    const BACK: &[u8] = b"\"}}";
    const FILL: u64 = 70 << 20;
    let long = || FRONT.chain(std::io::repeat(b'x').take(FILL)).chain(BACK);
    let length = (FRONT.len() + BACK.len()) as u64 + FILL;
    let next = lines(&[user("next")]);
    let start = Checkpoint::default();
    let mut found = Vec::new();
    let mut sink = |passage: &Passage<'_>| found.push((passage.text.len(), passage.lines.clone()));
    let end = passages(long(), &start, &|| false, &mut sink).expect("read");
    assert_eq!((end.offset, end.damaged), (0, 0));
    let both = long().chain(&b"\n"[..]).chain(&next[..]);
    let end = passages(both, &start, &|| false, &mut sink).expect("read");
    let all = length + 1 + next.len() as u64;
    assert_eq!((end.offset, end.damaged), (all, 1));
    assert_eq!(found, [("next".len(), length + 1..all - 1)]);
}

#[test]
fn reading_can_be_stopped() {
    let asked = Cell::new(0);
    let is_stopped = || asked.replace(asked.get() + 1) > 0;
    let bytes = lines(&[user("one")]);
    let read = passages(&bytes[..], &Checkpoint::default(), &is_stopped, &mut |_| {});
    assert_eq!(read.expect_err("stopped").kind(), ErrorKind::Interrupted);
}
