//! Going from match to match, also to those that the page does not show, or that are not found
//! yet.

use super::reading::{BEFORE_MATCH, to_line};
use super::{slide, tell};
use crate::preview::{Around, Fold, Known};
use crate::tui::app::App;
use crate::tui::reading::{Direction, Hold, Seek, Then};
use crate::tui::seek::Mark;

pub fn next_match(app: &mut App, direction: Direction) {
    let Some(here) = app
        .preview
        .page()
        .and_then(|page| page.mark_of(app.preview.cursor))
    else {
        return tell_of_none(app);
    };
    let from = match direction {
        Direction::Forward => Mark {
            offset: here.offset + 1,
            ..here
        },
        Direction::Back => here,
    };
    app.preview.seeking = Some(Seek {
        from,
        direction,
        then: Then::Open,
    });
    seek(app);
}

/// Says that there is nothing, once everything was looked through.
pub fn tell_of_none(app: &mut App) {
    if app.preview.marks().is_empty() && is_over(app) {
        tell(app, "no match in this conversation");
    }
}

fn is_over(app: &App) -> bool {
    let page = app.preview.page();
    page.is_none_or(|page| page.known == Known::Whole && page.found.searched.is_over())
}

/// Goes to the match that is wanted, or asks for the page with it. What is found first is the next
/// one in either direction; around the end it goes only when nothing more will be found.
pub fn seek(app: &mut App) {
    let Some(wanted) = app.preview.seeking else {
        return;
    };
    let marks = app.preview.marks();
    let from = marks.partition_point(|mark| *mark < wanted.from);
    let (next, around) = match wanted.direction {
        Direction::Forward => (marks.get(from), marks.first()),
        Direction::Back => (
            from.checked_sub(1).and_then(|at| marks.get(at)),
            marks.last(),
        ),
    };
    let Some(&mark) = next.or(around.filter(|_| is_over(app))) else {
        if is_over(app) {
            app.preview.seeking = None;
            if wanted.then == Then::Open {
                tell_of_none(app);
            }
        }
        return;
    };
    if let Some(line) = app.preview.page().and_then(|page| page.line_of(mark)) {
        app.preview.seeking = None;
        land(app, line, wanted.then);
    } else {
        app.preview.seeking = Some(Seek {
            from: mark,
            direction: Direction::Forward,
            ..wanted
        });
        app.preview.around = Around::Turn(mark.place.turn);
    }
}

/// Puts the cursor on a match.
fn land(app: &mut App, line: usize, then: Then) {
    let in_sight = app.preview.top..app.preview.top + app.preview_page();
    if then == Then::Look && in_sight.contains(&line) {
        app.preview.cursor = line;
    } else {
        to_line(app, line, BEFORE_MATCH);
    }
    app.preview.hold = Hold::Here;
    slide::stay(app);
    // What matches may be hidden in it.
    if then == Then::Open
        && app.preview.find.is_some()
        && let Some(line) = app.preview.line(line)
        && let Some(fold @ (Fold::Part(_) | Fold::Agent(..) | Fold::Inside(..))) = line.fold
        && !app.preview.options.is_open(fold)
    {
        let from = app
            .preview
            .page()
            .and_then(|page| page.mark_of(app.preview.cursor));
        app.preview.options.toggle(fold);
        app.preview.seeking = from.map(|from| Seek {
            from,
            direction: Direction::Forward,
            then: Then::Look,
        });
    }
}
