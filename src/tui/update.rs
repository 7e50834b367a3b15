//! What a message does to the picker. Total and synchronous. A key is never more work than a
//! screenful; a result is looked through once.

mod history;
mod keys;
mod mouse;
mod preflight;
mod reading;
mod room;
mod seeking;
mod slide;
mod subject;

pub use keys::is_about_files;
pub use reading::fold_here;

use super::app::{App, Scan};
use super::keymap::Place;
use super::layout::{Focus, GUTTER};
use super::memory::Reach;
use super::message::{Effect, Here, Message, Notice, Outcome};
use super::reading::{Content, Wanted};
use super::request::{PreviewRequest, Request};
use crate::list::Row;
use crate::preview::{Facts, times};
use crate::search::{Query, Reply, RowId};
use crate::text::{size, truncate};
use room::Room;
use subject::{Cause, Subject};

use std::sync::Arc;

use chrono::DateTime;

/// Applies a message. What is to be done about it is added to `effects`.
pub fn update(app: &mut App, message: Message, effects: &mut Vec<Effect>) {
    let completes = matches!(
        message,
        Message::Key(_) | Message::Mouse(_) | Message::Paste(_) | Message::Names(_)
    );
    let cause = match message {
        Message::Key(_) | Message::Mouse(_) | Message::Paste(_) => Cause::Person,
        _ => Cause::World,
    };
    let room = Room::of(app);
    let subject = Subject::of(app);
    match message {
        Message::Key(key) => keys::press(app, key, effects),
        Message::Mouse(event) => mouse::point(app, event, effects),
        Message::Paste(text) => paste(app, &text, effects),
        Message::Resize { columns, rows } => {
            app.screen.width = columns;
            app.screen.height = rows;
            room::keep_rows_in_sight(app);
            reading::fit(app);
        }
        Message::Clock(now) => app.now = now,
        Message::Listed(total) => app.scan = Scan::Reading { read: 0, total },
        Message::Rows(rows) => {
            if let Scan::Reading { read, total } = &mut app.scan {
                *read = (*read + rows.len()).min(*total);
            }
            // What changed under the cursor is read again; what is shown stays until then.
            let shown = app.preview.asked.as_ref().map(|wanted| wanted.row);
            let owner = shown.map(|row| app.listing.owner(row));
            if rows.iter().any(|(row, _)| Some(*row) == owner) {
                app.preview.asked = None;
                app.preview.stale = shown;
            }
            tell_of_the_vanished(app, &rows);
            app.listing.put(rows);
            land(app);
        }
        Message::Related(members) => {
            let calendar = app.calendar();
            let pane = app.pane();
            app.listing.relate(&members, calendar.as_ref(), pane);
        }
        Message::Scanned(trouble) => {
            app.scan = Scan::Over(trouble);
            // What was found last may know nothing of the last rows: the best row is that of an
            // answer to a question that is asked behind them.
            if app.listing.follows_best() {
                effects.push(Effect::Ask(Request::Search(app.next_search())));
            }
            leave_empty_scope(app, effects);
        }
        Message::Here(here) => {
            let before = app.is_here();
            // Who has begun to look at everything is left there.
            let typed = app.asked.input.text() != app.asked.given;
            let reads = app.focus == Focus::Preview;
            let busy = !app.listing.is_untouched() || typed || reads;
            let inhabited = match app.here {
                Some(known) if busy => known.inhabited,
                _ => here.inhabited,
            };
            app.here = Some(Here { inhabited, ..here });
            if app.is_here() != before {
                if !busy {
                    app.listing.follow_best();
                }
                effects.push(Effect::Ask(Request::Search(app.next_search())));
            }
        }
        Message::Running(live) => app.live = live,
        Message::Names(names) => app.names = names,
        Message::Found(reply) => found(app, reply, effects),
        Message::Previewed(previewed) => {
            reading::show(app, previewed);
            history::reach_goal(app);
        }
        Message::Probed(probed) => preflight::probed(app, probed, effects),
        Message::Beginning(found) => preflight::program_found(app, *found, effects),
        Message::Path(reply) => preflight::path_reply(app, reply, effects),
        Message::History(news) => history::news(app, news, effects),
        Message::Tell(notice) => app.notice = Some(notice),
        Message::Terminate => effects.push(Effect::Leave(Outcome::Terminated)),
        Message::Interrupt => effects.push(Effect::Leave(Outcome::Interrupted)),
    }
    subject.settle(app, cause);
    room.settle(app);
    if completes {
        app.complete();
    }
    if app.history.is_some() {
        history::want(app, effects);
    } else {
        want_preview(app, effects);
    }
}

/// Text goes where keys would be typed; nowhere else.
fn paste(app: &mut App, text: &str, effects: &mut Vec<Effect>) {
    if let Some(entry) = preflight::entry(app) {
        entry.input.insert(text);
        preflight::typed(app);
    } else if app.overlay.is_none() && app.history.is_some() {
        history::type_text(app, text, effects);
    } else if app.overlay.is_none() && app.focus == Focus::List {
        app.asked.input.insert(text);
        query_changed(app, effects);
    } else if app.place() == Place::Finding
        && let Some(find) = &mut app.preview.find
    {
        find.input.insert(text);
        reading::find_changed(app);
    }
}

/// What is to be done before anything has happened.
pub fn begin(app: &mut App) -> Vec<Effect> {
    let mut effects = vec![Effect::Ask(Request::Search(app.next_search()))];
    history::begin(app, &mut effects);
    effects
}

