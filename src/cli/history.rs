//! `claude-resume history`: search the prompts of every project.

mod add;
mod print;

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::pick::{HistoryStart, Pick, state_folder};
use super::surroundings::{Stdout, Surroundings, real_path};
use super::{Exit, complain, counted};
use crate::edit::Recorder;
use crate::history::{
    FoundPrompt, MergedHistory, Reread, Skipped, history_path, recall, skipped_path,
};
use crate::list::{Distance, Include, Scope, Sort, has_prefix};
use crate::search::{Archive, ConversationFate, Generation, Query, Search, View};
use crate::store::{list, readers, retention, worktrees};
use crate::tui::{EnterMode, HistoryScope};
use print::{Form, PrintedPrompt, Printer};

/// The number of entries that are read at once.
const BATCH: usize = 4096;

/// Search the prompt history of all projects
///
/// Prints the prompts that contain all words, newest first; a repeated prompt is printed once, with
/// a count. Operators are those of the picker: "a phrase", -word, /regex/, project:shop, since:2d,
/// before:2026-11-01, id:8c1f. Without a query, on a terminal, opens the history in the picker.
///
/// In a pipe, prints one line per prompt with tab-separated fields: time (RFC 3339), project,
/// session id, count, conversation, prompt. The conversation is `there`, `deleted` (by Claude
/// Code's cleanup), `missing` (for another reason), `empty` or `unknown`. If the conversation is
/// gone and an older one with the same prompt exists, the table notes it, and --json names it as
/// `also`.
// One field for each option.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    disable_help_subcommand = true
)]
pub struct HistoryCommand {
    #[command(subcommand)]
    command: Option<RecordCommand>,

    /// Words and operators to search for
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    /// Only prompts of this project (default: the current one), including all worktrees
    ///
    /// A word counts as DIR only if it exists or contains a slash. Otherwise it is part of the
    /// query.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,

    /// Only prompts of this session, by its id or the beginning of it
    #[arg(long, value_name = "ID", conflicts_with = "project", value_parser = checked_id)]
    session: Option<String>,

    /// Prompts of all projects (the default)
    #[arg(long, conflicts_with_all = ["project", "session"])]
    all: bool,

    /// Print in the order of Claude Code's up arrow
    ///
    /// First the prompts of this session, then the others among the last hundred of the project.
    /// The session is that of --session, or of `session_id=…` in `SESSION_CONTEXT`.
    #[arg(long, conflicts_with_all = ["query", "all", "deleted"])]
    up_arrow: bool,

    /// List deleted sessions, of which only the prompts are left
    #[arg(long)]
    deleted: bool,

    /// Maximum number to show (0 = all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,

    /// Print only the prompts, unchanged, each followed by a NUL
    #[arg(long, conflicts_with = "json")]
    print0: bool,

    /// Expand pasted text
    #[arg(long)]
    expand: bool,

    /// Choose a prompt in the picker and print it
    #[arg(long, conflicts_with_all = ["json", "print0", "up_arrow", "deleted"])]
    print: bool,
}

#[derive(Debug, Subcommand)]
enum RecordCommand {
    Add(add::Add),
    /// Undo the last `history add`
    ///
    /// A prompt that is not written yet is discarded. A prompt in the history file stays there: it
    /// is only hidden in claude-resume.
    Undo,
}

impl HistoryCommand {
    /// `own` is the config directory to record in, whose settings also say how long conversations
    /// are kept.
    pub fn run(mut self, surroundings: Surroundings, own: Option<PathBuf>) -> anyhow::Result<Exit> {
        match self.command {
            Some(RecordCommand::Add(add)) => return add.run(&surroundings, recorder(own)?),
            Some(RecordCommand::Undo) => return add::undo(recorder(own)?),
            None => {}
        }
        self.settle_project()?;
        let pick = self.picker(&surroundings.roots);
        if self.print || self.is_for_the_picker() && pick.is_full_screen() {
            return pick.run(surroundings);
        }
        let fate = fates(&surroundings, own.as_deref());
        let (rows, is_complete) = if self.up_arrow {
            self.recall(&surroundings, fate)?
        } else {
            self.search(&surroundings, fate)?
        };
        if !rows.is_empty() {
            return self.print(&surroundings, &rows);
        }
        let is_there = |root: &PathBuf| history_path(root).exists();
        let roots = &surroundings.roots;
        if let Some(first) = roots.first().filter(|_| !roots.iter().any(is_there)) {
            let path = surroundings.tilde(&history_path(first));
            complain(&format!(
                "{path}: no prompt history yet: Claude Code writes it as you enter prompts"
            ));
        }
        // An unreadable history may contain what was not found.
        Ok(if is_complete {
            Exit::NOTHING_FOUND
        } else {
            Exit::FAILED
        })
    }

    /// `--project flaky` searches this project for flaky, unless there is such a directory.
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

