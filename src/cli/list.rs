//! `claude-resume list`: the sessions as a table, as tab-separated lines, or as JSON.

mod json;
mod table;
mod tsv;

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::surroundings::{Stdout, Surroundings};
use super::{Outcome, complain};
use crate::list::{Filter, Include, Page, Rows, Scope, Selection, Sort};
use crate::paths::normalize;
use crate::store::{self, Depth, Event, Hidden, Live, Trouble, is_running, running, worktrees};
use crate::text::parse_moment;

/// List sessions, newest activity first
///
/// On a terminal it prints a table; into a pipe, lines of tab-separated fields: id, last activity
/// (RFC 3339), bytes, directory, branch, tag, title. What is shown, hidden and left out is said
/// on stderr.
#[derive(Debug, Default, Args)]
pub struct List {
    /// Only these sessions, whatever their kind and place: an id or its beginning
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Sessions of every project
    #[arg(long, conflicts_with_all = ["repo", "dir"])]
    all: bool,

    /// Sessions of this repository, all its worktrees included
    #[arg(long, conflicts_with = "dir")]
    repo: bool,

    /// Sessions of exactly this directory, which need not exist any more
    #[arg(long, value_name = "PATH")]
    dir: Option<PathBuf>,

    /// At most so many (0: no limit)
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        hide_default_value = true
    )]
    limit: usize,

    /// Leave out the first so many
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        hide_default_value = true
    )]
    offset: usize,

    /// What to sort by
    #[arg(long, value_enum, default_value_t)]
    sort: SortKey,

    /// Active since then: 2d, 12h, 3w, today, 2026-11-01, 2026-11-01T14:30
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,

    /// On this git branch
    #[arg(long)]
    branch: Option<String>,

    /// With this tag
    #[arg(long)]
    tag: Option<String>,

    /// With this text in the directory
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,

    /// Show these hidden kinds too: all, or some of empty, no-prompt, subagent, team,
    /// programmatic, superseded, archived, not-a-session, unreadable
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = parse_kind)]
    include: Vec<Kinds>,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum SortKey {
    /// When somebody last said something, newest first
    #[default]
    Activity,
    /// When it began, newest first
    Created,
    /// Bytes on disk, largest first
    Size,
    /// By alphabet
    Title,
}

#[derive(Debug, Clone, Copy)]
enum Kinds {
    All,
    One(Hidden),
}

/// Everything that a listing prints.
#[derive(Debug)]
struct Printed<'a> {
    selection: &'a Selection<'a>,
    live: &'a HashMap<String, Live>,
    surroundings: &'a Surroundings,
}

impl List {
    pub fn run(self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let since = self
            .since
            .as_deref()
            .map(|when| parse_moment(when, &surroundings.now))
            .transpose()
            .context("--since")?;
        let include = self.include();
        let depth = if include.is_empty() {
            Depth::Candidates
        } else {
            Depth::Everything
        };
        // Git answers while the scan runs, not before it.
        let asked = self.ask_scope(surroundings)?;
        let (rows, trouble) = collect(roots, depth)?;
        if rows.is_empty() {
            report_empty_store(surroundings, roots, &trouble);
            return Ok(Outcome::NothingFound);
        }
        let mut filter = Filter {
            scope: Scope::Everything,
            include,
            since,
            branch: self.branch,
            tag: self.tag,
            project: self.project,
            ids: self.ids,
        };
        filter.scope = asked.settle(&rows);
        let page = Page {
            offset: self.offset,
            limit: self.limit,
        };
        let selection = filter.select(&rows, self.sort.into(), page);
        let live = running(roots, is_running);
        let printed = Printed {
            selection: &selection,
            live: &live,
            surroundings,
        };
        let mut out = BufWriter::new(io::stdout().lock());
        match (self.json, surroundings.stdout) {
            (true, _) => json::print(&mut out, &printed)?,
            (false, Stdout::Pipe) => tsv::print(&mut out, &printed)?,
            (false, Stdout::Terminal { columns, colour }) => {
                table::print(&mut out, &printed, columns, colour)?;
            }
        }
        out.flush()?;
        report_missing_ids(&filter, &selection);
        report_counts(&filter.scope, &selection, &trouble);
        Ok(if selection.rows.is_empty() {
            Outcome::NothingFound
        } else {
            Outcome::Done
        })
    }

    /// A session that is asked for by id is wanted whatever its kind.
    fn include(&self) -> Include {
        let all = !self.ids.is_empty() || self.include.iter().any(|k| matches!(k, Kinds::All));
        if all {
            return Include::everything();
        }
        Include::new(self.include.iter().filter_map(|kinds| match kinds {
            Kinds::All => None,
            Kinds::One(hidden) => Some(*hidden),
        }))
    }

