use std::slice::from_ref;

use proptest::prelude::*;

use super::{clean, clean_end, in_sight};
use crate::text::width;
use crate::tui::theme::{Glyphs, Theme};

fn shown(text: &str, word: &str, columns: usize) -> String {
    let start = text.find(word).expect("there");
    let place = start..start + word.len();
    let (shown, matches) = in_sight(text, from_ref(&place), columns, Theme::default());
    assert_eq!(&shown[matches[0].clone()], word, "{shown}");
    shown
}

#[test]
fn a_match_near_the_end_leaves_no_empty_columns() {
    let title = "Implement the following plan: # Plan: Redesign it ## Context foo";
    let end = "…# Plan: Redesign it ## Context foo";
    assert_eq!(shown(title, "Context", 40), end);
    let path = "/home/ada/work/shop/src/auth/refresh.rs";
    assert_eq!(shown(path, "refresh", 30), "…work/shop/src/auth/refresh.rs");
}

#[test]
fn a_match_in_the_middle_keeps_what_leads_to_it() {
    let text = "a very long text in which the word is somewhere in the middle of all the others";
    assert_eq!(
        shown(text, "somewhere", 30),
        "…word is somewhere in the mid…"
    );
}

#[test]
fn what_fits_is_not_cut_and_a_match_is_not_under_the_dots() {
    assert_eq!(shown("fix the tests", "tests", 13), "fix the tests");
    assert_eq!(shown("fix the tests now", "tests", 14), "fix the tests…");
    assert!(shown("fix the tests now", "tests", 13).contains("tests"));
}

#[test]
fn a_cut_has_one_sign_and_in_plain_letters_another() {
    let ascii = Theme {
        glyphs: Glyphs::Ascii,
        ..Theme::default()
    };
    for (theme, cut, end) in [
        (Theme::default(), "fix the test…", "…he tests"),
        (ascii, "fix the te...", "... tests"),
    ] {
        assert_eq!(clean("fix the tests now", 13, theme), cut);
        assert_eq!(clean_end("fix the tests", 9, theme), end);
        assert!(clean_end("fix", 1, theme).len() <= theme.signs().cut.len());
        assert_eq!(clean("fix", 0, theme), "");
    }
}

proptest! {
    #[test]
    fn the_first_match_is_seen_in_any_text(
        before in "[a日 /]{0,40}",
        word in "[b本]{1,4}",
        after in "[a日 /]{0,40}",
        columns in 20_usize..60,
    ) {
        let text = format!("{before}{word}{after}");
        let place = before.len()..before.len() + word.len();
        let (shown, matches) = in_sight(&text, from_ref(&place), columns, Theme::default());
        prop_assert!(width(&shown) <= columns);
        prop_assert_eq!(&shown[matches[0].clone()], word.as_str());
        // What is left empty is less than a word that was not cut.
        if shown.starts_with('…') && !shown.ends_with('…') {
            prop_assert!(width(&shown) + columns / 3 + 4 >= columns, "{}", shown);
        }
    }
}
