//! `claude-resume list`: the sessions as a table, as tab-separated lines, or as JSON.

mod json;
mod table;

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, bail};
use chrono::{DateTime, SecondsFormat, Utc};
use clap::builder::{NonEmptyStringValueParser, PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use super::search::{Finder, HitOrder, parse, suggest};
use super::surroundings::{Stdout, Surroundings, real_path};
use super::what::looks_like_an_id;
use super::{Exit, collect, complain, counted};
use crate::list::{Filter, Include, PageRange, Row, Rows, Scope, SelectedRows, Sort, has_prefix};
use crate::search::Query;
use crate::store::{Hidden, ScanDepth, Trouble, is_running, running, worktrees};
use crate::text::{parse_moment, sanitize};

/// List sessions, most recent first
///
/// Prints a table on a terminal. In a pipe, prints one line per session with tab-separated fields:
/// id, last activity (RFC 3339), bytes, directory, branch, tag, title. A summary on stderr says
/// how many sessions are hidden or left out, and why.
///
/// The title is the session's name, or a prompt without what hides its subject, such as
/// "Implement the following plan:". --json has the whole prompt as summary.
#[derive(Debug, Default, Args)]
pub struct ListCommand {
    /// Ids or the beginnings of ids: list only these, hidden or not, in any project. Other words:
    /// list what the picker finds for them, also inside conversations
    #[arg(value_name = "ID|QUERY", value_parser = NonEmptyStringValueParser::new())]
    ids: Vec<String>,

    /// List all projects
    #[arg(long, conflicts_with_all = ["repo", "dir"])]
    all: bool,

    /// List this repository and all its worktrees (the default, if it has sessions)
    #[arg(long, conflicts_with = "dir")]
    repo: bool,

    /// List exactly this directory, even if it no longer exists
    #[arg(long, value_name = "PATH")]
    dir: Option<PathBuf>,

    /// Maximum number to show (0 = all)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_count)]
    limit: Option<usize>,

    /// Number of sessions to skip
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_count)]
    offset: Option<usize>,

    /// Sort order
    #[arg(long, value_enum, default_value_t)]
    sort: Sort,

    /// Only sessions active since this time: 30m, 12h, 2d, 3w, 6mo, 1y, today, yesterday,
    /// 2026-11-01, 2026-11-01T14:30
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    since: Option<String>,

    /// Only sessions on this git branch
    #[arg(long)]
    branch: Option<String>,

    /// Only sessions with this tag
    #[arg(long)]
    tag: Option<String>,

    /// Only sessions with this text in the path of their directory
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,

    /// Also show these hidden kinds, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kinds())]
    include: Vec<String>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

impl ValueEnum for Sort {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Activity, Self::Created, Self::Size, Self::Title]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Activity => ("activity", "Last message, newest first"),
            Self::Created => ("created", "First message, newest first"),
            Self::Size => ("size", "Bytes on disk, largest first"),
            Self::Title => ("title", "Alphabetical"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

pub fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(["all"].into_iter().chain(Hidden::ALL.map(Hidden::name)))
}

/// The hidden kinds of these names.
pub fn included(names: &[String]) -> Include {
    let has = |name: &str| names.iter().any(|kind| kind == name);
    let kinds = Hidden::ALL.into_iter();
    Include::new(kinds.filter(|kind| has("all") || has(kind.name())))
}

/// Files of some kinds are opened only if they are to be shown.
pub fn depth_for(include: &Include) -> ScanDepth {
    if include.has_any(&[Hidden::SubAgent, Hidden::NotASession]) {
        ScanDepth::Everything
    } else {
        ScanDepth::Candidates
    }
}

/// The scope, if it has sessions; else all projects.
pub fn if_used(scope: Scope, rows: &Rows) -> Scope {
    let is_used = |row: &Row| row.session.hidden.is_none() && scope.contains(&row.session);
    if rows.iter().any(is_used) {
        scope
    } else {
        Scope::Everything
    }
}

