use chrono::{TimeZone, Utc};
use proptest::prelude::*;

use super::{
    ContentTrait, Facet, Needle, Pattern, Problem, Query, Role, Sign, Term, Test, replace_word,
    tokens,
};
use crate::search::{NamePattern, SessionFlag};

fn parse(text: &str) -> Query {
    let now = Utc.with_ymd_and_hms(2026, 11, 16, 12, 0, 0).unwrap();
    Query::parse(text, &now)
}

fn needle(text: &str) -> Needle {
    Needle::new(text).expect("something to look for")
}

fn wanted(test: Test) -> Term {
    let sign = Sign::Wanted;
    Term { sign, test }
}

fn unwanted(test: Test) -> Term {
    let sign = Sign::Unwanted;
    Term { sign, test }
}

#[test]
fn words_phrases_and_operators_stand_side_by_side() {
    let query =
        parse(r#"token -"log out" Branch:fix "refresh  now" -tag:x project:"my app" is:RUNNING"#);
    assert_eq!(
        query.terms(),
        [
            wanted(Test::Word(needle("token"))),
            unwanted(Test::Phrase(needle("log out"))),
            wanted(Test::Name(Facet::Branch, Some(needle("fix")))),
            wanted(Test::Phrase(needle("refresh now"))),
            unwanted(Test::Name(Facet::Tag, Some(needle("x")))),
            wanted(Test::Name(Facet::Project, Some(needle("my app")))),
            wanted(Test::Is(SessionFlag::Running)),
        ]
    );
    assert_eq!(query.problems(), []);
}

#[test]
fn moments_are_counted_from_the_given_now() {
    let day = 24 * 3600 * 1000;
    let noon = Utc.with_ymd_and_hms(2026, 11, 16, 12, 0, 0).unwrap();
    assert_eq!(
        parse("since:2d -before:2026-11-16").terms(),
        [
            wanted(Test::Since(noon.timestamp_millis() - 2 * day)),
            unwanted(Test::Before(noon.timestamp_millis() - day / 2)),
        ]
    );
}

#[test]
fn operators_of_content_stand_beside_the_others() {
    let query = parse(r#"key role:User tool:Bash file:"my app/a.rs" has:ERROR is:busy"#);
    assert_eq!(
        query.terms(),
        [
            wanted(Test::Word(needle("key"))),
            wanted(Test::Role(Role::User)),
            wanted(Test::Tool(NamePattern::Part(Box::new(needle("bash"))))),
            wanted(Test::File(NamePattern::Part(Box::new(needle(
                "my app/a.rs"
            ))))),
            wanted(Test::Has(ContentTrait::Error)),
            wanted(Test::Is(SessionFlag::Busy)),
        ]
    );
    assert_eq!(query.problems(), []);
    assert_eq!(parse("file:///a/b").terms(), parse("file:/a/b").terms());
}

#[test]
fn signs_for_any_text_make_a_glob() {
    let is_glob = |text: &str| {
        let query = parse(text);
        let name = query.terms().first().map(|term| term.test.clone());
        let Some(Test::Tool(name) | Test::File(name)) = name else {
            panic!("{text} asks for a name");
        };
        matches!(name, NamePattern::Glob(_))
    };
    for glob in ["tool:Web*", "file:src/*.rs", "file:a?", "file:*"] {
        assert!(is_glob(glob), "{glob}");
    }
    for part in ["tool:Web", "file:src/a.rs", "file:\"a*\"", "tool:\"?\""] {
        assert!(!is_glob(part), "{part}");
    }
}

#[test]
fn other_names_of_roles_and_operators_are_understood() {
    for (text, same) in [
        ("a role:Assistant", "a role:claude"),
        ("After:2d", "since:2d"),
    ] {
        assert_eq!(parse(text).terms(), parse(same).terms(), "{text}");
    }
}

fn pattern(text: &str) -> Test {
    Test::Regex(Pattern::new(text).expect("a pattern"))
}

#[test]
fn a_word_between_slashes_is_a_regular_expression() {
    let query = parse(r"a /foo bar/ -/b+$/ /src/ /a\/b/ /c\\/");
    assert_eq!(
        query.terms(),
        [
            wanted(Test::Word(needle("a"))),
            wanted(pattern("foo bar")),
            unwanted(pattern("b+$")),
            wanted(pattern("src")),
            wanted(pattern(r"a\/b")),
            wanted(pattern(r"c\\")),
        ]
    );
    assert_eq!(query.problems(), []);
    assert!(query.narrows(&parse("/src/ -/b+$/")));
    assert!(!parse("/srcs/").narrows(&parse("/src/")));
}

#[test]
fn a_path_is_a_word() {
    let paths = [
        "/",
        "//",
        "///",
        "/usr",
        "/usr/bin",
        "/usr/bin/",
        "/a/b",
        "src/",
        "a/b/",
        "/compact",
        "/tmp/*/",
        "-/usr/bin",
        r"/a\/",
    ];
    for path in paths {
        let sign = if path.starts_with('-') {
            Sign::Unwanted
        } else {
            Sign::Wanted
        };
        let test = Test::Word(needle(path.trim_start_matches('-')));
        assert_eq!(parse(path).terms(), [Term { sign, test }], "{path}");
    }
    // Nor do two of them make an expression.
    for text in [
        "/usr/bin src/",
        "/compact /clear",
        "/compact and /usr/",
        "/ /",
    ] {
        let words = text.split_whitespace().map(|word| Test::Word(needle(word)));
        let mut words: Vec<Term> = words.map(wanted).collect();
        words.dedup();
        if text == "/compact and /usr/" {
            words[2] = wanted(pattern("usr"));
        }
        assert_eq!(parse(text).terms(), words, "{text}");
    }
}

#[test]
fn what_cannot_apply_is_refused_in_one_line() {
    let message = |text: &str| {
        let query = parse(text);
        let messages = query.problems().iter().map(|it| it.message.clone());
        (query.terms().len(), messages.collect::<Vec<_>>())
    };
    let refused = |terms, problem: &str| (terms, vec![problem.to_owned()]);
    assert_eq!(message("a /b(/"), refused(1, "/b(/: unclosed group"));
    for (text, typed) in [
        ("-Role:user", "role:"),
        ("-tool:Bash", "tool:"),
        ("-file:b", "file:"),
        ("-has:error", "has:"),
    ] {
        let problem = format!("-{typed} does not exist: leave out the minus");
        assert_eq!(message(&format!("a {text}")), refused(1, &problem));
    }
    let instead = "path: does not exist: use project: for the directory of a session, file: for a \
                   file that was read or changed";
    assert_eq!(message("a Path:b"), refused(1, instead));
    assert_eq!(message("a -path:b"), refused(1, instead));
    let instead = "title: does not exist: plain words look into titles, too";
    assert_eq!(message("a title:\"b"), refused(1, instead));
    let known = "'me' is not known: try user, claude, tool, peer";
    assert_eq!(message("a role:me"), refused(1, known));
    let known = "'x' is not known: try error, thinking, image, agent";
    assert_eq!(message("has:x"), refused(0, known));
    for alone in [
        "role:user",
        "role:user -a",
        "role:user -/a/",
        "role:user since:",
    ] {
        let terms = parse(alone).terms().len();
        assert_eq!(
            message(alone),
            refused(terms, "role: needs a word to look for")
        );
        let is_role = |term: &Term| matches!(term.test, Test::Role(_));
        assert!(!parse(alone).terms().iter().any(is_role), "{alone}");
    }
    for beside in ["a", "\"a b\"", "/a/", "file:a", "tool:a"] {
        assert_eq!(message(&format!("role:user {beside}")), (2, Vec::new()));
    }
    // Of a text with two mistakes, both are said.
    assert_eq!(message("role:user has:error role:you").1.len(), 2);
    assert_eq!(parse("role:user").problems()[0].span, 0..9);
}

#[test]
fn only_the_text_of_a_conversation_answers_some_queries() {
    for text in ["role:user a", "tool:a", "file:a", "has:image", "/a/"] {
        assert!(parse(text).asks_content(), "{text}");
    }
    for text in ["", "a", "\"a\"", "-/a/", "is:busy", "role:user"] {
        assert!(!parse(text).asks_content(), "{text}");
    }
    let about = |text: &str| parse(text).about_rows();
    assert_eq!(
        about("a \"b\" /c/ role:user tool:d file:e has:error -f -/g/ project:h since:1d id:8"),
        Some(parse("-f -/g/ project:h since:1d id:8"))
    );
    assert_eq!(about("a"), Some(Query::default()));
    for text in ["", "-a", "project:a", "-/a/"] {
        assert_eq!(about(text), None, "{text}");
    }
}

#[test]
fn prompts_are_not_asked_for_what_only_sessions_have() {
    let query =
        parse("a /b/ has:error since:1d -branch:x role:user is:busy file:a id:1 tool:b has:image");
    assert_eq!(
        query.of_sessions(),
        ["branch:", "is:", "role:", "tool:", "file:", "has:"]
    );
}

#[test]
fn what_is_no_operator_is_a_word() {
    let words = [
        "foo:bar",
        "https://example.org/a?b",
        "--resume",
        "a-b",
        "is",
        "5\"",
        "x:",
        ":",
        "path:",
        "title:",
    ];
    for word in words {
        assert_eq!(parse(word).terms(), [wanted(Test::Word(needle(word)))]);
    }
}

#[test]
fn what_is_not_finished_is_left_out() {
    for text in [
        "",
        "  ",
        "-",
        "- ",
        "\"",
        "-\"",
        "\"\"",
        "is:",
        "is:run",
        "since:",
        "\u{301}",
        "role:",
        "role:us",
        "role:assis",
        "has:",
        "has:err",
        "tool:",
        "file:",
        "id:",
        "-id:",
        "after:",
    ] {
        let query = parse(text);
        assert!(query.is_empty() && query.problems().is_empty(), "{text:?}");
        assert_eq!(query.unfinished().len(), usize::from(text.contains(':')));
    }
    let unfinished = |text: &str| parse(text).unfinished()[0].message.clone();
    assert_eq!(unfinished("a id:"), "id: needs the beginning of an id");
    assert_eq!(
        unfinished("a after:"),
        "since: needs a time, such as 2d or 2026-11-01"
    );
    assert_eq!(unfinished("tool:"), "tool: needs part of a tool's name");
    assert_eq!(parse("has:err").unfinished()[0].span, 0..7);
    assert_eq!(
        parse("tag:").terms(),
        [wanted(Test::Name(Facet::Tag, None))]
    );
    assert_eq!(
        parse("-tag:").terms(),
        [unwanted(Test::Name(Facet::Tag, None))]
    );
    assert_eq!(
        parse("\"log out").terms(),
        [wanted(Test::Phrase(needle("log out")))]
    );
}

#[test]
fn what_is_wrong_is_said_and_the_rest_is_searched() {
    let query = parse("a since:someday is:purple");
    assert_eq!(query.terms(), [wanted(Test::Word(needle("a")))]);
    assert_eq!(
        query.problems(),
        [
            Problem {
                span: 2..15,
                message: "'someday' is not a time: try 2d, 12h, 3w, today, 2026-11-01 or 2026-11-01T14:30"
                    .to_owned(),
            },
            Problem {
                span: 16..25,
                message: "'purple' is not known: try running, waiting, busy, idle, interrupted, forked, \
                          damaged, named"
                    .to_owned(),
            },
        ]
    );
}

#[test]
fn a_pasted_page_is_cut_and_repeated_words_count_once() {
    assert_eq!(parse("a a A -a a").terms().len(), 3);
    let page = (0..100_000)
        .map(|at| at.to_string())
        .collect::<Vec<_>>()
        .join(" ");
    let query = parse(&page);
    assert_eq!(query.terms().len(), 64);
    assert_eq!(query.problems().len(), 1);
}

#[test]
fn a_longer_query_narrows_a_shorter_one() {
    for (new, old) in [
        ("token", "tok"),
        ("token ref", "token"),
        ("tok refresh", "ref tok"),
        ("toKen", "tok"),
        ("toKen", "toK"),
        ("tok -x", "tok"),
        ("-a", "-ab"),
        ("since:1d", "since:2d"),
        ("branch:fix", "branch:"),
        ("is:busy a", "is:busy"),
        ("role:user a", "a"),
        ("has:error tool:a", "has:error"),
        ("a -/b/ tool:c", "tool:c -/b/"),
        ("a", ""),
    ] {
        assert!(parse(new).narrows(&parse(old)), "{new} narrows {old}");
    }
    for (new, old) in [
        ("tok", "token"),
        ("token", "oke"),
        ("tok", "toK"),
        ("-ab", "-a"),
        ("tok", "tok -x"),
        ("-tok", "tok"),
        ("since:2d", "since:1d"),
        ("branch:fix", "tag:fix"),
        ("branch:", "branch:fix"),
        ("pr:41", "pr:4"),
        ("is:busy", "is:idle"),
        ("role:user a", "role:tool a"),
        ("has:error", "has:image"),
        ("has:error tool:a b", "has:error tool:a"),
        ("tool:ab", "tool:a"),
        ("file:a", "tool:a"),
        ("/ab/", "/a/"),
        ("/a/", "a"),
        ("-/a/", "-/ab/"),
        ("https://x.org/a/b/pull/4", "https://x.org/a/b/pull/"),
    ] {
        assert!(
            !parse(new).narrows(&parse(old)),
            "{new} does not narrow {old}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_a_query(text in any::<String>()) {
        let query = parse(&text);
        prop_assert!(query.narrows(&query));
    }

    #[test]
    fn tokens_cover_everything_but_white_space(text in "[-a\": é]{0,16}|[-a/ é\\\\]{0,12}|.{0,6}(since|is|tag):\"?.{0,9}") {
        let mut end = 0;
        for token in tokens(&text) {
            let skipped = text.get(end..token.span.start).expect("a boundary");
            prop_assert!(skipped.chars().all(char::is_whitespace));
            prop_assert!(text.get(token.value.clone()).is_some());
            prop_assert!(token.span.start < token.span.end && token.value.end <= token.span.end);
            end = token.span.end;
        }
        prop_assert!(text[end..].chars().all(char::is_whitespace));
    }
}

#[test]
fn a_plain_word_is_replaced_and_nothing_else() {
    let (word, other) = (needle("refrehs"), needle("refresh"));
    let text = "refrehs \"refrehs\" -refrehs tag:refrehs  refrehsed refrehs ";
    let replaced = replace_word(text, &word, &other);
    assert_eq!(
        replaced,
        "refresh \"refrehs\" -refrehs tag:refrehs  refrehsed refresh "
    );
    let (query, expected) = (parse(text), parse(&replaced));
    assert_eq!(query.replacing(&word, &other).terms(), expected.terms());
}
