//! The history: its keys, what is read for it, and the way from a prompt to its session.

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::keys::{self, Motion, edit_input, scrolled};
use super::{Effect, Outcome, clamp_preview, tell};
use crate::list::{Include, Sort};
use crate::preview::Speaker;
use crate::resume::Plan;
use crate::search::{Fate, Place as Distance, Query, RowId, Search, View};
use crate::tui::app::{App, Ending, Goal, Scan};
use crate::tui::history::{Choice, History, HistoryNews, HistoryScope, Origin, PageOf};
use crate::tui::input::Input;
use crate::tui::keymap::{Action, Chord};
use crate::tui::layout::{Focus, Switch};
use crate::tui::memory::Reach;
use crate::tui::message::{Chosen, HistoryRequest, Notice, SearchRequest};

/// An argument of a program may not be longer on Linux.
const LONGEST_ARGUMENT: usize = 120 * 1024;
/// So much of a prompt tells it from others, in characters.
const TELLING: usize = 80;
const WHEEL: isize = 3;

/// Opens the history over the list, with what is typed there.
pub fn open(app: &mut App, view: View, effects: &mut Vec<Effect>) {
    let row = app.listing.cursor_row();
    let under_cursor = row.map(|row| row.session.stamp.id.to_string());
    let mut history = History::default();
    history.view = view;
    history.session = app.setting.session.clone().or(under_cursor);
    if view == View::Prompts {
        let typed = app.asked.input.text().to_owned();
        set_query(&mut history, &typed, app);
    }
    app.history = Some(Box::new(history));
    app.focus = Focus::List;
    begin(app, effects);
}

/// Asks for what an open history shows.
pub fn begin(app: &mut App, effects: &mut Vec<Effect>) {
    let now = app.now.timestamp_millis();
    let Some(history) = &app.history else {
        return;
    };
    let session = history.session.clone();
    effects.push(Effect::History(HistoryRequest::Open { session, now }));
    search(app, effects);
    want(app, effects);
}

/// A key while the history is open and nothing lies over it.
pub fn press(app: &mut App, key: KeyEvent, effects: &mut Vec<Effect>) {
    let place = app.place();
    if let Some(action) = app.setting.keymap.action(place, key) {
        act(app, action, effects);
    } else if app.focus == Focus::List
        && let Some(c) = Chord::typed(key)
    {
        type_text(app, c.encode_utf8(&mut [0; 4]), effects);
    }
}

pub fn type_text(app: &mut App, text: &str, effects: &mut Vec<Effect>) {
    if let Some(history) = &mut app.history
        && app.focus == Focus::List
    {
        history.asked.input.insert(text);
        query_changed(app, effects);
    }
}

fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
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
        Action::GoToSession => choose(app, effects),
        Action::ResumePast => resume(app, effects),
        Action::CopyPrompt => {
            if let Some(text) = text(app) {
                let what = "the prompt";
                effects.push(Effect::Copy { what, text });
            }
        }
        Action::NewSession => begin_session(app, effects),
        Action::Back => back(app, effects),
        Action::Refresh => {
            effects.push(Effect::Redraw);
            effects.push(Effect::History(HistoryRequest::Refresh));
        }
        Action::CursorLeft
        | Action::CursorRight
        | Action::WordLeft
        | Action::WordRight
        | Action::LineStart
        | Action::LineEnd
        | Action::DeleteBack
        | Action::DeleteForward
        | Action::DeleteWordBack
        | Action::DeleteWordForward
        | Action::DeleteToStart => {
            if let Some(history) = &mut app.history {
                edit_input(&mut history.asked.input, action);
            }
            query_changed(app, effects);
        }
        // What the panes, the mouse and the terminal are about is the same here.
        other => keys::act(app, other, effects),
    }
}

/// What was read.
pub fn news(app: &mut App, news: HistoryNews, effects: &mut Vec<Effect>) {
    let lines = list_lines(app);
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
                history.put(rows);
                history.found(answer, lines);
            }
        }
        HistoryNews::Rows(rows) => history.put(rows),
        HistoryNews::Page(of, page) => {
            if history.page_of == Some(of) {
                let same = |known: PageOf| (known.row, known.view) == (of.row, of.view);
                let again = history.page.as_ref().is_some_and(|(known, _)| same(*known));
                if !again {
                    history.page_top = 0;
                }
                history.page = Some((of, page));
            }
        }
        HistoryNews::Anew => {
            history.forget();
            search(app, effects);
        }
    }
}

