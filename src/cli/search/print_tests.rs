use std::path::PathBuf;

use super::{characters, shortened, window};
use crate::cli::search::terminal::painted;
use crate::cli::surroundings::Ink;
use crate::content::Excerpt;
use crate::text::width;
use crate::transcript::Voice;

fn excerpt(text: &str, word: &str) -> Excerpt {
    let places = text.match_indices(word);
    Excerpt {
        path: PathBuf::new(),
        uuid: None,
        part: 0,
        voice: Voice::User,
        tool: None,
        at: None,
        text: text.to_owned(),
        is_cut: false,
        matches: places.map(|(at, word)| at..at + word.len()).collect(),
    }
}

#[test]
fn the_first_match_is_in_sight() {
    let text = format!("{}needle{}needle", "ä ".repeat(200), " ö".repeat(300));
    for most in [40, 80, 200] {
        for measure in [str::len, width] {
            let (shown, marks) = window(&excerpt(&text, "needle"), most, measure);
            assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
            assert!(measure(&shown) <= most, "{shown}");
            let marked: Vec<&str> = marks.into_iter().map(|mark| &shown[mark]).collect();
            assert_eq!(marked, ["needle"]);
        }
    }
    let (shown, marks) = window(&excerpt("a needle", "needle"), 80, width);
    assert_eq!(
        (shown.as_str(), &shown[marks[0].clone()]),
        ("a needle", "needle")
    );
    let (whole, _) = window(&excerpt(&text, "needle"), usize::MAX, str::len);
    assert_eq!(whole, text);
}

#[test]
fn a_window_ends_between_words() {
    let text = "alpha beta gamma delta epsilon needle zeta eta theta iota kappa lambda mu";
    let (shown, _) = window(&excerpt(text, "needle"), 32, str::len);
    assert_eq!(shown, "…needle zeta eta theta iota…");
    let long = "x".repeat(100);
    let (shown, marks) = window(&excerpt(&format!("needle{long}"), "needle"), 32, str::len);
    assert_eq!((shown.len(), marks.len()), (29, 1));
    assert_eq!(shortened("a\n  b c", 80), "a b c");
    assert_eq!(shortened("abcdefgh", 6), "abc…");
}

#[test]
fn all_matches_are_painted() {
    let excerpt = excerpt("ü x y x", "x");
    let all = 0..excerpt.text.len();
    let shown = painted(&excerpt.text, &all, &excerpt.matches, Ink::Colors, "");
    assert_eq!(shown, "ü \x1b[1;31mx\x1b[0m y \x1b[1;31mx\x1b[0m");
    assert_eq!(
        painted("x y", &(0..3), &[0..1, 2..3], Ink::Plain, "1"),
        "x y"
    );
    // A match may go on in the next line.
    let marks = [1..4, 9..9];
    let painted = [0..2, 3..5].map(|line| painted("ab cd", &line, &marks, Ink::Colors, ""));
    assert_eq!(painted, ["a\x1b[1;31mb\x1b[0m", "\x1b[1;31mc\x1b[0md"]);
    let places = characters(&excerpt.text, &excerpt.matches);
    assert_eq!(places.to_string(), "[[2,3],[6,7]]");
}