    /// Starts to find out what the scope is.
    fn ask_scope(&self, surroundings: &Surroundings) -> anyhow::Result<AskedScope> {
        if let Some(dir) = &self.dir {
            let absolute = std::path::absolute(dir)
                .with_context(|| format!("{}: is no path (--dir)", dir.display()))?;
            // A directory that is gone can still have sessions.
            let real = dir.canonicalize().unwrap_or_else(|_| normalize(&absolute));
            return Ok(AskedScope::Known(Scope::directory(real)));
        }
        let Some(here) = surroundings.current_dir.clone() else {
            if self.repo {
                anyhow::bail!("the current directory is gone: use --all or --dir PATH");
            }
            return Ok(AskedScope::Known(Scope::Everything));
        };
        if self.all || (!self.ids.is_empty() && !self.repo) {
            return Ok(AskedScope::Known(Scope::Everything));
        }
        let git = thread::spawn(move || Scope::repository(worktrees(&here), here));
        Ok(if self.repo {
            AskedScope::Repository(git)
        } else {
            AskedScope::RepositoryOrEverything(git)
        })
    }
}

/// A scope that git may still be working on.
enum AskedScope {
    Known(Scope),
    Repository(thread::JoinHandle<Scope>),
    /// The default: where the person stands, if anything happened there.
    RepositoryOrEverything(thread::JoinHandle<Scope>),
}

impl AskedScope {
    fn settle(self, rows: &Rows) -> Scope {
        match self {
            Self::Known(scope) => scope,
            Self::Repository(git) => git.join().unwrap_or(Scope::Everything),
            Self::RepositoryOrEverything(git) => {
                let scope = git.join().unwrap_or(Scope::Everything);
                let used = rows
                    .iter()
                    .any(|row| row.session.hidden.is_none() && scope.contains(&row.session));
                if used { scope } else { Scope::Everything }
            }
        }
    }
}

fn collect(roots: &[PathBuf], depth: Depth) -> anyhow::Result<(Rows, Trouble)> {
    let mut rows = Rows::default();
    let mut trouble = Trouble::default();
    let events = store::stream(roots.to_vec(), depth).context("cannot start a thread")?;
    for event in events {
        match event {
            Event::Listed(_) => {}
            Event::Batch(sessions) => sessions.into_iter().for_each(|s| rows.add(s)),
            Event::Finished(found) => trouble = found,
        }
    }
    rows.settle();
    Ok((rows, trouble))
}

fn report_empty_store(surroundings: &Surroundings, roots: &[PathBuf], trouble: &Trouble) {
    let places: Vec<String> = roots
        .iter()
        .map(|root| surroundings.tilde(&root.join("projects")))
        .collect();
    complain(&format!(
        "no Claude Code sessions yet under {}: start one with `claude`, or name another config directory with --root",
        places.join(", ")
    ));
    report_trouble(trouble);
}

fn report_missing_ids(filter: &Filter, selection: &Selection<'_>) {
    for id in &filter.ids {
        let found = selection
            .rows
            .iter()
            .any(|row| crate::list::has_prefix(&row.session.stamp.id, id));
        if !found && selection.other_pages == 0 {
            complain(&format!(
                "{id}: no session has this id or begins with it: `claude-resume list --all` shows them"
            ));
        }
    }
}

/// Says what is shown, what is not and why, so that nothing is missing without a word.
fn report_counts(scope: &Scope, selection: &Selection<'_>, trouble: &Trouble) {
    let place = match scope {
        Scope::Everything => String::new(),
        narrower => format!(" in {}", narrower.label()),
    };
    let shown = selection.rows.len();
    let total = selection.total();
    let mut notes: Vec<String> = Vec::new();
    if !selection.hidden.is_empty() {
        let hidden: Vec<String> = Hidden::ALL
            .iter()
            .filter_map(|kind| Some((kind, selection.hidden.get(kind)?)))
            .map(|(kind, count)| format!("{count} {}", kind.label()))
            .collect();
        notes.push(format!("hidden: {}", hidden.join(", ")));
    }
    if selection.other_pages > 0 {
        notes.push(format!("{} on other pages", selection.other_pages));
    }
    if selection.elsewhere > 0 {
        notes.push(format!("{} elsewhere: --all", selection.elsewhere));
    }
    let notes = if notes.is_empty() {
        String::new()
    } else {
        format!(" ({})", notes.join("; "))
    };
    // Not a complaint: no program name in front.
    let _ = writeln!(io::stderr(), "shown {shown} of {total}{place}{notes}");
    report_trouble(trouble);
}

fn report_trouble(trouble: &Trouble) {
    for folder in &trouble.folders {
        complain(&format!("{}: cannot be listed", folder.display()));
    }
    if trouble.vanished > 0 {
        complain(&format!(
            "{} files vanished while they were read: run it again",
            trouble.vanished
        ));
    }
}

fn parse_kind(name: &str) -> Result<Kinds, String> {
    if name == "all" {
        return Ok(Kinds::All);
    }
    Hidden::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .map(Kinds::One)
        .ok_or_else(|| {
            let names = Hidden::ALL.map(Hidden::name).join(", ");
            format!("it is none of all, {names}")
        })
}

impl From<SortKey> for Sort {
    fn from(key: SortKey) -> Self {
        match key {
            SortKey::Activity => Self::Activity,
            SortKey::Created => Self::Created,
            SortKey::Size => Self::Size,
            SortKey::Title => Self::Title,
        }
    }
}

/// The directory a session belongs to, or the raw folder name where none is recorded.
fn place<'a>(cwd: Option<&'a str>, folder: &'a str) -> &'a str {
    cwd.map_or(folder, |cwd| {
        Path::new(cwd)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(cwd)
    })
}
