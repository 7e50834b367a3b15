//! From a prompt to what can be done with it: its session, a new one, its text.

use super::super::{Effect, Outcome, keys, preflight, tell};
use super::{leave, reach_goal, show};
use crate::resume::Fresh;
use crate::search::{Fate, Query, RowId, View, project_label};
use crate::tui::app::{App, Ending, Goal, Scan};
use crate::tui::history::{Choice, HistoryScope, Landmark, Left};
use crate::tui::keymap::Action;
use crate::tui::layout::Switch;
use crate::tui::memory::Reach;
use crate::tui::message::Notice;
use crate::tui::request::Request;

/// Copies the prompt.
pub fn copy(app: &mut App, effects: &mut Vec<Effect>) {
    if let Some(text) = text(app, Action::CopyPrompt) {
        let view = app.history.as_ref().map(|history| history.view);
        let page = app.history.as_ref().and_then(|it| it.current_page());
        let lacking = page.map(|page| page.lacking).unwrap_or_default();
        let what = match (view, lacking.pastes, lacking.images) {
            (Some(View::Deleted), 0, 0) => "its prompts",
            (Some(View::Deleted), ..) => "its prompts (without what is lost)",
            (_, 0, 0) => "the prompt",
            (_, 0, _) => "the prompt (without its images)",
            (_, _, 0) => "the prompt (without pastes that are lost)",
            (..) => "the prompt (without its images and pastes that are lost)",
        };
        effects.push(Effect::Copy { what, text });
    }
}

/// The whole text of the prompt under the cursor. If it was not read yet, the action is done when
/// it is.
pub fn text(app: &mut App, action: Action) -> Option<String> {
    let history = app.history.as_mut()?;
    history.cursor()?;
    let text = history.current_page().map(|page| page.text.clone());
    if text.is_none() {
        history.then = Some(action);
    }
    text
}

/// Copies the id of its session, whether that is still there or not.
pub fn copy_id(app: &mut App, effects: &mut Vec<Effect>) {
    let row = app.history.as_ref().and_then(|it| it.cursor_row());
    let Some(row) = row else {
        return;
    };
    match row.prompt.session.clone() {
        Some(text) => effects.push(Effect::Copy {
            what: "the id",
            text,
        }),
        None => trouble(app, "the history does not say which session this was"),
    }
}

/// Copies the command that resumes its session, or the path of that.
pub fn copy_of_session(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
    if let Some((row, _)) = session(app) {
        keys::copy_of(app, vec![row], action, effects);
    }
}

fn trouble(app: &mut App, text: impl Into<String>) {
    app.notice = Some(Notice::Trouble(text.into()));
}

/// Enter.
pub fn choose(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(history) = &mut app.history else {
        return;
    };
    if history.view == View::Deleted {
        let id = history
            .cursor_row()
            .and_then(|row| row.prompt.session.clone());
        if let Some(id) = id {
            let here = history.landmark();
            history.below.push(here);
            let query = format!("id:{id} ");
            let prompts = Landmark::new(View::Prompts, query, Some(HistoryScope::All));
            show(app, &prompts, effects);
        }
        return;
    }
    match history.choice {
        Choice::Print => {
            if let Some(text) = text(app, Action::GoToSession) {
                let page = app.history.as_ref().and_then(|it| it.current_page());
                let lacking = page.map(|page| page.lacking).unwrap_or_default();
                effects.push(Effect::Leave(Outcome::Prompt { text, lacking }));
            }
        }
        Choice::Go => {
            if let Some((row, goal)) = session(app) {
                jump(app, row, goal, effects);
            }
        }
    }
}

/// Where a prompt is printed, nothing is run: what it says would be taken for the prompt.
fn only_prints(app: &mut App) -> bool {
    let prints = app
        .history
        .as_ref()
        .is_some_and(|history| history.choice == Choice::Print);
    if prints {
        trouble(app, "a prompt is to be printed here: Enter chooses it");
    }
    prints
}

pub fn resume(app: &mut App, effects: &mut Vec<Effect>) {
    if only_prints(app) {
        return;
    }
    // The history stays below the card: Esc there leads back to it.
    let Some((row, _)) = session(app) else {
        return;
    };
    // It would be running before anybody could read this.
    if let Some(other) = elsewhere(app)
        && let Some(history) = &mut app.history
        && let asked = history.cursor().map(|hit| (Action::ResumePast, hit.row))
        && history.warned != asked
    {
        history.warned = asked;
        let key = app.setting.keymap.name(Action::ResumePast);
        let key = key.unwrap_or_default();
        let text = format!("its own conversation is gone: {key} again resumes {other}");
        trouble(app, text);
        return;
    }
    preflight::resume_row(app, row, effects);
}

/// The conversation that is gone to because that of the prompt under the cursor is gone, in words.
fn elsewhere(app: &App) -> Option<String> {
    let row = app.history.as_ref()?.elsewhere_row()?;
    let place = match project_label(&row.prompt.project) {
        "" => "the one of".to_owned(),
        project => format!("the one in {project},"),
    };
    let when = row.since(app.now.timestamp_millis());
    Some(format!("{place} {when}"))
}

/// The conversation is to be read instead of resumed: its list is the one of sessions.
pub fn read_instead(app: &mut App, effects: &mut Vec<Effect>) {
    if app.history.is_some()
        && let Some((row, goal)) = session(app)
    {
        jump(app, row, goal, effects);
    }
}

