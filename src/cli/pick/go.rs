//! From the arguments to a session, and from a choice to the hand-over.

use std::env;
use std::io::{self, IsTerminal, Write};

use anyhow::bail;

use super::{Pick, Prepared};
use crate::cli::candidates::tell_several;
use crate::cli::preflight::{Decided, Decider, decide, directory, say_decided, stops};
use crate::cli::surroundings::Surroundings;
use crate::cli::what::Target;
use crate::cli::{Exit, complain};
use crate::list::has_prefix;
use crate::resume::{
    Answer, Answers, ChildSession, FoundSession, Launch, Location, Plan, Topic, answer_safely,
    probe,
};
use crate::tui::{Chosen, Outside, Printed, Question, Reach};

impl Pick {
    /// Resumes the session that the arguments name, or opens the picker.
    pub(super) fn resume(&self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let nth = if self.newest { Some(1) } else { self.last };
        let reach = if self.all { Reach::All } else { Reach::Here };
        let target = match nth {
            Some(nth) => surroundings.recent(usize::try_from(nth)?, reach),
            None => surroundings.target(&self.query, reach)?,
        };
        let prepare = |query: String| self.prepare(surroundings, query);
        let found = match target {
            Target::Search(query) => return self.pick(surroundings, prepare(query)?),
            Target::Several { how, candidates } => {
                return self.several(how, &candidates, surroundings);
            }
            Target::NoSession(why) => {
                complain(&why);
                return Ok(Exit::NOTHING_FOUND);
            }
            Target::One(found) => *found,
            Target::File(path) => surroundings.session_at(&path)?,
        };
        self.resume_found(&found, prepare(String::new())?, surroundings)
    }

    /// Resumes a session at once, unless a question has to be answered first.
    pub(super) fn resume_found(
        &self,
        found: &FoundSession,
        mut prepared: Prepared,
        surroundings: &Surroundings,
    ) -> anyhow::Result<Exit> {
        if let Some(complaint) = &prepared.complaint {
            complain(complaint);
        }
        let launch = &prepared.setting.launch;
        let session = &found.session;
        let decider = self.decider();
        // A file outside of every store is shown before it is resumed.
        if let (Decider::Screen, Location::Outside { in_store }) = (decider, &found.location) {
            prepared.setting.outside = Some(Outside {
                path: session.file.path(),
                in_store: in_store.clone(),
                id: found.id.clone(),
            });
            prepared.show_only(std::slice::from_ref(found));
            return self.pick(surroundings, prepared);
        }
        let situation = probe(found, launch, surroundings.now.timestamp_millis());
        let name = &session.meta.headline().unwrap_or_default();
        let answers = prepared.setting.answers.clone();
        if let Some(printed) = self.hand_over.printed()
            && printed != Printed::Command
        {
            let open = situation.findings(&answers);
            let stop = stops(&situation, &answers, decider);
            let answers = if self.yes {
                answer_safely(&situation, answers).answers
            } else {
                answers
            };
            let plan = Plan::of(&situation, &answers);
            let exit = self.hand_over.carry_out(&plan, name, launch, &open)?;
            return Ok(match stop {
                Some(code) if printed == Printed::Report => {
                    complain("nothing would run until you answer the question above");
                    code
                }
                _ => exit,
            });
        }
        Plan::of(&situation, &answers).check_words(launch)?;
        match decide(&situation, answers.clone(), decider)? {
            Decided::Go(plan) => self.hand_over.carry_out(&plan, name, launch, &[]),
            Decided::Ask => {
                prepared.question = Question::new(name, situation, answers);
                prepared.select(found, &surroundings.roots);
                self.pick(surroundings, prepared)
            }
            Decided::Stop(exit) => Ok(exit),
        }
    }

