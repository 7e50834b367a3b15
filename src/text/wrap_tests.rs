use super::wrap;

#[test]
fn lines_are_broken_between_words_and_never_too_long() {
    assert_eq!(wrap("to be or not", 5), ["to be", "or", "not"]);
    assert_eq!(wrap("a verylongword", 8), ["a", "veryl..."]);
    assert_eq!(wrap("\u{1b}[31mred\n日本", 6), ["red", "日本"]);
    assert_eq!(wrap("", 5), [""]);
}
