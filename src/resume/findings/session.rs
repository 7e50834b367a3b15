//! Findings about the session itself and what would run it: its file, its size, its damage, other
//! processes, the program.

use super::Words;
use crate::paths::tilde;
use crate::resume::finding::{Answer, Choice, Consent, Finding, Topic};
use crate::resume::launch::{ChildSession, Launch, Wish};
use crate::resume::situation::{Location, Program};
use crate::store::{Millis, Status};
use crate::text::{age, sanitize};

/// Nothing of a conversation is cached after this long.
const COLD: Millis = 60 * 60 * 1000;

impl Words<'_> {
    pub(super) fn program(&self) -> Option<Finding> {
        let (headline, cause) = no_program(&self.situation.program, &self.situation.launch)?;
        Some(Finding {
            topic: Topic::Program,
            headline,
            lines: vec![
                cause,
                "install it: npm install -g @anthropic-ai/claude-code (or see claude.com/claude-code)".to_owned(),
                "or name another program: CLAUDE_RESUME_COMMAND=/path/to/claude, or [claude] command in the configuration".to_owned(),
            ],
            choices: vec![Choice::read_only()],
        })
    }

    pub(super) fn running(&self) -> Option<Finding> {
        let running = self.situation.running.as_ref()?;
        // A fork writes a file of its own.
        if self.situation.launch.wish != Wish::Continue {
            return None;
        }
        let status = match running.status {
            Status::Busy => "busy",
            Status::Waiting => "waiting for you",
            Status::Idle => "idle",
            Status::Shell => "running a shell command",
            Status::Unknown => "open",
        };
        let topic = Topic::Running;
        let mut choices = Vec::new();
        if let Some(pane) = &running.tmux {
            let label = format!("Go to its tmux pane ({})", sanitize(pane));
            choices.push(self.choice(topic, Answer::Jump, label));
        }
        let fork = self.choice(topic, Answer::Fork, "Fork: continue in a copy");
        choices.push(fork.with(Consent::Yes));
        let anyway = "Resume anyway: two writers damage a transcript";
        let anyway = self.choice(topic, Answer::GoOn, anyway);
        choices.push(anyway.with(Consent::Twice));
        choices.push(Choice::read_only());
        Some(Finding {
            topic,
            headline: "This session is already open".to_owned(),
            lines: vec![format!("process {}, {status}", running.pid)],
            choices,
        })
    }

    pub(super) fn outside(&self) -> Option<Finding> {
        let Location::Outside { in_store } = &self.situation.session.location else {
            return None;
        };
        let topic = Topic::Outside;
        if let Some(path) = in_store {
            let resume = self.go_on_outside("Resume the one in the store");
            return Some(Finding {
                topic,
                headline: "Claude Code will open a different file".to_owned(),
                lines: vec![format!(
                    "Claude Code looks the id up in its store: it will open {}, not the file you named",
                    self.shown(path)
                )],
                choices: vec![resume.with(Consent::Yes), Choice::read_only()],
            });
        }
        let transcript = self.shown(&self.situation.session.transcript);
        Some(Finding {
            topic,
            headline: "Claude Code will not find this session".to_owned(),
            lines: vec![
                format!("{transcript} is not in its store"),
                "Claude Code looks the id up in its store, and no file there has it".to_owned(),
            ],
            choices: vec![
                Choice::read_only(),
                self.go_on_outside("Let Claude Code try"),
            ],
        })
    }

    /// Until the directory is chosen there is no command to show.
    fn go_on_outside(&self, label: &str) -> Choice {
        let choice = self.choice(Topic::Outside, Answer::GoOn, label);
        let is_open = self.answers.get(Topic::Directory).is_none();
        match self.directory().filter(|_| is_open) {
            Some(next) => Choice {
                shows: format!("asks for a directory first: {}", next.headline),
                ..choice
            },
            None => choice,
        }
    }

    /// Claude Code knows a session by the name of its file.
    pub(super) fn name_note(&self) -> Option<String> {
        let session = &self.situation.session;
        let stem = session.transcript.file_stem()?;
        let inside = matches!(session.location, Location::Store { .. });
        (inside && !stem.eq_ignore_ascii_case(&session.id)).then(|| {
            format!(
                "{} is not named after its session id: Claude Code may not find it",
                self.shown(&session.transcript)
            )
        })
    }

    pub(super) fn copies_note(&self) -> Option<String> {
        let copies = &self.situation.session.copies;
        if copies.is_empty() {
            return None;
        }
        let named: Vec<String> = copies.iter().map(|path| self.shown(path)).collect();
        let named = named.join(", ");
        Some(format!(
            "several files have this id, and the newest is resumed; the others: {named}"
        ))
    }

    pub(super) fn child(&self) -> Option<Finding> {
        if self.situation.launch.child_session != ChildSession::Inherited {
            return None;
        }
        let topic = Topic::Child;
        let persist = self.choice(topic, Answer::Persist, "Resume and save the conversation");
        Some(Finding {
            choices: vec![
                persist.with(Consent::Yes),
                self.choice(topic, Answer::GoOn, "Resume without saving"),
                Choice::read_only(),
            ],
            ..would_not_save()
        })
    }

    pub(super) fn child_note(&self) -> Option<String> {
        let inherited = self.situation.launch.child_session == ChildSession::Inherited;
        let declined = self.answers.get(Topic::Child) == Some(&Answer::GoOn);
        (inherited && declined).then(|| "this conversation will not be saved".to_owned())
    }

    pub(super) fn caution(&self) -> Option<Finding> {
        let resume_info = &self.situation.resume_info;
        let topic = Topic::Caution;
        if resume_info.is_empty {
            let line = match resume_info.health.bad {
                0 => "it has no messages".to_owned(),
                bad => format!("{} cannot be read", bad_lines(bad)),
            };
            return Some(Finding {
                topic,
                headline: "There is nothing to resume in this transcript".to_owned(),
                lines: vec![line],
                choices: vec![
                    Choice::read_only(),
                    self.choice(topic, Answer::GoOn, "Let Claude Code try"),
                ],
            });
        }
        let mut headline = None;
        let mut lines = Vec::new();
        let reach = resume_info.reach;
        if reach.lost > 0 {
            headline = Some("This transcript is damaged");
            lines.push(format!(
                "Claude will see {}% of it: {} of {} prompts are cut off",
                reach.percent(),
                reach.lost,
                reach.reachable + reach.lost
            ));
        }
        if let Some(tokens) = self.big_and_cold() {
            headline.get_or_insert("This session is big and cold");
            let idle = age(self.situation.session.last_activity, self.situation.now);
            lines.push(format!(
                "the first request sends {}k tokens; after {idle} none of them are cached",
                tokens / 1000
            ));
        }
        let resume = self.choice(topic, Answer::GoOn, "Resume");
        Some(Finding {
            topic,
            headline: headline?.to_owned(),
            lines,
            choices: vec![resume.with(Consent::None), Choice::read_only()],
        })
    }

    fn big_and_cold(&self) -> Option<u64> {
        let last = self.situation.session.last_activity;
        let is_cold = self.situation.now.saturating_sub(last) > COLD;
        let big = self.situation.launch.asks.tokens;
        let context = self.situation.resume_info.context;
        context.filter(|tokens| big > 0 && *tokens >= big && is_cold)
    }

    /// Damage that costs nothing of the conversation.
    pub(super) fn damage_note(&self) -> Option<String> {
        let resume_info = &self.situation.resume_info;
        let bad = resume_info.health.bad;
        (bad > 0 && resume_info.reach.lost == 0 && !resume_info.is_empty).then(|| {
            let lines = bad_lines(bad);
            format!("{lines} of the transcript cannot be read; Claude will see all other messages")
        })
    }
}

