use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{BUDGET, MOST_STUCK, Painter, Syntaxes, longest_line, plain};
use crate::preview::{Span, Tone};

/// Languages with so much time that a busy machine makes no difference.
fn patient() -> Syntaxes {
    Syntaxes::within(Duration::from_secs(3600))
}

fn paint(syntaxes: &Syntaxes, language: &str, code: &str) -> Option<Vec<Vec<Span>>> {
    let go_on = &|| true;
    Painter { syntaxes, go_on }.paint(language, code)
}

fn text(lines: &[Vec<Span>]) -> String {
    let line = |line: &Vec<Span>| {
        line.iter()
            .map(|span| span.text.as_str())
            .collect::<String>()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Code of which each line takes the engine a tenth of a second or more.
fn tedious() -> String {
    vec!["(a".repeat(245); 600].join("\n")
}

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
    let syntaxes = patient();
    for (language, code, word, tone) in CODE {
        let lines = paint(&syntaxes, language, code).unwrap_or_default();
        assert_eq!(text(&lines), *code, "{language}");
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
fn what_is_not_known_and_what_is_too_long_is_left_alone() {
    let syntaxes = patient();
    for language in ["", "text", "no-such-language"] {
        assert_eq!(paint(&syntaxes, language, "let x = 1;"), None, "{language}");
    }
    assert_eq!(paint(&syntaxes, "rust", &"x();\n".repeat(700)), None);
}

#[test]
fn a_line_that_a_grammar_could_take_minutes_for_stays_plain_and_the_others_do_not() {
    let syntaxes = patient();
    for (language, piece) in [("systemverilog", "((a"), ("scss", "a-"), ("rust", "a ")] {
        let long = piece.repeat(1900 / piece.len());
        let lines = paint(&syntaxes, language, &format!("{long}\n// b")).unwrap_or_default();
        assert_eq!(lines[0], plain(&long), "{language}");
        assert_eq!(lines[1], [Span::new("// b", Tone::Comment)], "{language}");
    }
}

#[test]
fn code_is_plain_from_where_its_time_ends_and_its_language_from_then_on() {
    let syntaxes = Syntaxes::within(Duration::from_millis(20));
    let code = tedious();
    let lines = paint(&syntaxes, "systemverilog", &code).unwrap_or_default();
    assert_eq!(text(&lines), code);
    assert_eq!(lines[599], plain(&"(a".repeat(245)));
    assert_eq!(paint(&syntaxes, "systemverilog", "wire a;"), None);
    assert_eq!(paint(&syntaxes, "sv", "wire a;"), None, "by another name");
}

#[test]
fn nothing_is_painted_after_three_languages_were_too_slow() {
    let syntaxes = Syntaxes::within(Duration::ZERO);
    for language in ["rust", "go", "sql"] {
        assert!(paint(&syntaxes, language, "a").is_some(), "{language}");
    }
    assert_eq!(paint(&syntaxes, "json", "1"), None);
}

#[test]
fn painting_ends_when_it_is_not_wanted_any_more_and_the_language_is_not_to_blame() {
    let syntaxes = patient();
    let code = tedious();
    let unwanted = Painter {
        syntaxes: &syntaxes,
        go_on: &|| false,
    };
    let lines = unwanted.paint("systemverilog", &code).unwrap_or_default();
    assert_eq!(text(&lines), code);
    assert!(paint(&syntaxes, "systemverilog", "wire a;").is_some());
}

#[test]
fn no_more_threads_are_started_than_may_be_stuck() {
    let syntaxes = patient();
    let stuck: Vec<_> = (0..MOST_STUCK)
        .map(|_| Arc::clone(&syntaxes.grammars))
        .collect();
    assert_eq!(paint(&syntaxes, "rust", "fn a() {}"), None);
    drop(stuck);
    assert!(paint(&syntaxes, "rust", "fn a() {}").is_some());
}

/// What lines of hostile code repeat.
const PIECES: &[&str] = &[
    "(", ")", "((a", "(a", "a(", "a[", "[", "[[", "]", "{", "}", "{{", "<", ">", "<a ", "<a>",
    "</", "<<", "\"", "'", "`", "\\", "\\\\", "*", "**", "*_", "_", "__", "~", "~~", "#", "##",
    "-", "--", "=", "==", "+", "/", "//", "/*", "*/", "|", "||", "&", "&&", "&a;", ":", "::", ";",
    ",", ".", "..", "?", "!", "$", "$(", "${", "$a", "@", "@a", "%", "^", " ", "  a", "\t", "a",
    "a ", " a", "a.", "a,", "a=", "a = ", "a:", "a::", "a->", "a<", "a<b", "a()", "a b ", "0",
    "0.", "1e", "0x", "x1_", "\"a", "'a", "\\\"", "\\'", "a\"", "![", "![a](", "[a](", "](",
    "<!--", "-->", "<?", "{%", "{{a", "#{", "a;", "fn a(", "é", "一", "if ", "a\\", "(*", "\0",
    "1 ", "1,", "<a b=", "[a]", "(a)", "{a}", "- ", "| a ", "> ", "a-", "a/", "/a",
];

/// Every grammar with two lines of each piece, as long as lines may be.
#[test]
#[ignore = "takes minutes and needs a calm machine: cargo test --release --lib grammar -- --ignored --nocapture"]
#[allow(clippy::print_stderr)]
fn no_grammar_takes_longer_than_its_budget_whatever_is_repeated() {
    let syntaxes = patient();
    let mut taken = Vec::new();
    for (number, syntax) in syntaxes.grammars.set.syntaxes().iter().enumerate() {
        let longest = longest_line(syntax);
        for piece in PIECES {
            let line = piece.repeat(longest / piece.len());
            let code = format!("{line}\n{line}");
            let began = Instant::now();
            let painted = syntaxes.start(number, &code).expect("started");
            assert_eq!(
                painted.iter().flatten().count(),
                2,
                "{} with {piece:?}",
                syntax.name
            );
            taken.push((began.elapsed(), syntax.name.as_str(), *piece));
        }
    }
    taken.sort_unstable();
    let over = taken.iter().filter(|(time, ..)| *time > BUDGET).count();
    eprintln!("{} runs, {over} over {BUDGET:?}", taken.len());
    for (time, name, piece) in taken.iter().rev().take(10) {
        eprintln!("{time:?} {name} {piece:?}");
    }
    assert_eq!(over, 0);
}
