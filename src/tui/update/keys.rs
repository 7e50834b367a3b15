//! Keys: looked up in the table, then done.

use crossterm::event::{KeyEvent, KeyEventKind};

use super::history;
use super::preflight;
use super::reading::{self, Take};
use super::seeking;
use super::{Effect, Outcome, query_changed, tell};
use crate::list::Sort;
use crate::preview::Speaker;
use crate::resume::{Answer, Plan, Topic, Wish, printable};
use crate::search::{RowId, View};
use crate::store::Depth;
use crate::text::sanitize_whole;
use crate::tui::app::{App, Held};
use crate::tui::input::Edit;
use crate::tui::keymap::{Action, Chord, Place};
use crate::tui::layout::{Density, Focus, Switch, step};
use crate::tui::memory::Reach;
use crate::tui::message::Opener;
use crate::tui::overlay::Overlay;
use crate::tui::reading::{Direction, Warned};
use crate::tui::request::Request;

/// Percent that one key press moves the divider by.
const SPLIT_STEP: i16 = 4;

pub fn press(app: &mut App, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    app.notice = None;
    // Whoever goes on typing has changed their mind.
    app.probing = false;
    app.awaiting = None;
    let warned = app.preview.warned;
    let warned_of_prompt = app.history.as_ref().and_then(|history| history.warned);
    let place = app.place();
    // Whatever the person configured, this key always leaves.
    if Chord::parse("ctrl-c") == Some(Chord::of(key)) {
        act(app, Action::Interrupt, effects);
    } else if app.history.is_some() && app.overlay.is_none() {
        history::press(app, key, effects);
    } else if let Some(action) = app.setting.keymap.action(place, key) {
        act(app, action, effects);
    } else if let (Place::List | Place::Typing, Some(c)) = (place, Chord::typed(key)) {
        app.asked.input.insert(c.encode_utf8(&mut [0; 4]));
        query_changed(app, effects);
    } else if let (Place::Finding, Some(c)) = (place, Chord::typed(key))
        && let Some(find) = &mut app.preview.find
    {
        find.input.insert(c.encode_utf8(&mut [0; 4]));
        reading::find_changed(app);
    } else if let (Place::Entry, Some(c)) = (place, Chord::typed(key)) {
        if let Some(entry) = preflight::entry(app) {
            entry.input.insert(c.encode_utf8(&mut [0; 4]));
        }
        preflight::typed(app);
    } else if let (Place::Card, Some(digit)) =
        (place, Chord::typed(key).and_then(|c| c.to_digit(10)))
    {
        preflight::choose_number(app, digit as usize, effects);
    }
    // A warning is for the key that follows it.
    if warned == Warned::Yes {
        app.preview.warned = Warned::No;
    }
    if let Some(history) = &mut app.history
        && history.warned == warned_of_prompt
    {
        history.warned = None;
    }
}

