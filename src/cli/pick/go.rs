//! From what the command line names to the session, and from what was chosen to the hand-over.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::bail;

use super::{At, Opening, Pick, Prepared};
use crate::cli::candidates::tell_several;
use crate::cli::preflight::{Decided, Decider, decide, directory, say_decided, stops};
use crate::cli::surroundings::Surroundings;
use crate::cli::what::{Meant, Reach, Store};
use crate::cli::{Outcome, complain};
use crate::list::has_prefix;
use crate::resume::{
    Answer, Answers, ChildSession, FoundSession, Launch, Location, Plan, Remote, Topic,
    answer_safely, printable, probe,
};
use crate::tui::{self, Card, Chosen, NamedSession, Outside, Printed};

impl Pick {
    /// Finds out what is meant, and goes there; or lets the person choose.
    pub(super) fn resume(
        &self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
    ) -> anyhow::Result<Outcome> {
        let store = Store {
            roots,
            surroundings,
        };
        let nth = if self.newest { Some(1) } else { self.last };
        let reach = if self.all {
            Reach::Everywhere
        } else {
            Reach::Here
        };
        let meant = match nth {
            Some(nth) => store.recent(usize::try_from(nth)?, reach)?,
            None => store.meant(&self.query, reach)?,
        };
        match meant {
            Meant::Search(query) => {
                let prepared = self.prepare(surroundings, roots, query)?;
                let opening = Opening {
                    here: surroundings.current_dir.clone(),
                    ..Opening::default()
                };
                self.pick(surroundings, prepared, opening)
            }
            Meant::One(seen) => self.resume_one(&seen, surroundings, roots),
            Meant::File(path) => self.resume_one(&store.at(&path)?, surroundings, roots),
            Meant::Several { how, candidates } => {
                self.several(how, &candidates, surroundings, roots)
            }
            Meant::Remote(remote) => {
                let launch = self
                    .prepare(surroundings, roots, String::new())?
                    .setting
                    .launch;
                Ok(tell_remote(&remote, &launch))
            }
            Meant::NoSession(why) => {
                complain(&why);
                Ok(Outcome::NothingFound)
            }
        }
    }

    /// One session, named: straight into it, unless something has to be decided.
    fn resume_one(
        &self,
        seen: &FoundSession,
        surroundings: &Surroundings,
        roots: &[PathBuf],
    ) -> anyhow::Result<Outcome> {
        let prepared = self.prepare(surroundings, roots, String::new())?;
        if let Some(complaint) = &prepared.complaint {
            complain(complaint);
        }
        self.resume_seen(seen, prepared, surroundings)
    }

