//! The picker as a numbered list: for screen readers, dumb terminals and pipes.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::channel;

use anyhow::{Context, bail};

use super::{Prepared, Surroundings};
use crate::cli::what::seen;
use crate::cli::{collect, complain};
use crate::list::{Include, Row, Scope, Sort};
use crate::resume::FoundSession;
use crate::search::{
    self, Context as SearchContext, Distance, Document, Generation, IndexRequest, Query, RowId,
    Search, Tier, Worker,
};
use crate::store::{Depth, LastState, Live, Status, is_running, running, worktrees};
use crate::text::{ago, sanitize, truncate};
use crate::tui::{Ending, Reach};

/// As many as a person listens to. A query finds the others.
const MOST: usize = 30;
const TITLE: usize = 80;

/// What came of it.
#[derive(Debug)]
pub enum Choice {
    One(Box<FoundSession>),
    /// Nothing matches, or the person wants none of it.
    Nothing,
    /// There is nobody to ask, or the input ended before anything was said.
    NobodyChose,
}

/// Is a number read? What comes in from a pipe is for somebody else, unless the list was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Read,
    Unread,
}

/// Lists what matches, newest first, and reads a number.
pub fn choose(
    prepared: &Prepared,
    surroundings: &Surroundings,
    numbers: Numbers,
) -> anyhow::Result<Choice> {
    let query = Query::parse(&prepared.query, &surroundings.now);
    if let Some(problem) = query.problems().first() {
        bail!("{}", problem.message);
    }
    let (rows, _) = collect(&prepared.roots, Depth::Candidates)?;
    if rows.is_empty() {
        complain(&surroundings.no_sessions(&prepared.roots));
        return Ok(Choice::Nothing);
    }
    let live = running(&prepared.roots, is_running);
    let scope = scope(prepared, surroundings);
    let is_near = |row: &Row| row.files().any(|session| scope.contains(session));
    let documents: Vec<(RowId, Document)> = rows
        .places()
        .filter_map(|(at, row)| {
            let place = if is_near(row) {
                Distance::Repository
            } else {
                Distance::Elsewhere
            };
            let context = SearchContext {
                place,
                live: live.of(&row.session),
            };
            Some((RowId(u32::try_from(at).ok()?), Document::of(row, context)))
        })
        .collect();
    let lived_in = documents
        .iter()
        .any(|(_, document)| document.place != Distance::Elsewhere && document.hidden.is_none());
    let reach = match prepared.memory.reach {
        Reach::Auto if lived_in => Distance::Repository,
        Reach::Here => Distance::Repository,
        Reach::Auto | Reach::All => Distance::Elsewhere,
    };
    let reply = search(query, prepared.memory.order, documents, reach)?;
    let mut out: Box<dyn Write> = match prepared.setting.ending {
        // What is printed in the end must stand alone on stdout.
        Ending::Print(_) => Box::new(io::stderr().lock()),
        Ending::Resume | Ending::Explain => Box::new(io::stdout().lock()),
    };
    let shown: Vec<&Row> = reply
        .hits
        .iter()
        .take(MOST)
        .filter_map(|hit| rows.get(hit.row.0 as usize).map(|row| &**row))
        .collect();
    if shown.is_empty() {
        match reply.counts.elsewhere {
            0 => writeln!(
                out,
                "no sessions match: `claude-resume list --all` shows them all"
            )?,
            1 => writeln!(
                out,
                "no sessions match here, 1 elsewhere: --all looks there"
            )?,
            more => writeln!(
                out,
                "no sessions match here, {more} elsewhere: --all looks there"
            )?,
        }
        say_hidden(&mut out, reply.counts.hidden)?;
        return Ok(Choice::Nothing);
    }
    for (number, row) in (1..).zip(&shown) {
        let live = live.of(&row.session);
        writeln!(out, "{number:>3}. {}", line(row, live, surroundings))?;
    }
    let more = reply.hits.len() - shown.len();
    if more > 0 {
        writeln!(out, "{more} more: name words to search for")?;
    }
    say_hidden(&mut out, reply.counts.hidden)?;
    if numbers == Numbers::Unread {
        return Ok(Choice::NobodyChose);
    }
    Ok(match ask(&mut out, shown.len())? {
        Asked::Number(number) => match shown.get(number - 1) {
            Some(row) => Choice::One(Box::new(seen(row))),
            None => Choice::Nothing,
        },
        Asked::None => Choice::Nothing,
        Asked::Ended => Choice::NobodyChose,
    })
}

