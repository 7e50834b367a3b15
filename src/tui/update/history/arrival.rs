//! At the session of a prompt: where in its conversation that was asked.
//!
//! What resuming brings back comes first. A prompt that is not there may lie before a compaction,
//! or on a branch that was rewound: one after the other is opened until it is found. Of equal
//! prompts the one of that time counts, and another one only where there is none.

use super::super::{reading, tell};
use crate::preview::{Around, Coverage, LedgerHead, TurnPos};
use crate::transcript::{Branch, Turn, TurnOpening};
use crate::tui::app::{App, Goal, Likeness};
use crate::tui::message::{Notice, Page};

/// So much of a prompt tells it from others, in characters.
const TELLING: usize = 80;

/// A turn that was opened so few milliseconds before or after a prompt was entered is that
/// prompt's, if it says the same.
const NEAR: u64 = 10_000;

/// Branches that are looked into: each is read from the file.
const MOST_BRANCHES: usize = 12;

/// The conversation is there: scrolls to the prompt that was gone to.
pub fn reach_goal(app: &mut App) {
    let shown = app.preview.asked.as_ref().map(|wanted| wanted.row);
    let Some(page) = app.preview.page() else {
        return;
    };
    let Some(goal) = app.goal.as_ref().filter(|goal| Some(goal.row) == shown) else {
        return;
    };
    let there = Around::Moment(goal.timestamp);
    // A page that is older than what was asked for says nothing of that.
    if app.preview.answered != Some(app.preview.generation) {
        return;
    }
    // What somebody read before is no reason to end up on a branch.
    if goal.tried.is_empty() && app.preview.leaf.is_some() {
        app.preview.forget();
        app.preview.around = there;
        return;
    }
    // `around` is what to ask for next: showing this page may have changed it.
    let asked = app.preview.asked.as_ref().map(|wanted| wanted.around);
    let is_all = page.known == Coverage::Whole && page.before + page.behind == 0;
    let is_right = is_all || asked == Some(there);
    match turn_of(goal, page) {
        Some((turn, Likeness::Same)) => arrive(app, turn),
        Some((turn, Likeness::Words)) if is_right && is_enough(app, goal) => arrive(app, turn),
        // Only its end was read so far.
        _ if page.known == Coverage::Newest => {}
        // It lies outside of the window.
        _ if !is_right => app.preview.around = there,
        _ => look_elsewhere(app),
    }
}

/// Scrolls to a turn, and says where that is if resuming does not lead there.
fn arrive(app: &mut App, turn: i64) {
    let Some(page) = app.preview.page() else {
        return;
    };
    let line = page.scroll.lines_of(TurnPos { turn, step: None }).start;
    app.goal = None;
    app.preview.around = Around::Turn(turn);
    reading::go_to(app, line);
    // What was put before a conversation has numbers below those of its own turns.
    if app.preview.leaf.is_some() {
        add(
            app,
            "this is a branch that was rewound: resuming does not take it",
        );
    } else if turn < 0 {
        add(
            app,
            "this lies before a compaction: resuming brings back a summary of it",
        );
    }
}

/// Are equal words enough? Not as long as the prompt itself may lie in something else.
fn is_enough(app: &App, goal: &Goal) -> bool {
    let is_last = app.preview.leaf.is_none() && next(app, goal).is_none();
    goal.likeness == Likeness::Words || goal.timestamp == 0 || is_last
}

/// Something more of a conversation that can be opened.
enum Part {
    /// What lies before its first compaction.
    Earlier,
    /// The branch that ends in this entry.
    Branch(String),
}