    /// Without a query or a format, on a terminal, the picker opens.
    fn is_for_the_picker(&self) -> bool {
        let asks = self.json || self.print0 || self.up_arrow || self.deleted || self.expand;
        let plain = self.query.is_empty() && self.limit.is_none() && !asks;
        plain && io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// The picker with the same query and scope.
    fn picker(&self, roots: &[PathBuf]) -> Pick {
        Pick::of_history(HistoryStart {
            query: self.query.join(" "),
            choice: if self.print {
                EnterMode::Print
            } else {
                EnterMode::Go
            },
            scope: match (&self.session, &self.project) {
                (Some(_), _) => HistoryScope::Session,
                (None, Some(_)) => HistoryScope::Project,
                (None, None) => HistoryScope::All,
            },
            session: self.session_id(roots),
            project: self
                .project
                .as_deref()
                .and_then(|given| real_path(given).ok()),
        })
    }

    /// The limit. As for `list`, zero means all.
    fn most(&self) -> usize {
        self.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX)
    }

    /// The whole id of the session, of which the arguments may have only the beginning.
    fn session_id(&self, roots: &[PathBuf]) -> Option<String> {
        let Some(given) = &self.session else {
            return calling_session();
        };
        let mut prompts = open(roots);
        let whole = prompts.find_map(|found| {
            let id = found.prompt.session?;
            has_prefix(&id, given).then_some(id)
        });
        whole.or_else(|| Some(given.clone()))
    }

    /// The prompts in the order of the up arrow, and whether every history could be read.
    fn recall(
        &self,
        surroundings: &Surroundings,
        fate: impl Fn(&str, i64) -> ConversationFate,
    ) -> anyhow::Result<(Vec<PrintedPrompt>, bool)> {
        let scope = self.project_scope(surroundings)?;
        let session = self.session_id(&surroundings.roots);
        let mut prompts = open(&surroundings.roots);
        let recalled = recall(
            &mut prompts,
            |project| scope.contains_path(Path::new(project)),
            session.as_deref(),
        );
        let rows = recalled.iter().map(|found| {
            let id = found.prompt.session.as_deref();
            let same = recalled
                .iter()
                .filter(|it| it.prompt.session.as_deref() == id);
            let last = same.map(|it| it.prompt.timestamp).max().unwrap_or_default();
            PrintedPrompt {
                prompt: found.prompt.clone(),
                root: found.spot.root,
                count: 1,
                fate: id.map_or(ConversationFate::Unknown, |id| fate(id, last)),
                ends: None,
                also: None,
            }
        });
        Ok((rows.take(self.most()).collect(), tell_unreadable(&prompts)))
    }

    /// The prompts that match, and whether every history could be read.
    fn search(
        &self,
        surroundings: &Surroundings,
        fate: impl Fn(&str, i64) -> ConversationFate,
    ) -> anyhow::Result<(Vec<PrintedPrompt>, bool)> {
        let query = Query::parse(&self.query.join(" "), &surroundings.now);
        // A broken filter must not select everything.
        let mut problems = query.problems().iter().chain(query.unfinished());
        if let Some(problem) = problems.next() {
            bail!("{}", problem.message);
        }
        if let Some(operator) = query.of_sessions().first() {
            bail!("{operator} does not apply to prompts: use project: since: before: id:");
        }
        let scope = match self.project {
            Some(_) => self.project_scope(surroundings)?,
            None => Scope::Everything,
        };
        // A session is narrower than any directory.
        let place = |project: &str, session: Option<&str>| match (&self.session, session) {
            (Some(wanted), Some(id)) if has_prefix(id, wanted) => Distance::Directory,
            _ => scope.distance_of_path(Path::new(project)),
        };
        let reach = match (&self.project, &self.session) {
            (Some(_), _) => Distance::Repository,
            (None, Some(_)) => Distance::Directory,
            (None, None) => Distance::Elsewhere,
        };
        let roots = &surroundings.roots;
        let (mut archive, is_complete) = read(roots, place);
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
            let prompts = counted(unsearched, "prompt");
            complain(&format!(
                "the pasted text of {prompts} was not searched: there is more than 32 MiB of it"
            ));
        }
        // Fuzzy matches would need the highlighting of the picker.
        let answer =
            archive.answer_words(&search, view, |session| fate(&session.id, session.last.0));
        let hits = answer.map(|answer| answer.hits).unwrap_or_default();
        let mut reread = Reread::new(roots);
        let mut rows = Vec::new();
        let mut read = |spot| reread.read(spot).ok().flatten();
        for hit in hits.into_iter().take(self.most()) {
            let spot = archive.spot(hit.row);
            let Some((spot, prompt)) = spot.and_then(|spot| Some((spot, read(spot)?))) else {
                continue;
            };
            let session = archive.session(hit.row).filter(|_| self.deleted);
            rows.push(PrintedPrompt {
                prompt,
                root: spot.root,
                count: hit.count,
                fate: hit.fate,
                ends: session.map(|session| {
                    let (first, last) = (read(session.first.1), read(session.last.1));
                    (first.unwrap_or_default(), last.unwrap_or_default())
                }),
                also: hit.elsewhere().and_then(|it| read(archive.spot(it)?)),
            });
        }
        Ok((rows, is_complete))
    }

    fn print(&self, surroundings: &Surroundings, rows: &[PrintedPrompt]) -> anyhow::Result<Exit> {
        let form = match (self.json, self.print0, surroundings.stdout) {
            (true, _, _) => Form::Json,
            (_, true, stdout) => Form::Nul {
                terminal: stdout != Stdout::Pipe,
            },
            (_, _, Stdout::Pipe) => Form::Fields,
            (_, _, Stdout::Terminal { columns, ink }) => Form::Table { columns, ink },
        };
        let printer = Printer {
            roots: &surroundings.roots,
            now: surroundings.now.timestamp_millis(),
            expand: self.expand,
        };
        let mut out = BufWriter::new(io::stdout().lock());
        let lacking = printer.print(&mut out, rows, form)?;
        out.flush()?;
        if let Some(lacking) = lacking.words() {
            complain(&lacking);
        }
        Ok(Exit::DONE)
    }

    /// The scope of `--project`: the given directory or the current one, with all worktrees. The
    /// up arrow looks at the directory alone, as Claude Code does.
    fn project_scope(&self, surroundings: &Surroundings) -> anyhow::Result<Scope> {
        let directory = match (&self.project, &surroundings.current_dir) {
            (Some(given), _) => real_path(given)?,
            (None, Some(directory)) => directory.clone(),
            (None, None) => bail!("the current directory is gone: name one with --project DIR"),
        };
        if self.up_arrow {
            return Ok(Scope::directory(directory));
        }
        let trees = worktrees(&directory);
        Ok(Scope::repository(trees, directory))
    }
}

