use proptest::prelude::*;

use super::{wrap, wrap_ranges};
use crate::text::width;

#[test]
fn lines_are_broken_between_words_and_never_too_long() {
    assert_eq!(wrap("to be or not", 5), ["to be", "or", "not"]);
    assert_eq!(wrap("a verylongword", 8), ["a", "veryl..."]);
    assert_eq!(wrap("\u{1b}[31mred\n日本", 6), ["red", "日本"]);
    assert_eq!(wrap("", 5), [""]);
}

fn lines(text: &str, used: usize, columns: usize) -> Vec<&str> {
    let ranges = wrap_ranges(text, used, columns).into_iter();
    ranges.map(|range| &text[range]).collect()
}

#[test]
fn ranges_break_between_words_and_inside_long_ones() {
    assert_eq!(lines("one two three", 0, 8), ["one two", "three"]);
    assert_eq!(lines("one two three", 5, 8), ["one", "two", "three"]);
    assert_eq!(lines("one two", 7, 8), ["", "one two"]);
    assert_eq!(lines("a abcdefghij b", 0, 4), ["a ab", "cdef", "ghij", "b"]);
    assert_eq!(lines("漢字漢字 x", 0, 6), ["漢字漢", "字 x"]);
    assert_eq!(lines("", 0, 5), [""]);
    assert_eq!(lines("a  b", 0, 1), ["a", "", "b"]);
}

proptest! {
    #[test]
    fn ranges_cover_all_but_spaces(text in "[a é漢]{0,30}", used in 0usize..12, columns in 2usize..12) {
        let mut end = 0;
        let ranges = wrap_ranges(&text, used, columns);
        for (number, range) in ranges.iter().enumerate() {
            prop_assert!(text[end..range.start].chars().all(|c| c == ' '));
            let free = if number == 0 { columns.saturating_sub(used) } else { columns };
            prop_assert!(width(&text[range.clone()]) <= free, "{:?}", &text[range.clone()]);
            end = range.end;
        }
        prop_assert!(text[end..].chars().all(|c| c == ' '));
    }
}
