use proptest::prelude::*;

use super::{Needle, Stretch};
use crate::search::fold::Folded;

fn places(needle: &str, text: &str) -> Vec<usize> {
    let folded = Folded::new(text);
    let stretch = Stretch {
        bytes: folded.text.as_bytes(),
        upper: &folded.upper,
        at: 0,
    };
    let needle = Needle::new(needle).expect("something to look for");
    assert_eq!(needle.is_in(stretch), needle.places(stretch).count() > 0);
    needle.places(stretch).collect()
}

#[test]
fn a_capital_must_stand_where_it_was_typed() {
    assert_eq!(places("ab", "ab Ab aB AB"), [0, 3, 6, 9]);
    assert_eq!(places("Ab", "ab Ab aB AB"), [3]);
    assert_eq!(places("aB", "ab Ab aB AB"), [6]);
    assert_eq!(places("B", "aB"), [1]);
    assert_eq!(places("aBc", "B"), [0; 0]);
}

#[test]
fn a_stretch_ends_where_it_ends() {
    let folded = Folded::new("xx AbcD");
    let stretch = Stretch {
        bytes: &folded.text.as_bytes()[2..5],
        upper: &folded.upper,
        at: 2,
    };
    let next = |text| Needle::new(text).expect("letters").next(stretch, 0);
    assert_eq!((next("Ab"), next("Abc"), next("D")), (Some(1), None, None));
}

proptest! {
    #[test]
    fn exact_places_are_those_of_the_text_itself(needle in "[aAbB]{1,3}", text in "[aAbB]{0,12}") {
        prop_assume!(needle.contains(|c: char| c.is_uppercase()));
        let expected: Vec<usize> = text.match_indices(&needle).map(|(at, _)| at).collect();
        prop_assert_eq!(places(&needle, &text), expected);
    }
}
