use super::broken;

#[test]
fn a_line_keeps_its_spaces_and_is_broken_at_the_edge() {
    assert_eq!(broken("", 4), [""]);
    assert_eq!(broken("  ab cd", 4), ["  ab", " cd"]);
    assert_eq!(broken("\tx", 10), ["    x"]);
    assert_eq!(broken("日本語", 4), ["日本", "語"]);
    // A sign that is wider than the screen has a line of its own.
    assert_eq!(broken("日本", 1), ["日", "本"]);
    assert_eq!(broken("a\u{1b}[31mb", 9), ["ab"]);
}
