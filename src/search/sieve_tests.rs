use chrono::{TimeZone, Utc};

use super::RowSieve;
use crate::search::haystack::Haystack;
use crate::search::query::Query;
use crate::search::{Document, RowId, SessionFlag, SessionFlags};

fn rows() -> Haystack {
    let mut haystack = Haystack::default();
    let jwt = Document {
        title: "Fix JWT refresh token expiry".to_owned(),
        project: "shop".to_owned(),
        directory: "/home/ann/Code/shop".to_owned(),
        branch: "fix/jwt".to_owned(),
        tag: "auth".to_owned(),
        model: "opus-4".to_owned(),
        id: "8c1fadd0-0000-4000-8000-000000000000".to_owned(),
        pr: "acme/shop#412".to_owned(),
        first_prompt: "Users get logged out".to_owned(),
        last_prompt: "great, now open a PR".to_owned(),
        activity: 2000,
        flags: SessionFlags::default()
            .with(SessionFlag::Running)
            .with(SessionFlag::Waiting),
        ..Document::default()
    };
    let crêpe = Document {
        title: "Crêpe recipes — 会话搜索".to_owned(),
        project: "kitchen".to_owned(),
        directory: "/home/ann/Code/kitchen".to_owned(),
        id: "00000000-0000-4000-8000-00000000add0".to_owned(),
        pr: "#4".to_owned(),
        first_prompt: "token of love".to_owned(),
        activity: 1000,
        ..Document::default()
    };
    haystack.put(RowId(0), &jwt);
    haystack.put(RowId(1), &crêpe);
    haystack.put(RowId(2), &Document::default());
    haystack
}

/// Each query is asked in every way there is, and all ways must agree.
fn found(text: &str) -> Vec<usize> {
    let haystack = rows();
    let query = Query::parse(text, &Utc.timestamp_millis_opt(60_000).unwrap());
    let sieve = RowSieve::new(&query);
    let fresh = || false;
    let all = sieve.sift(&haystack, None, &fresh).expect("not stale");
    let one_by_one = (0..3).filter(|slot| sieve.passes(&haystack, *slot));
    assert_eq!(
        all.ones().collect::<Vec<_>>(),
        one_by_one.collect::<Vec<_>>()
    );
    assert_eq!(sieve.sift(&haystack, Some(&all), &fresh), Some(all.clone()));
    all.ones().collect()
}

#[test]
fn all_words_must_stand_somewhere_in_the_row() {
    assert_eq!(found(""), [0, 1, 2]);
    assert_eq!(found("token"), [0, 1]);
    assert_eq!(found("pr token great"), [0]);
    assert_eq!(found("token kitchen crepe"), [1]);
    assert_eq!(found("搜索 会话"), [1]);
    assert_eq!(found("nowhere token"), [0; 0]);
}

#[test]
fn phrases_stay_within_a_field_and_keep_their_order() {
    assert_eq!(found("\"refresh token\""), [0]);
    assert_eq!(found("\"token refresh\""), [0; 0]);
    assert_eq!(found("\"expiry shop\""), [0; 0]);
}

#[test]
fn a_capital_makes_a_word_exact() {
    assert_eq!(found("jwt"), [0]);
    assert_eq!(found("JWT"), [0]);
    assert_eq!(found("Jwt"), [0; 0]);
    // The first occurrence has other capitals, the second one fits.
    assert_eq!(found("Users PR"), [0]);
    assert_eq!(found("CRÊPE"), [0; 0]);
    assert_eq!(found("Crepe"), [1]);
}

#[test]
fn unwanted_terms_rule_rows_out() {
    assert_eq!(found("-token"), [2]);
    assert_eq!(found("token -jwt"), [1]);
    assert_eq!(found("-\"refresh token\" token"), [1]);
    assert_eq!(found("-tag:"), [1, 2]);
    assert_eq!(found("-is:running"), [1, 2]);
}

#[test]
fn operators_ask_for_facts() {
    assert_eq!(found("project:code"), [0, 1]);
    assert_eq!(found("project:Code"), [0, 1]);
    assert_eq!(found("project:cOde"), [0; 0]);
    assert_eq!(found("project:shop"), [0]);
    assert_eq!(found("branch:jwt tag:AU"), [0; 0]);
    assert_eq!(found("branch:jwt tag:au model:opus"), [0]);
    assert_eq!(found("is:waiting"), [0]);
    assert_eq!(found("is:busy"), [0; 0]);
    assert_eq!(found("pr:4"), [0, 1]);
    assert_eq!(found("pr:#41"), [0]);
    assert_eq!(found("pr:acme"), [0]);
    assert_eq!(found("pr:"), [0, 1]);
    assert_eq!(found("since:1970-01-01T00:00:02Z"), [0]);
    assert_eq!(found("before:1970-01-01T00:00:02Z"), [1, 2]);
    assert_eq!(found("-before:1970-01-01T00:00:02Z token"), [0]);
}

#[test]
fn the_address_of_a_pull_request_finds_its_sessions() {
    let address = "https://github.com/Acme/shop/pull/412";
    assert_eq!(found("#412"), [0]);
    assert_eq!(found(address), [0]);
    assert_eq!(found(&format!("\"{address}\" token")), [0]);
    assert_eq!(found(&format!("{address}/files refresh")), [0]);
    assert_eq!(found(&format!("-{address}")), [1, 2]);
    assert_eq!(found("https://github.com/acme/shop/pull/41"), [0; 0]);
}

#[test]
fn a_regular_expression_looks_at_one_field_at_a_time() {
    assert_eq!(found(r"/re\w+ token/"), [0]);
    assert_eq!(found("/^token/"), [1]);
    assert_eq!(found("/expiry$/"), [0]);
    assert_eq!(found("/expiry.*shop/"), [0; 0]);
    assert_eq!(found("/CRÊPE [a-z]+/"), [1]);
    assert_eq!(found("token /kitch/"), [1]);
    assert_eq!(found("token -/kitch/"), [0]);
    assert_eq!(found("-/token/"), [2]);
    assert_eq!(found("/8c.f/"), [0]);
    assert_eq!(found("/.add0/"), [0; 0]);
}

#[test]
fn no_row_answers_for_its_conversation() {
    for text in [
        "token role:user",
        "tool:bash",
        "file:shop",
        "has:error",
        "/token/ tool:x",
    ] {
        assert_eq!(found(text), [0; 0], "{text}");
    }
}

#[test]
fn an_id_is_found_by_its_beginning_only() {
    assert_eq!(found("8c1f"), [0]);
    assert_eq!(found("id:8C1F"), [0]);
    assert_eq!(found("id:8c1fadd"), [0]);
    assert_eq!(found("add"), [0; 0]);
    assert_eq!(found("id:add"), [0; 0]);
}

#[test]
fn a_stale_question_is_not_answered() {
    let haystack = rows();
    for text in ["", "token", "is:busy"] {
        let query = Query::parse(text, &Utc.timestamp_millis_opt(0).unwrap());
        assert_eq!(RowSieve::new(&query).sift(&haystack, None, &|| true), None);
    }
}