/// What to open next for a prompt that is in nothing that was opened so far.
fn next(app: &App, goal: &Goal) -> Option<Part> {
    let page = app.preview.page()?;
    let first = page.turns.first().and_then(|turn| turn.at);
    let is_before = first.is_none_or(|first| goal.timestamp < first);
    if page.head == LedgerHead::Compacted && page.before == 0 && is_before {
        return Some(Part::Earlier);
    }
    let here = &app.preview.leaf;
    let is_new = |leaf: &Option<String>| leaf != here && !goal.tried.contains(leaf);
    if goal.tried.len() >= MOST_BRANCHES {
        return None;
    }
    // A branch goes on behind what was asked on it, and the one that ends first has least else.
    let ends_behind = |branch: &&Branch| {
        let end = branch.at.unwrap_or(i64::MAX);
        !branch.is_resumed && end.saturating_add_unsigned(NEAR) >= goal.timestamp
    };
    let branches = page.branches.iter().filter(ends_behind);
    let ends = branches.filter(|branch| is_new(&Some(branch.leaf.clone())));
    let next = ends.min_by_key(|branch| (branch.at, branch.leaf.as_str()))?;
    Some(Part::Branch(next.leaf.clone()))
}

/// Opens what the prompt may be in. Says so if it is in nothing.
fn look_elsewhere(app: &mut App) {
    let part = app.goal.as_ref().and_then(|goal| next(app, goal));
    let here = app.preview.leaf.clone();
    let Some(goal) = &mut app.goal else {
        return;
    };
    let there = Around::Moment(goal.timestamp);
    match part {
        Some(Part::Earlier) => app.preview.options.earlier += 1,
        Some(Part::Branch(leaf)) => {
            goal.tried.push(here);
            app.preview.forget();
            app.preview.leaf = Some(leaf);
        }
        None if here.is_some() => {
            goal.tried.push(here);
            goal.likeness = Likeness::Words;
            app.preview.forget();
        }
        None => {
            app.goal = None;
            // Nobody asked for what was opened on the way.
            if app.preview.options.earlier > 0 {
                app.preview.forget();
            }
            let missing = "this prompt is not in the part of the conversation that is shown";
            return add(app, missing);
        }
    }
    app.preview.around = there;
}

/// Says something more: what was changed to get here is still worth knowing.
fn add(app: &mut App, text: &str) {
    let said = match app.notice.take() {
        Some(Notice::Done(before)) => format!("{before}; {text}"),
        Some(Notice::Trouble(_)) | None => text.to_owned(),
    };
    tell(app, said);
}

/// The number of the turn that a prompt opened, or of one that says the same.
fn turn_of(goal: &Goal, page: &Page) -> Option<(i64, Likeness)> {
    let wanted = beginning(&goal.text);
    if wanted.is_empty() {
        return None;
    }
    let rank = |turn: &Turn| {
        let said = beginning(&opening(turn));
        let distance = turn.at.map(|at| at.abs_diff(goal.timestamp));
        let is_near = distance.is_some_and(|distance| distance <= NEAR);
        let is_equal = said == wanted;
        // A prompt may have grown on its way, by what was queued behind it. At any other time a
        // longer one is another one.
        let is_it = is_equal || (is_near && said.starts_with(&wanted));
        is_it.then_some((!is_near, !is_equal, distance.unwrap_or(u64::MAX)))
    };
    let turns = (page.first..).zip(&page.turns);
    let found = turns.filter_map(|(number, turn)| Some((rank(turn)?, number)));
    let ((is_far, ..), number) = found.min()?;
    let likeness = if is_far {
        Likeness::Words
    } else {
        Likeness::Same
    };
    Some((number, likeness))
}

/// What the person entered to open a turn.
fn opening(turn: &Turn) -> String {
    match &turn.opening {
        TurnOpening::Prompt { text, .. } => text.clone(),
        TurnOpening::Command { name, arguments } => format!("{name} {arguments}"),
        TurnOpening::Shell(command) => format!("! {command}"),
        _ => String::new(),
    }
}

/// What a prompt begins with, however it is broken into lines.
fn beginning(text: &str) -> String {
    let safe = crate::text::sanitize(crate::text::beginning(text, 8 * TELLING));
    let letters = safe.chars().filter(|c| !c.is_whitespace());
    letters.take(TELLING).collect()
}
