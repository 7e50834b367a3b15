//! `claude-resume show`: the conversation that resuming a session would bring back.

mod branches;
mod head;
mod json;
mod ledger;
mod markdown;
mod shown;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::candidates::tell_several;
use super::pager::page;
use super::pick::look::glyphs;
use super::surroundings::{Stdout, Surroundings};
use super::what::{Meant, Reach, Store};
use super::{Outcome, complain};
use crate::store::{LITE_WINDOW, Sidecar};
use crate::transcript::{
    Chain, Earlier, EarlierPart, EntryId, IndexStart, LeafRule, LoadExtent, Metadata, SubAgent,
    cost_in_configs, earlier, load,
};
use shown::{Shown, Span, WINDOW, unreadable};

/// Show the conversation that resuming a session would bring back
///
/// The branch that Claude Code would take, from the last compaction on, with parallel tool calls
/// in place; rewound branches and sub-agents are left out.
// Each flag is one that a person types.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Args)]
pub struct Show {
    /// An id or its beginning, an exact title, or the path of a transcript
    #[arg(value_name = "ID|TITLE|FILE", value_parser = NonEmptyStringValueParser::new())]
    session: String,

    /// Where the conversation ends: as `claude --resume` has it, at the newest message of the
    /// file, or at the entry with this UUID
    #[arg(long, value_name = "resume|newest|UUID", default_value = "resume")]
    leaf: String,

    /// What was said before the last compaction instead of what followed it; given twice, before
    /// the one before that
    #[arg(long, action = clap::ArgAction::Count)]
    before_compaction: u8,

    /// The conversation of a sub-agent of this session, by its id or the beginning of it
    #[arg(long, value_name = "ID")]
    subagent: Option<String>,

    /// The branches of the session, one a line, instead of a conversation
    #[arg(long, conflicts_with_all = ["md", "before_compaction"])]
    branches: bool,

    /// One JSON object instead of text
    #[arg(long, conflicts_with_all = ["md", "branches"])]
    json: bool,

    /// Markdown instead of text
    #[arg(long)]
    md: bool,
}

/// What came of looking for a conversation.
enum Asked {
    Found(Box<Shown>),
    /// More compactions were to be looked behind than there are.
    TooFarBack {
        compactions: u8,
    },
}

impl Show {
    pub fn run(self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let path = match self.find(surroundings, roots)? {
            Ok(path) => path,
            Err(outcome) => return Ok(outcome),
        };
        let mut shown = match self.shown(path)? {
            Asked::Found(shown) => *shown,
            Asked::TooFarBack { compactions } => {
                let why = match compactions {
                    0 => "nothing was compacted in this conversation".to_owned(),
                    1 => "it was compacted once".to_owned(),
                    times => format!("it was compacted {times} times"),
                };
                complain(&format!(
                    "{}: {why}: there is nothing before it",
                    self.session
                ));
                return Ok(Outcome::NothingFound);
            }
        };
        add_cost(&mut shown, &surroundings.config_files(roots));
        add_title(&mut shown);
        self.print(&shown, surroundings)?;
        if !self.branches {
            let _ = writeln!(io::stderr(), "{}", ledger::closing_line(&shown));
        }
        Ok(if shown.is_empty() {
            Outcome::NothingFound
        } else {
            Outcome::Done
        })
    }

    /// The transcript that is meant; or, where none is, how that ends. Why has been said then.
    fn find(
        &self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
    ) -> anyhow::Result<Result<PathBuf, Outcome>> {
        let wanted = &self.session;
        let store = Store {
            roots,
            surroundings,
        };
        let (what, candidates) = match store.meant(std::slice::from_ref(wanted), Reach::Here)? {
            Meant::One(seen) => return Ok(Ok(seen.session.file.path())),
            Meant::File(path) => return Ok(Ok(path)),
            Meant::NoSession(why) => (why, Vec::new()),
            Meant::Remote(remote) => bail!(
                "{}: is an address; only what is on this machine can be shown",
                remote.address
            ),
            Meant::Several { how, candidates } => {
                let count = candidates.len();
                let what = format!("{wanted}: {count} sessions {how}: name one by its id");
                (what, candidates)
            }
            Meant::Search(text) => {
                let candidates = store.having(&text)?;
                let next = match candidates.len() {
                    0 => "`claude-resume list --all` shows them",
                    1 => "this one has it somewhere",
                    _ => "these have it somewhere",
                };
                let what = format!("{wanted}: no session has this id or title: {next}");
                (what, candidates)
            }
        };
        if candidates.is_empty() {
            complain(&what);
            return Ok(Err(Outcome::NothingFound));
        }
        tell_several(&what, &candidates, surroundings);
        Ok(Err(Outcome::Failed))
    }

    /// Loads what is asked for.
    fn shown(&self, path: PathBuf) -> anyhow::Result<Asked> {
        let rule = self.rule()?;
        let mut shown = match &self.subagent {
            Some(wanted) => {
                let main = load_session(path, LeafRule::Resume)?;
                load_session(subagent_path(&main, wanted)?, rule)?
            }
            None => load_session(path, rule)?,
        };
        if shown.chain.leaf.is_none() && matches!(rule, LeafRule::Entry(_)) {
            bail!(
                "--leaf: {} has no entry {}",
                shown.path.display(),
                self.leaf
            );
        }
        for compactions in 0..self.before_compaction {
            match before(&shown)? {
                Some(earlier) => shown = earlier,
                None => return Ok(Asked::TooFarBack { compactions }),
            }
        }
        Ok(Asked::Found(Box::new(shown)))
    }

