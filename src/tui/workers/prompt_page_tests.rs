use std::path::Path;

use super::{MOST_MATCHES, STRETCH, lay_out};
use crate::history::Prompt;
use crate::tui::screens::PastPage;

const COLUMNS: usize = 40;

fn page(display: String) -> PastPage {
    let prompt = Prompt {
        display,
        ..Prompt::default()
    };
    lay_out(&prompt, Path::new("/nowhere"), COLUMNS)
}

#[test]
fn what_is_found_too_often_is_not_looked_for_to_the_end() {
    let mut page = page("a b ".repeat(200_000));
    page.find("a", COLUMNS);
    assert!(page.has_more_matches);
    let most = MOST_MATCHES + STRETCH * COLUMNS;
    assert!((MOST_MATCHES..most).contains(&page.found.len()));
    page.found.clear();
    page.find("b a b a", COLUMNS);
    assert!(page.has_more_matches);
}

#[test]
fn nothing_is_lost_where_one_stretch_meets_the_next() {
    let mut text = "x\n".repeat(STRETCH - 1);
    // The pane breaks it behind the last line of the first stretch.
    text.push_str(&"y".repeat(COLUMNS - 8));
    text.push_str(" needle in the hay\n");
    text.push_str(&"x\n".repeat(3 * STRETCH));
    text.push_str("a needle in the hay");
    let mut page = page(text);
    page.find("needle in the hay", COLUMNS);
    assert_eq!(page.matches, [STRETCH - 1, 4 * STRETCH + 1]);
    let lines: Vec<usize> = page.found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [STRETCH - 1, STRETCH, 4 * STRETCH + 1]);
    assert!(!page.has_more_matches);
}
