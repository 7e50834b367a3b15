//! Findings about the session itself and what would run it: its file, its size, its damage, other
//! processes, the program.

use super::FindingBuilder;
use crate::paths::tilde;
use crate::resume::finding::{Answer, Choice, Consent, Finding, Topic};
use crate::resume::launch::{ChildSession, Launch, Wish};
use crate::resume::situation::{Location, Program};
use crate::store::{Millis, Status};
use crate::text::{age, sanitize};

/// Nothing of a conversation is cached after this long.
const COLD: Millis = 60 * 60 * 1000;

impl FindingBuilder<'_> {
    pub(super) fn program(&self) -> Option<Finding> {
        let (headline, cause) = no_program(&self.situation.program, &self.situation.launch)?;
        let lines = vec![
            cause,
            "install it: npm install -g @anthropic-ai/claude-code (or see claude.com/claude-code)".to_owned(),
            "or name another program: CLAUDE_RESUME_COMMAND=/path/to/claude, or [claude] command in the configuration".to_owned(),
        ];
        Some(self.finding(&headline, lines, vec![Choice::read_only()]))
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
        let mut choices = Vec::new();
        if let Some(pane) = &running.tmux {
            let label = format!("Go to its tmux pane ({})", sanitize(pane));
            choices.push(self.choice(Answer::Jump, label));
        }
        let fork = self.choice(Answer::Fork, "Fork: continue in a copy");
        let anyway = "Resume anyway (two processes can damage the transcript)";
        let anyway = self.choice(Answer::GoOn, anyway);
        choices.extend([
            fork.with(Consent::Yes),
            anyway.with(Consent::Twice),
            Choice::read_only(),
        ]);
        let lines = vec![format!("process {}, {status}", running.pid)];
        Some(self.finding("This session is already open", lines, choices))
    }

    pub(super) fn outside(&self) -> Option<Finding> {
        let Location::Outside { in_store } = &self.situation.session.location else {
            return None;
        };
        if let Some(path) = in_store {
            let line = format!(
                "Claude Code looks the id up in its store: it will open {}, not the file you named",
                self.shown(path)
            );
            let resume = self.go_on_outside("Resume the one in the store");
            return Some(self.finding(
                "Claude Code will open a different file",
                vec![line],
                vec![resume.with(Consent::Yes), Choice::read_only()],
            ));
        }
        let transcript = self.shown(&self.situation.session.transcript);
        Some(self.finding(
            "Claude Code will not find this session",
            vec![
                format!("{transcript} is not in its store"),
                "no file in the config directory has this id".to_owned(),
            ],
            vec![
                Choice::read_only(),
                self.go_on_outside("Let Claude Code try"),
            ],
        ))
    }

    /// Until the directory is chosen there is no command to show.
    fn go_on_outside(&self, label: &str) -> Choice {
        let choice = self.choice(Answer::GoOn, label);
        if self.answers.get(Topic::Directory).is_some() {
            return choice;
        }
        let next = self.situation.about(Topic::Directory, self.answers);
        match next.directory() {
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
        let copies = self.situation.session.copies.iter();
        let named: Vec<String> = copies.map(|path| self.shown(path)).collect();
        (!named.is_empty()).then(|| {
            let named = named.join(", ");
            format!("the newest file with this id is resumed. Others: {named}")
        })
    }

    pub(super) fn child(&self) -> Option<Finding> {
        if self.situation.launch.child_session != ChildSession::Inherited {
            return None;
        }
        let persist = self.choice(Answer::Persist, "Resume and save the conversation");
        Some(would_not_save(vec![
            persist.with(Consent::Yes),
            self.choice(Answer::GoOn, "Resume without saving"),
            Choice::read_only(),
        ]))
    }

    pub(super) fn child_note(&self) -> Option<String> {
        let inherited = self.situation.launch.child_session == ChildSession::Inherited;
        let declined = self.answers.get(Topic::Child) == Some(&Answer::GoOn);
        (inherited && declined).then(|| "this conversation will not be saved".to_owned())
    }

    pub(super) fn caution(&self) -> Option<Finding> {
        let resume_info = &self.situation.resume_info;
        if resume_info.is_empty {
            let line = match resume_info.health.bad {
                0 => "it has no messages".to_owned(),
                bad => format!("{} cannot be read", bad_lines(bad)),
            };
            let headline = "There is nothing to resume in this transcript";
            let resume = self.choice(Answer::GoOn, "Let Claude Code try");
            return Some(self.finding(headline, vec![line], vec![Choice::read_only(), resume]));
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
        let last = self.situation.session.last_activity;
        let is_cold = self.situation.now.saturating_sub(last) > COLD;
        let big = self.situation.launch.asks.tokens;
        let is_big = |tokens: &u64| big > 0 && *tokens >= big;
        if let Some(tokens) = resume_info.context.filter(is_big)
            && is_cold
        {
            headline.get_or_insert("This session is large and no longer cached");
            let idle = age(last, self.situation.now);
            lines.push(format!(
                "the first request sends {}k tokens; the cache expired (last used {idle} ago)",
                tokens / 1000
            ));
        }
        let resume = self.choice(Answer::GoOn, "Resume").with(Consent::None);
        Some(self.finding(headline?, lines, vec![resume, Choice::read_only()]))
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

/// The finding that `CLAUDE_CODE_CHILD_SESSION` is set.
pub(in crate::resume) fn would_not_save(choices: Vec<Choice>) -> Finding {
    let line = "CLAUDE_CODE_CHILD_SESSION is set: another Claude Code started this shell";
    Finding {
        topic: Topic::Child,
        headline: "Claude Code would not save this conversation".to_owned(),
        lines: vec![line.to_owned()],
        choices,
    }
}

/// What is wrong with the program, in a few words, and why; `None` if it can be run.
pub fn no_program(program: &Program, launch: &Launch) -> Option<(String, String)> {
    let shown = |path| tilde(path, launch.home.as_deref());
    let cause = match program {
        Program::Found(_) => return None,
        Program::Missing if launch.command.is_empty() => {
            "Claude Code is neither on the PATH nor in ~/.claude/local".to_owned()
        }
        Program::Missing => "set by CLAUDE_RESUME_COMMAND or the configuration".to_owned(),
        Program::NoInterpreter {
            script,
            interpreter,
        } => {
            let script = shown(script);
            format!("{script} is a script for {interpreter}, which is not installed")
        }
        Program::NotExecutable(path) => format!("{} is not executable", shown(path)),
    };
    let fault = match program {
        Program::Missing => "was not found",
        _ => "cannot be run",
    };
    let headline = format!("{} {fault}", sanitize(launch.program()));
    Some((headline, sanitize(&cause).into_owned()))
}

fn bad_lines(lines: u64) -> String {
    match lines {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    }
}
