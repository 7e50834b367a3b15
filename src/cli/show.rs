//! `claude-resume show`: the conversation that resuming a session would load.

mod around;
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
use super::list::parse_count;
use super::pager::page;
use super::pick::look::glyphs;
use super::surroundings::{Stdout, Surroundings};
use super::what::Target;
use super::{Exit, complain, counted};
use crate::store::{LITE_WINDOW, Sidecar};
use crate::transcript::{
    Chain, Earlier, EarlierPart, EntryId, IndexStart, LeafRule, LoadExtent, SubAgent,
    cost_in_configs, earlier, load,
};
use crate::tui::Reach;
use shown::{Portion, Shown, WINDOW, unreadable};

/// Show the conversation that resuming a session would load
///
/// Follows the branch that Claude Code would take, from the last compaction on. Rewound branches
/// and sub-agents are left out.
// One field for each option.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Args)]
pub struct ShowCommand {
    /// An id or the beginning of one, an exact title, or the path of a transcript
    #[arg(value_name = "ID|TITLE|FILE", value_parser = NonEmptyStringValueParser::new())]
    session: String,

    /// The end of the conversation: as in `claude --resume`, the newest message in the file, or the
    /// entry with this UUID
    #[arg(long, value_name = "resume|newest|UUID", default_value = "resume")]
    leaf: String,

    /// Show the part before the last compaction; repeat it to go further back
    #[arg(long, action = clap::ArgAction::Count)]
    before_compaction: u8,

    /// Show a sub-agent of this session, by its id or the beginning of it
    #[arg(long, value_name = "ID")]
    subagent: Option<String>,

    /// Show only the message with this UUID and those around it, wherever it is: also before a
    /// compaction, on a rewound branch, or in a sub-agent. The beginning of a UUID is enough. The
    /// message is printed whole, those around it up to 4000 characters
    #[arg(long, value_name = "UUID", conflicts_with_all = ["leaf", "before_compaction", "subagent", "branches", "md"])]
    around: Option<String>,

    /// With --around: messages before and after it
    #[arg(short = 'C', long, value_name = "N", default_value = "3", requires = "around", value_parser = parse_count)]
    context: usize,

    /// List the branches of the session, one per line
    #[arg(long, conflicts_with_all = ["md", "before_compaction"])]
    branches: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["md", "branches"])]
    json: bool,

    /// Print Markdown
    #[arg(long)]
    md: bool,
}

impl ShowCommand {
    pub fn run(self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let path = match self.find(surroundings)? {
            Ok(path) => path,
            Err(exit) => return Ok(exit),
        };
        if let Some(uuid) = &self.around {
            return around::run(&path, uuid, self.context, self.json, surroundings);
        }
        let mut shown = self.load(path)?;
        for compactions in 0..self.before_compaction {
            let Some(earlier) = before(&shown)? else {
                let why = match compactions {
                    0 => "was never compacted".to_owned(),
                    times => format!("was compacted only {}", counted(times.into(), "time")),
                };
                complain(&format!("{}: the conversation {why}", self.session));
                return Ok(Exit::NOTHING_FOUND);
            };
            shown = earlier;
        }
        add_cost(&mut shown, &surroundings.config_files());
        add_title(&mut shown);
        self.print(&shown, surroundings)?;
        if !self.branches {
            let _ = writeln!(io::stderr(), "{}", ledger::closing_line(&shown));
        }
        Ok(if shown.is_empty() {
            Exit::NOTHING_FOUND
        } else {
            Exit::DONE
        })
    }

    /// The transcript that is named. Without one the reason is printed, and the exit code returned.
    fn find(&self, surroundings: &Surroundings) -> anyhow::Result<Result<PathBuf, Exit>> {
        let wanted = &self.session;
        let target = surroundings.target(std::slice::from_ref(wanted), Reach::Here)?;
        let (what, candidates) = match target {
            Target::One(found) => return Ok(Ok(found.session.file.path())),
            Target::File(path) => return Ok(Ok(path)),
            Target::NoSession(why) => (why, Vec::new()),
            Target::Several { how, candidates } => {
                let count = candidates.len();
                let what = format!("{wanted}: {count} {how}: pass an id");
                (what, candidates)
            }
            Target::Search(text) => {
                let candidates = surroundings.having(&text);
                let next = match candidates.len() {
                    0 => "`claude-resume list --all` lists them",
                    1 => "this one contains it",
                    _ => "these contain it",
                };
                let what = format!("{wanted}: no session has this id or title: {next}");
                (what, candidates)
            }
        };
        if candidates.is_empty() {
            complain(&what);
            return Ok(Err(Exit::NOTHING_FOUND));
        }
        tell_several(&what, &candidates, surroundings);
        Ok(Err(Exit::FAILED))
    }

