//! `claude-resume history`: what was asked, in every project, found again.

mod add;
mod print;

use std::cell::Cell;
use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::pick::{HistoryStart, Pick, state_folder};
use super::surroundings::{Stdout, Surroundings};
use super::{Outcome, complain};
use crate::history::{
    FoundPrompt, HistoryFollower, PastSession, PastSessions, Prompts, Reread, Skipped,
    history_path, recall, skipped_path,
};
use crate::list::{Include, Scope, Sort, has_prefix};
use crate::search::{Archive, ConversationFate, Distance, Generation, Query, Search, View};
use crate::store::{Conversations, Millis, Retention, list, readers, retention, worktrees};
use crate::tui::{Choice, HistoryScope};
use print::{Form, Printed, Row};

/// So many entries are taken in at once.
const BATCH: usize = 4096;

/// Search the prompt history of all projects
///
/// The same words and operators as in the picker: "a phrase", -word, project:shop, since:2d,
/// before:2026-11-01, id:8c1f. Prints what has the words in it, newest first; loose matches are in
/// the picker alone. Equal prompts are one: the newest, with a count. Without a query, on a
/// terminal, it opens the picker's history. Into a pipe it prints lines of tab-separated fields:
/// time (RFC 3339), project, session id, count, what became of the conversation (there; deleted, by
/// clean-up; missing, for another reason; empty; unknown), prompt. Where that is gone and an older
/// equal prompt's is there, the table says so, and --json names it as `also`.
// Each flag is one that a person types.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    disable_help_subcommand = true
)]
pub struct History {
    #[command(subcommand)]
    command: Option<Record>,

    /// What to search for
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    /// Only prompts of this project, with all worktrees of its repository; without a directory,
    /// of the current one. A word behind it is a directory if there is such a one, or if it has a
    /// slash in it; else it is searched for
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,

    /// Only prompts of this session: an id or its beginning
    #[arg(long, value_name = "ID", conflicts_with = "project")]
    session: Option<String>,

    /// Prompts of every project, which is the default
    #[arg(long, conflicts_with_all = ["project", "session"])]
    all: bool,

    /// The order of the up arrow: first this session's prompts (`--session`, or `session_id=…` in
    /// `SESSION_CONTEXT`), then the others of the project, of its last hundred prompts
    #[arg(long, conflicts_with_all = ["query", "all", "deleted"])]
    up_arrow: bool,

    /// Sessions of which only the prompts are left, instead of prompts
    #[arg(long)]
    deleted: bool,

    /// At most so many (0: no limit)
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,

    /// One JSON object a line
    #[arg(long)]
    json: bool,

    /// The prompts alone, as they were entered, with a NUL behind each
    #[arg(long, conflicts_with = "json")]
    print0: bool,

    /// Put back what was pasted
    #[arg(long)]
    expand: bool,

    /// Choose in the picker and print the chosen prompt
    #[arg(long, conflicts_with_all = ["json", "print0", "up_arrow", "deleted"])]
    print: bool,
}

#[derive(Debug, Subcommand)]
enum Record {
    Add(add::Add),
    /// Take back the prompt that was recorded last
    ///
    /// One that waits to be written is not written. One that is written stays in the file, and
    /// nothing of ours shows it any more.
    Undo,
}

impl History {
    pub fn run(
        mut self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
        own: Option<PathBuf>,
    ) -> anyhow::Result<Outcome> {
        match self.command {
            Some(Record::Add(add)) => return add.run(surroundings, &recorded_in(own)?),
            Some(Record::Undo) => return add::undo(&recorded_in(own)?),
            None => {}
        }
        if self.session.as_ref().is_some_and(|id| id.trim().is_empty()) {
            bail!("--session: the id is empty");
        }
        self.settle_project()?;
        let pick = self.picker(roots);
        if self.print || self.is_for_the_picker() && pick.is_full_screen() {
            return pick.run(surroundings, roots);
        }
        let mut out = BufWriter::new(io::stdout().lock());
        let fates = Fates::new(surroundings, roots, own.as_deref());
        let outcome = if self.up_arrow {
            self.recall(surroundings, roots, &fates, &mut out)
        } else {
            self.search(surroundings, roots, &fates, &mut out)
        };
        out.flush()?;
        outcome
    }

