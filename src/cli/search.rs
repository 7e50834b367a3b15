//! `claude-resume search`: the passages of conversations that have what is looked for.

mod context;
mod find;
mod nothing;
mod print;
mod terminal;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::list::{depth_for, if_used, included, kinds, parse_count, report_trouble};
use super::surroundings::{Surroundings, real_path};
use super::{Exit, collect, complain, counted};
use crate::list::{Rows, Scope};
use crate::search::Query;
pub use find::{Finder, FoundRow, HitOrder};
pub use nothing::suggest;

/// Search inside conversations
///
/// Finds words in titles, prompts, answers, thinking, and in what tools were given and printed, in
/// any order. "in quotes" is looked for as it is, -word must not occur, /regex/ is a regular
/// expression, and role:, tool:, file:, has: and the operators of the picker narrow it down. Quote
/// the query for your shell: claude-resume search '"exact phrase" -word'
///
/// Prints a heading per session and its best passages on a terminal. In a pipe, prints one line per
/// passage with tab-separated fields: session id, message UUID, who said it, time (RFC 3339), place
/// (resumed, before-compaction, rewound or agent), text. With --context, messages that follow each
/// other are together, each printed once, with a seventh field: match or context. A line with -- is
/// between those that do not follow each other.
///
/// Sessions with the words in their title come first, then those with adjacent words, with the words
/// in one passage (the nearer the better), and anywhere.
///
/// Exit codes: 1 if nothing matches, 2 for a query that cannot work.
// One field for each option.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct SearchCommand {
    /// What to look for
    #[arg(value_name = "QUERY", required = true, value_parser = NonEmptyStringValueParser::new())]
    query: Vec<String>,

    /// Search all projects
    #[arg(long, conflicts_with_all = ["repo", "dir"])]
    all: bool,

    /// Search this repository and all its worktrees (the default, if it has sessions)
    #[arg(long, conflicts_with = "dir")]
    repo: bool,

    /// Search exactly this directory, even if it no longer exists
    #[arg(long, value_name = "PATH")]
    dir: Option<PathBuf>,

    /// Maximum number of sessions (0 = all)
    #[arg(long, value_name = "N", default_value = "0", value_parser = parse_count)]
    limit: usize,

    /// Number of sessions to skip
    #[arg(long, value_name = "N", default_value = "0", value_parser = parse_count)]
    offset: usize,

    /// Passages of each session (0 = all)
    #[arg(short, long, value_name = "N", default_value = "3", value_parser = parse_count)]
    max_count: usize,

    /// Messages to print before and after each passage
    #[arg(short = 'C', long, value_name = "N", default_value = "0", value_parser = parse_count)]
    context: usize,

    /// In a pipe: bytes of text on each line (0 = no limit); what is around the first match is kept
    #[arg(long, value_name = "N", default_value = "500", value_parser = parse_count, conflicts_with = "json")]
    max_bytes: usize,

    /// Also search these hidden kinds, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kinds())]
    include: Vec<String>,

    /// Print only the ids of the sessions
    #[arg(short = 'l', long, conflicts_with = "json")]
    ids: bool,

    /// Print one JSON object per passage
    #[arg(long)]
    json: bool,
}

impl SearchCommand {
    pub fn run(self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let Some(query) = parse(&self.query, surroundings) else {
            return Ok(Exit::FAILED);
        };
        let include = included(&self.include);
        let depth = depth_for(&include);
        let (rows, trouble) = collect(surroundings, depth);
        if rows.is_empty() {
            if report_trouble(&trouble) > 0 {
                return Ok(Exit::FAILED);
            }
            complain(&surroundings.no_sessions());
            return Ok(Exit::NOTHING_FOUND);
        }
        let scope = self.scope(surroundings, &rows)?;
        let mut finder = Finder::new(
            &surroundings.content_sources(),
            &rows,
            query,
            &scope,
            include,
            &trouble,
        )?;
        let all = finder.find(HitOrder::Best);
        let limit = if self.limit == 0 {
            usize::MAX
        } else {
            self.limit
        };
        let page: Vec<FoundRow> = all.iter().skip(self.offset).take(limit).copied().collect();
        let count = self.print(surroundings, &mut finder, &page)?;
        if all.is_empty() {
            nothing::report(&mut finder, &self.query.join(" "), &scope);
        } else if page.is_empty() {
            let sessions = counted(all.len(), "session");
            complain(&format!("--offset leaves nothing of {sessions}"));
        } else if count == 0 {
            complain("no match any more: the files have changed");
        }
        finder.finish();
        // The process ends: it would be taken apart for nobody.
        std::mem::forget(rows);
        report_trouble(&trouble);
        Ok(if count == 0 {
            Exit::NOTHING_FOUND
        } else {
            Exit::DONE
        })
    }

    /// Where to search. As in `list`.
    fn scope(&self, surroundings: &Surroundings, rows: &Rows) -> anyhow::Result<Scope> {
        if let Some(dir) = &self.dir {
            return Ok(Scope::directory(real_path(dir).context("--dir")?));
        }
        let scope = surroundings.scope().filter(|_| !self.all);
        if self.repo && scope.is_none() {
            bail!("the current directory is gone: use --all or --dir PATH");
        }
        let scope = scope.unwrap_or(Scope::Everything);
        Ok(if self.repo {
            scope
        } else {
            if_used(scope, rows)
        })
    }
}

/// The query in these words. If it cannot work, every reason is printed.
pub fn parse(words: &[String], surroundings: &Surroundings) -> Option<Query> {
    let query = Query::parse(&words.join(" "), &surroundings.now);
    let mut problems = query.problems().iter().chain(query.unfinished()).peekable();
    let is_sound = problems.peek().is_none();
    for problem in problems {
        complain(&problem.message);
    }
    if query.is_empty() && is_sound {
        complain("nothing to look for");
    }
    (!query.is_empty() && is_sound).then_some(query)
}
