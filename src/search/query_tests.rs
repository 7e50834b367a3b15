use chrono::{TimeZone, Utc};
use proptest::prelude::*;

use super::{Facet, Needle, Problem, Query, Sign, Term, Test, tokens};
use crate::search::SessionFlag;

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
    ];
    for word in words {
        assert_eq!(parse(word).terms(), [wanted(Test::Word(needle(word)))]);
    }
}

#[test]
fn what_is_not_finished_is_left_out() {
    for text in [
        "", "  ", "-", "- ", "\"", "-\"", "\"\"", "is:", "is:run", "since:", "\u{301}",
    ] {
        assert_eq!(parse(text), Query::default(), "{text:?}");
        assert!(parse(text).is_empty());
    }
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
    fn tokens_cover_everything_but_white_space(text in "[-a\": é]{0,16}|.{0,6}(since|is|tag):\"?.{0,9}") {
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
