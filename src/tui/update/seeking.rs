//! Going from match to match, also to those that the page does not show, or that are not found
//! yet.

use super::reading::{BEFORE_MATCH, to_line};
use super::{slide, tell};
use crate::preview::{Around, Fold};
use crate::tui::app::App;
use crate::tui::reading::{Direction, Hold, Seek, Then};
use crate::tui::seek::MatchPos;

pub fn next_match(app: &mut App, direction: Direction) {
    let Some(here) = app
        .preview
        .page()
        .and_then(|page| page.mark_of(app.preview.cursor))
    else {
        return tell_of_none(app);
    };
    let from = match direction {
        Direction::Forward => MatchPos {
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
    if app.preview.marks().is_empty() && app.preview.is_looked_through() {
        let page = app.preview.page();
        let words = if page.is_none_or(|page| page.found.unseen.is_empty()) {
            "no match in this conversation"
        } else {
            "no match in what is shown"
        };
        tell(app, words);
    }
}

/// The match that typing led to, or will lead to, is to be seen: also where a fold hides it.
pub fn open_match(app: &mut App) {
    let page = app.preview.page();
    let here = page.and_then(|page| page.mark_of(app.preview.cursor));
    let wanted = app.preview.seeking.or(here.map(|from| Seek {
        from,
        direction: Direction::Forward,
        then: Then::Open,
    }));
    app.preview.seeking = wanted.map(|wanted| Seek {
        then: Then::Open,
        ..wanted
    });
    seek(app);
}

/// Goes to the match that is wanted, or asks for the page with it. What is found first is the next
/// one in either direction; around the end it goes only when nothing more will be found.
pub fn seek(app: &mut App) {
    let Some(wanted) = app.preview.seeking else {
        return;
    };
    let found = app.preview.page().map(|page| page.found.phrase.as_deref());
    if found.is_some_and(|phrase| phrase != app.preview.sought()) {
        // What was found is not what is wanted now.
        return;
    }
    let is_over = app.preview.is_looked_through();
    let marks = app.preview.marks();
    let from = marks.partition_point(|mark| *mark < wanted.from);
    let (next, around) = match wanted.direction {
        Direction::Forward => (marks.get(from), marks.first()),
        Direction::Back => (
            from.checked_sub(1).and_then(|at| marks.get(at)),
            marks.last(),
        ),
    };
    let Some(&mark) = next.or(around.filter(|_| is_over)) else {
        if is_over {
            app.preview.seeking = None;
            if wanted.then == Then::Open {
                tell_of_none(app);
            }
        }
        return;
    };
    if let Some(line) = app.preview.page().and_then(|page| page.line_of(mark)) {
        app.preview.seeking = None;
        land(app, line, wanted);
    } else {
        // On the way back what lies before the old place is found again once it is shown.
        if wanted.direction == Direction::Forward {
            app.preview.seeking = Some(Seek {
                from: mark,
                ..wanted
            });
        }
        app.preview.around = Around::Turn(mark.place.turn);
    }
}

/// Puts the cursor on a match.
fn land(app: &mut App, line: usize, wanted: Seek) {
    let then = wanted.then;
    let in_sight = app.preview.top..app.preview.top + app.preview_page();
    let is_there = then == Then::Look || app.preview.cursor == line;
    if is_there && in_sight.contains(&line) {
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
        && let Some(fold) = line.fold
        && !matches!(fold, Fold::Earlier | Fold::Before(_))
        && !app.preview.options.is_open(fold)
    {
        let from = app
            .preview
            .page()
            .and_then(|page| page.mark_of(app.preview.cursor));
        app.preview.options.toggle(fold);
        app.preview.seeking = from.map(|title| inside(title, wanted));
    }
}

/// What is wanted in a fold that opens: the first match behind its title, or on the way back the
/// last one before where that way began.
fn inside(title: MatchPos, wanted: Seek) -> Seek {
    // Whoever went around the end came from there.
    let end = if title < wanted.from {
        wanted.from
    } else {
        MatchPos::END
    };
    // Lines of the same message move when a fold above them opens.
    let is_back = wanted.direction == Direction::Back && end.place != title.place;
    let (from, direction) = if is_back {
        (end, Direction::Back)
    } else {
        (title, Direction::Forward)
    };
    Seek {
        from,
        direction,
        // It may be hidden in a fold of that one.
        then: Then::Open,
    }
}
