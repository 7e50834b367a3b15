use proptest::prelude::*;

use super::{
    escape_json, is_blank, pasteable, sanitize, sanitize_lines, sanitize_whole, without_escapes,
};

#[test]
fn plain_text_of_any_script_is_untouched() {
    for text in [
        "fix the tests",
        "日本語 — ümlaut",
        "👩 ship it",
        "हिन्दी",
        "क\u{94d}\u{200d}ष",
    ] {
        assert_eq!(sanitize(text), text);
    }
}

#[test]
fn line_breaks_and_tabs_become_spaces() {
    assert_eq!(sanitize("a\nb\r\nc\td\u{2028}e"), "a b  c d e");
}

#[test]
fn lines_and_tabs_can_be_kept() {
    assert_eq!(
        sanitize_lines("a\tb\x1b[31m\r\n\x1b]0;owned\x07c\n"),
        "a\tb\nc"
    );
}

#[test]
fn a_text_to_paste_says_how_many_control_characters_it_lost() {
    let cases = [
        ("a\tb\nc", "a\tb\nc", 0),
        // A line break of another system is still one.
        ("a\r\nb\n", "a\nb", 0),
        ("\x1b[201~rm\x03 \x7f\u{9b}2J\u{202e}x", "rm x", 5),
        ("a\rb", "a b", 1),
        ("👩\u{200d}👩 🇩🇪 👍🏽", "👩\u{200d}👩 🇩🇪 👍🏽", 0),
    ];
    for (stored, text, lost) in cases {
        assert_eq!(pasteable(stored), (text.to_owned(), lost), "{stored:?}");
    }
}

#[test]
fn escape_sequences_vanish_whole() {
    let cases = [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b[?1049h\x1b[?1003hx", "x"),
        ("\x1b]52;c;aGk=\x07x", "x"),
        ("\x1b]8;;http://e\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\u{9b}2Jx", "x"),
        ("\x1bcx", "x"),
        ("\x1b(Bx", "x"),
        ("bell\x07 del\x7f nul\0", "bell del nul"),
    ];
    for (stored, shown) in cases {
        assert_eq!(sanitize(stored), shown, "{stored:?}");
    }
}

#[test]
fn an_unfinished_string_sequence_hides_nothing_behind_it() {
    assert_eq!(sanitize("\x1b]keep this"), "keep this");
}

#[test]
fn direction_overrides_and_invisible_characters_vanish() {
    assert_eq!(
        sanitize("abc\u{202e}fdp.exe\u{2066}\u{200b}\u{feff}"),
        "abcfdp.exe"
    );
}

#[test]
fn json_keeps_its_meaning_and_loses_its_controls() {
    let value = serde_json::json!({"t": "a\u{1b}[31m\u{9b}2J\u{202e}x\u{e0041}"});
    let json = value.to_string();
    let safe = escape_json(&json);
    assert_eq!(sanitize(&safe), safe);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&safe).ok(),
        Some(value)
    );
}

proptest! {
    #[test]
    fn nothing_dangerous_survives(text in any::<String>()) {
        let safe = sanitize(&text).into_owned();
        prop_assert!(!safe.chars().any(char::is_control));
        prop_assert_eq!(sanitize(&safe), safe.as_str());
    }
}

/// With quadratic work this would take minutes.
#[test]
fn a_hundred_thousand_unfinished_sequences_are_no_trouble() {
    let hostile = "\x1b]x".repeat(100_000);
    assert_eq!(sanitize(&hostile), "x".repeat(100_000));
}

#[test]
fn blank_is_what_shows_nothing() {
    for text in ["", " \n", "\u{200b}\u{202e}", "\x1b[0m", " \x1b]0;t\x07 "] {
        assert!(is_blank(text), "{text:?}");
    }
    for text in ["x", " x", "\x1b[0mx", "\u{200b}日"] {
        assert!(!is_blank(text), "{text:?}");
    }
}

proptest! {
    #[test]
    fn blank_agrees_with_sanitize(text in "[ \n\x1b\\[0m\u{200b}x\x07\\]]{0,8}") {
        prop_assert_eq!(is_blank(&text), sanitize(&text).trim().is_empty());
    }
}

#[test]
fn flags_are_their_letters_and_soft_hyphens_are_gone() {
    assert_eq!(sanitize("in 🇩🇪 and 🇯🇵"), "in DE and JP");
    assert_eq!(sanitize("re\u{ad}fresh"), "refresh");
    assert_eq!(super::escape_json("\"🇩🇪\""), "\"🇩🇪\"");
}

#[test]
fn a_picture_that_terminals_give_different_widths_becomes_its_first_part() {
    for (stored, shown) in [
        ("👍🏽 yes", "👍 yes"),
        ("👩‍💻 ship it", "👩 ship it"),
        ("👨‍👩‍👧‍👦!", "👨!"),
        ("🧑🏽‍⚕️ now", "🧑\u{fe0f} now"),
        ("🏳️‍🌈", "🏳️"),
    ] {
        assert_eq!(sanitize(stored), shown, "{stored}");
        // Nobody counts the columns of JSON and of what is copied.
        assert_eq!(escape_json(stored), stored);
        assert_eq!(sanitize_lines(stored), stored);
        // The screen keeps what follows them in its place.
        assert_eq!(sanitize_whole(stored), stored);
    }
}

#[test]
fn escape_sequences_go_and_everything_else_stays() {
    for (text, expected) in [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\u{1b}[38;5;9merror\u{1b}[0m: cannot\n", "error: cannot\n"),
        ("a\u{9b}31mb", "ab"),
        ("\u{1b}]0;title\u{7}shown", "shown"),
        (
            "\u{1b}]8;;https://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\",
            "link",
        ),
        // One that never ends hides nothing.
        ("\u{1b}]0;everything else", "0;everything else"),
        ("Âé 日本", "Âé 日本"),
    ] {
        assert_eq!(without_escapes(text), expected, "{text:?}");
    }
}