/// Asks for what is in sight and not known yet.
pub fn want(app: &mut App, effects: &mut Vec<Effect>) {
    let lines = list_lines(app);
    let area = app.layout().preview;
    let offset = app.now.offset().local_minus_utc();
    let Some(history) = &mut app.history else {
        return;
    };
    let missing = history.missing(lines);
    if !missing.is_empty() {
        effects.push(Effect::History(HistoryRequest::Rows(missing)));
    }
    let Some(hit) = history.cursor() else {
        return;
    };
    // Actions need the whole text, also where no preview is to be seen.
    let columns = usize::from(area.width.saturating_sub(2)).max(1);
    let of = PageOf {
        row: hit.row,
        view: history.view,
        columns,
        offset,
    };
    if history.page_of != Some(of) {
        history.page_of = Some(of);
        effects.push(Effect::History(HistoryRequest::Page(of)));
    }
}

/// Lines that the list has for rows.
pub fn list_lines(app: &App) -> u16 {
    let height = app.layout().list.height;
    let banner = app.history.as_ref().map_or(0, |it| it.banner(height));
    height - banner
}

pub fn point(app: &mut App, event: MouseEvent, effects: &mut Vec<Effect>) {
    let at = Position::new(event.column, event.row);
    let layout = app.layout();
    match event.kind {
        MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
            let by = if event.kind == MouseEventKind::ScrollUp {
                -WHEEL
            } else {
                WHEEL
            };
            let focus = if layout.preview.contains(at) {
                Focus::Preview
            } else {
                Focus::List
            };
            let before = std::mem::replace(&mut app.focus, focus);
            go(app, Motion::Lines(by));
            app.focus = before;
        }
        MouseEventKind::Down(MouseButton::Left) if layout.preview.contains(at) => {
            app.focus = Focus::Preview;
        }
        MouseEventKind::Down(MouseButton::Left) if layout.list.contains(at) => {
            app.focus = Focus::List;
            let lines = list_lines(app);
            let above = layout.list.y + (layout.list.height - lines);
            let clicked = at.y.checked_sub(above);
            let Some(history) = &mut app.history else {
                return;
            };
            let position = clicked.and_then(|line| history.position_at(line, lines));
            if let Some(position) = position {
                let again = position == history.position()
                    && app
                        .last_click
                        .is_some_and(|(then, _)| app.now - then <= super::mouse::DOUBLE_CLICK);
                history.go(position, lines);
                let row = history.cursor().map(|hit| hit.row);
                app.last_click = row.map(|row| (app.now, row));
                if again {
                    app.last_click = None;
                    choose(app, effects);
                }
            }
        }
        MouseEventKind::Down(MouseButton::Left) if layout.query.contains(at) => {
            app.focus = Focus::List;
        }
        _ => {}
    }
}

fn go(app: &mut App, motion: Motion) {
    let lines = list_lines(app);
    let area = app.layout().preview;
    let focus = app.focus;
    let Some(history) = &mut app.history else {
        return;
    };
    if focus == Focus::Preview {
        let page = usize::from(area.height - History::page_header(area.height)).max(1);
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
    history.asked.parsed = history.asked.input.text().to_owned();
    history.asked.query = Query::parse(&history.asked.parsed, &now);
    history.follow_best();
    search(app, effects);
}

fn set_query(history: &mut History, text: &str, app: &App) {
    history.asked.input = Input::new(text);
    history.asked.parsed = history.asked.input.text().to_owned();
    history.asked.query = Query::parse(&history.asked.parsed, &app.now);
    history.follow_best();
}

/// Searches for what the state stands for, under a new number.
fn search(app: &mut App, effects: &mut Vec<Effect>) {
    app.history_searches.0 += 1;
    let generation = app.history_searches;
    let Some(history) = &mut app.history else {
        return;
    };
    history.asked.generation = generation;
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
    let request = Box::new(SearchRequest(search));
    let view = history.view;
    effects.push(Effect::History(HistoryRequest::Search(request, view)));
}

/// The scopes that mean something now.
pub fn scopes(app: &App, history: &History) -> Vec<HistoryScope> {
    let means_something = |scope: &HistoryScope| match scope {
        HistoryScope::Session => history.session.is_some(),
        HistoryScope::Project => app.here_words().is_some(),
        HistoryScope::All => true,
    };
    HistoryScope::ALL
        .into_iter()
        .filter(means_something)
        .collect()
}

fn next_scope(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &app.history else {
        return;
    };
    let scopes = scopes(app, history);
    let at = scopes.iter().position(|scope| *scope == history.scope());
    let next = at.and_then(|at| scopes.get(at + 1)).or(scopes.first());
    let next = next.copied();
    if let Some(history) = &mut app.history {
        history.scope = next;
        history.follow_best();
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
            history
                .below
                .push((View::Prompts, history.asked.parsed.clone()));
            show(app, View::Deleted, "", effects);
        }
        View::Deleted => close(app, effects),
    }
}

