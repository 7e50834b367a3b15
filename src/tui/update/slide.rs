//! The window on a conversation follows whoever reads: near an edge the turns around there are
//! asked for, before the edge is reached.

use super::keys::Motion;
use super::reading::{go, next_prompt, to_end, to_line};
use crate::preview::{Around, Coverage, TurnPos};
use crate::tui::app::App;
use crate::tui::layout::Focus;
use crate::tui::message::Page;
use crate::tui::reading::{Anchor, Direction, Hold};

/// Asks for the turns around what is in sight if an edge is near.
pub fn slide(app: &mut App) {
    let in_sight = app.preview_page();
    let near = 2 * in_sight;
    let Some(page) = app.preview.page() else {
        return;
    };
    // While the whole is being read, or another window, asking again would only begin it anew.
    let is_answered = app.preview.answered == Some(app.preview.generation);
    // Who is on the way to somewhere else does not stay here.
    let goal = app.goal.as_ref().map(|goal| goal.row);
    let is_going =
        app.preview.seeking.is_some() || (goal.is_some() && goal == app.listing.cursor());
    if page.known != Coverage::Whole || !is_answered || is_going {
        return;
    }
    let top = app.preview.top;
    let is_above = page.before > 0 && top < near;
    let is_below = page.behind > 0 && top + in_sight + near > page.scroll.len();
    let turn = turn_in_sight(app);
    let is_unheld = turn.is_some_and(|turn| !page.held().contains(&turn));
    if !is_above && !is_below && !is_unheld {
        return;
    }
    let turns = page.turns.len().saturating_mul(2);
    let preview = &mut app.preview;
    preview.turns = preview.turns.max(turns);
    if let (Hold::Here, Some(turn)) = (preview.hold, turn) {
        preview.around = Around::Turn(turn);
    }
}

/// Is what is in sight held with its texts?
pub fn is_read(app: &App) -> bool {
    let held = app.preview.page().map(Page::held);
    turn_in_sight(app).is_none_or(|turn| held.is_some_and(|held| held.contains(&turn)))
}

fn turn_in_sight(app: &App) -> Option<i64> {
    let line = match app.focus {
        Focus::Preview => app.preview.cursor,
        Focus::List => app.preview.top,
    };
    app.preview.line(line).map(|line| line.place.turn)
}

/// Goes to the beginning or to the end, at once if it is here.
pub fn to_edge(app: &mut App, hold: Hold) {
    app.preview.hold = hold;
    app.preview.seeking = None;
    app.preview.striding = None;
    let page = app.preview.page();
    // While the whole is being read, what is there is gone through already.
    let is_partial = page.is_some_and(|page| page.known == Coverage::Newest);
    if hold == Hold::Beginning {
        let is_here = page.is_none_or(|page| page.before == 0);
        app.preview.around = Around::Beginning;
        if is_here || is_partial {
            to_line(app, 0, 0);
        }
    } else {
        let is_here = page.is_none_or(|page| page.behind == 0);
        app.preview.around = Around::End;
        if is_here {
            to_end(app);
        }
    }
}

/// Whoever moves before an edge has come that was asked for stays.
pub fn stay(app: &mut App) {
    let Some(page) = app.preview.page() else {
        return;
    };
    // What is there before the whole was read is its end.
    let is_partial = page.known == Coverage::Newest;
    let is_elsewhere = match app.preview.around {
        Around::End => page.behind > 0,
        Around::Beginning => page.before > 0 || is_partial,
        Around::Turn(turn) => !page.shown.contains(&turn),
        Around::Moment(_) => false,
    };
    if !is_elsewhere {
        return;
    }
    if is_partial || app.preview.hold == Hold::End {
        app.preview.around = Around::End;
    } else if let Some(turn) = turn_in_sight(app) {
        app.preview.around = Around::Turn(turn);
    }
}

/// What an anchor stands for on the page of the whole. Of the turn that the end began in only the
/// last steps were known: they have other numbers now.
pub fn among_all_steps(app: &App, page: &Page, anchor: Anchor) -> Anchor {
    let step = app.preview.page().and_then(|end| {
        let was = end.turn(anchor.place.turn)?;
        let is = page.turn(anchor.place.turn)?;
        let (known, rest) = was.steps.split_at_checked(anchor.place.step?)?;
        let uuid = &rest.first()?.uuid;
        // One entry may be several steps.
        let before = known.iter().filter(|step| step.uuid == *uuid).count();
        let mut same = is
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.uuid == *uuid);
        same.nth(before).map(|(at, _)| at)
    });
    let step = step.or(anchor.place.step);
    Anchor {
        place: TurnPos {
            step,
            ..anchor.place
        },
        ..anchor
    }
}

/// Is what is looked at not on a page that has come, although it is in the conversation? Then the
/// page around it is asked for, and the old one stays until that is here.
pub fn has_slid_away(app: &mut App, page: &Page, anchor: Anchor) -> bool {
    let turn = anchor.place.turn;
    let numbers = &page.shown;
    let all = numbers.start - count(page.before)..numbers.end + count(page.behind);
    // Who goes somewhere else wants to leave it.
    let is_sought = app.preview.seeking.is_some()
        || app.preview.striding.is_some()
        || matches!(app.preview.around, Around::Moment(_));
    let is_away = app.preview.hold == Hold::Here
        && page.known == Coverage::Whole
        && !numbers.contains(&turn)
        && all.contains(&turn);
    if is_away && !is_sought {
        app.preview.around = Around::Turn(turn);
    }
    is_away && !is_sought
}

fn count(turns: usize) -> i64 {
    i64::try_from(turns).unwrap_or(i64::MAX)
}

/// Keys may be pressed faster than windows are read. What they go beyond an edge is remembered,
/// as long as something is there to come. While only the end is known, one stays at its edge: how
/// far the whole is away, nobody can tell.
pub fn owe(app: &mut App, lines: isize) {
    let direction = match lines {
        0 => return,
        ..0 => Direction::Back,
        1.. => Direction::Forward,
    };
    let is_whole = app
        .preview
        .page()
        .is_some_and(|page| page.known == Coverage::Whole);
    if is_whole && is_more(app, direction) {
        app.preview.owed = lines;
    }
}

/// Goes on to where the keys have led, as far as there are lines by now.
pub fn pay(app: &mut App) {
    if app.preview.owed != 0 && app.focus == Focus::Preview && app.preview.hold == Hold::Here {
        go(app, Motion::Lines(0));
    }
}

/// Are there turns in this direction that are not laid out?
pub fn is_more(app: &App, direction: Direction) -> bool {
    app.preview.page().is_some_and(|page| match direction {
        Direction::Forward => page.behind > 0,
        Direction::Back => page.before > 0,
    })
}

/// Asks for the turns beyond an edge, to go on to a prompt there.
pub fn prepare_stride(app: &mut App, direction: Direction) {
    let Some(page) = app.preview.page() else {
        return;
    };
    let edge = match direction {
        Direction::Forward => page.shown.end - 1,
        Direction::Back => page.shown.start,
    };
    app.preview.around = Around::Turn(edge);
    app.preview.hold = Hold::Here;
    app.preview.striding = Some(direction);
}

/// Goes on to the prompt that was waited for.
pub fn stride(app: &mut App) {
    if let Some(direction) = app.preview.striding.take() {
        next_prompt(app, direction);
    }
}
