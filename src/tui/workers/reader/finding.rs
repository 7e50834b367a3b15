//! Finding in turns that no page holds: each is read, looked through and let go.
//!
//! From the window on to the end, then from the window back to the beginning: the match that is
//! gone to next, in either direction, is found before any other.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::library::{Reading, agent_calls};
use super::open::Opened;
use super::stoppable::stopped;
use crate::preview::{Agent, Library, Manner, TurnPos, Work, agent_texts, long_text};
use crate::transcript::Turn;
use crate::tui::request::PreviewRequest;
use crate::tui::seek::{OfAgent, Sought, in_turn, left_out};

/// What is looked for, and how the turns are laid out for it.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub sought: &'a Sought,
    pub request: &'a PreviewRequest,
    pub manner: Manner<'a>,
    /// Is it still wanted?
    pub go_on: &'a dyn Fn() -> bool,
}

/// Looks through the turns that are held for a page.
pub fn in_window(opened: &mut Opened, look: Look<'_>, held: Range<i64>) {
    for (number, turn) in held.clone().zip(opened.book.turns(held)) {
        if opened.findings.has(number, &look.request.options) {
            continue;
        }
        if look_through(opened, look, (number, &turn)).is_err() {
            return;
        }
    }
}

/// Looks through all other turns, and tells after each stretch what there is now.
pub fn elsewhere(
    opened: &mut Opened,
    look: Look<'_>,
    held: Range<i64>,
    tell: &mut dyn FnMut(&Opened),
) -> io::Result<()> {
    let options = &look.request.options;
    let all = opened.book.numbers();
    let order = (held.end..all.end).chain((all.start..held.start).rev());
    for number in order {
        if opened.findings.is_plenty() {
            return Ok(());
        }
        if opened.findings.has(number, options) {
            continue;
        }
        let mut reading = Reading {
            files: &mut opened.files,
            first: all.start,
            options,
            go_on: look.go_on,
            error: None,
        };
        let Some((first, turns)) = reading.stretch(number) else {
            return Err(reading.error.unwrap_or_else(stopped));
        };
        for (number, turn) in (first..).zip(&turns) {
            if !held.contains(&number) && !opened.findings.has(number, options) {
                look_through(opened, look, (number, turn))?;
            }
        }
        let held = opened.book.turns(held.clone());
        opened.files.keep_agents(&held, &mut opened.book.agents);
        tell(opened);
    }
    Ok(())
}

/// Looks through one turn. Fails if it was told to stop: what was found until then is not all.
fn look_through(
    opened: &mut Opened,
    look: Look<'_>,
    (number, turn): (i64, &Turn),
) -> io::Result<()> {
    let Look {
        sought,
        request,
        manner,
        go_on,
    } = look;
    let Opened {
        files,
        book,
        findings,
        gist,
        ..
    } = opened;
    let mut reading = Reading {
        files,
        first: book.numbers().start,
        options: &request.options,
        go_on,
        error: None,
    };
    reading.agents_of(number, turn, &mut book.agents);
    if !go_on() {
        return Err(stopped());
    }
    let sees_agents = request.find.is_some() && !agent_calls(number, turn).is_empty();
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
            Some(Work::Read(turns)) => Some(Work::Read(Arc::clone(turns))),
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
            (Some(Work::Read(turns)), OfAgent::Part(inner)) => {
                of_turn(&turns, inner, &|turn| sought.lines_hidden(turn, inner, cwd))
            }
            (Some(Work::Read(turns)), OfAgent::Rest(inner)) => of_turn(&turns, inner, &|turn| {
                left_out(sought, &long_text(turn, inner, cwd))
            }),
            _ => 0,
        }
    };
    let shape = (&request.options, cwd);
    let found = in_turn(sought, (number, turn), &lines, shape, &mut agent);
    if !go_on() {
        return Err(stopped());
    }
    findings.put(number, found);
    Ok(())
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
