use proptest::prelude::*;

use super::{FindTarget, Findings, InTurn, LetterFilter, MOST, MatchPos, Searched};
use crate::preview::{Level, TurnPos, Visibility};
use crate::search::{Field, Query, Tier, highlight};

fn sought(phrase: &str) -> FindTarget {
    FindTarget {
        query: Query::phrase(phrase),
        phrase: Some(phrase.to_owned()),
        sieve: LetterFilter::of(Some(phrase)),
        columns: 80,
        options: (Level::Summary, Visibility::Hidden, Visibility::Hidden),
    }
}

#[test]
fn typing_on_narrows_unless_a_mark_changes_the_letter_before_it() {
    assert!(sought("token e").narrows(&sought("token")));
    assert!(!sought("token").narrows(&sought("token e")));
    assert!(!sought("e\u{301}").narrows(&sought("e")));
    let mut wider = sought("token e");
    wider.columns = 100;
    assert!(
        !wider.narrows(&sought("token")),
        "lines are broken elsewhere"
    );
}

#[test]
fn more_matches_than_anybody_wants_are_the_end_of_it() {
    let with = |marks: usize| {
        let place = TurnPos {
            turn: 0,
            step: None,
        };
        let mark = |offset| MatchPos { place, offset };
        InTurn {
            marks: (0..marks).map(mark).collect(),
            ..InTurn::default()
        }
    };
    let searched = |marks: usize, turns: i64| {
        let mut findings = Findings::default();
        findings.look_for(Some(&sought("e")));
        findings.put(0, with(marks));
        findings.found(0..turns).searched
    };
    assert_eq!(searched(MOST, 2), Searched::Partly);
    assert_eq!(searched(MOST + 1, 2), Searched::Enough);
    assert_eq!(searched(MOST + 1, 1), Searched::Everything);
}

proptest! {
    /// What is passed over has no match.
    #[test]
    fn no_text_is_passed_over_that_has_a_match(phrase in "[aAbé .\\t-]{1,5}", text in "[aAbBéÉ .\\t-]{0,12}") {
        let sought = sought(&phrase);
        let found = highlight(&text, Field::LastPrompt, &sought.query, Tier::Substring);
        prop_assert_eq!(sought.is_in(&text), !found.is_empty());
    }
}