impl ListCommand {
    pub fn run(mut self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let since = self.since.as_deref();
        let since = since.map(|when| parse_moment(when, &surroundings.now));
        let since = since.transpose().context("--since")?;
        let mut include = self.include();
        let depth = depth_for(&include);
        // Git works while the scan runs.
        let git = self.repository(surroundings)?;
        let git = git.map(ask_git);
        let (rows, trouble) = collect(surroundings, depth);
        if rows.is_empty() {
            // An empty store and an unreadable one are different.
            if report_trouble(&trouble) > 0 {
                return Ok(Exit::FAILED);
            }
            complain(&surroundings.no_sessions());
            return Ok(Exit::NOTHING_FOUND);
        }
        let mut query = None;
        let mut words = String::new();
        if !self.are_ids(&rows) {
            let typed = std::mem::take(&mut self.ids);
            include = self.include();
            query = parse(&typed, surroundings);
            words = typed.join(" ");
            if query.is_none() {
                return Ok(Exit::FAILED);
            }
        }
        let directory = self.dir.as_deref().map(real_path);
        let directory = directory.transpose().context("--dir")?;
        let scope = match (&directory, git) {
            (Some(dir), _) => Scope::directory(dir.clone()),
            // A session that is named by its id may be anywhere.
            (None, Some(_)) if !self.repo && !self.ids.is_empty() => Scope::Everything,
            (None, Some(git)) => {
                let scope = git();
                if self.repo {
                    scope
                } else {
                    if_used(scope, &rows)
                }
            }
            (None, None) => Scope::Everything,
        };
        let found =
            query.map(|query| found(query, &words, &include, &rows, &trouble, surroundings));
        let found = found.transpose()?;
        let filter = Filter {
            found,
            scope,
            include,
            since,
            branch: self.branch,
            tag: self.tag,
            project: self.project,
            ids: self.ids,
        };
        let page = PageRange {
            offset: self.offset.unwrap_or(0),
            limit: self.limit.unwrap_or(0),
        };
        let selection = filter.select(&rows, self.sort, page);
        let live = running(&surroundings.roots, is_running);
        let mut out = BufWriter::new(io::stdout().lock());
        match (self.json, surroundings.stdout) {
            (true, _) => json::print(&mut out, &selection.rows, &live)?,
            (false, Stdout::Pipe) => print_fields(&mut out, &selection.rows)?,
            (false, Stdout::Terminal { columns, ink }) => {
                let now = surroundings.now.timestamp_millis();
                table::print(
                    &mut out,
                    &selection.rows,
                    &live,
                    now,
                    &filter.scope,
                    (columns, ink),
                )?;
            }
        }
        out.flush()?;
        let all_known = report_unknown_ids(&filter.ids, &rows);
        // If nothing has these ids, there is nothing to count.
        if all_known || selection.total() > 0 {
            let place = match (&directory, &filter.scope) {
                (Some(dir), _) => format!(" in {}", sanitize(&surroundings.tilde(dir))),
                (None, Scope::Everything) => String::new(),
                (None, narrower) => format!(" in {}", narrower.label()),
            };
            let elsewhere = match filter.found {
                Some(_) => "match elsewhere (--all lists them)",
                None => "elsewhere (--all lists them)",
            };
            report_counts(&place, &selection, elsewhere);
        }
        report_trouble(&trouble);
        Ok(if selection.rows.is_empty() || !all_known {
            Exit::NOTHING_FOUND
        } else {
            Exit::DONE
        })
    }

    /// A session that is named by its id is shown, hidden or not.
    fn include(&self) -> Include {
        if self.ids.is_empty() {
            included(&self.include)
        } else {
            Include::everything()
        }
    }

    /// Are the words ids, or beginnings of ids? One that can be nothing else is, known or not.
    fn are_ids(&self, rows: &Rows) -> bool {
        let is_id = |word: &String| {
            looks_like_an_id(word)
                || rows
                    .iter()
                    .any(|row| has_prefix(&row.session.file.id, word))
        };
        self.ids.iter().all(is_id)
    }

    /// The directory whose repository is listed, if one is.
    fn repository(&self, surroundings: &Surroundings) -> anyhow::Result<Option<PathBuf>> {
        let is_asked = self.repo || (!self.all && self.dir.is_none());
        let here = surroundings.current_dir.clone().filter(|_| is_asked);
        if self.repo && here.is_none() {
            bail!("the current directory is gone: use --all or --dir PATH");
        }
        Ok(here)
    }
}

/// The ids of all sessions that a query finds, wherever they are: the filter says what of them is
/// within reach. Where there is none, says what may have been meant.
fn found(
    query: Query,
    typed: &str,
    include: &Include,
    rows: &Rows,
    trouble: &Trouble,
    surroundings: &Surroundings,
) -> anyhow::Result<HashSet<String>> {
    let sources = surroundings.content_sources();
    let everywhere = Scope::Everything;
    let mut finder = Finder::new(&sources, rows, query, &everywhere, include.clone(), trouble)?;
    let found = finder.find(HitOrder::List);
    if found.is_empty() {
        suggest(&mut finder, typed);
    }
    let found = found.into_iter().filter_map(|found| finder.row(found));
    let found = found.map(|row| row.session.file.id.to_string()).collect();
    finder.finish();
    Ok(found)
}