    /// `--project flaky` asks for flaky prompts of this project, unless there is such a directory.
    fn settle_project(&mut self) -> anyhow::Result<()> {
        let Some(given) = &self.project else {
            return Ok(());
        };
        let has_slash = given.to_string_lossy().contains(std::path::is_separator);
        if has_slash || given.is_dir() {
            return Ok(());
        }
        if self.up_arrow {
            bail!("{}: no such directory", given.display());
        }
        self.query.insert(0, given.to_string_lossy().into_owned());
        self.project = Some(PathBuf::from("."));
        Ok(())
    }

    /// Without a query, on a terminal, one wants to look around.
    fn is_for_the_picker(&self) -> bool {
        let asks = self.json || self.print0 || self.up_arrow || self.deleted || self.expand;
        let plain = self.query.is_empty() && self.limit.is_none() && !asks;
        plain && io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// The picker that begins with what was asked for here.
    fn picker(&self, roots: &[PathBuf]) -> Pick {
        let real = |given: &PathBuf| given.canonicalize().unwrap_or_else(|_| given.clone());
        Pick::of_history(HistoryStart {
            query: self.query.join(" "),
            choice: if self.print {
                Choice::Print
            } else {
                Choice::Go
            },
            scope: match (&self.session, &self.project) {
                (Some(_), _) => Some(HistoryScope::Session),
                (None, Some(_)) => Some(HistoryScope::Project),
                (None, None) => None,
            },
            session: self.session_id(roots),
            project: self.project.as_ref().map(real),
        })
    }

    /// How many are wanted: as for `list`, none at all means all.
    fn most(&self) -> usize {
        match self.limit {
            None | Some(0) => usize::MAX,
            Some(limit) => limit,
        }
    }

    /// The id of the session that is meant, also where only its beginning is given.
    fn session_id(&self, roots: &[PathBuf]) -> Option<String> {
        let Some(given) = &self.session else {
            return session_around();
        };
        let (mut prompts, _) = open(roots);
        let whole = prompts.find_map(|found| {
            let id = found.prompt.session?;
            has_prefix(&id, given).then_some(id)
        });
        whole.or_else(|| Some(given.clone()))
    }

    fn recall(
        &self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
        fates: &Fates,
        out: &mut impl Write,
    ) -> anyhow::Result<Outcome> {
        let scope = self.project_scope(surroundings)?;
        let session = self.session_id(roots);
        let (mut prompts, _) = open(roots);
        // The project is the directory itself here, as for Claude Code.
        let recalled = recall(
            &mut prompts,
            |project| scope.contains_path(Path::new(project)),
            session.as_deref(),
        );
        let mut sessions = PastSessions::default();
        for found in &recalled {
            sessions.take(found);
        }
        let rows = recalled.into_iter().map(|found| {
            let id = found.prompt.session.as_deref();
            let session = id.and_then(|id| sessions.get(sessions.position(id)?));
            let fate = session.map_or(ConversationFate::Unknown, |session| fates.of(session));
            Row::new(found.prompt, found.spot.root, 1, fate)
        });
        let rows: Vec<Row> = rows.take(self.most()).collect();
        tell_unreadable(&prompts);
        let extent = Extent::of(&prompts);
        self.print(surroundings, roots, (&rows, extent), out)
    }

    fn search(
        &self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
        fates: &Fates,
        out: &mut impl Write,
    ) -> anyhow::Result<Outcome> {
        let query = Query::parse(&self.query.join(" "), &surroundings.now);
        // A filter that is none must not select everything.
        if let Some(problem) = query.problems().first() {
            bail!("{}", problem.message);
        }
        if let Some(operator) = query.of_sessions().first() {
            bail!("{operator} is not for prompts, which have project: since: before: id:");
        }
        let scope = match self.project {
            Some(_) => Some(self.project_scope(surroundings)?),
            None => None,
        };
        let place = |project: &str, session: Option<&str>| match (&scope, &self.session) {
            (Some(scope), _) if scope.contains_path(Path::new(project)) => Distance::Repository,
            (_, Some(wanted)) if session.is_some_and(|id| has_prefix(id, wanted)) => {
                Distance::Directory
            }
            _ => Distance::Elsewhere,
        };
        let reach = match (&scope, &self.session) {
            (Some(_), _) => Distance::Repository,
            (None, Some(_)) => Distance::Directory,
            (None, None) => Distance::Elsewhere,
        };
        let (mut archive, extent) = read(roots, place);
        let view = if self.deleted {
            View::Deleted
        } else {
            View::Prompts
        };
        let search = Search {
            generation: Generation(1),
            query,
            order: Sort::Activity,
            reach,
            include: Include::default(),
        };
        let unsearched = archive.unsearched_pastes();
        if unsearched > 0 && !search.query.is_empty() {
            let of = match unsearched {
                1 => "1 prompt".to_owned(),
                count => format!("{count} prompts"),
            };
            complain(&format!(
                "pastes of {of} were not searched: there are more than 32 MiB of them"
            ));
        }
        // Nobody who reads this could tell which of them only have the letters.
        let answer = archive.answer_words(&search, view, |session| fates.of(session));
        let hits = answer.map(|answer| answer.hits).unwrap_or_default();
        let mut reread = Reread::new(roots);
        let mut rows = Vec::new();
        for hit in hits.into_iter().take(self.most()) {
            let Some(spot) = archive.spot(hit.row) else {
                continue;
            };
            if let Ok(Some(prompt)) = reread.read(spot) {
                let mut row = Row::new(prompt, spot.root, hit.count, hit.fate);
                let other = hit.elsewhere().and_then(|other| archive.spot(other));
                row.also = other.and_then(|spot| reread.read(spot).ok().flatten());
                if view == View::Deleted
                    && let Some(session) = archive.session(hit.row)
                {
                    let first = reread.read(session.first.1).ok().flatten();
                    let last = reread.read(session.last.1).ok().flatten();
                    row.span = Some((first.unwrap_or_default(), last.unwrap_or_default()));
                }
                rows.push(row);
            }
        }
        self.print(surroundings, roots, (&rows, extent), out)
    }

    fn print(
        &self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
        (rows, extent): (&[Row], Extent),
        out: &mut impl Write,
    ) -> anyhow::Result<Outcome> {
        if rows.is_empty() {
            let is_there = |root: &PathBuf| history_path(root).exists();
            if let Some(first) = roots.first().filter(|_| !roots.iter().any(is_there)) {
                let place = surroundings.tilde(&history_path(first));
                complain(&format!(
                    "{place}: there is no prompt history yet: Claude Code writes it as you ask"
                ));
            }
            return Ok(match extent {
                Extent::All => Outcome::NothingFound,
                Extent::Part => Outcome::Failed,
            });
        }
        let form = match (self.json, self.print0, surroundings.stdout) {
            (true, _, _) => Form::Json,
            (_, true, stdout) => Form::Nul {
                terminal: stdout != Stdout::Pipe,
            },
            (_, _, Stdout::Pipe) => Form::Fields,
            (_, _, Stdout::Terminal { columns, ink }) => Form::Table { columns, ink },
        };
        let printed = Printed {
            rows,
            roots,
            now: surroundings.now.timestamp_millis(),
            expand: self.expand,
            lacking: Cell::default(),
        };
        printed.print(out, form)?;
        if let Some(lacking) = printed.lacking.get().words() {
            complain(&lacking);
        }
        Ok(Outcome::Done)
    }

    /// The project that is meant: the given directory or the current one, with all worktrees. The
    /// up arrow looks at the directory alone, as Claude Code does.
    fn project_scope(&self, surroundings: &Surroundings) -> anyhow::Result<Scope> {
        let directory = match &self.project {
            Some(given) => whole_path(given)?,
            None => match &surroundings.current_dir {
                Some(directory) => directory.clone(),
                None => bail!("the current directory is gone: name one with --project DIR"),
            },
        };
        if self.up_arrow {
            return Ok(Scope::directory(directory));
        }
        let trees = worktrees(&directory);
        Ok(Scope::repository(trees, directory))
    }
}

/// How much of the histories was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    All,
    /// What is not found may be in what cannot be read.
    Part,
}

