//! The preview: moving in it, opening folds, finding, and taking messages out of it.

use super::keys::Motion;
use super::{Effect, seeking, slide, tell};
use crate::preview::{Around, Fold, Known, Level, Line, Noise, Speaker, Thinking, message};
use crate::text::sanitize_lines;
use crate::tui::app::App;
use crate::tui::layout::Focus;
use crate::tui::message::{Notice, Opener, Previewed};
use crate::tui::overlay::Overlay;
use crate::tui::reading::{Anchor, Content, Direction, Find, Hold, Seek, Stage, Then};
use crate::tui::seek::MatchPos;

/// Lines above a match, so that one sees what it answers.
pub const BEFORE_MATCH: usize = 2;

/// Moves the cursor and the lines under it: it keeps its line on the screen as long as there is
/// anything to scroll.
pub fn go(app: &mut App, motion: Motion) {
    let page = app.preview_page();
    let length = app.preview.length();
    let last = length.saturating_sub(page);
    let step = isize::try_from(page.saturating_sub(1).max(1)).unwrap_or(1);
    let preview = &mut app.preview;
    let by = match motion {
        Motion::Lines(by) => by,
        Motion::Pages(by) => by * step,
        Motion::First => return slide::to_edge(app, Hold::Beginning),
        Motion::Last => return slide::to_edge(app, Hold::End),
    };
    let by = by.saturating_add(preview.owed);
    let from = preview.cursor;
    preview.cursor = moved(from, by, length.saturating_sub(1));
    preview.top = moved(preview.top, by, last);
    let gone = preview.cursor.cast_signed() - from.cast_signed();
    let reached = preview.cursor;
    hold(app, reached);
    slide::owe(app, by - gone);
}

/// Scrolls without a look at the cursor, which only stays in sight: the wheel, and keys from the
/// list.
pub fn scroll(app: &mut App, by: isize) {
    let last = app.preview.length().saturating_sub(app.preview_page());
    app.preview.top = moved(app.preview.top, by, last);
    let reached = app.preview.top.saturating_add(app.preview_page() - 1);
    hold(app, reached);
}

fn moved(from: usize, by: isize, last: usize) -> usize {
    from.saturating_add_signed(by).min(last)
}

/// After a movement that has reached a line: what is in sight is held there, and the end is
/// followed.
fn hold(app: &mut App, reached: usize) {
    clamp(app);
    let is_last = app.preview.page().is_none_or(|page| page.behind == 0);
    let at_end = reached + 1 >= app.preview.length();
    app.preview.hold = if at_end && is_last {
        Hold::End
    } else {
        Hold::Here
    };
    app.preview.seeking = None;
    app.preview.striding = None;
    app.preview.owed = 0;
    slide::stay(app);
}

/// Keeps the preview from scrolling past its end, and the cursor in sight.
pub fn clamp(app: &mut App) {
    let page = app.preview_page();
    let length = app.preview.length();
    let preview = &mut app.preview;
    preview.top = preview.top.min(length.saturating_sub(page));
    let last = (preview.top + page).min(length).saturating_sub(1);
    preview.cursor = preview.cursor.clamp(preview.top.min(last), last);
}

/// After the room has changed: the line under the cursor stays in sight, and the end stays where
/// it is looked at.
pub fn fit(app: &mut App) {
    if app.focus == Focus::Preview {
        let page = app.preview_page();
        let cursor = app.preview.cursor;
        let least = (cursor + 1).saturating_sub(page);
        app.preview.top = app.preview.top.clamp(least, cursor.max(least));
    }
    if app.preview.hold == Hold::End {
        app.preview.top = usize::MAX;
    }
    clamp(app);
}

pub fn to_end(app: &mut App) {
    app.preview.top = usize::MAX;
    app.preview.cursor = usize::MAX;
    clamp(app);
}

/// Shows a line at the top, and holds it there.
pub fn go_to(app: &mut App, line: usize) {
    to_line(app, line, 0);
    app.preview.hold = Hold::Here;
}

/// Shows a line so many lines below the top, and puts the cursor on it.
pub fn to_line(app: &mut App, line: usize, below_top: usize) {
    let below_top = below_top.min(app.preview_page() - 1);
    app.preview.cursor = line;
    app.preview.top = line.saturating_sub(below_top);
    app.preview.owed = 0;
    clamp(app);
}

