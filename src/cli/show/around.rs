//! `show --around`: a message, and those before and after it, on whatever branch it is.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use uuid::Uuid;

use super::shown::unreadable;
use crate::cli::messages::{self, Look, SaidText, Times, described, place};
use crate::cli::pager::page;
use crate::cli::surroundings::{Ink, Stdout, Surroundings};
use crate::cli::{Exit, complain};
use crate::text::escape_json;
use crate::transcript::{EntryId, Standings, agent_files, agents_beside};

/// Candidates of an ambiguous beginning that are named.
const MOST_NAMED: usize = 5;

/// Looks for the message in a session and in its sub-agents, and prints it.
pub fn run(
    session: &Path,
    wanted: &str,
    context: usize,
    is_json: bool,
    surroundings: &Surroundings,
) -> anyhow::Result<Exit> {
    let Some(name) = MessageName::of(wanted) else {
        bail!("--around: '{wanted}' is not the UUID of a message");
    };
    let Some((path, standings, uuid)) = find(session, wanted, &name)? else {
        complain(&format!("--around: this session has no message {wanted}"));
        return Ok(Exit::NOTHING_FOUND);
    };
    let said = messages::read(&path, &standings.around(uuid, context), Some(uuid));
    let said = said.with_context(|| unreadable(&path))?;
    let standing = standings.of(uuid);
    if is_json {
        let object = json!({
            "sessionId": session.file_stem().unwrap_or_default().to_string_lossy(),
            "path": path.to_string_lossy(),
            "uuid": uuid.to_string(),
            "place": standing.map(place),
            "messages": said.iter().map(SaidText::json).collect::<Vec<_>>(),
        });
        writeln!(io::stdout(), "{}", escape_json(&object.to_string()))?;
        return Ok(Exit::DONE);
    }
    let look = match surroundings.stdout {
        Stdout::Terminal { ink, columns } => Look {
            ink,
            times: Times::Ages(surroundings.now.timestamp_millis()),
            columns: Some(columns),
        },
        Stdout::Pipe => Look {
            ink: Ink::Plain,
            times: Times::Absolute,
            columns: None,
        },
    };
    let mut print = |out: &mut dyn Write| {
        writeln!(out, "{}\n", standing.map_or("", described))?;
        for said in &said {
            said.print(out, look)?;
        }
        anyhow::Ok(())
    };
    if matches!(surroundings.stdout, Stdout::Terminal { .. }) {
        page(&mut print)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        print(&mut out)?;
        out.flush()?;
    }
    Ok(Exit::DONE)
}

/// How a message is named.
enum MessageName {
    Whole(Uuid),
    /// The first hexadecimal digits of a UUID, in lower case and without hyphens.
    Beginning(String),
}

impl MessageName {
    fn of(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let is_beginning = (1..32).contains(&digits.len())
            && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if is_beginning {
            return Some(Self::Beginning(digits.to_ascii_lowercase()));
        }
        // An id that is no UUID has one all the same.
        EntryId::of(text.as_bytes()).map(|id| Self::Whole(id.uuid()))
    }
}

/// The transcript that has the message: that of the session, or that of an agent.
fn find(
    session: &Path,
    wanted: &str,
    name: &MessageName,
) -> anyhow::Result<Option<(PathBuf, Standings, Uuid)>> {
    let agents = agent_files(session).with_context(|| unreadable(session))?;
    // Nobody reads the folder of all sessions who need not.
    let beside = std::iter::once_with(|| agents_beside(session).unwrap_or_default());
    let agents = agents.into_iter().chain(beside.flatten());
    let mut found = None;
    let mut candidates: Vec<Uuid> = Vec::new();
    for path in std::iter::once(session.to_owned()).chain(agents) {
        let standings = Standings::load(&path).with_context(|| unreadable(&path))?;
        let named = match name {
            MessageName::Whole(uuid) => standings.of(*uuid).map(|_| *uuid).into_iter().collect(),
            MessageName::Beginning(digits) => standings.beginning_with(digits),
        };
        for uuid in named {
            if !candidates.contains(&uuid) {
                candidates.push(uuid);
            }
        }
        if let (None, [uuid, ..]) = (&found, candidates.as_slice()) {
            found = Some((path, standings, *uuid));
            if matches!(name, MessageName::Whole(_)) {
                break;
            }
        }
    }
    if candidates.len() > 1 {
        let mut names: Vec<String> = candidates.iter().map(Uuid::to_string).collect();
        if names.len() > MOST_NAMED {
            names.truncate(MOST_NAMED);
            names.push(format!("{} more", candidates.len() - MOST_NAMED));
        }
        let names = names.join(", ");
        bail!("--around: '{wanted}' matches {names}: type more of it");
    }
    Ok(found)
}
