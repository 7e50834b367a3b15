//! The history: its keys, its searches, and what is read for it.

mod arrival;
mod finding;
mod journey;
mod mouse;

use crossterm::event::KeyEvent;

pub use arrival::reach_goal;
pub use journey::read_instead;
pub use mouse::point;

use super::keys::{self, Motion, scrolled};
use super::{Effect, Outcome, tell};
use crate::list::{Include, Sort};
use crate::search::{Distance, Query, Search, Tier, View};
use crate::tui::app::App;
use crate::tui::history::{History, HistoryNews, HistoryScope, Landmark, Origin};
use crate::tui::input::{Edit, Input};
use crate::tui::keymap::{Action, Chord, Place};
use crate::tui::layout::Focus;
use crate::tui::reading::Direction;
use crate::tui::request::{HistoryRequest, PageOf, Request};

/// Columns of a page where no preview is to be seen.
const NO_PANE: usize = 1;

/// Opens the history over the list, with what is typed there.
pub fn open(app: &mut App, view: View, effects: &mut Vec<Effect>) {
    let row = app.listing.cursor_row();
    let under_cursor = row.map(|row| row.session.file.id.to_string());
    let mut history = History::default();
    history.view = view;
    history.focus_before = Some(app.focus);
    history.session = app.setting.session.clone().or(under_cursor);
    let typed = app.asked.input.text().to_owned();
    let left = app.history_left.take();
    match left.filter(|left| view == View::Prompts && left.typed == typed) {
        Some(left) => {
            history.scope = left.list.scope;
            history.session = left.session;
            history.set_query(&left.list.query, &app.now);
            history.follow_mark(left.list.mark);
        }
        None if view == View::Prompts => history.set_query(&typed, &app.now),
        None => {}
    }
    app.history = Some(Box::new(history));
    app.focus = Focus::List;
    begin(app, effects);
}

/// Asks for what an open history shows.
pub fn begin(app: &mut App, effects: &mut Vec<Effect>) {
    let now = app.now.timestamp_millis();
    let Some(history) = &mut app.history else {
        return;
    };
    history.near = history.session_in_scope();
    let session = history.near.clone();
    effects.push(Effect::Ask(Request::Prompts(HistoryRequest::Open {
        session,
        now,
    })));
    search(app, effects);
    want(app, effects);
}

/// A key while the history is open and nothing lies over it.
pub fn press(app: &mut App, key: KeyEvent, effects: &mut Vec<Effect>) {
    attend(app);
    let place = app.place();
    if let Some(action) = app.setting.keymap.action(place, key) {
        act(app, action, effects);
    } else if let Place::History | Place::HistoryTyping | Place::HistoryFinding = place
        && let Some(c) = Chord::typed(key)
    {
        type_text(app, c.encode_utf8(&mut [0; 4]), effects);
    } else if app.setting.keymap.action(Place::List, key).is_some() {
        tell(app, "this key is for the list of sessions");
    }
}

/// Somebody does something: what waited for the page is no longer wanted, and what comes from now
/// on does not take the prompt away that they look at. An answer that is still to come does.
fn attend(app: &mut App) {
    if let Some(history) = &mut app.history {
        history.then = None;
        if !history.is_searching() {
            history.stay();
        }
    }
}

pub fn type_text(app: &mut App, text: &str, effects: &mut Vec<Effect>) {
    let place = app.place();
    let Some(history) = &mut app.history else {
        return;
    };
    match (place, &mut history.find) {
        (Place::History | Place::HistoryTyping, _) => {
            history.asked.input.insert(text);
            query_changed(app, effects);
        }
        (Place::HistoryFinding, Some(find)) => find.input.insert(text),
        _ => {}
    }
}

/// Is this about the prompt under the cursor?
fn is_about_a_prompt(action: Action) -> bool {
    matches!(
        action,
        Action::GoToSession
            | Action::ResumePast
            | Action::CopyPrompt
            | Action::NewSession
            | Action::CopyId
            | Action::CopyCommand
            | Action::CopyPath
    )
}

fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
    // Typed in one breath with the query: meant is what is found by it.
    if let Some(history) = &mut app.history
        && history.is_searching()
        && is_about_a_prompt(action)
    {
        history.then = Some(action);
        return;
    }
    if is_about_a_prompt(action)
        && let Some(history) = &app.history
        && history.cursor().is_none()
    {
        tell(
            app,
            match history.view {
                View::Prompts => "there is no prompt here",
                View::Deleted => "there is no session here",
            },
        );
        return;
    }
    match action {
        Action::Up => go(app, Motion::Lines(-1)),
        Action::Down => go(app, Motion::Lines(1)),
        Action::PageUp => go(app, Motion::Pages(-1)),
        Action::PageDown => go(app, Motion::Pages(1)),
        Action::First => go(app, Motion::First),
        Action::Last => go(app, Motion::Last),
        Action::SwitchFocus => {
            let has_rows = app.history.as_ref().is_some_and(|it| it.cursor().is_some());
            app.focus = match app.focus {
                Focus::List if has_rows => Focus::Preview,
                Focus::List | Focus::Preview => Focus::List,
            };
        }
        Action::HistoryScope => next_scope(app, effects),
        Action::Deleted => switch_view(app, effects),
        Action::GoToSession => journey::choose(app, effects),
        Action::ResumePast => journey::resume(app, effects),
        Action::CopyPrompt => journey::copy(app, effects),
        Action::NewSession => journey::begin_session(app, effects),
        Action::CopyId => journey::copy_id(app, effects),
        Action::CopyCommand | Action::CopyPath => journey::copy_of_session(app, action, effects),
        Action::Find => finding::begin(app),
        Action::NextMatch => finding::next(app, Direction::Forward),
        Action::PreviousMatch => finding::next(app, Direction::Back),
        Action::Open => finding::end_typing(app),
        Action::OpenMessage | Action::EditMessage => finding::open(app, action, effects),
        Action::Back => back(app, effects),
        Action::Refresh => {
            effects.push(Effect::Redraw);
            effects.push(Effect::Ask(Request::Prompts(HistoryRequest::Refresh)));
        }
        Action::Edit(how) => {
            edit(app, how);
            query_changed(app, effects);
        }
        // What the panes, the mouse and the terminal are about is the same here.
        other => keys::act(app, other, effects),
    }
}

fn edit(app: &mut App, how: Edit) {
    let is_finding = app.place() == Place::HistoryFinding;
    let Some(history) = &mut app.history else {
        return;
    };
    match &mut history.find {
        Some(find) if is_finding => find.input.edit(how),
        // Right of the last letter lies what could follow.
        _ => match history.asked.completion.take() {
            Some(offer) if how == Edit::Right => history.asked.input.insert(&offer.rest),
            _ => history.asked.input.edit(how),
        },
    }
}

/// What was read.
pub fn news(app: &mut App, news: HistoryNews, effects: &mut Vec<Effect>) {
    let lines = app.history_lines();
    let Some(history) = &mut app.history else {
        return;
    };
    match news {
        HistoryNews::Found {
            answer,
            rows,
            progress,
        } => {
            history.progress = progress;
            // The one place where stale answers end.
            if answer.generation == history.asked.generation && answer.view == history.view {
                let is_all = progress.over && answer.tier == Tier::Fuzzy;
                history.put(rows);
                history.found(answer, lines);
                // What comes later does not take the cursor, as in the list of sessions.
                if app.focus == Focus::Preview || is_all {
                    history.settle();
                }
                // Where the words find nothing, loose matches may follow.
                if (history.cursor().is_some() || is_all)
                    && let Some(action) = history.then.take()
                {
                    act(app, action, effects);
                }
            }
        }
        HistoryNews::Rows(rows) => history.put(rows),
        HistoryNews::Projects(names) => history.projects = names,
        HistoryNews::Laborious(of, bytes) => history.laborious = Some((of, bytes)),
        HistoryNews::Page(of, page) => {
            history.laborious.take_if(|(known, _)| *known == of);
            if history.page_of.as_ref() == Some(&of) {
                // One that was laid out for no pane was not looked at.
                let same = |known: &PageOf| {
                    (known.row, known.view) == (of.row, of.view) && known.columns > NO_PANE
                };
                let again = history.page.as_ref().is_some_and(|(known, _)| same(known));
                let known = history.page.as_ref().map(|(known, _)| known);
                let is_sought = known.map(|known| &known.find) != Some(&of.find);
                let is_searched = !again || known.map(|known| &known.words) != Some(&of.words);
                let last = page.lines.len().saturating_sub(1);
                history.page_top = history.page_top.min(last);
                history.page = Some((of, page));
                if is_searched {
                    finding::land(app);
                }
                if is_sought {
                    finding::arrived(app);
                }
                let Some(history) = &mut app.history else {
                    return;
                };
                if let Some(action) = history.then.take() {
                    act(app, action, effects);
                }
            }
        }
        HistoryNews::Anew => {
            let near = history.near();
            history.forget();
            history.follow_near(near);
            search(app, effects);
        }
    }
}

/// Asks for what is in sight and not known yet.
pub fn want(app: &mut App, effects: &mut Vec<Effect>) {
    let lines = app.history_lines();
    let area = app.layout().preview;
    let offset = app.now.offset().local_minus_utc();
    let Some(history) = &mut app.history else {
        return;
    };
    // The panes may have been set otherwise.
    history.scroll_into_sight(lines);
    let missing = history.missing(lines);
    if !missing.is_empty() {
        effects.push(Effect::Ask(Request::Prompts(HistoryRequest::Rows(missing))));
    }
    let Some(hit) = history.cursor() else {
        return;
    };
    // Actions need the whole text, also where no preview is to be seen.
    let columns = usize::from(area.width.saturating_sub(2)).max(NO_PANE);
    let known = history.page_of.as_ref();
    if known.is_some_and(|known| (known.row, known.view) != (hit.row, history.view)) {
        history.find = None;
    }
    let find = history.find.as_ref().and_then(|find| find.sought());
    let of = PageOf {
        row: hit.row,
        view: history.view,
        columns,
        offset,
        find: find.map(str::to_owned),
        words: history.asked.query.words(),
    };
    if history.page_of.as_ref() != Some(&of) {
        history.page_of = Some(of.clone());
        effects.push(Effect::Ask(Request::Prompts(HistoryRequest::Page(of))));
    }
}

