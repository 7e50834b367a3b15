use super::Syntaxes;
use crate::preview::Tone;

/// Code in the languages that people use most, with a word of it and what it is.
const CODE: &[(&str, &str, &str, Tone)] = &[
    ("rust", "fn main() { let x = 1; }", "fn", Tone::Keyword),
    (
        "python",
        "def f():  # why\n    return 'a'",
        "# why",
        Tone::Comment,
    ),
    (
        "typescript",
        "const a: string = \"b\";",
        "\"b\"",
        Tone::Quoted,
    ),
    (
        "javascript",
        "function f() { return 42 }",
        "42",
        Tone::Number,
    ),
    (
        "go",
        "package main\nfunc main() {}",
        "package",
        Tone::Keyword,
    ),
    ("bash", "for x in a; do echo 1; done", "for", Tone::Keyword),
    ("json", "{\"a\": 12}", "12", Tone::Number),
    ("toml", "[package]\nname = \"x\"", "\"x\"", Tone::Quoted),
    ("sql", "SELECT a FROM b", "SELECT", Tone::Keyword),
    (
        "c++",
        "int main() { return 0; } // end",
        "// end",
        Tone::Comment,
    ),
    ("diff", "-old\n+new", "+new", Tone::Added),
    ("rust,no_run", "use std::fs;", "use", Tone::Keyword),
];

#[test]
fn words_of_many_languages_are_told_apart_and_no_character_changes() {
    let syntaxes = Syntaxes::load();
    for (language, code, word, tone) in CODE {
        let lines = syntaxes.paint(language, code).unwrap_or_default();
        let told: Vec<String> = lines
            .iter()
            .map(|line| line.iter().map(|span| span.text.as_str()).collect())
            .collect();
        assert_eq!(told.join("\n"), *code, "{language}");
        let tones: Vec<Tone> = lines
            .iter()
            .flatten()
            .filter(|span| span.text.trim() == *word)
            .map(|span| span.tone)
            .collect();
        assert_eq!(tones, [*tone], "{word} in {language}: {lines:?}");
    }
}

#[test]
fn what_nobody_knows_and_what_is_too_long_is_left_alone() {
    let syntaxes = Syntaxes::load();
    for language in ["", "text", "no-such-language"] {
        assert_eq!(syntaxes.paint(language, "let x = 1;"), None, "{language}");
    }
    assert_eq!(syntaxes.paint("rust", &"x();\n".repeat(700)), None);
    assert_eq!(syntaxes.paint("rust", &"x".repeat(3000)), None);
}