/// The session of the prompt under the cursor in the list. Where there is none, says why, and
/// what can be done with the prompt instead.
fn session(app: &mut App) -> Option<(RowId, Goal)> {
    let history = app.history.as_ref()?;
    let hit = history.cursor()?;
    let past = history.reachable_row()?;
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
        let fate = if hit.leads_somewhere() {
            Fate::There
        } else {
            hit.fate
        };
        let text = match (fate, &app.scan) {
            (Fate::Deleted, _) => format!(
                "its conversation was deleted by clean-up, only the prompt is left: {instead}"
            ),
            (Fate::Empty, _) => {
                format!("the file of its conversation is empty, only the prompt is left: {instead}")
            }
            (Fate::Missing | Fate::Unknown, _) => {
                format!("there is no conversation of it on disk, only the prompt: {instead}")
            }
            (Fate::There, Scan::Over(_)) => {
                format!("its session is not in the list: {instead}")
            }
            (Fate::There, _) => "its session has not been read yet: try again".to_owned(),
        };
        trouble(app, text);
        return None;
    };
    Some((row, Goal::new(row, text, timestamp)))
}

/// Leaves the history for a session in the list. What hides it there is taken away.
fn jump(app: &mut App, row: RowId, goal: Goal, effects: &mut Vec<Effect>) {
    let history = app.history.as_ref();
    let history = history.map(|it| (it.landmark(), it.session.clone()));
    let other = elsewhere(app);
    leave(app);
    let mut said: Vec<String> = Vec::new();
    said.extend(other.map(|other| format!("its own conversation is gone: this is {other}")));
    let is_shown = app.listing.hits().iter().any(|hit| hit.row == row);
    if !is_shown {
        let mut changed = Vec::new();
        let hidden = app
            .listing
            .row(row)
            .is_some_and(|row| row.session.hidden.is_some());
        if hidden && app.hidden_kinds == Switch::Off {
            app.hidden_kinds = Switch::On;
            changed.push("hidden sessions are shown");
        }
        if app.is_here() {
            changed.push("all projects are shown");
        }
        if !app.asked.input.is_empty() {
            changed.push("the query is cleared");
        }
        app.asked.input.clear();
        app.asked.parsed.clear();
        app.asked.query = Query::default();
        app.wanted_reach.get_or_insert(app.reach);
        app.reach = Reach::All;
        effects.push(Effect::Ask(Request::Search(app.next_search())));
        if !changed.is_empty() {
            let changed = changed.join(", ");
            said.push(format!("{changed}: the session was not in the list"));
        }
    }
    if !said.is_empty() {
        tell(app, said.join("; "));
    }
    let calendar = app.calendar();
    let pane = app.pane();
    app.listing.select(row, calendar.as_ref(), pane);
    app.history_left = history.map(|(list, session)| Left {
        list,
        session,
        typed: app.asked.input.text().to_owned(),
    });
    let loaded = app.preview.asked.as_ref().is_some_and(|it| it.row == row);
    app.goal = Some(goal);
    if loaded && app.preview.page().is_some() {
        reach_goal(app);
    }
}

/// Starts a new session in the prompt's project with it.
pub fn begin_session(app: &mut App, effects: &mut Vec<Effect>) {
    if only_prints(app) {
        return;
    }
    let view = app.history.as_ref().map(|history| history.view);
    if view == Some(View::Deleted) {
        tell(app, "Enter shows its prompts: choose the one to begin with");
        return;
    }
    let Some(text) = text(app, Action::NewSession) else {
        return;
    };
    let row = app.history.as_ref().and_then(|it| it.cursor_row());
    let project = row.map_or(String::new(), |row| row.prompt.project.clone());
    let page = app.history.as_ref().and_then(|it| it.current_page());
    if page.is_none_or(|page| !page.has_project) && app.setting.ending != Ending::Explain {
        let place = match project.as_str() {
            "" => "its project is not known".to_owned(),
            gone => format!("{} is gone", app.tilde(gone)),
        };
        let key = app.setting.keymap.name(Action::CopyPrompt);
        let text = format!("{place}: {} copies the prompt", key.unwrap_or_default());
        trouble(app, text);
        return;
    }
    let lacking = page.and_then(|page| page.lacking.words());
    let root = page.map(|page| page.root.clone());
    // It would be sent before anybody could read this.
    if let Some(lacking) = lacking
        && let Some(history) = &mut app.history
        && let asked = history.cursor().map(|hit| (Action::NewSession, hit.row))
        && history.warned != asked
    {
        history.warned = asked;
        let key = app.setting.keymap.name(Action::NewSession);
        let key = key.unwrap_or_default();
        trouble(
            app,
            format!("{lacking}: {key} again sends it as it was typed"),
        );
        return;
    }
    let fresh = Fresh {
        directory: (!project.is_empty()).then(|| project.into()),
        // The demo's own one is gone when it ends.
        root: root.filter(|_| app.setting.ending != Ending::Explain),
        prompt: text,
        launch: app.setting.launch.clone(),
    };
    if let Err(error) = fresh.check() {
        trouble(app, format!("{error}: copy it instead"));
        return;
    }
    match app.setting.ending {
        Ending::Print(_) => trouble(app, "there is no session to print: copy the prompt instead"),
        Ending::Explain | Ending::Resume => preflight::begin(app, fresh, effects),
    }
}
