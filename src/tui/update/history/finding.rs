//! Looking for something in the prompt beside the list, and taking it out of there.

use super::super::{Effect, tell};
use super::journey;
use crate::text::{sanitize_lines, size};
use crate::tui::app::App;
use crate::tui::history::History;
use crate::tui::keymap::Action;
use crate::tui::message::Opener;
use crate::tui::reading::{Direction, Find, Stage};

/// Lines above a match, so that one sees where one is.
const BEFORE_MATCH: usize = 2;

/// Begins to look for something in this prompt.
pub fn begin(app: &mut App) {
    if let Some(history) = &mut app.history {
        history.find = Some(Find::default());
        history.found_at = history.page_top;
    }
}

/// The page is here, with the matches of what is looked for: goes to the first one at or below
/// where it was begun.
pub fn arrived(app: &mut App) {
    let Some(history) = &mut app.history else {
        return;
    };
    if history.find.is_none() {
        return;
    }
    let matches = history.current_page().map_or(&[][..], |page| &page.matches);
    let from = history.found_at;
    let found = matches.iter().find(|line| **line >= from);
    if let Some(&line) = found.or(matches.first()) {
        show(app, line);
    }
}

/// The page is another one, or other words are searched for: goes to where these are, or to the
/// beginning.
pub fn land(app: &mut App) {
    let Some(history) = &mut app.history else {
        return;
    };
    history.page_top = 0;
    if let Some(line) = history.current_page().and_then(|page| page.landing) {
        show(app, line);
    }
}

/// Enter while something is typed: keys are for the prompt again.
pub fn end_typing(app: &mut App) {
    let Some(history) = &mut app.history else {
        return;
    };
    let is_sought = history
        .find
        .as_ref()
        .is_some_and(|it| it.sought().is_some());
    if !is_sought {
        history.find = None;
    } else if let Some(find) = &mut history.find {
        find.stage = Stage::Typed;
    }
    let is_none = history
        .current_page()
        .is_some_and(|it| it.matches.is_empty());
    if is_sought && is_none && history.is_sought() {
        tell_of_none(app);
    }
}

/// Of a very long prompt only the beginning is laid out and looked through.
fn tell_of_none(app: &mut App) {
    let page = app
        .history
        .as_ref()
        .and_then(|history| history.current_page());
    let rest = page.map_or(0, |page| page.more);
    let opens = app.setting.keymap.name(Action::OpenMessage);
    match (rest, opens) {
        (0, _) => tell(app, "no match in this prompt"),
        (rest, opens) => {
            let rest = size(rest as u64);
            let opens = opens.map_or(String::new(), |key| format!(" ({key} opens all of it)"));
            let text =
                format!("no match in what is shown: {rest} more are not looked through{opens}");
            tell(app, &text);
        }
    }
}

pub fn next(app: &mut App, direction: Direction) {
    let Some(history) = &app.history else {
        return;
    };
    let matches = history.current_page().map_or(&[][..], |page| &page.matches);
    let at = history.found_at;
    let found = match direction {
        Direction::Forward => matches.iter().find(|line| **line > at).or(matches.first()),
        Direction::Back => matches.iter().rfind(|line| **line < at).or(matches.last()),
    };
    match found {
        Some(&line) => show(app, line),
        None if !history.is_sought() => tell(app, "still looking"),
        None => tell_of_none(app),
    }
}

/// Scrolls to a match, unless it is in sight.
fn show(app: &mut App, line: usize) {
    let page = app.past_page_lines();
    let Some(history) = &mut app.history else {
        return;
    };
    history.found_at = line;
    let length = history.current_page().map_or(0, |page| page.lines.len());
    if !(history.page_top..history.page_top + page).contains(&line) {
        let top = line.saturating_sub(BEFORE_MATCH);
        history.page_top = top.min(length.saturating_sub(page));
    }
}

/// Shows the prompt in another program.
pub fn open(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
    let opener = match action {
        Action::EditMessage => Opener::Editor,
        _ => Opener::Pager,
    };
    if let Some(text) = journey::text(app, action) {
        let text = sanitize_lines(&text);
        effects.push(Effect::Outside { opener, text });
    }
}

impl History {
    /// Was the page looked through for what is looked for now?
    pub fn is_sought(&self) -> bool {
        let sought = self.find.as_ref().and_then(|find| find.sought());
        let known = self.page.as_ref();
        known.is_some_and(|(of, _)| of.find.as_deref() == sought)
    }

    /// Which of the matches is looked at, counted from one, and how many there are.
    pub fn match_count(&self) -> (usize, usize) {
        let matches = self.current_page().map_or(&[][..], |page| &page.matches);
        let passed = matches.partition_point(|line| *line <= self.found_at);
        (passed, matches.len())
    }
}