    /// Loads the session or its sub-agent.
    fn load(&self, path: PathBuf) -> anyhow::Result<Shown> {
        let rule = self.rule()?;
        let shown = match &self.subagent {
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
        Ok(shown)
    }

    fn rule(&self) -> anyhow::Result<LeafRule> {
        Ok(match self.leaf.as_str() {
            "resume" => LeafRule::Resume,
            "newest" => LeafRule::Newest,
            id => match EntryId::of(id.as_bytes()) {
                Some(id) => LeafRule::Entry(id),
                None => bail!(
                    "--leaf: '{id}' is not a UUID: use resume, newest or the UUID of an entry"
                ),
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

/// The part before the compaction that a conversation begins with; `None` without a compaction.
fn before(shown: &Shown) -> anyhow::Result<Option<Shown>> {
    let history = earlier(&shown.path, &shown.index, &shown.chain);
    match history.with_context(|| unreadable(&shown.path))? {
        EarlierPart::Complete => Ok(None),
        EarlierPart::Found(earlier) => {
            let Earlier { path, index, chain } = *earlier;
            Shown::read(Portion::BeforeCompaction, path, index, chain, WINDOW).map(Some)
        }
        EarlierPart::Gone => bail!(
            "{}: the part before the compaction was not found, neither in this file nor in its folder",
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
        // It may be before a compaction, which resuming does not load.
        index = load(&path, LoadExtent::Everything).with_context(|| unreadable(&path))?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // `newest` follows Anthropic's SDK, which returns nothing for an agent's file.
    if name.starts_with("agent-") && rule != LeafRule::Newest {
        index = index.of_subagent();
    }
    let chain = Chain::build(&index, rule);
    Shown::read(Portion::Resumed, path, index, chain, WINDOW)
}

fn subagent_path(shown: &Shown, wanted: &str) -> anyhow::Result<PathBuf> {
    let wanted = wanted.strip_prefix("agent-").unwrap_or(wanted);
    let agents = &shown.agents;
    if let Some(agent) = agents.iter().find(|agent| agent.id == wanted) {
        return Ok(agent.path.clone());
    }
    let names = |agents: &[&SubAgent]| {
        let names: Vec<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
        names.join(", ")
    };
    let all: Vec<&SubAgent> = agents.iter().collect();
    let fitting = agents.iter().filter(|agent| agent.id.starts_with(wanted));
    match fitting.collect::<Vec<_>>().as_slice() {
        [agent] => Ok(agent.path.clone()),
        [] if all.is_empty() => bail!("--subagent: this session has no sub-agents"),
        [] => bail!(
            "--subagent: no sub-agent '{wanted}': this session has {}",
            names(&all)
        ),
        several => bail!("--subagent: '{wanted}' matches {}", names(several)),
    }
}

/// Newer transcripts contain their cost. For others Claude Code may have noted it in its
/// configuration, if this was the last session of the project.
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

/// A name from `/rename` is also kept next to the transcript. It counts unless the end of the
/// transcript has another one.
fn add_title(shown: &mut Shown) {
    let sidecar = Sidecar::read(&shown.path.with_extension(""));
    let size = std::fs::metadata(&shown.path).map_or(0, |file| file.len());
    let tail = size.saturating_sub(LITE_WINDOW);
    let titled = shown.index.metadata.last("custom-title");
    if let Some(custom) = sidecar.ok().and_then(|sidecar| sidecar.custom_title)
        && titled.is_none_or(|place| place.offset < tail)
    {
        shown.digest.state.title = Some(custom);
    }
}
