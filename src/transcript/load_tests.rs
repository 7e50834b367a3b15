use std::io::{self, Read};

use proptest::prelude::*;

use super::{load_end, load_from};
use crate::transcript::{Index, LoadExtent};

const CHUNK: usize = 1024 * 1024;

fn entry(n: u32, text: &str) -> String {
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"{text}"}},"uuid":"{n:08}-0000-4000-8000-000000000000","timestamp":"2026-03-01T10:00:00.000Z"}}"#
    )
}

fn loaded(text: impl AsRef<[u8]>) -> Index {
    let bytes = text.as_ref();
    load_from(bytes, bytes.len() as u64, LoadExtent::Resumed).expect("slices never fail")
}

#[test]
fn lines_are_found_where_they_stand() {
    let text = format!(
        "\u{feff}{}\n  {}\r\n\n{}",
        entry(1, "a"),
        entry(2, "b"),
        entry(3, "c")
    );
    let index = loaded(&text);
    for (n, link) in (1..).zip(index.links()) {
        let start = usize::try_from(link.offset).expect("small");
        let line = &text[start..start + link.length];
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
        assert!(line.contains(&format!("\"{n:08}-")), "{line}");
    }
    assert_eq!(index.links().len(), 3);
    assert_eq!((index.health.bad, index.health.torn_end), (0, false));
}

#[test]
fn damage_is_counted_and_passed_over() {
    let text = [
        entry(1, "a"),
        "not json".to_owned(),
        "\0".repeat(300),
        entry(2, "b") + &entry(3, "c"),
        format!(r#"{{"type":"pr-link","prNu{}"#, entry(4, "d")),
        r#"{"parentUuid":null,"type":"user","uuid":"torn"#.to_owned(),
    ]
    .join("\n");
    let index = loaded(&text);
    assert_eq!(index.links().len(), 4);
    let health = &index.health;
    assert_eq!((health.lines, health.bad, health.glued), (6, 3, 2));
    assert_eq!(health.bad_lines, [2, 5, 6]);
    assert!(health.torn_end);
}

#[test]
fn an_entry_behind_torn_noise_is_found() {
    let text = format!(
        "{{\"type\":\"api-request\",\"request\":{{\"mess{}\n",
        entry(1, "a")
    );
    let index = loaded(text);
    assert_eq!(index.links().len(), 1);
    assert_eq!((index.health.bad, index.health.glued), (1, 1));
}

#[test]
fn lines_straddle_chunks_and_may_be_longer_than_many() {
    let long = "x".repeat(5 * CHUNK);
    let text = [
        entry(1, &"y".repeat(CHUNK - 50)),
        entry(2, &long),
        entry(3, "c"),
    ]
    .join("\n");
    let index = loaded(&text);
    assert_eq!(index.links().len(), 3);
    let last = &index.links()[2];
    assert_eq!(
        usize::try_from(last.offset).expect("small") + last.length,
        text.len()
    );
}

#[test]
fn in_a_large_file_a_compaction_drops_what_lies_before() {
    let boundary = |preserved: &str| {
        format!(
            r#"{{"parentUuid":null,"type":"system","subtype":"compact_boundary","uuid":"cb","compactMetadata":{{{preserved}}}}}"#
        )
    };
    let before = entry(1, &"x".repeat(6 * CHUNK));
    let kept = r#""preservedSegment":{"headUuid":"a","anchorUuid":"b","tailUuid":"c"}"#;
    let links = |text: String| loaded(text).links().len();
    assert_eq!(
        links(
            [&before, &boundary(""), &entry(2, "b")]
                .map(String::as_str)
                .join("\n")
        ),
        2
    );
    assert_eq!(
        links(
            [&before, &boundary(kept), &entry(2, "b")]
                .map(String::as_str)
                .join("\n")
        ),
        3
    );
    // A small file is kept whole: a branch from before may go on after the compaction.
    assert_eq!(
        links(
            [&entry(1, "a"), &boundary(""), &entry(2, "b")]
                .map(String::as_str)
                .join("\n")
        ),
        3
    );
}

#[test]
fn a_hundred_thousand_objects_on_one_line_are_no_trouble() {
    let line = r#"{"type":"x"}"#.repeat(100_000) + &entry(1, "a");
    assert_eq!(loaded(line).health.bad, 0);
}

/// Gives its bytes in pieces of any size, as a slow disk might.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: Vec<usize>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.pop().unwrap_or(7).clamp(1, buffer.len());
        let (now, rest) = self.bytes.split_at(size.min(self.bytes.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.bytes = rest;
        Ok(now.len())
    }
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_same_links(sizes in prop::collection::vec(1_usize..400, 0..20)) {
        let text = [entry(1, "a"), entry(2, "b"), "garbage".to_owned(), entry(3, "c")].join("\n");
        let pieces = Pieces { bytes: text.as_bytes(), sizes };
        let index = load_from(pieces, text.len() as u64, LoadExtent::Resumed).expect("never fails");
        let expected = loaded(&text);
        prop_assert_eq!(index.links(), expected.links());
        prop_assert_eq!(index.health, expected.health);
    }

    #[test]
    fn any_bytes_load(bytes in any::<Vec<u8>>()) {
        loaded(bytes);
    }

    #[test]
    fn bytes_that_look_like_a_transcript_load(text in "(\\{\"type\":\"user\",|\"uuid\":\"a\"|\\{\"parentUuid\":|\\}|,|\n|\"message\":\\{|\\[|\\]|null){0,40}") {
        loaded(text);
    }
}

#[test]
fn the_end_of_a_file_has_the_links_that_the_whole_has_there() {
    let lines: Vec<String> = (1..=40).map(|n| entry(n, "text")).collect();
    let text = lines.join("\n");
    let whole = loaded(&text);
    let size = text.len() as u64;
    for window in [0, 1, 100, 1000, 5000, size, size + 1] {
        let end = load_end(io::Cursor::new(&text), size, window).expect("slices never fail");
        let known = whole.links();
        let offsets = |links: &[crate::transcript::Link]| {
            let places = links.iter().map(|link| (link.offset, link.length, link.id));
            places.collect::<Vec<_>>()
        };
        let skipped = known.len() - end.links().len();
        assert_eq!(offsets(end.links()), offsets(&known[skipped..]), "{window}");
        let fits = known
            .iter()
            .filter(|link| link.offset > size.saturating_sub(window));
        assert_eq!(
            end.links().len(),
            fits.count() + usize::from(window >= size),
            "{window}"
        );
    }
}