/// Tab-separated lines for other programs. The help of `list` names the columns.
fn print_fields(out: &mut impl Write, rows: &[&Row]) -> io::Result<()> {
    for row in rows {
        let session = &row.session;
        let meta = &session.meta;
        let active = rfc3339(Some(session.last_activity()));
        let size = session.file.size.to_string();
        let title = meta.headline();
        let fields = [
            &*session.file.id,
            active.as_str(),
            size.as_str(),
            meta.cwd.as_deref().unwrap_or_default(),
            meta.git_branch.as_deref().unwrap_or_default(),
            meta.tag.as_deref().unwrap_or_default(),
            title.as_deref().unwrap_or_default(),
        ];
        // Sanitizing removes tabs and newlines, so the columns hold.
        writeln!(out, "{}", fields.map(sanitize).join("\t"))?;
    }
    Ok(())
}

/// A time in milliseconds as other programs read it; empty if it is unknown.
pub fn rfc3339(time: Option<i64>) -> String {
    let time = time.and_then(DateTime::<Utc>::from_timestamp_millis);
    time.map_or(String::new(), |time| {
        time.to_rfc3339_opts(SecondsFormat::Secs, true)
    })
}

/// Reports the ids that no session has. Sessions that a filter left out are known.
fn report_unknown_ids(ids: &[String], rows: &Rows) -> bool {
    let is_known = |id: &str| rows.iter().any(|row| has_prefix(&row.session.file.id, id));
    let unknown: Vec<&String> = ids.iter().filter(|id| !is_known(id)).collect();
    for id in &unknown {
        complain(&format!(
            "{id}: no session has this id or begins with it: `claude-resume list --all` lists them"
        ));
    }
    unknown.is_empty()
}

/// Prints how many sessions are shown, how many are not, and why.
fn report_counts(place: &str, selection: &SelectedRows<'_>, elsewhere: &str) {
    let shown = selection.rows.len();
    let total = selection.total();
    let hidden: Vec<String> = Hidden::ALL
        .iter()
        .filter_map(|kind| Some((kind, selection.hidden.get(kind)?)))
        .map(|(kind, count)| format!("{count} {}", kind.label()))
        .collect();
    let mut notes = Vec::new();
    if !hidden.is_empty() {
        notes.push(format!("hidden: {}", hidden.join(", ")));
    }
    for (count, what) in [
        (selection.other_pages, "on other pages"),
        (selection.elsewhere, elsewhere),
        (selection.unmatched, "not matching"),
    ] {
        if count > 0 {
            notes.push(format!("{count} {what}"));
        }
    }
    let notes = match notes.as_slice() {
        [] => String::new(),
        notes => format!(" ({})", notes.join("; ")),
    };
    // Not an error: without the name of the program.
    let _ = writeln!(io::stderr(), "shown {shown} of {total}{place}{notes}");
}

/// Asks git about the repository around a directory on another thread, if there is one to be had.
fn ask_git(here: PathBuf) -> impl FnOnce() -> Scope {
    let scope = |here: PathBuf| Scope::repository(worktrees(&here), here);
    let again = here.clone();
    let asked = thread::Builder::new().spawn(move || scope(here));
    move || match asked {
        Ok(asked) => asked.join().unwrap_or(Scope::Everything),
        Err(_) => scope(again),
    }
}

/// Reports the folders and files that could not be read. Returns how many.
pub fn report_trouble(trouble: &Trouble) -> usize {
    for (folder, reason) in &trouble.folders {
        complain(&format!("{}: cannot be listed: {reason}", folder.display()));
    }
    if trouble.vanished > 0 {
        let files = counted(trouble.vanished, "file");
        complain(&format!(
            "{files} disappeared during the scan: run the command again"
        ));
    }
    if !trouble.unread.is_empty() {
        let sessions = counted(trouble.unread.len(), "session");
        complain(&format!(
            "{sessions} not read: too many open files: raise the limit, such as `ulimit -n 256`"
        ));
    }
    trouble.folders.len() + trouble.vanished + trouble.unread.len()
}

pub fn parse_count(text: &str) -> Result<usize, String> {
    let number = text.parse();
    number.map_err(|_| "not a whole number (0 or more)".to_owned())
}
