use std::path::Path;

use super::{MOST_LINES, lay_out};
use crate::history::Prompt;
use crate::preview::{Around, Options};
use crate::reader::{Find, FindTarget, PageSpec};

const COLUMNS: usize = 40;

/// The lines in which something is found.
fn found(display: String, find: &str) -> (usize, Vec<usize>) {
    let prompt = Prompt {
        display,
        ..Prompt::default()
    };
    let (lines, _) = lay_out(&[prompt], Path::new("/nowhere"), COLUMNS, None);
    let spec = PageSpec {
        columns: COLUMNS,
        options: Options::default(),
        around: Around::End,
        turns: 1,
        leaf: None,
        find: Find::Phrase(find.to_owned()),
        target: None,
    };
    let found = FindTarget::of(&spec).expect("something").in_lines(&lines);
    let marks = found.marks.iter().map(|mark| mark.at.offset);
    (lines.len(), marks.collect())
}

#[test]
fn what_is_in_every_line_of_a_very_long_prompt_is_found_in_each() {
    let (lines, found) = found("x y ".repeat(250_000), "x");
    // The last line says that there is more.
    assert_eq!((lines, found.len()), (MOST_LINES + 1, MOST_LINES));
}

#[test]
fn what_is_looked_for_may_go_on_in_the_next_line() {
    let mut text = "x\n".repeat(499);
    text.push_str(&"y".repeat(COLUMNS - 8));
    text.push_str(" needle in the hay\n");
    text.push_str(&"x\n".repeat(1500));
    text.push_str("a needle in the hay");
    assert_eq!(found(text, "needle in the hay").1, [499, 2001]);
}
