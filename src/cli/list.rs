//! `claude-resume list`: the sessions as a table, as tab-separated lines, or as JSON.

mod json;
mod table;
mod tsv;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use super::surroundings::{Stdout, Surroundings};
use super::{Outcome, collect, complain};
use crate::list::{Filter, Include, PageRange, Rows, Scope, SelectedRows, Sort, has_prefix};
use crate::paths::normalize;
use crate::store::{Hidden, Registry, ScanDepth, Trouble, is_running, running, worktrees};
use crate::text::parse_moment;

/// List sessions, newest activity first
///
/// On a terminal it prints a table; into a pipe, lines of tab-separated fields: id, last activity
/// (RFC 3339), bytes, directory, branch, tag, title. What is shown, hidden and left out is said
/// on stderr.
#[derive(Debug, Default, Args)]
pub struct List {
    /// Only these sessions, whatever their kind and place: an id or its beginning
    #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
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
        hide_default_value = true,
        value_parser = parse_count
    )]
    limit: usize,

    /// Leave out the first so many
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        hide_default_value = true,
        value_parser = parse_count
    )]
    offset: usize,

    /// What to sort by
    #[arg(long, value_enum, default_value_t)]
    sort: SortKey,

    /// Active since then: 30m, 12h, 2d, 3w, 6mo, 1y, today, yesterday, 2026-11-01,
    /// 2026-11-01T14:30
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
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

    /// Show these hidden kinds too: all, or some of empty, no-prompt, metadata-only,
    /// subagent, team, programmatic, superseded, archived, not-a-session, unreadable
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
    selection: &'a SelectedRows<'a>,
    live: &'a Registry,
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
        // Files of these kinds stay closed unless somebody wants to see what is in them.
        let depth = if include.has_any(&[Hidden::SubAgent, Hidden::NotASession]) {
            ScanDepth::Everything
        } else {
            ScanDepth::Candidates
        };
        // Git answers while the scan runs, not before it.
        let asked = self.ask_scope(surroundings)?;
        let (rows, trouble) = collect(roots, depth)?;
        if rows.is_empty() {
            return Ok(report_empty_store(surroundings, roots, &trouble));
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
        let page = PageRange {
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
            (false, Stdout::Terminal { columns, ink }) => {
                table::print(&mut out, &printed, columns, ink)?;
            }
        }
        out.flush()?;
        let all_known = report_unknown_ids(&filter.ids, &rows);
        report_counts(&filter.scope, &selection, &trouble);
        Ok(if selection.rows.is_empty() || !all_known {
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

/// Nothing is there, or nothing can be read: two different things to be told.
fn report_empty_store(
    surroundings: &Surroundings,
    roots: &[PathBuf],
    trouble: &Trouble,
) -> Outcome {
    if *trouble != Trouble::default() {
        report_trouble(trouble);
        return Outcome::Failed;
    }
    complain(&surroundings.no_sessions(roots));
    Outcome::NothingFound
}

/// Says which ids no session has. Those that a filter left out are known all the same.
fn report_unknown_ids(ids: &[String], rows: &Rows) -> bool {
    let mut all_known = true;
    for id in ids {
        let known = rows.iter().any(|row| has_prefix(&row.session.file.id, id));
        if !known {
            complain(&format!(
                "{id}: no session has this id or begins with it: `claude-resume list --all` shows them"
            ));
            all_known = false;
        }
    }
    all_known
}

/// Says what is shown, what is not and why, so that nothing is missing without a word.
fn report_counts(scope: &Scope, selection: &SelectedRows<'_>, trouble: &Trouble) {
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
    if selection.unmatched > 0 {
        notes.push(format!("{} that do not match", selection.unmatched));
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
    for (folder, reason) in &trouble.folders {
        complain(&format!("{}: cannot be listed: {reason}", folder.display()));
    }
    if trouble.vanished > 0 {
        let count = trouble.vanished;
        let files = if count == 1 { "file" } else { "files" };
        complain(&format!(
            "{count} {files} vanished while they were read: run it again"
        ));
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "it must be a whole number, 0 or more".to_owned())
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
