use proptest::prelude::*;

use super::{Depth, Sought};
use crate::preview::{Level, Noise, Thinking};
use crate::search::{Field, Query, Tier, highlight};

fn sought(phrase: &str) -> Sought {
    Sought {
        query: Query::phrase(phrase),
        phrase: Some(phrase.to_owned()),
        depth: Depth::Hidden,
        columns: 80,
        level: Level::Summary,
        thinking: Thinking::Hidden,
        noise: Noise::Hidden,
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

proptest! {
    /// What is passed over has no match.
    #[test]
    fn no_text_is_passed_over_that_has_a_match(phrase in "[aAbé .\\t-]{1,5}", text in "[aAbBéÉ .\\t-]{0,12}") {
        let sought = sought(&phrase);
        let found = highlight(&text, Field::LastPrompt, &sought.query, Tier::Substring);
        prop_assert_eq!(sought.is_in(&text), !found.is_empty());
    }
}
