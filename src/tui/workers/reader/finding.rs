//! Finding in turns that no page holds: each is read, searched and dropped.
//!
//! From the window on to the end, then from the window back to the beginning: the next match in
//! either direction is found before any other.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::cancel::cancelled;
use super::library::{OpenFiles, agent_calls};
use super::open::OpenConversation;
use crate::preview::{Agent, AgentWork, Library, Manner, TurnPos, agent_texts, long_text};
use crate::transcript::Turn;
use crate::tui::seek::{FindTarget, OfAgent, in_turn, left_out};

/// What to find, and how the turns are laid out for it.
#[derive(Clone, Copy)]
pub struct TurnSearch<'a> {
    pub sought: &'a FindTarget,
    pub manner: Manner<'a>,
    pub go_on: &'a dyn Fn() -> bool,
}

/// Searches the turns that are held for a page.
pub fn in_window(opened: &mut OpenConversation, search: TurnSearch<'_>, held: Range<i64>) {
    for (number, turn) in held.clone().zip(opened.book.turns(held)) {
        let is_known = opened.findings.has(number, search.manner.options);
        if !is_known && search_turn(opened, search, (number, &turn)).is_err() {
            return;
        }
    }
}

/// Searches all other turns, and reports after each stretch.
pub fn elsewhere(
    opened: &mut OpenConversation,
    search: TurnSearch<'_>,
    held: Range<i64>,
    tell: &mut dyn FnMut(&OpenConversation),
) -> io::Result<()> {
    let options = search.manner.options;
    let all = opened.book.numbers();
    let order = (held.end..all.end).chain((all.start..held.start).rev());
    for number in order {
        if opened.findings.is_plenty() {
            return Ok(());
        }
        if opened.findings.has(number, options) {
            continue;
        }
        let mut files = OpenFiles::new(&mut opened.files, all.start, options, search.go_on);
        let Some((first, turns)) = files.stretch(number) else {
            return Err(files.error.unwrap_or_else(cancelled));
        };
        for (number, turn) in (first..).zip(&turns) {
            if !held.contains(&number) && !opened.findings.has(number, options) {
                search_turn(opened, search, (number, turn))?;
            }
        }
        let held = opened.book.turns(held.clone());
        opened.files.keep_agents(&held, &mut opened.book.agents);
        tell(opened);
    }
    Ok(())
}

/// Searches one turn. Fails if it was cancelled: the matches so far are not all.
fn search_turn(
    opened: &mut OpenConversation,
    search: TurnSearch<'_>,
    (number, turn): (i64, &Turn),
) -> io::Result<()> {
    let TurnSearch {
        sought,
        manner,
        go_on,
    } = search;
    let OpenConversation {
        files,
        book,
        findings,
        gist,
        ..
    } = opened;
    OpenFiles::new(files, book.numbers().start, manner.options, go_on).agents_of(
        number,
        turn,
        &mut book.agents,
    );
    if !go_on() {
        return Err(cancelled());
    }
    let sees_agents = sought.is_phrase() && !agent_calls(number, turn).is_empty();
    if sees_agents {
        files.list_agents(&mut book.agents);
    }
    let lines = book.lines_of(number, turn, manner);
    let cwd = gist.cwd();
    let mut agent = |call: &str, part: OfAgent| {
        if !sees_agents || !go_on() {
            return 0;
        }
        if let (Some(count), OfAgent::All) = (findings.count_in_agent(call), part) {
            return count;
        }
        let known = book.agents.started_by(call).map(|agent| &agent.work);
        let work = match known {
            Some(AgentWork::Read(turns)) => Some(AgentWork::Read(Arc::clone(turns))),
            _ => match files.work_of(call, go_on) {
                Ok(read) => read.map(|(work, _)| work),
                Err(_) => return 0,
            },
        };
        let of_turn = |turns: &[Turn], place: TurnPos, count: &dyn Fn(&Turn) -> usize| {
            let turn = usize::try_from(place.turn).ok();
            turn.and_then(|at| turns.get(at)).map_or(0, count)
        };
        match (work, part) {
            (Some(work), OfAgent::All) => {
                let count = sought.lines_in(&agent_texts(&Agent { kind: None, work }, manner));
                findings.put_agent(call, count);
                count
            }
            (Some(AgentWork::Read(turns)), OfAgent::Part(inner)) => {
                of_turn(&turns, inner, &|turn| sought.lines_hidden(turn, inner, cwd))
            }
            (Some(AgentWork::Read(turns)), OfAgent::Rest(inner)) => {
                of_turn(&turns, inner, &|turn| {
                    left_out(sought, &long_text(turn, inner, cwd))
                })
            }
            _ => 0,
        }
    };
    let shape = (manner.options, cwd);
    let found = in_turn(sought, (number, turn), &lines, shape, &mut agent);
    if !go_on() {
        return Err(cancelled());
    }
    findings.put(number, found);
    Ok(())
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
