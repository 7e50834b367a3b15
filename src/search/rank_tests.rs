use chrono::{TimeZone, Utc};

use super::{Patterns, Ranker, Verdict, narrows};
use crate::search::haystack::Haystack;
use crate::search::query::Query;
use crate::search::{Document, RowId};

fn parse(text: &str) -> Query {
    Query::parse(text, &Utc.timestamp_millis_opt(0).unwrap())
}

fn verdict(title: &str, query: &str) -> Verdict {
    let mut haystack = Haystack::default();
    let document = Document {
        title: title.to_owned(),
        branch: "fix/login".to_owned(),
        id: "abcdef".to_owned(),
        first_prompt: "please look into the gateway".to_owned(),
        ..Document::default()
    };
    haystack.put(RowId(0), &document);
    let query = parse(query);
    let patterns = Patterns::new(&query).expect("a word to match fuzzily");
    Ranker::default().judge(&patterns, &haystack, 0)
}

fn matches(title: &str, query: &str) -> bool {
    matches!(verdict(title, query), Verdict::Score(_))
}

#[test]
fn letters_in_order_match_when_they_are_close() {
    assert!(matches("Fix JWT token refresh", "tkn"));
    assert!(matches("Fix JWT token refresh", "tkn rfrsh"));
    assert!(matches("Rotate refresh tokens", "refrsh"));
    assert!(matches("Rotate refresh tokens", "frsh"));
    assert!(matches("Fix JWT token refresh", "fjtr"));
    assert!(matches(
        "Größenänderung der Straße",
        "grossnanderung strase"
    ));
    assert!(matches("会话全文搜索", "会话搜索"));
    assert_eq!(verdict("Fix JWT token refresh", "tknz"), Verdict::No);
    assert_eq!(
        verdict(
            "the color picker ignores events from a second window",
            "token"
        ),
        Verdict::TooLoose
    );
}

#[test]
fn each_word_may_match_in_another_field() {
    assert!(matches("Fix JWT token refresh", "tkn lgin"));
    // As it is, a word may also stand in a prompt; fuzzily it may not.
    assert!(matches("Fix JWT token refresh", "tkn gateway"));
    assert_eq!(verdict("Fix JWT token refresh", "tkn gatway"), Verdict::No);
    assert_eq!(verdict("Fix JWT token refresh", "bdf"), Verdict::No);
}

#[test]
fn a_closer_match_scores_higher() {
    let score = |title| match verdict(title, "tknref") {
        Verdict::Score(score) => score,
        other => panic!("{title}: {other:?}"),
    };
    assert!(score("token ref") > score("token of the ref"));
}

#[test]
fn capitals_and_conditions_hold_here_too() {
    assert!(matches("Fix JWT token", "JWT tkn"));
    assert!(matches("Fix JWT token", "FixJT"));
    assert_eq!(verdict("fix jwt token", "FixJT"), Verdict::No);
    assert_eq!(verdict("Fix JWT token", "tkn -jwt"), Verdict::No);
    assert_eq!(
        verdict("Fix JWT token", "tkn \"jwt  tok\" tag:x"),
        Verdict::No
    );
    assert!(matches("Fix JWT token", "tkn \"jwt  tok\" branch:login"));
}

#[test]
fn only_words_of_some_letters_are_matched_fuzzily() {
    for text in [
        "",
        "to",
        "\"token\"",
        "-token",
        "tag:token",
        &"x".repeat(33),
    ] {
        assert!(Patterns::new(&parse(text)).is_none(), "{text}");
    }
    assert!(Patterns::new(&parse("to token")).is_some());
    assert_eq!(
        verdict("tool", "ol to tol").clone(),
        verdict("tool", "to ol tol")
    );
    assert_eq!(verdict("tool", "ot tool"), Verdict::No);
}

#[test]
fn a_word_that_becomes_fuzzy_narrows_nothing() {
    assert!(narrows(&parse("token"), &parse("tok")));
    assert!(narrows(&parse("to tok"), &parse("to")));
    assert!(narrows(&parse("\"token\""), &parse("tok")));
    assert!(!narrows(&parse("tok"), &parse("to")));
    assert!(!narrows(&parse("tok"), &parse("token")));
}