/// Does what a key stands for.
pub fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::Resume => preflight::resume(app, Wish::Continue, effects),
        Action::Fork => preflight::resume(app, Wish::Fork, effects),
        Action::Choose => preflight::choose(app, effects),
        Action::CompletePath => preflight::complete(app, effects),
        Action::Up => go(app, Motion::Lines(-1)),
        Action::Down => go(app, Motion::Lines(1)),
        Action::PageUp => go(app, Motion::Pages(-1)),
        Action::PageDown => go(app, Motion::Pages(1)),
        Action::First => go(app, Motion::First),
        Action::Last => go(app, Motion::Last),
        Action::SwitchFocus => switch_focus(app),
        Action::NextMatch => seeking::next_match(app, Direction::Forward),
        Action::PreviousMatch => seeking::next_match(app, Direction::Back),
        Action::NextPrompt => reading::next_prompt(app, Direction::Forward),
        Action::PreviousPrompt => reading::next_prompt(app, Direction::Back),
        Action::Folds => reading::next_level(app),
        Action::Thinking => reading::toggle_thinking(app),
        Action::Noise => reading::toggle_noise(app),
        Action::Open => open(app, effects),
        Action::Find => reading::find(app),
        Action::Branches => reading::branches(app),
        Action::CopyMessage => reading::take_message(app, Take::Copy, effects),
        Action::OpenMessage => reading::take_message(app, Take::Open(Opener::Pager), effects),
        Action::EditMessage => reading::take_message(app, Take::Open(Opener::Editor), effects),
        Action::PreviewUp => reading::scroll(app, -1),
        Action::PreviewDown => reading::scroll(app, 1),
        Action::PreviewPageUp => reading::scroll(app, -preview_step(app)),
        Action::PreviewPageDown => reading::scroll(app, preview_step(app)),
        Action::Scope => switch_scope(app, effects),
        // These mean something while the history is open, and `history` does them.
        Action::HistoryScope
        | Action::GoToSession
        | Action::ResumePast
        | Action::CopyPrompt
        | Action::NewSession => {}
        Action::History => history::open(app, View::Prompts, effects),
        Action::Deleted => history::open(app, View::Deleted, effects),
        Action::Sort => next_order(app, effects),
        Action::HiddenKinds => show_hidden_kinds(app, effects),
        Action::Forks => {
            let calendar = app.calendar();
            let pane = app.pane();
            if !app.listing.toggle_family(calendar.as_ref(), pane) {
                tell(app, "this session has no forks and no copies");
            }
        }
        Action::TogglePreview => {
            app.panes.preview = app.panes.preview.other();
            app.focus = Focus::List;
            panes_changed(app);
        }
        Action::Density => {
            let shown = app.layout().density(app.panes);
            app.panes.density = match shown {
                Density::One => Density::Two,
                Density::Two => Density::Three,
                Density::Three | Density::Auto => Density::One,
            };
            panes_changed(app);
        }
        Action::GrowPreview => move_split(app, -SPLIT_STEP),
        Action::ShrinkPreview => move_split(app, SPLIT_STEP),
        Action::Mouse => switch_mouse(app, effects),
        Action::Mark => mark(app),
        Action::CopyId | Action::CopyCommand | Action::CopyPath => copy(app, action, effects),
        Action::Refresh => {
            effects.push(Effect::Redraw);
            effects.push(Effect::Ask(Request::Rescan(depth(app))));
        }
        Action::Help => switch_help(app),
        Action::Back => back(app, effects),
        Action::Interrupt => effects.push(Effect::Leave(Outcome::Interrupted)),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Edit(how) => {
            edit(app, how);
            match app.place() {
                Place::Finding => reading::find_changed(app),
                _ => query_changed(app, effects),
            }
        }
    }
}

/// Enter where something is read: opens what is folded there, else resumes.
fn open(app: &mut App, effects: &mut Vec<Effect>) {
    match app.place() {
        Place::Finding => reading::end_typing(app),
        Place::Branches => reading::choose_branch(app),
        _ => match reading::fold_here(app) {
            Some(fold) => reading::toggle(app, fold),
            // Whoever presses Enter there wants to see what is missing, and not to go on.
            None if is_about_files(app) => tell(app, "there is nothing to open here"),
            None => preflight::resume(app, Wish::Continue, effects),
        },
    }
}

/// Is the line under the cursor one about the files of the conversation?
pub fn is_about_files(app: &App) -> bool {
    let line = app.preview.line(app.preview.cursor);
    line.is_some_and(|line| line.speaker == Speaker::Files)
}

/// Lines that a page of the preview is scrolled by.
fn preview_step(app: &App) -> isize {
    isize::try_from(app.preview_page().saturating_sub(1).max(1)).unwrap_or(1)
}

fn edit(app: &mut App, how: Edit) {
    if preflight::edit(app, how) {
        return;
    }
    let is_finding = app.place() == Place::Finding;
    // Right of the last letter lies what could follow.
    if !is_finding
        && how == Edit::Right
        && let Some(offer) = app.asked.completion.take()
    {
        app.asked.input.insert(&offer.rest);
        return;
    }
    let input = match &mut app.preview.find {
        Some(find) if is_finding => &mut find.input,
        _ => &mut app.asked.input,
    };
    input.edit(how);
}

