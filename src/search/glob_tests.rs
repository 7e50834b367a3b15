use super::{NameKind, NamePattern};
use crate::search::fold::Folded;

fn pattern(text: &str, kind: NameKind) -> NamePattern {
    let pattern = NamePattern::new(text, kind).expect("a pattern");
    pattern.expect("a name")
}

#[test]
fn a_glob_is_for_the_whole_name_of_a_tool() {
    for (glob, name, is) in [
        ("web*", "webfetch", true),
        ("web*", "mcp__web", false),
        ("*edit", "multiedit", true),
        ("*edit", "editor", false),
        ("mcp__*__get?", "mcp__a.b__gets", true),
        ("mcp__*__get?", "mcp__a.b__get", false),
        ("a.b*", "axb", false),
        ("edit", "multiedit", true),
    ] {
        assert_eq!(pattern(glob, NameKind::Tool).is_tool(name), is, "{glob}");
    }
}

#[test]
fn a_glob_is_for_the_end_of_a_path() {
    for (glob, path, is) in [
        ("*.rs", "/w/src/Main.rs", true),
        ("*.rs", "/w/main.rsx", false),
        ("*.rs", "/w/a.rs /w/b.md", true),
        ("src/*.RS", "/w/src/a/main.rs", true),
        ("src/*.rs", "/w/mysrc/main.rs", false),
        ("main.?s", "C:\\w\\main.rs", true),
        ("main.?s", "/w/main.s", false),
        ("Schlüss*", "/w/schlussel", true),
        ("*", "/w", true),
    ] {
        let NamePattern::Glob(found) = pattern(glob, NameKind::Path) else {
            panic!("{glob} is a glob");
        };
        let folded = Folded::new(path).text;
        let matches = found.pattern.regex().is_match(folded.as_bytes());
        assert_eq!(matches, is, "{glob}");
    }
}

#[test]
fn the_longest_part_is_what_every_match_has() {
    let literal = |glob: &str| {
        let found = pattern(glob, NameKind::Path);
        found.literal().map(|needle| needle.text().to_owned())
    };
    assert_eq!(literal("Src/*.rs").as_deref(), Some("src/"));
    assert_eq!(literal("*"), None);
    assert_eq!(literal("src").as_deref(), Some("src"));
    assert_eq!(NamePattern::new(" ", NameKind::Tool), Ok(None));
}
