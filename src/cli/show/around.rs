//! `show --around`: a message, and those before and after it, on whatever branch it is.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use uuid::Uuid;

use super::shown::unreadable;
use crate::cli::messages::{self, SaidText, described, place};
use crate::cli::pager::page;
use crate::cli::surroundings::{Ink, Stdout, Surroundings};
use crate::cli::{Exit, complain};
use crate::text::escape_json;
use crate::transcript::{EntryId, Standing, Standings, agent_files, agents_beside};

/// Looks for the message in a session and in its sub-agents, and prints it.
pub fn run(
    session: &Path,
    wanted: &str,
    context: usize,
    is_json: bool,
    surroundings: &Surroundings,
) -> anyhow::Result<Exit> {
    let Some(id) = EntryId::of(wanted.as_bytes()) else {
        bail!("--around: '{wanted}' is not the UUID of a message");
    };
    let Some((path, standing, said)) = find(session, id.uuid(), context)? else {
        complain(&format!("--around: this session has no message {wanted}"));
        return Ok(Exit::NOTHING_FOUND);
    };
    if is_json {
        let object = json!({
            "sessionId": session.file_stem().unwrap_or_default().to_string_lossy(),
            "path": path.to_string_lossy(),
            "uuid": id.hyphenated(),
            "place": place(standing),
            "messages": said.iter().map(SaidText::json).collect::<Vec<_>>(),
        });
        writeln!(io::stdout(), "{}", escape_json(&object.to_string()))?;
        return Ok(Exit::DONE);
    }
    let now = surroundings.now.timestamp_millis();
    let ink = match surroundings.stdout {
        Stdout::Terminal { ink, .. } => ink,
        Stdout::Pipe => Ink::Plain,
    };
    let mut print = |out: &mut dyn Write| {
        writeln!(out, "{}\n", described(standing))?;
        for said in &said {
            said.print(out, ink, now)?;
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

type Place = (PathBuf, Standing, Vec<SaidText>);

fn find(session: &Path, uuid: Uuid, context: usize) -> anyhow::Result<Option<Place>> {
    let agents = agent_files(session).with_context(|| unreadable(session))?;
    // Nobody reads the folder of all sessions who need not.
    let beside = std::iter::once_with(|| agents_beside(session).unwrap_or_default());
    let agents = agents.into_iter().chain(beside.flatten());
    for path in std::iter::once(session.to_owned()).chain(agents) {
        let standings = Standings::load(&path).with_context(|| unreadable(&path))?;
        if let Some(standing) = standings.of(uuid) {
            let said = messages::read(&path, &standings.around(uuid, context));
            let said = said.with_context(|| unreadable(&path))?;
            return Ok(Some((path, standing, said)));
        }
    }
    Ok(None)
}