/// Where to go, in the list, the preview or the help.
#[derive(Debug, Clone, Copy)]
pub enum Motion {
    Lines(isize),
    Pages(isize),
    First,
    Last,
}

pub fn go(app: &mut App, motion: Motion) {
    match (&app.overlay, app.focus) {
        (Some(Overlay::Help { top }), _) => {
            let page = usize::from(app.screen.height.saturating_sub(2)).max(1);
            let last = crate::tui::help::length(&app.setting.keymap, app.screen.width.into());
            let last = last.saturating_sub(page);
            let top = scrolled(*top, motion, page, last);
            app.overlay = Some(Overlay::Help { top });
        }
        (Some(Overlay::Preflight(_)), _) => preflight::step(app, motion),
        (Some(Overlay::Batch(_)), _) => preflight::scroll_batch(app, motion),
        (Some(Overlay::Branches { cursor }), _) => {
            let count = app.preview.page().map_or(0, |page| page.branches.len());
            let page = usize::from(app.screen.height.saturating_sub(4)).max(1);
            let cursor = scrolled(*cursor, motion, page, count.saturating_sub(1));
            app.overlay = Some(Overlay::Branches { cursor });
        }
        (None, Focus::Preview) => reading::go(app, motion),
        (None, Focus::List) => {
            let pane = app.pane();
            match motion {
                Motion::Lines(by) => app.listing.step(by, pane),
                Motion::Pages(by) => app.listing.page(by, pane),
                Motion::First => app.listing.go(0, pane),
                Motion::Last => app.listing.go(usize::MAX, pane),
            }
        }
    }
}

pub fn scrolled(top: usize, motion: Motion, page: usize, last: usize) -> usize {
    let wanted = match motion {
        Motion::Lines(by) => top.saturating_add_signed(by),
        Motion::Pages(by) => {
            let step = isize::try_from(page.saturating_sub(1).max(1)).unwrap_or(1);
            top.saturating_add_signed(by * step)
        }
        Motion::First => 0,
        Motion::Last => last,
    };
    wanted.min(last)
}

fn switch_mouse(app: &mut App, effects: &mut Vec<Effect>) {
    app.mouse = app.mouse.other();
    app.held = Held::Nothing;
    effects.push(Effect::Mouse(app.mouse));
    tell(
        app,
        match app.mouse {
            Switch::On => "mouse on",
            Switch::Off => "mouse off: the terminal selects text again",
        },
    );
}

fn switch_focus(app: &mut App) {
    app.focus = match app.focus {
        Focus::List if app.listing.cursor().is_some() => Focus::Preview,
        Focus::List | Focus::Preview => Focus::List,
    };
}

fn switch_scope(app: &mut App, effects: &mut Vec<Effect>) {
    app.wanted_reach = None;
    app.reach = if app.is_here() {
        Reach::All
    } else {
        Reach::Here
    };
    app.listing.follow_best();
    effects.push(Effect::Ask(Request::Search(app.next_search())));
}

fn next_order(app: &mut App, effects: &mut Vec<Effect>) {
    app.order = match app.order {
        Sort::Activity => Sort::Created,
        Sort::Created => Sort::Size,
        Sort::Size => Sort::Title,
        Sort::Title => Sort::Activity,
    };
    let words = match app.order {
        Sort::Activity => "sorted by last activity",
        Sort::Created => "sorted by beginning",
        Sort::Size => "sorted by size",
        Sort::Title => "sorted by title",
    };
    tell(app, words);
    app.listing.follow_best();
    effects.push(Effect::Ask(Request::Search(app.next_search())));
}

fn show_hidden_kinds(app: &mut App, effects: &mut Vec<Effect>) {
    app.hidden_kinds = app.hidden_kinds.other();
    effects.push(Effect::Ask(Request::Search(app.next_search())));
    if app.hidden_kinds == Switch::On {
        // Files that are hidden by their name alone have not been opened yet.
        effects.push(Effect::Ask(Request::Rescan(depth(app))));
    }
}