    fn rule(&self) -> anyhow::Result<LeafRule> {
        Ok(match self.leaf.as_str() {
            "resume" => LeafRule::Resume,
            "newest" => LeafRule::Newest,
            id => match EntryId::of(id.as_bytes()) {
                Some(id) => LeafRule::Entry(id),
                None => bail!("--leaf: '{id}' is no entry: it takes resume, newest or a UUID"),
            },
        })
    }

    fn print(&self, shown: &Shown, surroundings: &Surroundings) -> anyhow::Result<()> {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            json::print(&mut out, shown, &self.leaf)?;
        } else if self.md {
            markdown::print(&mut out, shown, &head::facts(shown, surroundings))?;
        } else if self.branches {
            branches::print(&mut out, shown, surroundings)?;
        } else {
            let facts = head::facts(shown, surroundings);
            let stdout = surroundings.stdout;
            let mut print =
                |out: &mut dyn Write| ledger::print(out, shown, &facts, stdout, glyphs());
            if matches!(stdout, Stdout::Terminal { .. }) {
                drop(out);
                return page(&mut print);
            }
            print(&mut out)?;
        }
        out.flush()?;
        Ok(())
    }
}

/// What was said before the compaction that a conversation begins with; `None` if it begins at
/// its beginning.
fn before(shown: &Shown) -> anyhow::Result<Option<Shown>> {
    let history = earlier(&shown.path, &shown.index, &shown.chain);
    match history.with_context(|| unreadable(&shown.path))? {
        EarlierPart::Complete => Ok(None),
        EarlierPart::Found(earlier) => {
            let Earlier { path, index, chain } = *earlier;
            Shown::read(Span::BeforeCompaction, path, index, chain, WINDOW).map(Some)
        }
        EarlierPart::Gone => bail!(
            "{}: what was said before the compaction is neither in this file nor in one beside it",
            shown.path.display()
        ),
    }
}

fn load_session(path: PathBuf, rule: LeafRule) -> anyhow::Result<Shown> {
    let mut index = load(&path, LoadExtent::Resumed).with_context(|| unreadable(&path))?;
    if let LeafRule::Entry(id) = rule
        && index.position(id).is_none()
        && index.start == IndexStart::Boundary
    {
        // It may lie before a compaction, where resuming does not look.
        index = load(&path, LoadExtent::Everything).with_context(|| unreadable(&path))?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Anthropic's SDK, whose rule `newest` is, gives nothing of an agent's file.
    if name.starts_with("agent-") && rule != LeafRule::Newest {
        index = index.of_subagent();
    }
    let chain = Chain::build(&index, rule);
    Shown::read(Span::Resumed, path, index, chain, WINDOW)
}

fn subagent_path(shown: &Shown, wanted: &str) -> anyhow::Result<PathBuf> {
    let wanted = wanted.strip_prefix("agent-").unwrap_or(wanted);
    let exact = shown.agents.iter().find(|agent| agent.id == wanted);
    if let Some(agent) = exact {
        return Ok(agent.path.clone());
    }
    let fitting: Vec<&SubAgent> = shown
        .agents
        .iter()
        .filter(|agent| agent.id.starts_with(wanted))
        .collect();
    let names = |agents: &[&SubAgent]| {
        let names: Vec<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
        names.join(", ")
    };
    match fitting.as_slice() {
        [agent] => Ok(agent.path.clone()),
        [] if shown.agents.is_empty() => bail!("--subagent: this session has no sub-agents"),
        [] => {
            let all: Vec<&SubAgent> = shown.agents.iter().collect();
            bail!(
                "--subagent: no sub-agent '{wanted}': there are {}",
                names(&all)
            )
        }
        several => bail!("--subagent: '{wanted}' may be {}", names(several)),
    }
}

/// Newer transcripts state their cost. For others the project may remember it, if this was its
/// last session.
fn add_cost(shown: &mut Shown, configs: &[PathBuf]) {
    if shown.digest.state.cost.is_some() {
        return;
    }
    let Some(cwd) = shown.cwd() else {
        return;
    };
    let id = shown.session_id();
    shown.digest.state.cost = cost_in_configs(configs, cwd, &id);
}

/// A name that `/rename` gave is also kept beside the transcript. It counts unless the end of the
/// transcript says otherwise.
fn add_title(shown: &mut Shown) {
    let sidecar = Sidecar::read(&shown.path.with_extension(""));
    let size = std::fs::metadata(&shown.path).map_or(0, |file| file.len());
    let tail = size.saturating_sub(LITE_WINDOW);
    let titled = shown.index.metadata.last(Metadata::CustomTitle);
    if let Some(custom) = sidecar.custom_title
        && titled.is_none_or(|place| place.offset < tail)
    {
        shown.digest.state.title = Some(custom);
    }
}