/// Takes over a page, and keeps in sight what was.
pub fn show(app: &mut App, previewed: Previewed) {
    if previewed.generation != app.preview.generation {
        return;
    }
    let line = match app.focus {
        Focus::Preview => app.preview.cursor,
        Focus::List => app.preview.top,
    };
    let anchor = app.preview.anchor(line);
    app.preview.answered = Some(previewed.generation);
    if let (Ok(page), Some(anchor)) = (&previewed.result, anchor)
        && slide::has_slid_away(app, page, anchor)
    {
        return;
    }
    let anchor = anchor.map(|anchor| match &previewed.result {
        Ok(page) => slide::among_all_steps(app, page, anchor),
        Err(_) => anchor,
    });
    let was_loading = matches!(app.preview.content, Content::Loading);
    app.preview.content = match previewed.result {
        Ok(page) => Content::Page(Box::new(page)),
        Err(reason) => Content::Failed(reason),
    };
    match (app.preview.hold, anchor) {
        (Hold::Untouched, _) => at_first_sight(app),
        (Hold::End, _) => to_end(app),
        (Hold::Beginning, _) => to_line(app, 0, 0),
        (Hold::Here, Some(anchor)) => back_to(app, anchor),
        (Hold::Here, None) if was_loading => at_first_sight(app),
        (Hold::Here, None) => {}
    }
    unfold(app);
    clamp(app);
    slide::pay(app);
    seeking::seek(app);
    slide::stride(app);
}

/// The first match, or where the conversation was left off.
fn at_first_sight(app: &mut App) {
    let Some(page) = app.preview.page() else {
        return;
    };
    let is_known = page.known == Known::Whole && page.found.searched.is_over();
    if let Some(mark) = page.found.landing.filter(|_| is_known) {
        if let Some(line) = page.line_of(mark) {
            to_line(app, line, BEFORE_MATCH);
        } else {
            app.preview.around = Around::Turn(mark.place.turn);
        }
        return;
    }
    if page.behind > 0 && is_known {
        app.preview.around = Around::End;
    }
    to_end(app);
}

/// The message that was looked at is looked at again, however it is laid out now.
fn back_to(app: &mut App, anchor: Anchor) {
    if let Some(line) = app.preview.line_of(anchor) {
        let row = anchor.row.min(app.preview_page() - 1);
        app.preview.top = line.saturating_sub(row);
        if app.focus == Focus::Preview {
            app.preview.cursor = line;
        }
    }
}

/// Scrolls to where a turn of the person begins.
pub fn next_prompt(app: &mut App, direction: Direction) {
    let Some(page) = app.preview.page() else {
        return;
    };
    let at = app.preview.cursor;
    let is_first = |at: &usize| {
        let line = page.scroll.get(*at);
        let before = at.checked_sub(1).and_then(|at| page.scroll.get(at));
        line.is_some_and(|line| {
            let begins = line.speaker == Speaker::You && !line.margin.is_empty();
            begins && before.is_none_or(|it| it.place != line.place || it.speaker != line.speaker)
        })
    };
    let found = match direction {
        Direction::Forward => (at + 1..page.scroll.len()).find(is_first),
        Direction::Back => (0..at.min(page.scroll.len())).rfind(is_first),
    };
    match found {
        Some(line) => {
            to_line(app, line, 0);
            app.preview.hold = Hold::Here;
            slide::stay(app);
        }
        None if slide::is_more(app, direction) => slide::prepare_stride(app, direction),
        None if direction == Direction::Back && page.known == Known::Newest => {
            tell(app, "what comes before is still being read");
        }
        None => tell(app, "no other prompt in this direction"),
    }
}

/// The fold that Enter opens or closes: the one under the cursor, or the one that the cursor is
/// inside of.
pub fn fold_here(app: &App) -> Option<Fold> {
    let line = app.preview.line(app.preview.cursor)?;
    if line.fold.is_some() {
        return line.fold;
    }
    if line.within.is_some() {
        return line.within;
    }
    // The blank line at its end belongs to it, too.
    let page = app.preview.page()?;
    let fold = Fold::Part(line.place);
    let above = page.scroll.lines_of(line.place).start..app.preview.cursor;
    let mut above = above.filter_map(|at| page.scroll.get(at)?.fold);
    (app.preview.options.is_open(fold) && above.any(|it| it == fold)).then_some(fold)
}

/// Opens or closes a fold. The cursor goes to its title: what it stood on may be gone.
pub fn toggle(app: &mut App, fold: Fold) {
    let top = app.preview.top;
    let title = (0..=app.preview.cursor).rev().find(|at| {
        let line = app.preview.line(*at);
        line.is_some_and(|line| line.fold == Some(fold))
    });
    if let Some(title) = title {
        app.preview.cursor = title;
        app.preview.top = top.min(title);
    }
    app.preview.unfolding = (!app.preview.options.is_open(fold)).then_some(fold);
    app.preview.options.toggle(fold);
    app.preview.hold = Hold::Here;
}

/// Scrolls so far that the beginning of what was opened is in sight: below its title, or above
/// it where it is what was said before.
fn unfold(app: &mut App) {
    let Some(fold) = app.preview.unfolding.take() else {
        return;
    };
    let half = app.preview_page() / 2;
    let title = app.preview.cursor;
    if fold == Fold::Earlier {
        app.preview.top = app.preview.top.min(title.saturating_sub(half));
        return;
    }
    let is_inside = |line: &&Line| line.within == Some(fold) || line.fold == Some(fold);
    let lines = app.preview.page().map_or(0, |page| {
        let behind = page.scroll.from(title).take(half);
        behind.take_while(is_inside).count()
    });
    let least = (title + lines).saturating_sub(app.preview_page());
    app.preview.top = app.preview.top.max(least);
}