impl Extent {
    fn of(prompts: &Prompts) -> Self {
        if prompts.troubles().is_empty() {
            Self::All
        } else {
            Self::Part
        }
    }
}

/// Everything that can be searched.
fn read(roots: &[PathBuf], place: impl Fn(&str, Option<&str>) -> Distance) -> (Archive, Extent) {
    let mut archive = Archive::default();
    let (mut prompts, _) = open(roots);
    loop {
        let batch: Vec<FoundPrompt> = prompts.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        archive.put(&batch, &place);
    }
    let mut reread = Reread::new(roots);
    while archive.has_unread_pastes() {
        archive.take_pastes(BATCH, |spot, most| reread.with_pastes(spot, most), &place);
    }
    tell_unreadable(&prompts);
    match prompts.passed().malformed {
        0 => {}
        1 => complain("1 line of the history is malformed and was passed over"),
        count => complain(&format!(
            "{count} lines of the history are malformed and were passed over"
        )),
    }
    (archive, Extent::of(&prompts))
}

/// Opens the histories, without what was taken back.
fn open(roots: &[PathBuf]) -> (Prompts, Vec<HistoryFollower>) {
    let skipped = state_folder().map_or_else(Skipped::default, |state| {
        Skipped::load(&state).unwrap_or_else(|error| {
            let path = skipped_path(&state);
            complain(&format!(
                "{}: cannot be read: {error}; prompts that were taken back are shown: remove it",
                path.display()
            ));
            Skipped::default()
        })
    });
    Prompts::open(roots, Arc::new(skipped))
}

