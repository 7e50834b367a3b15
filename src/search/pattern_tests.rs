use super::Pattern;
use crate::search::fold::Folded;

fn matches(pattern: &str, text: &str) -> bool {
    let pattern = Pattern::new(pattern).expect("a pattern");
    pattern.regex().is_match(Folded::new(text).text.as_bytes())
}

#[test]
fn case_and_accents_do_not_count() {
    assert!(matches(r"FOO\d+ B[aA]R", "foo12  bar"));
    assert!(matches("Über", "uber"));
    assert!(matches("uber", "Über"));
    assert!(matches("stra[ß]", "Straße"));
    assert!(matches("caf[éè]s?$", "un café"));
    assert!(matches(r"\p{Han}{2}", "会话"));
    assert!(matches("^会.搜", "会话搜索"));
    // Classes keep their capitals: they mean something else.
    assert!(!matches(r"^\W\D\S$", "1a "));
    // Full-width signs are letters, not syntax.
    assert!(matches("f（x）", "f(x)"));
}

#[test]
fn what_cannot_be_looked_for_has_a_short_reason() {
    for (pattern, reason) in [
        ("foo(", "unclosed group"),
        (
            "[z-a]",
            "invalid character class range, the start must be <= the end",
        ),
        (r"a\1", "backreferences are not supported"),
        (r"\w{999}", "it is too large"),
        ("x*", "it matches every text"),
    ] {
        assert_eq!(Pattern::new(pattern), Err(reason.to_owned()), "{pattern}");
    }
    let deep = format!("{}a{}", "(".repeat(60), ")".repeat(60));
    assert!(Pattern::new(&deep).is_err());
}

#[test]
fn a_pattern_is_its_text() {
    assert_eq!(Pattern::new("a.b"), Pattern::new("a.b"));
    assert_ne!(Pattern::new("a.b"), Pattern::new("A.b"));
    assert_eq!(Pattern::new("É.b").expect("a pattern").text(), "É.b");
}

#[test]
fn empty_matches_are_no_places() {
    let places = |pattern: &str, text: &[u8]| -> Vec<_> {
        let pattern = Pattern::new(pattern).expect("a pattern");
        pattern.places(text).collect()
    };
    assert_eq!(places("b+", b"bb-b"), [0..2, 3..4]);
    assert!(places(r"\b", b"bb-b").is_empty());
    let pattern = Pattern::new("b+").expect("a pattern");
    assert!(pattern.begins(b"b") && !pattern.begins(b"ab"));
}