pub fn next_level(app: &mut App) {
    app.preview.options.next_level();
    app.preview.hold = held(app);
    tell(
        app,
        match app.preview.options.level {
            Level::Prompts => "your prompts only",
            Level::Summary => "prompts and answers",
            Level::Full => "everything open",
        },
    );
}

pub fn toggle_thinking(app: &mut App) {
    let thinking = &mut app.preview.options.thinking;
    *thinking = thinking.other();
    let words = match thinking {
        Thinking::Shown => "with thinking",
        Thinking::Hidden => "without thinking",
    };
    app.preview.hold = held(app);
    tell(app, words);
}

pub fn toggle_noise(app: &mut App) {
    let noise = &mut app.preview.options.noise;
    *noise = noise.other();
    let words = match noise {
        Noise::Shown => "with the notes of hooks and of Claude Code itself",
        Noise::Hidden => "without notes of hooks and of Claude Code itself",
    };
    app.preview.hold = held(app);
    tell(app, words);
}

/// Whoever reads keeps the message that is read; who has not begun to keeps the end.
fn held(app: &App) -> Hold {
    match app.focus {
        Focus::Preview => Hold::Here,
        Focus::List => app.preview.hold,
    }
}

/// Begins to look for something in this conversation.
pub fn find(app: &mut App) {
    let from = app.preview.line(app.preview.cursor).map(|line| line.place);
    app.preview.find = Some(Find {
        from,
        ..Find::default()
    });
}

/// What is looked for was edited.
pub fn find_changed(app: &mut App) {
    let from = app.preview.find.as_ref().and_then(|find| find.from);
    app.preview.seeking = from.map(|place| Seek {
        from: MatchPos::first_of(place),
        direction: Direction::Forward,
        then: Then::Look,
    });
}

/// Enter while something is typed to be found: keys are for the conversation again.
pub fn end_typing(app: &mut App) {
    if app.preview.sought().is_none() {
        app.preview.find = None;
    } else if let Some(find) = &mut app.preview.find {
        find.stage = Stage::Typed;
    }
    if app.preview.find.is_some() {
        seeking::open_match(app);
    }
}

/// What to do with the message under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    Copy,
    Open(Opener),
}

pub fn take_message(app: &mut App, take: Take, effects: &mut Vec<Effect>) {
    let text = app.preview.page().and_then(|page| {
        let line = page.scroll.get(app.preview.cursor)?;
        let turn = page.turn(line.place.turn)?;
        match (line.within, line.of_agent) {
            (Some(Fold::Agent(place, call) | Fold::Inside(place, call, _)), Some(inner)) => {
                let step = turn.steps.get(place.step? + call)?;
                let agent = page.agents.work_of(step)?;
                message(agent.get(usize::try_from(inner.turn).ok()?)?, inner)
            }
            _ => message(turn, line.place),
        }
    });
    let Some(text) = text else {
        let words = if slide::is_read(app) {
            "there is no message here"
        } else {
            "it is being read: try again"
        };
        app.notice = Some(Notice::Trouble(words.to_owned()));
        return;
    };
    effects.push(match take {
        Take::Copy => Effect::Copy {
            what: "the message",
            text,
        },
        Take::Open(opener) => Effect::Outside {
            opener,
            text: sanitize_lines(&text),
        },
    });
}

/// Shows the branches, if there are several.
pub fn branches(app: &mut App) {
    let count = app.preview.page().map_or(0, |page| page.branches.len());
    let is_whole = app
        .preview
        .page()
        .is_some_and(|page| page.known == Known::Whole);
    if count < 2 {
        let words = if is_whole {
            "this conversation has one branch: nothing was rewound"
        } else {
            "it is still being read"
        };
        return tell(app, words);
    }
    let shown = app.preview.leaf.clone();
    let cursor = app.preview.page().and_then(|page| {
        let is_shown = |leaf: &str| shown.as_deref() == Some(leaf);
        page.branches.iter().position(|branch| match shown {
            Some(_) => is_shown(&branch.leaf),
            None => branch.is_resumed,
        })
    });
    let cursor = cursor.unwrap_or(0);
    app.overlay = Some(Overlay::Branches { cursor });
}

/// Previews the branch under the cursor.
pub fn choose_branch(app: &mut App) {
    if let Some(Overlay::Branches { cursor }) = app.overlay {
        choose_branch_at(app, cursor);
    }
}

/// Previews one of the branches.
pub fn choose_branch_at(app: &mut App, cursor: usize) {
    app.overlay = None;
    let branch = app
        .preview
        .page()
        .and_then(|page| page.branches.get(cursor).cloned());
    let Some(branch) = branch else {
        return;
    };
    let leaf = (!branch.is_resumed).then_some(branch.leaf);
    if app.preview.leaf != leaf {
        app.preview.forget();
        app.preview.leaf = leaf;
    }
    app.focus = Focus::Preview;
}
