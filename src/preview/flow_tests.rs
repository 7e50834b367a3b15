use proptest::prelude::*;

use super::{flow, hard};
use crate::preview::line::{Span, Tone};
use crate::text::width;

fn texts(lines: Vec<Vec<Span>>) -> Vec<String> {
    let text = |line: Vec<Span>| line.into_iter().map(|span| span.text).collect();
    lines.into_iter().map(text).collect()
}

fn plain(text: &str) -> Vec<Span> {
    vec![Span::new(text, Tone::Plain)]
}

#[test]
fn words_flow_and_prefixes_stand_in_front() {
    let lines = flow(
        &plain("one two three four five"),
        &plain("- "),
        &plain("  "),
        12,
    );
    assert_eq!(texts(lines), ["- one two", "  three four", "  five"]);
}

#[test]
fn code_is_cut_and_keeps_its_spaces() {
    let lines = hard(&plain("    let x = 1;"), &[], 8);
    assert_eq!(
        texts(lines),
        ["    let", "x = 1;"].map(str::to_owned).to_vec()
    );
}

#[test]
fn signs_stay_with_what_they_close_and_open() {
    let lines = |text: &str| texts(flow(&plain(text), &[], &[], 16));
    assert_eq!(lines("一二三四五六七八。九"), ["一二三四五六七", "八。九"]);
    assert_eq!(
        lines("一二三四五六七「八」九"),
        ["一二三四五六七", "「八」九"]
    );
    assert_eq!(
        lines("一二三四五六（七）。八"),
        ["一二三四五六", "（七）。八"]
    );
    // Nothing is won by tearing a line of signs apart.
    assert_eq!(lines(&"！".repeat(9)), ["！".repeat(5), "！".repeat(4)]);
    let mut spans = plain("一二三四五六七八");
    spans.push(Span::new("。", Tone::Strong));
    assert_eq!(
        texts(flow(&spans, &[], &[], 16)),
        ["一二三四五六七", "八。"]
    );
    // A pane that is too narrow has no room to move anything.
    assert_eq!(
        texts(flow(&plain("一二三。"), &[], &[], 6)),
        ["一二三", "。"]
    );
}

proptest! {
    #[test]
    fn no_line_is_too_wide_and_nothing_visible_is_lost(
        words in prop::collection::vec("[a-z漢「。é🎉 ]{0,12}", 0..8),
        columns in 2_usize..30,
    ) {
        let tones = [Tone::Plain, Tone::Strong, Tone::Code];
        let spans: Vec<Span> = words
            .iter()
            .enumerate()
            .map(|(n, word)| Span::new(word, tones[n % 3]))
            .collect();
        let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        for lines in [flow(&spans, &[], &[], columns), hard(&spans, &[], columns)] {
            let lines = texts(lines);
            for line in &lines {
                prop_assert!(width(line) <= columns, "{line:?}");
            }
            prop_assert_eq!(visible(&lines.concat()), visible(&words.concat()));
        }
    }
}