    pub(super) fn resume_seen(
        &self,
        seen: &FoundSession,
        prepared: Prepared,
        surroundings: &Surroundings,
    ) -> anyhow::Result<Outcome> {
        let launch = &prepared.setting.launch;
        let session = &seen.session;
        let decider = self.decider();
        // A file that is in no store is read before it is resumed.
        if let (Decider::Screen, Location::Outside { in_store }) = (decider, &seen.location) {
            let opening = Opening {
                outside: Some(Outside {
                    path: session.file.path(),
                    in_store: in_store.clone(),
                    id: seen.id.clone(),
                }),
                ..Opening::of(std::slice::from_ref(seen), surroundings)
            };
            return self.pick(surroundings, prepared, opening);
        }
        let situation = probe(seen, launch, surroundings.now.timestamp_millis());
        let name = session.meta.title().map_or("", |(_, title)| title);
        let answers = self.given_answers()?;
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
            let outcome = self.hand_over.carry_out(&plan, name, launch, &open)?;
            return Ok(match stop {
                Some(code) if printed == Printed::Report => {
                    complain("nothing would run until you answer the question above");
                    Outcome::Code(code)
                }
                _ => outcome,
            });
        }
        Plan::of(&situation, &answers).check_words(launch)?;
        match decide(&situation, answers.clone(), decider)? {
            Decided::Go(plan) => self.hand_over.carry_out(&plan, name, launch, &[]),
            Decided::Ask => {
                let opening = Opening {
                    card: Card::new(name.to_owned(), situation, answers),
                    ..Opening::at(seen, &prepared.roots, surroundings)
                };
                self.pick(surroundings, prepared, opening)
            }
            Decided::Nothing => Ok(Outcome::NothingFound),
            Decided::Read => {
                let path = session.file.path();
                complain(&format!(
                    "read it with: claude-resume show {}",
                    path.display()
                ));
                Ok(Outcome::NothingFound)
            }
            Decided::Refused(code) => Ok(Outcome::Code(code)),
        }
    }

    /// Who decides what has to be decided.
    fn decider(&self) -> Decider {
        if self.yes {
            Decider::Yes
        } else if self.is_full_screen() && self.hand_over.printed().is_none_or(asks) {
            Decider::Screen
        } else if io::stdin().is_terminal() {
            Decider::Lines
        } else {
            Decider::Nobody
        }
    }

    /// What the command line has decided already.
    pub(super) fn given_answers(&self) -> anyhow::Result<Answers> {
        let mut given = Answers::default();
        // A shell may know by an alias what is not on the PATH.
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

    /// What the person should know of what was chosen. A dry run says it by itself, and an id alone
    /// is no plan yet.
    fn say_notes(&self, chosen: &Chosen) {
        if !self
            .hand_over
            .printed()
            .is_none_or(|printed| printed == Printed::Command)
        {
            return;
        }
        say_decided(&chosen.decided);
        for note in &chosen.plan.notes {
            complain(&note.line());
        }
    }

    /// More than one session fits: the person chooses, or they are listed.
    fn several(
        &self,
        how: &str,
        candidates: &[FoundSession],
        surroundings: &Surroundings,
        roots: &[PathBuf],
    ) -> anyhow::Result<Outcome> {
        let wanted = self.query.join(" ");
        if self.is_full_screen() {
            // A query that is seen can be changed. It finds neither what is hidden nor a file that
            // is called otherwise.
            let is_found = |seen: &FoundSession| {
                let session = &seen.session;
                session.hidden.is_none() && has_prefix(&session.file.id, &wanted)
            };
            if candidates.iter().all(is_found) {
                let mut prepared = self.prepare(surroundings, roots, format!("id:{wanted}"))?;
                prepared.memory.reach = tui::Reach::All;
                let opening = Opening {
                    here: surroundings.current_dir.clone(),
                    ..Opening::default()
                };
                return self.pick(surroundings, prepared, opening);
            }
            let mut prepared = self.prepare(surroundings, roots, String::new())?;
            prepared.complaint.get_or_insert_with(|| {
                format!("only the sessions are here that {how}: `claude-resume` shows all")
            });
            return self.pick(
                surroundings,
                prepared,
                Opening::of(candidates, surroundings),
            );
        }
        let what = format!(
            "{wanted}: {} sessions {how}: name one by its id, or run this on a terminal",
            candidates.len()
        );
        tell_several(&what, candidates, surroundings);
        Ok(Outcome::Failed)
    }

    /// Does with what was chosen what was asked for.
    pub(super) fn finish(&self, chosen: &[Chosen], launch: &Launch) -> anyhow::Result<Outcome> {
        let says = self.hand_over.printed().is_some();
        for one in chosen {
            self.say_notes(one);
        }
        match chosen {
            [Chosen { plan, .. }] if self.demo && !says => {
                let line = plan.command_line();
                writeln!(io::stdout(), "this is the demo; it would run: {line}")?;
                Ok(Outcome::Done)
            }
            [one] => {
                let Chosen { plan, title, .. } = one;
                self.hand_over.carry_out(plan, title, launch, &one.open)
            }
            several => {
                for Chosen { plan, title, .. } in several {
                    self.hand_over.carry_out(plan, title, launch, &[])?;
                }
                Ok(Outcome::Done)
            }
        }
    }
}

impl Opening {
    /// All sessions, beginning on this one; that one alone if it is where nobody looks.
    fn at(seen: &FoundSession, roots: &[PathBuf], surroundings: &Surroundings) -> Self {
        let session = &seen.session;
        if !roots.contains(&session.file.project.root.to_path_buf()) {
            return Self::of(std::slice::from_ref(seen), surroundings);
        }
        Self {
            here: surroundings.current_dir.clone(),
            at: Some(At {
                id: session.file.id.to_string(),
                hidden: session.hidden,
            }),
            ..Self::default()
        }
    }

    /// Only these sessions.
    fn of(sessions: &[FoundSession], surroundings: &Surroundings) -> Self {
        let named = sessions.iter().map(|seen| {
            let file = &seen.session.file;
            NamedSession {
                root: file.project.root.to_path_buf(),
                folder: file.project.dir.clone(),
                id: file.id.to_string(),
            }
        });
        Self {
            here: surroundings.current_dir.clone(),
            only: Some(named.collect()),
            ..Self::default()
        }
    }
}

/// Is something asked before this is printed? A script that reads nothing from a terminal has
/// nobody to ask, also where a terminal is near.
fn asks(printed: Printed) -> bool {
    printed == Printed::Command && io::stdin().is_terminal()
}

/// A shell that a Claude Code started is one in which another saves nothing, unless it is told to.
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

/// Remote sessions are Claude Code's own business so far: it is told what to say to it.
fn tell_remote(remote: &Remote, launch: &Launch) -> Outcome {
    let mut command = launch.command.clone();
    if command.is_empty() {
        command.push("claude".to_owned());
    }
    command.extend(remote.arguments());
    command.extend(launch.arguments.iter().cloned());
    let command = printable(&command);
    complain(&match remote.teleport {
        Some(_) => format!(
            "this is a remote session on {}: claude-resume cannot open those; Claude Code itself can: {command}",
            remote.host
        ),
        // Anything may be at an address.
        None => format!(
            "this is an address on {}, and claude-resume opens none; if it is a remote session, Claude Code itself may: {command}",
            remote.host
        ),
    });
    Outcome::Failed
}