/// The finding that `CLAUDE_CODE_CHILD_SESSION` is set, without its choices.
pub(in crate::resume) fn would_not_save() -> Finding {
    Finding {
        lines: vec![
            "CLAUDE_CODE_CHILD_SESSION is set: another Claude Code started this shell".to_owned(),
        ],
        ..Finding::note(Topic::Child, "Claude Code would not save this conversation")
    }
}

/// What is wrong with the program, in a few words, and why; `None` if it can be run.
pub fn no_program(program: &Program, launch: &Launch) -> Option<(String, String)> {
    let name = sanitize(launch.program());
    let shown = |path| sanitize(&tilde(path, launch.home.as_deref())).into_owned();
    let cause = match program {
        Program::Found(_) => return None,
        Program::Missing if launch.command.is_empty() => {
            "Claude Code is not on the PATH".to_owned()
        }
        Program::Missing => {
            "CLAUDE_RESUME_COMMAND or the configuration names it, and there is no such program"
                .to_owned()
        }
        Program::NoInterpreter {
            script,
            interpreter,
        } => format!(
            "{} is a script for {}, which is not installed",
            shown(script),
            sanitize(interpreter)
        ),
        Program::NotExecutable(path) => format!("{} is not executable", shown(path)),
    };
    let headline = match program {
        Program::Missing => format!("{name} was not found"),
        _ => format!("{name} cannot be run"),
    };
    Some((headline, cause))
}

fn bad_lines(lines: u64) -> String {
    match lines {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    }
}
