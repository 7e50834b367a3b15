use super::{Plain, Quote, TypedWord};
use crate::cli::init::InitShell::{self, Bash, Fish, Zsh};

const BREAKS: &str = "=:@";

#[track_caller]
fn reads(typed: &str, shell: InitShell, text: &str, quote: Quote, kept: &str) {
    let word = TypedWord::read(typed, shell, BREAKS);
    let expected = TypedWord {
        text: text.to_owned(),
        quote,
        kept: kept.len(),
    };
    assert_eq!(word, expected, "{typed}");
}

#[test]
fn quotes_and_backslashes_are_read_as_the_shell_does() {
    reads("plain", Bash, "plain", Quote::None, "");
    reads(
        "docs:' update ",
        Bash,
        "docs: update ",
        Quote::Single,
        "docs:",
    );
    reads(r"'don'\''t", Bash, "don't", Quote::Single, "don'");
    reads("'a:b'c", Bash, "a:bc", Quote::None, "");
    reads("x:'a b'c", Bash, "x:a bc", Quote::None, "x:");
    reads(r"a\:b\ \&", Bash, "a:b &", Quote::None, "");
    reads(r"a\", Bash, "a", Quote::None, "");
    reads(
        r#""a \"b\" \$ \x"#,
        Bash,
        r#"a "b" $ \x"#,
        Quote::Double,
        "",
    );
    reads(
        "--branch='fe",
        Bash,
        "--branch=fe",
        Quote::Single,
        "--branch=",
    );
    reads(r"'back\slash", Bash, r"back\slash", Quote::Single, "");
    let bug = TypedWord::read(r"bug\(core\):\ alpha", Zsh, "");
    assert_eq!((bug.text.as_str(), bug.kept), ("bug(core): alpha", 0));
    let fish = TypedWord::read(r"'it\'s \a", Fish, "");
    assert_eq!(
        (fish.text.as_str(), fish.quote),
        (r"it's \a", Quote::Single)
    );
}

#[test]
fn a_candidate_goes_on_from_what_is_typed() {
    let continued = |typed: &str, value: &str| {
        TypedWord::read(typed, Bash, BREAKS).continued(value, Plain::AsIs)
    };
    for (typed, value, written) in [
        ("pl", "plain", "plain"),
        ("zap", "zap & it", "'zap & it'"),
        ("docs:' up", "docs: update it", " update it"),
        (r"'don'\''t", "Don't panic", "t panic"),
        ("'x", "it's x", r"it'\''s x"),
        ("'", "'x", r"''\''x"),
        ("\"x", "x \"$y\" `z`", r#"x \"\$y\" \`z\`"#),
        ("\"x", "x \"y\"", r#"x \"y\"""#),
        ("'x", "x'", r"x'\'''"),
        ("\"x", "x!y", r#"x"'!'"y"#),
        ("\"", "!y", r#"""'!'"y"#),
    ] {
        assert_eq!(continued(typed, value).as_deref(), Some(written), "{typed}");
    }
    // What stays on the line would stand before it.
    assert_eq!(continued("docs:up", "Clean up"), None);
    assert_eq!(continued("é:x", "e"), None);
    let quoted = TypedWord::read("pl", Bash, BREAKS).continued("plain", Plain::Quoted);
    assert_eq!(quoted.as_deref(), Some("'plain'"));
}
