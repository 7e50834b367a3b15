use proptest::prelude::*;

use super::{unescape, unescape_prefix};

#[test]
fn every_escape_is_decoded() {
    assert_eq!(
        unescape(br#"a\"b\\c\/d\n\t\r\b\f\u00e9\ud83d\ude00"#),
        "a\"b\\c/d\n\t\r\u{8}\u{c}é😀"
    );
}

#[test]
fn broken_text_loses_only_what_is_broken() {
    let cases: [(&[u8], &str); 7] = [
        (br"\ud83c x", "\u{fffd} x"),
        (br"\ude00\ud83d", "\u{fffd}\u{fffd}"),
        (br"\ud83d\u0041", "\u{fffd}A"),
        (br"\u12", "\u{fffd}12"),
        (br"\u+123", "\u{fffd}+123"),
        (b"a\xff\xfeb", "a\u{fffd}\u{fffd}b"),
        (br"end\", "end"),
    ];
    for (raw, expected) in cases {
        assert_eq!(unescape(raw), expected, "{raw:?}");
    }
}

proptest! {
    #[test]
    fn what_a_strict_writer_escapes_comes_back(text in any::<String>()) {
        let json = serde_json::to_string(&text).expect("strings serialise");
        prop_assert_eq!(unescape(&json.as_bytes()[1..json.len() - 1]), text);
    }

    #[test]
    fn a_prefix_is_a_prefix(text in any::<String>(), limit in 0_usize..64) {
        let json = serde_json::to_string(&text).expect("strings serialise");
        let prefix = unescape_prefix(&json.as_bytes()[1..json.len() - 1], limit);
        prop_assert!(text.starts_with(&*prefix), "{:?} of {:?}", prefix, text);
    }

    #[test]
    fn any_bytes_decode(raw in any::<Vec<u8>>(), limit in 0_usize..64) {
        unescape(&raw);
        unescape_prefix(&raw, limit);
    }
}