fn tell_unreadable(prompts: &Prompts) {
    for (path, reason) in prompts.troubles() {
        complain(&format!("{}: cannot be read: {reason}", path.display()));
    }
}

/// Knows what became of conversations. No file of theirs is opened for that.
struct Fates {
    there: Conversations,
    retention: Retention,
    now: Millis,
}

impl Fates {
    fn new(surroundings: &Surroundings, roots: &[PathBuf], own: Option<&Path>) -> Self {
        let here = surroundings.current_dir.as_deref();
        Self {
            there: list(roots, readers(), &AtomicBool::new(false)).conversations(),
            retention: retention(own, here, &Surroundings::managed_settings()),
            now: surroundings.now.timestamp_millis(),
        }
    }

    fn of(&self, session: &PastSession) -> ConversationFate {
        let size = self.there.look_up(&session.id);
        ConversationFate::new(size, session.last.0, self.retention, self.now)
    }
}

/// The session that whoever called us is in, as some tools say it.
pub fn session_around() -> Option<String> {
    let context = env::var("SESSION_CONTEXT").ok()?;
    let id = context.split("session_id=").nth(1)?;
    let id = id.split([',', ';', ' ', '"', '\'']).next()?.trim();
    (!id.is_empty()).then(|| id.to_owned())
}

/// Where prompts are recorded, and what is remembered of that.
fn recorded_in(own: Option<PathBuf>) -> anyhow::Result<add::Books> {
    Ok(add::Books {
        root: own.context("there is no config directory")?,
        state: state_folder().context("there is no home directory: set HOME")?,
    })
}

/// The directory of a project as Claude Code writes it. One that is gone may still have a history.
fn whole_path(given: &Path) -> anyhow::Result<PathBuf> {
    given
        .canonicalize()
        .or_else(|_| std::path::absolute(given))
        .with_context(|| format!("{}: cannot be made absolute", given.display()))
}