/// A session on one line.
fn line(row: &Row, live: Option<&Live>, surroundings: &Surroundings) -> String {
    let session = &row.session;
    let title = session
        .meta
        .title()
        .map_or("(no title)", |(_, title)| title);
    let directory = session.meta.cwd.as_deref().unwrap_or_default();
    let directory = surroundings.tilde(std::path::Path::new(&*sanitize(directory)));
    let now = surroundings.now.timestamp_millis();
    let ago = ago(session.last_activity(), now);
    let mut parts = vec![truncate(&sanitize(title), TITLE), ago, directory];
    parts.extend(marks(row, live));
    // A script goes on with an id; a person who listens to the list is spared it.
    if !io::stdin().is_terminal() {
        parts.push(sanitize(&session.file.id).into_owned());
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// What the picker says with signs, in words.
fn marks(row: &Row, live: Option<&Live>) -> Vec<String> {
    let meta = &row.session.meta;
    let mut marks = Vec::new();
    match live.map(|live| live.status) {
        Some(Status::Waiting) => marks.push("open and waiting for you".to_owned()),
        Some(Status::Busy | Status::Shell) => marks.push("open and at work".to_owned()),
        Some(Status::Idle | Status::Unknown) => marks.push("open".to_owned()),
        None if matches!(meta.left, Some(LastState::Asked | LastState::AtWork)) => {
            marks.push("interrupted".to_owned());
        }
        None => {}
    }
    if meta.torn_end && live.is_none() {
        marks.push("damaged".to_owned());
    }
    match row.copies.len() {
        0 => {}
        1 => marks.push("1 copy".to_owned()),
        copies => marks.push(format!("{copies} copies")),
    }
    marks
}

fn say_hidden(out: &mut dyn Write, hidden: usize) -> io::Result<()> {
    match hidden {
        0 => Ok(()),
        hidden => writeln!(
            out,
            "{hidden} hidden: `claude-resume list --include all` shows them"
        ),
    }
}

fn scope(prepared: &Prepared, surroundings: &Surroundings) -> Scope {
    match (&surroundings.current_dir, prepared.memory.reach) {
        (Some(here), Reach::Auto | Reach::Here) => Scope::repository(worktrees(here), here.clone()),
        _ => Scope::Everything,
    }
}

fn search(
    query: Query,
    order: Sort,
    documents: Vec<(RowId, Document)>,
    reach: Distance,
) -> anyhow::Result<search::Reply> {
    let (sender, replies) = channel();
    let worker = Worker::start(move |reply| {
        let _ = sender.send(reply);
    })
    .context("cannot start a thread")?;
    let generation = Generation(1);
    worker.send(IndexRequest::Put(documents));
    worker.send(IndexRequest::Search(Search {
        generation,
        query,
        order,
        reach,
        include: Include::default(),
    }));
    replies
        .iter()
        .find(|reply| reply.generation == generation && reply.tier == Tier::Fuzzy)
        .context("the search ended before it answered")
}

/// An answer to the question for a number.
enum Asked {
    /// From 1 on.
    Number(usize),
    None,
    Ended,
}

/// Reads a number, until there is one or no more input. An empty line is none.
fn ask(out: &mut dyn Write, most: usize) -> io::Result<Asked> {
    let mut line = String::new();
    loop {
        write!(out, "number (1 to {most}, Enter for none): ")?;
        out.flush()?;
        line.clear();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Asked::Ended);
        }
        match line.trim() {
            "" => return Ok(Asked::None),
            typed => match typed.parse() {
                Ok(number) if (1..=most).contains(&number) => return Ok(Asked::Number(number)),
                _ => writeln!(out, "that is no number from 1 to {most}")?,
            },
        }
    }
}
