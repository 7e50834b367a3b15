use proptest::prelude::*;

use super::TextMatcher;
use crate::preview::{Agents, Manner, Options, PageLine, render};
use crate::search::{Field, Query, Tier, highlight};
use crate::transcript::{StepKind, Turn, TurnOpening, TurnStep};

fn laid_out(text: &str, columns: usize) -> Vec<PageLine> {
    let turn = Turn {
        uuid: String::new(),
        at: None,
        noise: Vec::new(),
        mark: None,
        opening: TurnOpening::Unasked,
        steps: vec![TurnStep {
            uuid: String::new(),
            at: None,
            mark: None,
            what: StepKind::Text(text.to_owned()),
        }],
    };
    let manner = Manner {
        options: &Options::default(),
        columns,
        clock: &|_| None,
        painter: None,
        agents: &Agents::default(),
        cwd: None,
    };
    render(&[turn], manner)
}

/// What is marked of each line, one match after the other.
fn marked(text: &str, columns: usize, query: &str) -> Vec<Vec<String>> {
    let lines = laid_out(text, columns);
    let lines: Vec<&PageLine> = lines.iter().collect();
    let part = |(at, range): (usize, std::ops::Range<usize>)| lines[at].text()[range].to_owned();
    let found = TextMatcher::phrase(query).matches(&lines, columns);
    let found = found.into_iter();
    found
        .map(|found| found.into_iter().map(part).collect())
        .collect()
}

#[test]
fn a_phrase_is_found_once_wherever_it_is_broken() {
    let text = "the quick brown fox jumps over the lazy dog, and then it sleeps";
    for columns in 8..70 {
        let found = marked(text, columns, "fox jumps over");
        assert_eq!(found.len(), 1, "{columns}: {found:?}");
        assert_eq!(found[0].join(" "), "fox jumps over", "{columns}");
    }
    let quoted = format!("- one\n- two\n\n> {text}");
    for columns in 20..70 {
        assert_eq!(marked(&quoted, columns, "brown fox jumps").len(), 1);
    }
}

#[test]
fn a_word_that_is_too_long_for_a_line_is_found() {
    let found = marked("see abcdefghijklmnopqrstuvwxyz", 12, "lmnopq");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].concat(), "lmnopq");
    assert_eq!(marked("alpha\n\nbeta", 12, "alphabeta"), [[""; 0]; 0]);
}

#[test]
fn a_phrase_is_found_in_the_cell_of_a_table() {
    let table = "| name | what it does |\n| --- | --- |\n\
                 | first | keeps the orders of the whole shop in order |\n| second | nothing |";
    for columns in 26..70 {
        let found = marked(table, columns, "orders of the whole shop");
        assert_eq!(found.len(), 1, "{columns}: {found:?}");
        assert_eq!(found[0].join(" "), "orders of the whole shop", "{columns}");
    }
}

#[test]
fn two_paragraphs_are_two_texts() {
    assert_eq!(marked("one two\n\nthree", 40, "two three"), [[""; 0]; 0]);
}

#[test]
fn only_what_has_the_letters_or_may_hide_them_is_let_through() {
    let matcher = TextMatcher::phrase("the Café");
    assert!(matcher.may_match("anything: the phrase has an accent"));
    let matcher = TextMatcher::phrase("of Tokens.");
    assert!(matcher.may_match("TOKENS"));
    assert!(matcher.may_match("a tókens"));
    assert!(matcher.may_match("tok\u{200b}ens"));
    assert!(!matcher.may_match("▸ a token → “one” … of · them"));
    assert!(TextMatcher::words(&Query::default()).may_match("a list of words"));
    let words = |typed| TextMatcher::words(&Query::parse(typed, &chrono::Utc::now()));
    assert!(words("bucket token").may_match("a token"));
    assert!(!words("bucket token").may_match("neither"));
    assert!(words("bucket /t.k/").may_match("any text"));
}

proptest! {
    #[test]
    fn what_is_held_back_has_no_match(
        phrase in "[aAbé .\\t-]{1,5}",
        text in "[aAbBéÉ .\\t\u{7}\u{301}\u{200b}ａ–—‘-”…·\u{2190}-\u{21ff}\u{2500}-\u{27bf}-]{0,12}",
    ) {
        let found = highlight(&text, Field::LastPrompt, &Query::phrase(&phrase), Tier::Substring);
        prop_assert!(found.is_empty() || TextMatcher::phrase(&phrase).may_match(&text));
        let words = Query::parse(&phrase, &chrono::Utc::now());
        let found = highlight(&text, Field::LastPrompt, &words, Tier::Substring);
        prop_assert!(found.is_empty() || TextMatcher::words(&words).may_match(&text));
    }
}