    /// How questions are answered.
    fn decider(&self) -> Decider {
        if self.yes {
            Decider::Yes
        } else if self.is_full_screen() && self.hand_over.printed().is_none_or(asks) {
            Decider::Screen
        } else if io::stdin().is_terminal() {
            Decider::Lines
        } else {
            Decider::NoOne
        }
    }

    /// The answers in the arguments.
    pub(super) fn given_answers(&self) -> anyhow::Result<Answers> {
        let mut given = Answers::default();
        // A shell may have an alias for a program that is not on the PATH.
        if self.hand_over.print_command {
            given = given.with(Topic::Program, Answer::GoOn);
        }
        let Some(typed) = &self.directory else {
            return Ok(given);
        };
        match directory(typed) {
            Some(path) => Ok(given.with(Topic::Directory, Answer::GoTo(path))),
            None => bail!("{typed}: no such directory (--in)"),
        }
    }

    /// Prints the notes about a choice. A dry run prints them itself, and an id needs none.
    fn say_notes(&self, chosen: &Chosen) {
        if matches!(self.hand_over.printed(), None | Some(Printed::Command)) {
            say_decided(&chosen.decided);
            for note in &chosen.plan.notes {
                complain(&note.line());
            }
        }
    }

    /// Several sessions match: opens the picker on them, or lists them.
    fn several(
        &self,
        how: &str,
        candidates: &[FoundSession],
        surroundings: &Surroundings,
    ) -> anyhow::Result<Exit> {
        let wanted = self.query.join(" ");
        if !self.is_full_screen() {
            let what = format!(
                "{wanted}: {} {how}: pass an id, or run in a terminal",
                candidates.len()
            );
            tell_several(&what, candidates, surroundings);
            return Ok(Exit::FAILED);
        }
        // A query that is shown can be changed. It finds neither hidden sessions nor files with
        // other names.
        let is_found = |found: &FoundSession| {
            let session = &found.session;
            session.hidden.is_none() && has_prefix(&session.file.id, &wanted)
        };
        if candidates.iter().all(is_found) {
            let mut prepared = self.prepare(surroundings, format!("id:{wanted}"))?;
            prepared.memory.reach = Reach::All;
            return self.pick(surroundings, prepared);
        }
        let mut prepared = self.prepare(surroundings, String::new())?;
        prepared.complaint.get_or_insert_with(|| {
            format!(
                "only the sessions that match '{wanted}' are listed. Run `claude-resume` for all"
            )
        });
        prepared.show_only(candidates);
        self.pick(surroundings, prepared)
    }

    /// Does what was asked for with the chosen sessions.
    pub(super) fn finish(&self, chosen: &[Chosen], launch: &Launch) -> anyhow::Result<Exit> {
        for one in chosen {
            self.say_notes(one);
        }
        match chosen {
            [one] if self.demo && self.hand_over.printed().is_none() => {
                let line = one.plan.command_line();
                writeln!(io::stdout(), "this is the demo; it would run: {line}")?;
                Ok(Exit::DONE)
            }
            [one] => {
                let Chosen { plan, title, .. } = one;
                self.hand_over.carry_out(plan, title, launch, &one.open)
            }
            several => {
                for Chosen { plan, title, .. } in several {
                    self.hand_over.carry_out(plan, title, launch, &[])?;
                }
                Ok(Exit::DONE)
            }
        }
    }
}

/// Is a question asked before this is printed? Without a terminal on stdin there is no answer.
fn asks(printed: Printed) -> bool {
    printed == Printed::Command && io::stdin().is_terminal()
}

/// In a shell that Claude Code started, another Claude Code saves nothing unless it is told to.
pub fn child_session() -> ChildSession {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced = env::var_os("CLAUDE_CODE_FORCE_SESSION_PERSISTENCE");
    let forced = forced.is_some_and(|value| value == "1" || value == "true");
    if is_set("CLAUDE_CODE_CHILD_SESSION") && !forced {
        ChildSession::Inherited
    } else {
        ChildSession::Free
    }
}
