use proptest::prelude::*;

use super::LetterFilter;
use crate::search::{Field, Query, Tier, highlight};

#[test]
fn only_what_has_the_letters_or_may_hide_them_is_let_through() {
    let sieve = LetterFilter::of(Some("the Café"));
    assert!(sieve.lets_through("anything: the phrase has an accent"));
    let sieve = LetterFilter::of(Some("of Tokens."));
    assert!(sieve.lets_through("TOKENS"));
    assert!(sieve.lets_through("a tókens"));
    assert!(sieve.lets_through("tok\u{200b}ens"));
    assert!(!sieve.lets_through("▸ a token → “one” … of · them"));
    assert!(LetterFilter::of(None).lets_through("a list of words"));
}

proptest! {
    #[test]
    fn what_is_held_back_has_no_match(
        phrase in "[aAbé .\\t-]{1,5}",
        text in "[aAbBéÉ .\\t\u{7}\u{301}\u{200b}ａ–—‘-”…·\u{2190}-\u{21ff}\u{2500}-\u{27bf}-]{0,12}",
    ) {
        let found = highlight(&text, Field::LastPrompt, &Query::phrase(&phrase), Tier::Substring);
        prop_assert!(found.is_empty() || LetterFilter::of(Some(&phrase)).lets_through(&text));
    }
}