fn go(app: &mut App, motion: Motion) {
    let lines = app.history_lines();
    let page = app.past_page_lines();
    let focus = app.focus;
    let Some(history) = &mut app.history else {
        return;
    };
    if focus == Focus::Preview {
        let length = history.current_page().map_or(0, |page| page.lines.len());
        let last = length.saturating_sub(page);
        history.page_top = scrolled(history.page_top, motion, page, last);
        return;
    }
    match motion {
        Motion::Lines(by) => history.step(by, lines),
        Motion::Pages(by) => history.page_by(by, lines),
        Motion::First => history.go(0, lines),
        Motion::Last => history.go(usize::MAX, lines),
    }
}

fn query_changed(app: &mut App, effects: &mut Vec<Effect>) {
    let now = app.now;
    let Some(history) = &mut app.history else {
        return;
    };
    if history.asked.input.text() == history.asked.parsed {
        return;
    }
    let typed = history.asked.input.text();
    typed.clone_into(&mut history.asked.parsed);
    history.asked.query = Query::parse(&history.asked.parsed, &now);
    history.follow_best();
    search(app, effects);
}

/// Searches for what the state stands for, under a new number.
fn search(app: &mut App, effects: &mut Vec<Effect>) {
    app.history_searches.0 += 1;
    let generation = app.history_searches;
    let Some(history) = &mut app.history else {
        return;
    };
    history.asked.generation = generation;
    let near = history.session_in_scope();
    if history.near != near {
        history.near.clone_from(&near);
        effects.push(Effect::Ask(Request::Prompts(HistoryRequest::Session(near))));
    }
    let search = Search {
        generation,
        query: history.asked.query.clone(),
        order: Sort::Activity,
        reach: match history.scope() {
            HistoryScope::Session => Distance::Directory,
            HistoryScope::Project => Distance::Repository,
            HistoryScope::All => Distance::Elsewhere,
        },
        include: Include::default(),
    };
    let request = Box::new(search);
    let view = history.view;
    effects.push(Effect::Ask(Request::Prompts(HistoryRequest::Search(
        request, view,
    ))));
}

fn next_scope(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &app.history else {
        return;
    };
    let scopes = app.history_scopes(history);
    let at = scopes.iter().position(|scope| *scope == history.scope());
    let next = at.and_then(|at| scopes.get(at + 1)).or(scopes.first());
    let next = next.copied();
    let session = app.session_meant(history);
    if let Some(history) = &mut app.history {
        if next == Some(HistoryScope::Session)
            && let Some(session) = session
        {
            history.session = Some(session);
        }
        let mark = history.mark();
        history.scope = next;
        history.follow_mark(mark);
    }
    search(app, effects);
}

/// From prompts to deleted sessions and back.
fn switch_view(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &mut app.history else {
        return;
    };
    match history.view {
        View::Prompts => {
            let here = history.landmark();
            let scope = history.scope;
            history.below.push(here);
            let deleted = Landmark::new(View::Deleted, String::new(), scope);
            show(app, &deleted, effects);
        }
        View::Deleted => close(app, effects),
    }
}

fn show(app: &mut App, there: &Landmark, effects: &mut Vec<Effect>) {
    let Some(mut history) = app.history.take() else {
        return;
    };
    history.forget();
    history.view = there.view;
    history.scope = there.scope;
    history.set_query(&there.query, &app.now);
    history.follow_mark(there.mark);
    app.history = Some(history);
    app.focus = Focus::List;
    search(app, effects);
}

/// Esc: out of what is looked for, out of the preview, then what was typed here is cleared, then
/// back to where one was. A query that the history was opened with is none to clear: whoever
/// brought it along goes back to where it came from.
fn back(app: &mut App, effects: &mut Vec<Effect>) {
    if app.focus == Focus::Preview {
        let history = app.history.as_mut();
        if history.and_then(|history| history.find.take()).is_none() {
            app.focus = Focus::List;
        }
        return;
    }
    if let Some(history) = &mut app.history
        && !history.asked.input.is_empty()
        && history.asked.input.text() != history.given
    {
        let typed_behind = history.asked.input.text().starts_with(&history.given);
        let left = if typed_behind { &*history.given } else { "" };
        history.asked.input = Input::new(left);
        query_changed(app, effects);
        return;
    }
    close(app, effects);
}

fn close(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &mut app.history else {
        return;
    };
    if let Some(before) = history.below.pop() {
        show(app, &before, effects);
        return;
    }
    match history.origin {
        Origin::List => {
            let focus = history.focus_before.unwrap_or(Focus::List);
            leave(app);
            app.focus = focus;
        }
        Origin::Shell => effects.push(Effect::Leave(Outcome::Nothing)),
    }
}

/// Back to the list, as it was.
fn leave(app: &mut App) {
    app.history = None;
    app.focus = Focus::List;
    let pane = app.pane();
    app.listing.scroll_into_sight(pane);
}