/// Reads everything that can be searched, and returns whether every history could be read.
fn read(roots: &[PathBuf], place: impl Fn(&str, Option<&str>) -> Distance) -> (Archive, bool) {
    let mut archive = Archive::default();
    let mut prompts = open(roots);
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
    let is_complete = tell_unreadable(&prompts);
    let malformed = prompts.passed().malformed;
    if malformed > 0 {
        let lines = counted(malformed, "malformed line");
        complain(&format!("{lines} of the history skipped"));
    }
    (archive, is_complete)
}

/// Opens the histories, without prompts that were undone.
fn open(roots: &[PathBuf]) -> MergedHistory {
    let skipped = state_folder().map_or_else(Skipped::default, |state| {
        Skipped::load(&state).unwrap_or_else(|error| {
            let path = skipped_path(&state);
            complain(&format!(
                "{}: cannot be read: {error}; undone prompts are shown. To fix this, remove the file",
                path.display()
            ));
            Skipped::default()
        })
    });
    MergedHistory::open(roots, Arc::new(skipped)).0
}

/// Reports the histories that could not be read, and returns whether there are none.
fn tell_unreadable(prompts: &MergedHistory) -> bool {
    for (path, reason) in prompts.troubles() {
        complain(&format!("{}: cannot be read: {reason}", path.display()));
    }
    prompts.troubles().is_empty()
}

/// Tells which conversations are still there, by their id and last time, without opening any file.
fn fates(
    surroundings: &Surroundings,
    own: Option<&Path>,
) -> impl Fn(&str, i64) -> ConversationFate {
    let here = surroundings.current_dir.as_deref();
    let listing = list(&surroundings.roots, readers(), &AtomicBool::new(false));
    let conversations = listing.conversations();
    let retention = retention(own, here, &Surroundings::managed_settings());
    let now = surroundings.now.timestamp_millis();
    move |id, last| ConversationFate::new(conversations.look_up(id), last, retention, now)
}

/// The session that called us, as some tools state it.
pub fn calling_session() -> Option<String> {
    let context = env::var("SESSION_CONTEXT").ok()?;
    let id = context.split("session_id=").nth(1)?;
    let id = id.split([',', ';', ' ', '"', '\'']).next()?.trim();
    (!id.is_empty()).then(|| id.to_owned())
}

fn checked_id(text: &str) -> Result<String, &'static str> {
    let is_empty = text.trim().is_empty();
    (!is_empty)
        .then(|| text.to_owned())
        .ok_or("the id is empty")
}

/// Records in this config directory.
fn recorder(own: Option<PathBuf>) -> anyhow::Result<Recorder> {
    let root = own.context("no config directory")?;
    if !root.is_dir() {
        bail!("{}: no such directory", root.display());
    }
    let state = state_folder().context("no home directory: set HOME")?;
    Ok(Recorder::new(&root, &state))
}
