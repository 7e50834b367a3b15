//! The picker as a numbered list: for screen readers, dumb terminals and pipes.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, bail};

use super::{Pick, Prepared, Surroundings};
use crate::cli::preflight::ask_number;
use crate::cli::what::found;
use crate::cli::{collect, complain};
use crate::list::{Distance, Include, Row, Scope, Sort};
use crate::resume::FoundSession;
use crate::search::{Document, Generation, Query, Reply, RowContext, RowId, Search, Searcher};
use crate::store::{LastState, Live, ScanDepth, Status, is_running, running};
use crate::text::{ago, sanitize, truncate};
use crate::tui::{Ending, Reach};

/// The longest list. A query finds the others.
const MOST: usize = 30;
const TITLE: usize = 80;

/// Lists the matches, newest first, and reads a number. `None` if nothing was chosen.
pub fn choose(
    pick: &Pick,
    prepared: &Prepared,
    surroundings: &Surroundings,
) -> anyhow::Result<Option<FoundSession>> {
    let query = Query::parse(&prepared.query, &surroundings.now);
    let mut problems = query.problems().iter().chain(query.unfinished());
    if let Some(problem) = problems.next() {
        bail!("{}", problem.message);
    }
    let (rows, _) = collect(surroundings, ScanDepth::Candidates);
    if rows.is_empty() {
        complain(&surroundings.no_sessions());
        return Ok(None);
    }
    let live = running(&surroundings.roots, is_running);
    let scope = match prepared.memory.reach {
        Reach::Auto | Reach::Here => surroundings.scope(),
        Reach::All => None,
    };
    let scope = scope.unwrap_or(Scope::Everything);
    let documents: Vec<(RowId, Document)> = rows
        .places()
        .filter_map(|(at, row)| {
            let context = RowContext {
                place: scope.distance_of_row(row),
                live: live.of(&row.session),
            };
            Some((RowId(u32::try_from(at).ok()?), Document::of(row, context)))
        })
        .collect();
    let is_used = documents
        .iter()
        .any(|(_, document)| document.place != Distance::Elsewhere && document.hidden.is_none());
    let reach = match prepared.memory.reach {
        Reach::Auto if is_used => Distance::Repository,
        Reach::Here => Distance::Repository,
        Reach::Auto | Reach::All => Distance::Elsewhere,
    };
    let reply = search(query, prepared.memory.order, &documents, reach)?;
    let mut out: Box<dyn Write> = match prepared.setting.ending {
        // Only the result goes to stdout.
        Ending::Print(_) => Box::new(io::stderr().lock()),
        Ending::Resume | Ending::Explain => Box::new(io::stdout().lock()),
    };
    let shown: Vec<&Row> = reply
        .hits
        .iter()
        .take(MOST)
        .filter_map(|hit| rows.get(hit.row.0 as usize).map(|row| &**row))
        .collect();
    for (number, row) in (1..).zip(&shown) {
        let live = live.of(&row.session);
        writeln!(out, "{number:>3}. {}", line(row, live, surroundings))?;
    }
    match (reply.hits.len() - shown.len(), reply.counts.elsewhere) {
        (0, 0) if shown.is_empty() => {
            writeln!(
                out,
                "no sessions match: `claude-resume list --all` lists all of them"
            )?;
        }
        (0, elsewhere) if shown.is_empty() => {
            writeln!(
                out,
                "no sessions match here, {elsewhere} elsewhere: use --all"
            )?;
        }
        (0, _) => {}
        (more, _) => writeln!(out, "{more} more: add words to search for")?,
    }
    if let hidden @ 1.. = reply.counts.hidden {
        let how = "`claude-resume list --include all` lists them";
        writeln!(out, "{hidden} hidden: {how}")?;
    }
    if shown.is_empty() {
        return Ok(None);
    }
    // Without --plain, a pipe on stdin is meant for another program.
    if !pick.plain && !io::stdin().is_terminal() {
        if prepared.query.is_empty() {
            return Ok(None);
        }
        bail!("no session was chosen: pass an id, or run in a terminal");
    }
    let number = ask_number(&mut out, shown.len())?;
    let row = number.and_then(|number| shown.get(number));
    Ok(row.map(|row| found(row)))
}

/// A session on one line.
fn line(row: &Row, live: Option<&Live>, surroundings: &Surroundings) -> String {
    let session = &row.session;
    let directory = session.meta.cwd.as_deref().unwrap_or_default();
    let directory = surroundings.tilde(Path::new(&*sanitize(directory)));
    let now = surroundings.now.timestamp_millis();
    let ago = ago(session.last_activity(), now);
    let mut parts = vec![truncate(&sanitize(&row.title()), TITLE), ago, directory];
    parts.extend(marks(row, live));
    // Scripts need the id; a screen reader would read it aloud.
    if !io::stdin().is_terminal() {
        parts.push(sanitize(&session.file.id).into_owned());
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// The marks of the picker, in words.
fn marks(row: &Row, live: Option<&Live>) -> Vec<String> {
    let meta = &row.session.meta;
    let mut marks: Vec<String> = Vec::new();
    match live.map(|live| live.status) {
        Some(Status::Waiting) => marks.push("open and waiting for you".into()),
        Some(Status::Busy | Status::Shell) => marks.push("open and at work".into()),
        Some(Status::Idle | Status::Unknown) => marks.push("open".into()),
        None if matches!(meta.left, Some(LastState::Asked | LastState::AtWork)) => {
            marks.push("interrupted".into());
        }
        None => {}
    }
    if meta.torn_end && live.is_none() {
        marks.push("damaged".into());
    }
    match row.copies.len() {
        0 => {}
        1 => marks.push("1 copy".into()),
        copies => marks.push(format!("{copies} copies")),
    }
    marks
}

fn search(
    query: Query,
    order: Sort,
    documents: &[(RowId, Document)],
    reach: Distance,
) -> anyhow::Result<Reply> {
    let mut searcher = Searcher::default();
    searcher.put(documents);
    let search = Search {
        generation: Generation(1),
        query,
        order,
        reach,
        include: Include::default(),
    };
    let mut last = None;
    searcher.answer(&search, &|| false, |reply| last = Some(reply));
    last.context("the search failed")
}
