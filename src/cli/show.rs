//! `claude-resume show`: the conversation that resuming a session would bring back.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde::Serialize;

use super::surroundings::Surroundings;
use super::{Outcome, collect, complain};
use crate::list::has_prefix;
use crate::store::Depth;
use crate::text::{escape_json, sanitize};
use crate::transcript::{Chain, EntryId, Index, LeafRule, Message, load, read_messages};

/// Show the conversation that resuming a session would bring back
///
/// The branch that Claude Code would take, from the last compaction on, with parallel tool calls
/// in place; rewound branches and sub-agents are left out.
#[derive(Debug, Args)]
pub struct Show {
    /// An id or its beginning, or the path of a transcript
    #[arg(value_name = "ID|FILE", value_parser = NonEmptyStringValueParser::new())]
    session: String,

    /// Where the conversation ends: as `claude --resume` has it, at the newest message of the
    /// file, or at the entry with this UUID
    #[arg(long, value_name = "resume|newest|UUID", default_value = "resume")]
    leaf: String,

    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    session_id: &'a str,
    path: String,
    rule: &'a str,
    leaf: Option<&'a str>,
    /// Parents that are named and not there.
    gaps: usize,
    /// Lines that could not be read.
    bad_lines: u64,
    messages: &'a [Message],
}

impl Show {
    pub fn run(self, _: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let Some(path) = find(&self.session, roots)? else {
            complain(&format!(
                "{}: no session has this id or begins with it: `claude-resume list --all` shows them",
                self.session
            ));
            return Ok(Outcome::NothingFound);
        };
        let rule = match self.leaf.as_str() {
            "resume" => LeafRule::Resume,
            "newest" => LeafRule::Newest,
            id => match EntryId::of(id.as_bytes()) {
                Some(id) => LeafRule::Entry(id),
                None => bail!("--leaf: '{id}' is no entry: it takes resume, newest or a UUID"),
            },
        };
        let unreadable = || format!("{}: cannot be read", path.display());
        let index = load(&path).with_context(unreadable)?;
        let chain = Chain::build(&index, rule);
        if chain.leaf.is_none() && matches!(rule, LeafRule::Entry(_)) {
            bail!("--leaf: {} has no entry {}", path.display(), self.leaf);
        }
        let file = File::open(&path).with_context(unreadable)?;
        let messages = read_messages(&file, chain.messages(&index)).with_context(unreadable)?;
        let leaf = chain.leaf.map(|leaf| &index.links()[leaf.position()]);
        let leaf = read_messages(&file, leaf.into_iter()).with_context(unreadable)?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            let shown = Shown {
                session_id: &path.file_stem().unwrap_or_default().to_string_lossy(),
                path: path.to_string_lossy().into_owned(),
                rule: &self.leaf,
                leaf: leaf.first().map(|leaf| leaf.uuid.as_str()),
                gaps: chain.gaps,
                bad_lines: index.health.bad,
                messages: &messages,
            };
            writeln!(out, "{}", escape_json(&serde_json::to_string(&shown)?))?;
        } else {
            print_text(&mut out, &messages)?;
        }
        out.flush()?;
        report(&index, &chain, &messages);
        Ok(if messages.is_empty() {
            Outcome::NothingFound
        } else {
            Outcome::Done
        })
    }
}

/// The transcript that is meant. An id that fits several sessions is an error that names them.
fn find(session: &str, roots: &[PathBuf]) -> anyhow::Result<Option<PathBuf>> {
    let path = Path::new(session);
    if path
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        return Ok(Some(path.to_owned()));
    }
    let (rows, _) = collect(roots, Depth::Candidates)?;
    let found: Vec<_> = rows
        .iter()
        .filter(|row| has_prefix(&row.session.stamp.id, session))
        .collect();
    match found.as_slice() {
        [] => Ok(None),
        [row] => Ok(Some(row.session.stamp.path())),
        several => {
            let ids: Vec<&str> = several.iter().map(|row| &*row.session.stamp.id).collect();
            bail!(
                "{session}: {} sessions begin with it: {}",
                ids.len(),
                ids.join(", ")
            );
        }
    }
}

/// Who said what, a paragraph a message. Tool calls are named, their results are not.
fn print_text(out: &mut impl Write, messages: &[Message]) -> io::Result<()> {
    for message in messages {
        let who = match message.kind.as_str() {
            "user" => "You",
            _ => "Claude",
        };
        for block in &message.blocks {
            let field = |key: &str| block.get(key).and_then(|value| value.as_str());
            match (field("type"), field("text"), field("name")) {
                (Some("text"), Some(text), _) => {
                    for line in text.lines() {
                        writeln!(out, "{who:>6} | {}", sanitize(line))?;
                    }
                    writeln!(out)?;
                }
                (Some("tool_use"), _, Some(tool)) => {
                    writeln!(out, "{who:>6} | > {}\n", sanitize(tool))?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Says what is wrong with the file, if anything is.
fn report(index: &Index, chain: &Chain, messages: &[Message]) {
    let health = &index.health;
    let counted = |count: u64, one: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {one}{plural}")
    };
    let mut notes = Vec::new();
    if health.bad > 0 {
        notes.push(counted(health.bad, "bad line"));
    }
    if health.glued > 0 {
        notes.push(counted(health.glued, "glued line"));
    }
    if chain.gaps > 0 {
        let gaps = counted(chain.gaps as u64, "gap");
        notes.push(format!("{gaps}: what lies before is out of reach"));
    }
    let notes = if notes.is_empty() {
        String::new()
    } else {
        format!(" ({})", notes.join("; "))
    };
    // Not a complaint: no program name in front.
    let shown = counted(messages.len() as u64, "message");
    let _ = writeln!(io::stderr(), "{shown}{notes}");
}
