use std::path::PathBuf;

use super::{characters, painted, window};
use crate::cli::surroundings::Ink;
use crate::content::Excerpt;
use crate::transcript::Voice;

fn excerpt(text: &str, word: &str) -> Excerpt {
    let places = text.match_indices(word);
    Excerpt {
        path: PathBuf::new(),
        uuid: None,
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
    for columns in [0, 80, 200] {
        let (shown, marks) = window(&excerpt(&text, "needle"), columns);
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        let marked: Vec<&str> = marks.into_iter().map(|mark| &shown[mark]).collect();
        assert_eq!(marked, ["needle"]);
    }
    let (shown, marks) = window(&excerpt("a needle", "needle"), 0);
    assert_eq!(
        (shown.as_str(), &shown[marks[0].clone()]),
        ("a needle", "needle")
    );
}

#[test]
fn all_matches_are_painted() {
    let excerpt = excerpt("ü x y x", "x");
    let shown = painted(&excerpt.text, &excerpt.matches, Ink::Colors, "");
    assert_eq!(shown, "ü \x1b[1;31mx\x1b[0m y \x1b[1;31mx\x1b[0m");
    assert_eq!(painted("x y", &[0..1, 2..3], Ink::Plain, "1"), "x y");
    let places = characters(&excerpt.text, &excerpt.matches);
    assert_eq!(places.to_string(), "[[2,3],[6,7]]");
}
