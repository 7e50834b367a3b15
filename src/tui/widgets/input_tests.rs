use super::{Edit, Input};

fn at(text: &str, lefts: usize) -> Input {
    let mut input = Input::new(text);
    for _ in 0..lefts {
        input.edit(Edit::Left);
    }
    input
}

#[test]
fn typing_goes_where_the_cursor_is() {
    let mut input = at("ac", 1);
    input.insert("b");
    assert_eq!((input.text(), input.cursor_column()), ("abc", 2));
}

#[test]
fn the_cursor_moves_by_graphemes() {
    let mut input = Input::new("e\u{301}❤\u{fe0f}日");
    input.edit(Edit::Left);
    assert_eq!(input.cursor_column(), 3);
    input.edit(Edit::Left);
    assert_eq!(input.cursor_column(), 1);
    input.edit(Edit::Left);
    input.edit(Edit::Left);
    assert_eq!(input.cursor_column(), 0);
    input.edit(Edit::Right);
    assert_eq!(input.cursor_column(), 1);
    input.edit(Edit::DeleteBack);
    assert_eq!(input.text(), "❤\u{fe0f}日");
    input.edit(Edit::DeleteForward);
    assert_eq!(input.text(), "日");
}

#[test]
fn words_are_moved_over_and_deleted() {
    let mut input = Input::new("fix  the bug");
    input.edit(Edit::WordLeft);
    assert_eq!(input.cursor_column(), 9);
    input.edit(Edit::DeleteWordBack);
    assert_eq!(input.text(), "fix  bug");
    input.edit(Edit::Start);
    input.edit(Edit::DeleteWordForward);
    assert_eq!(input.text(), "  bug");
    input.edit(Edit::WordRight);
    assert_eq!(input.cursor_column(), 5);
    input.edit(Edit::DeleteToStart);
    assert!(input.is_empty());
    input.edit(Edit::DeleteBack);
    input.edit(Edit::DeleteForward);
    input.edit(Edit::WordLeft);
    input.edit(Edit::WordRight);
    assert!(input.is_empty());
}

#[test]
fn a_combining_mark_joins_what_stands_before_it() {
    let mut input = Input::new("e");
    input.insert("\u{301}");
    input.insert("x");
    assert_eq!(input.text(), "e\u{301}x");
    input.edit(Edit::DeleteBack);
    input.edit(Edit::DeleteBack);
    assert_eq!(input.text(), "");
}

#[test]
fn what_is_pasted_is_one_safe_line_of_bounded_length() {
    let mut input = Input::new("");
    input.insert("two\nlines \u{1b}[31mred\u{202e}");
    assert_eq!(input.text(), "two lines red");
    input.insert(&"é".repeat(1_000_000));
    assert!(input.text().len() <= 1000);
    let full = input.text().to_owned();
    input.insert("more");
    assert!(input.text().len() <= 1000);
    assert!(input.text().starts_with(&full));
}