fn show(app: &mut App, view: View, query: &str, effects: &mut Vec<Effect>) {
    let Some(mut history) = app.history.take() else {
        return;
    };
    history.forget();
    history.view = view;
    set_query(&mut history, query, app);
    app.history = Some(history);
    app.focus = Focus::List;
    search(app, effects);
}

/// Esc: out of the preview, then back to where one was.
fn back(app: &mut App, effects: &mut Vec<Effect>) {
    if app.focus == Focus::Preview {
        app.focus = Focus::List;
        return;
    }
    close(app, effects);
}

fn close(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &mut app.history else {
        return;
    };
    if let Some((view, query)) = history.below.pop() {
        show(app, view, &query, effects);
        return;
    }
    match history.origin {
        Origin::List => leave(app),
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

/// The whole text of the prompt under the cursor, if it was read.
fn text(app: &mut App) -> Option<String> {
    let history = app.history.as_ref()?;
    history.cursor()?;
    let text = history.current_page().map(|page| page.text.clone());
    if text.is_none() {
        tell(app, "the prompt is being read: try again");
    }
    text
}

fn trouble(app: &mut App, text: impl Into<String>) {
    app.notice = Some(Notice::Trouble(text.into()));
}

/// Enter.
fn choose(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &mut app.history else {
        return;
    };
    if history.view == View::Deleted {
        let id = history
            .cursor_row()
            .and_then(|row| row.prompt.session.clone());
        if let Some(id) = id {
            history
                .below
                .push((View::Deleted, history.asked.parsed.clone()));
            history.scope = Some(HistoryScope::All);
            show(app, View::Prompts, &format!("id:{id} "), effects);
        }
        return;
    }
    match history.choice {
        Choice::Print => {
            if let Some(text) = text(app) {
                effects.push(Effect::Leave(Outcome::Prompt(text)));
            }
        }
        Choice::Go => {
            if let Some((row, goal)) = session(app) {
                jump(app, row, goal, effects);
            }
        }
    }
}

fn resume(app: &mut App, effects: &mut Vec<Effect>) {
    if let Some((row, goal)) = session(app) {
        jump(app, row, goal, effects);
        keys::resume(app, effects);
    }
}

/// The session of the prompt under the cursor in the list. Where there is none, says why, and
/// what can be done with the prompt instead.
fn session(app: &mut App) -> Option<(RowId, Goal)> {
    let history = app.history.as_ref()?;
    let hit = history.cursor()?;
    let past = history.row(hit.row)?;
    let key = |action| app.setting.keymap.name(action).unwrap_or_default();
    let instead = format!(
        "{} copies the prompt, {} starts a new session with it",
        key(Action::CopyPrompt),
        key(Action::NewSession)
    );
    let Some(id) = past.prompt.session.clone() else {
        let text = format!("the history does not say which session this was: {instead}");
        trouble(app, text);
        return None;
    };
    let page = history.current_page();
    let text = page.map_or_else(|| past.prompt.display.clone(), |page| page.text.clone());
    let timestamp = past.prompt.timestamp;
    let Some(row) = app.listing.find(&id) else {
        let text = match (hit.fate, &app.scan) {
            (Fate::Deleted | Fate::Unknown, _) => {
                format!(
                    "its conversation was deleted by clean-up, only the prompt is left: {instead}"
                )
            }
            (Fate::There, Scan::Over(_)) => {
                format!("its session is not in the list: {instead}")
            }
            (Fate::There, _) => "its session has not been read yet: try again".to_owned(),
        };
        trouble(app, text);
        return None;
    };
    let goal = Goal {
        row,
        text,
        timestamp,
    };
    Some((row, goal))
}

/// Leaves the history for a session in the list. What hides it there is taken away.
fn jump(app: &mut App, row: RowId, goal: Goal, effects: &mut Vec<Effect>) {
    leave(app);
    let is_shown = app.listing.hits().iter().any(|hit| hit.row == row);
    if !is_shown {
        let hidden = app
            .listing
            .row(row)
            .is_some_and(|row| row.session.hidden.is_some());
        if hidden {
            app.hidden_kinds = Switch::On;
        }
        app.asked.input.clear();
        app.asked.parsed.clear();
        app.asked.query = Query::default();
        app.wanted_reach.get_or_insert(app.reach);
        app.reach = Reach::All;
        effects.push(Effect::Search(app.next_search()));
    }
    let calendar = app.calendar();
    let pane = app.pane();
    app.listing.select(row, calendar.as_ref(), pane);
    let loaded = app.preview.asked.as_ref().is_some_and(|it| it.row == row);
    app.goal = Some(goal);
    if loaded && app.preview.page().is_some() {
        reach_goal(app);
    }
}

/// The conversation is there: scrolls to the prompt that was gone to.
pub fn reach_goal(app: &mut App) {
    let shown = app.preview.asked.as_ref().map(|wanted| wanted.row);
    if app.preview.page().is_none() {
        return;
    }
    let Some(goal) = app.goal.take_if(|goal| Some(goal.row) == shown) else {
        return;
    };
    let moment = chrono::DateTime::from_timestamp_millis(goal.timestamp);
    let clock = moment.map(|it| {
        it.with_timezone(app.now.offset())
            .format("%H:%M")
            .to_string()
    });
    let wanted = beginning(&goal.text);
    let lines = app.preview.page().map_or(&[][..], |page| &page.lines);
    let mut found: Option<(usize, bool)> = None;
    let mut at = 0;
    while at < lines.len() {
        let place = lines[at].place;
        let end = (at..lines.len())
            .find(|next| lines[*next].place != place)
            .unwrap_or(lines.len());
        let block = &lines[at..end];
        if lines[at].speaker == Speaker::You {
            let said: Vec<String> = block.iter().map(crate::preview::Line::text).collect();
            if !wanted.is_empty() && beginning(&said.join(" ")).starts_with(&wanted) {
                let same_time = clock.is_some()
                    && block
                        .iter()
                        .any(|line| Some(line.margin.trim()) == clock.as_deref());
                // Of equal prompts the one of that minute, or else the last.
                if found.is_none_or(|(_, exact)| same_time || !exact) {
                    found = Some((at, same_time));
                }
            }
        }
        at = end;
    }
    match found {
        Some((line, _)) => {
            app.preview.top = line;
            clamp_preview(app);
        }
        None => tell(
            app,
            "this prompt is not in the part of the conversation that is shown",
        ),
    }
}

/// What a prompt begins with, however it is broken into lines.
fn beginning(text: &str) -> String {
    let safe = crate::text::sanitize(crate::text::beginning(text, 8 * TELLING));
    let letters = safe.chars().filter(|c| !c.is_whitespace());
    letters.take(TELLING).collect()
}

/// Starts a new session in the prompt's project with it.
fn begin_session(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(text) = text(app) else {
        return;
    };
    if text.len() > LONGEST_ARGUMENT {
        trouble(
            app,
            "the prompt is too long to be passed on: copy it instead",
        );
        return;
    }
    let row = app.history.as_ref().and_then(|it| it.cursor_row());
    let project = row.map_or(String::new(), |row| row.prompt.project.clone());
    let directory = (!project.is_empty()).then(|| project.into());
    let plan = Plan::fresh(directory, Some(&text), &app.setting.launch);
    match app.setting.ending {
        Ending::Explain => {
            let line = format!("this is the demo; it would run: {}", plan.command_line());
            app.notice = Some(Notice::Done(line));
        }
        Ending::Print => trouble(app, "there is no session to print: copy the prompt instead"),
        Ending::Resume => {
            let id = String::new();
            effects.push(Effect::Resume(Chosen { id, plan }));
        }
    }
}
