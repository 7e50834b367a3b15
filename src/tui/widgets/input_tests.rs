use super::Input;

fn at(text: &str, lefts: usize) -> Input {
    let mut input = Input::new(text);
    for _ in 0..lefts {
        input.left();
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
    input.left();
    assert_eq!(input.cursor_column(), 3);
    input.left();
    assert_eq!(input.cursor_column(), 1);
    input.left();
    input.left();
    assert_eq!(input.cursor_column(), 0);
    input.right();
    assert_eq!(input.cursor_column(), 1);
    input.delete_back();
    assert_eq!(input.text(), "❤\u{fe0f}日");
    input.delete_forward();
    assert_eq!(input.text(), "日");
}

#[test]
fn words_are_moved_over_and_deleted() {
    let mut input = Input::new("fix  the bug");
    input.word_left();
    assert_eq!(input.cursor_column(), 9);
    input.delete_word_back();
    assert_eq!(input.text(), "fix  bug");
    input.start();
    input.delete_word_forward();
    assert_eq!(input.text(), "  bug");
    input.word_right();
    assert_eq!(input.cursor_column(), 5);
    input.delete_to_start();
    assert!(input.is_empty());
    input.delete_back();
    input.delete_forward();
    input.word_left();
    input.word_right();
    assert!(input.is_empty());
}

#[test]
fn a_combining_mark_joins_what_stands_before_it() {
    let mut input = Input::new("e");
    input.insert("\u{301}");
    input.insert("x");
    assert_eq!(input.text(), "e\u{301}x");
    input.delete_back();
    input.delete_back();
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
