use chrono::{TimeZone, Utc};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::{Field, Query, Tier, highlight};

fn parse(text: &str) -> Query {
    Query::parse(text, &Utc.timestamp_opt(0, 0).unwrap())
}

fn marked<'a>(text: &'a str, field: Field, query: &str, tier: Tier) -> Vec<&'a str> {
    highlight(text, field, &parse(query), tier)
        .into_iter()
        .map(|range| &text[range])
        .collect()
}

#[test]
fn every_occurrence_is_marked_in_the_original_text() {
    let title = |text, query| marked(text, Field::Title, query, Tier::Substring);
    assert_eq!(
        title("Token, token, TOKEN", "token"),
        ["Token", "token", "TOKEN"]
    );
    assert_eq!(title("Token, token, TOKEN", "Token"), ["Token"]);
    assert_eq!(title("tokenise", "token kenis -ise"), ["tokenis"]);
    assert_eq!(title("Die Straße über", "strasse uber"), ["Straße", "über"]);
    assert_eq!(
        title("Ｆｕｌｌ e\u{301}tude", "full etud"),
        ["Ｆｕｌｌ", "e\u{301}tud"]
    );
    assert_eq!(title("log  out now", "\"log out\""), ["log  out"]);
    assert_eq!(title("会话搜索", "搜"), ["搜"]);
    assert_eq!(title("anything", ""), [""; 0]);
}

#[test]
fn a_grapheme_is_marked_whole() {
    let title = |text, query| marked(text, Field::Title, query, Tier::Substring);
    assert_eq!(title("हिन्दी", "ह"), ["हि"]);
    assert_eq!(title("a👩\u{200d}💻b", "👩"), ["👩\u{200d}💻"]);
    assert_eq!(title("I ❤\u{fe0f} it", "❤"), ["❤\u{fe0f}"]);
}

#[test]
fn operators_mark_their_own_field() {
    let at = |field, query| marked("fix/jwt", field, query, Tier::Substring);
    assert_eq!(at(Field::Branch, "branch:jwt tag:fix is:busy"), ["jwt"]);
    assert_eq!(at(Field::Tag, "branch:jwt"), [""; 0]);
    assert_eq!(
        marked("acme/shop#412", Field::Pr, "pr:41", Tier::Substring),
        ["41"]
    );
    let id = |query| marked("abcd-abcd", Field::Id, query, Tier::Substring);
    assert_eq!(id("abc"), ["abc"]);
    assert_eq!(id("id:ab"), ["ab"]);
    assert_eq!(id("bcd"), [""; 0]);
}

#[test]
fn regular_expressions_are_marked_in_the_original_text() {
    let title = |text, query| marked(text, Field::Title, query, Tier::Substring);
    assert_eq!(title("Foo12, FÖO3", r"/foo\d+/"), ["Foo12", "FÖO3"]);
    assert_eq!(title("Foo12", r"-/foo\d+/"), [""; 0]);
    let id = |query| marked("abcd-abcd", Field::Id, query, Tier::Substring);
    assert_eq!(id("/ab./"), ["abc"]);
    assert_eq!(id("/bc/"), [""; 0]);
}

#[test]
fn fuzzy_letters_are_marked_one_by_one() {
    let title = |query| marked("Fix JWT token refresh", Field::Title, query, Tier::Fuzzy);
    assert_eq!(title("tkn"), ["t", "k", "n"]);
    assert_eq!(title("refresh tkn"), ["t", "k", "n", "refresh"]);
    assert_eq!(title("zzz"), [""; 0]);
    let prompt = marked("token", Field::LastPrompt, "tkn", Tier::Fuzzy);
    assert_eq!(prompt, [""; 0]);
}

proptest! {
    #[test]
    fn ranges_are_in_order_apart_and_between_graphemes(
        text in "[a-cA-C éßが❤\u{fe0f}\u{301}\u{200d}👩]{0,30}|.{0,30}",
        query in "[a-cA-C é\"]{0,8}|/[a-cé.?+]{1,4}/|.{0,8}",
    ) {
        let boundaries: Vec<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
        for field in [Field::Title, Field::Id, Field::LastPrompt] {
            for tier in [Tier::Substring, Tier::Fuzzy] {
                let mut end = None;
                for range in highlight(&text, field, &parse(&query), tier) {
                    prop_assert!(end.is_none_or(|end| end < range.start));
                    prop_assert!(range.start < range.end);
                    prop_assert!(boundaries.contains(&range.start) && boundaries.contains(&range.end));
                    end = Some(range.end);
                }
            }
        }
    }
}
