use proptest::prelude::*;

use super::beginning;
use super::{pad, truncate, truncate_start, width};

#[test]
fn short_text_stays() {
    assert_eq!(truncate("shop", 4), "shop");
}

#[test]
fn a_cut_ends_in_dots_and_no_space_before_them() {
    assert_eq!(truncate("fix the tests", 10), "fix the...");
    assert_eq!(truncate("fix the tests", 11), "fix the...");
}

#[test]
fn wide_graphemes_are_never_halved() {
    assert_eq!(truncate("日本語の名前", 8), "日本...");
    assert_eq!(truncate("👩‍💻👩‍💻👩‍💻", 5), "👩‍💻...");
    assert_eq!(pad("日本", 5), "日本 ");
}

#[test]
fn tiny_widths_hold_only_dots() {
    assert_eq!(truncate("abc", 2), "..");
    assert_eq!(truncate("abc", 0), "");
}

proptest! {
    #[test]
    fn a_cell_is_exactly_as_wide_as_asked(text in "\\PC{0,40}", columns in 0_usize..30) {
        prop_assert!(width(&truncate(&text, columns)) <= columns);
        prop_assert_eq!(width(&pad(&text, columns)), columns);
    }
}

#[test]
fn a_beginning_holds_whole_characters() {
    assert_eq!(beginning("aé", 2), "a");
    assert_eq!(beginning("aé", 3), "aé");
    assert_eq!(beginning("aé", 9), "aé");
}

#[test]
fn of_a_path_the_end_stays() {
    assert_eq!(
        truncate_start("/home/ada/code/shop", 30),
        "/home/ada/code/shop"
    );
    assert_eq!(truncate_start("/home/ada/code/shop", 12), "...code/shop");
    assert_eq!(truncate_start("/日本語", 6), "...語");
    assert_eq!(truncate_start("/home", 2), "..");
    assert_eq!(truncate_start("/home", 0), "");
}