fn depth(app: &App) -> Depth {
    match app.hidden_kinds {
        Switch::On => Depth::Everything,
        Switch::Off => Depth::Candidates,
    }
}

fn move_split(app: &mut App, by: i16) {
    let arrangement = app.layout().arrangement;
    if let Some(share) = app.panes.share_mut(arrangement, app.focus) {
        *share = step(*share, by);
        panes_changed(app);
    }
}

/// The panes were set otherwise: what was in sight stays in sight.
pub fn panes_changed(app: &mut App) {
    let pane = app.pane();
    app.listing.scroll_into_sight(pane);
    reading::fit(app);
}

/// Marks the row under the cursor, or takes the mark away, and goes on to the next.
fn mark(app: &mut App) {
    let Some(row) = app.listing.cursor() else {
        return;
    };
    if !app.marked.remove(&row) {
        app.marked.insert(row);
    }
    tell(
        app,
        match app.marked.len() {
            0 => "nothing is marked".to_owned(),
            count => format!("{count} marked"),
        },
    );
    go(app, Motion::Lines(1));
}

/// Copies something of the row under the cursor, or of all that are marked, a line each.
fn copy(app: &App, action: Action, effects: &mut Vec<Effect>) {
    let marked: Vec<_> = app.marked.iter().copied().collect();
    let wanted = match marked.as_slice() {
        [] => app.listing.cursor().into_iter().collect(),
        _ => marked,
    };
    copy_of(app, wanted, action, effects);
}

/// Copies something of rows, a line each.
pub fn copy_of(app: &App, wanted: Vec<RowId>, action: Action, effects: &mut Vec<Effect>) {
    let texts: Vec<String> = wanted
        .into_iter()
        .filter_map(|id| app.listing.row(id))
        .map(|row| match action {
            Action::CopyCommand => {
                let mut plan = Plan::new(&row.session, &app.setting.launch);
                // What was said on the command line counts here, too.
                if let Some(Answer::GoTo(path)) = app.answers.get(Topic::Directory) {
                    plan.directory = Some(path.clone());
                }
                plan.command_line()
            }
            Action::CopyPath => {
                let path = row.session.file.path().to_string_lossy().into_owned();
                // Without its control characters it would name another file.
                if sanitize_whole(&path) == path {
                    path
                } else {
                    printable(&[path])
                }
            }
            _ => row.session.file.id.to_string(),
        })
        .collect();
    let what = match (action, texts.len()) {
        (_, 0) => return,
        (Action::CopyCommand, 1) => "the command",
        (Action::CopyPath, 1) => "the path",
        (_, 1) => "the id",
        (Action::CopyCommand, _) => "the commands",
        (Action::CopyPath, _) => "the paths",
        (_, _) => "the ids",
    };
    let text = texts.join("\n");
    effects.push(Effect::Copy { what, text });
}

fn switch_help(app: &mut App) {
    app.overlay = match app.overlay.take() {
        None => Some(Overlay::Help { top: 0 }),
        Some(Overlay::Help { .. } | Overlay::Branches { .. }) => None,
        Some(other) => {
            let text = "Enter or a number takes a choice, Esc goes back to the list";
            tell(app, text);
            Some(other)
        }
    };
}

/// Esc, wherever one is: clear what is typed there, then close what is open, then quit.
fn back(app: &mut App, effects: &mut Vec<Effect>) {
    if preflight::back(app) || app.overlay.take().is_some() {
        return;
    }
    match app.focus {
        Focus::Preview if app.preview.find.is_some() => app.preview.find = None,
        Focus::Preview => app.focus = Focus::List,
        Focus::List if !app.asked.input.is_empty() => {
            app.asked.input.clear();
            query_changed(app, effects);
        }
        Focus::List if !app.marked.is_empty() => {
            app.marked.clear();
            tell(app, "nothing is marked");
        }
        Focus::List => {
            let calendar = app.calendar();
            let pane = app.pane();
            if !app.listing.close_families(calendar.as_ref(), pane) {
                effects.push(Effect::Leave(Outcome::Nothing));
            }
        }
    }
}