/// The session under the cursor may go while somebody looks at it. Its row goes with it, so this
/// is the place to say so.
fn tell_of_the_vanished(app: &mut App, rows: &[(RowId, Option<Arc<Row>>)]) {
    let Some(cursor) = app.listing.cursor() else {
        return;
    };
    let is_gone = rows
        .iter()
        .any(|(row, what)| *row == cursor && what.is_none());
    if is_gone && let Some(row) = app.listing.row(cursor) {
        let title = row
            .session
            .meta
            .title()
            .map_or("(no title)", |(_, title)| title);
        let text = format!(
            "\"{}\" is gone: its file was deleted or moved",
            truncate(title, 60)
        );
        app.notice = Some(Notice::Trouble(text));
    }
}

/// Puts the cursor on the session that the picker was opened for, unless somebody has moved it.
fn land(app: &mut App) {
    let row = app.landing.as_deref().and_then(|id| app.listing.find(id));
    let Some(row) = row else {
        return;
    };
    app.landing = None;
    if app.listing.is_untouched() {
        let calendar = app.calendar();
        let pane = app.pane();
        app.listing.select(row, calendar.as_ref(), pane);
    }
}

/// The query line was edited.
fn query_changed(app: &mut App, effects: &mut Vec<Effect>) {
    // What `2d` means changes with the clock: only another text is another query.
    if app.asked.input.text() == app.asked.parsed {
        return;
    }
    app.asked.parsed = app.asked.input.text().to_owned();
    app.asked.query = Query::parse(&app.asked.parsed, &app.now);
    app.listing.follow_best();
    effects.push(Effect::Ask(Request::Search(app.next_search())));
}

fn found(app: &mut App, reply: Reply, effects: &mut Vec<Effect>) {
    // The one place where stale answers end.
    if reply.generation != app.asked.generation {
        return;
    }
    app.asked.answered = Some(reply.generation);
    let tier = reply.tier;
    let calendar = app.calendar();
    let pane = app.pane();
    app.listing.found(reply, calendar.as_ref(), pane);
    // A running scan may still find a better row. Behind it the best one is chosen once for a
    // query: what comes then comes while somebody looks, and must not move the cursor.
    if matches!(app.scan, Scan::Over(_)) && app.listing.cursor().is_some() {
        app.listing.stay();
    }
    leave_empty_scope(app, effects);
    preflight::arrived(app, tier, effects);
}

/// Nobody asked for this scope and nothing is in it: show everything instead.
fn leave_empty_scope(app: &mut App, effects: &mut Vec<Effect>) {
    let over = matches!(app.scan, Scan::Over(_));
    let known = !app.is_searching();
    let empty = app.listing.counts.shown == 0 && app.listing.counts.elsewhere > 0;
    if app.reach == Reach::Auto && app.is_here() && over && known && empty {
        if let Some(here) = &mut app.here {
            here.inhabited = false;
        }
        effects.push(Effect::Ask(Request::Search(app.next_search())));
    }
}

/// Asks for the preview of the row under the cursor, if it is to be seen and not there yet.
fn want_preview(app: &mut App, effects: &mut Vec<Effect>) {
    let area = app.layout().preview;
    if area.is_empty() {
        return;
    }
    let columns = usize::from(area.width.saturating_sub(GUTTER + 1)).max(1);
    let Some(id) = app.listing.cursor() else {
        return;
    };
    let shown = app.preview.asked.as_ref().map(|wanted| wanted.row);
    let same_row = shown.or(app.preview.stale) == Some(id);
    if same_row {
        slide::slide(app);
    } else {
        app.preview.forget();
    }
    let wanted = Some(Wanted {
        row: id,
        columns,
        query: app.asked.query.clone(),
        options: app.preview.options.clone(),
        around: app.preview.around,
        turns: app.preview.turns,
        leaf: app.preview.leaf.clone(),
        find: app.preview.sought().map(str::to_owned),
    });
    if app.preview.asked == wanted {
        return;
    }
    let Some(row) = app.listing.row(id) else {
        return;
    };
    let path = row.session.file.path();
    let facts = facts(app, row);
    app.preview.stale = None;
    app.preview.asked = wanted;
    app.preview.generation.0 += 1;
    if !same_row {
        app.preview.content = Content::Loading;
        app.preview.top = 0;
        app.preview.cursor = 0;
    }
    effects.push(Effect::Ask(Request::Preview(Box::new(PreviewRequest {
        generation: app.preview.generation,
        path,
        columns,
        rows: app.preview_page(),
        options: app.preview.options.clone(),
        facts,
        query: app.asked.query.clone(),
        around: app.preview.around,
        turns: app.preview.turns,
        leaf: app.preview.leaf.clone(),
        find: app.preview.sought().map(str::to_owned),
    }))));
}

/// What the list knows of a session, for the card above its conversation.
fn facts(app: &App, row: &Row) -> Facts {
    let session = &row.session;
    let meta = &session.meta;
    Facts {
        title: meta
            .title()
            .map_or("(no title)", |(_, title)| title)
            .to_owned(),
        project: meta.cwd.as_deref().map(|cwd| app.tilde(cwd)),
        branch: meta.git_branch.as_deref().map(str::to_owned),
        times: period(app, meta.created, session.last_activity()),
        file_size: Some(size(session.file.size)),
        copies: row
            .copies
            .iter()
            .map(|copy| app.tilde(&copy.file.project.dir.to_string_lossy()))
            .collect(),
        ..Facts::default()
    }
}

/// When a session began and when it was last touched, on the clock of the person.
fn period(app: &App, created: Option<i64>, last: i64) -> Option<String> {
    let local = |at: i64| {
        let moment = DateTime::from_timestamp_millis(at)?;
        Some(moment.with_timezone(app.now.offset()).naive_local())
    };
    Some(times(created.and_then(local), local(last)?))
}

fn tell(app: &mut App, text: impl Into<String>) {
    app.notice = Some(Notice::Done(text.into()));
}
