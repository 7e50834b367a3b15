//! The picker, as the command without a name: what it starts with and what its choice leads to.

mod demo;
mod files;
mod history;
mod look;
mod plain;
mod programs;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::hand_over::HandOver;
use super::history::session_around;
use super::preflight::{Decided, Decider, decide, directory};
use super::surroundings::Surroundings;
use super::what::{Meant, Store};
use super::{Outcome, complain};
use crate::config::Config;
use crate::demo::standing_in;
use crate::resume::{
    Answer, Answers, ChildSession, Launch, Nested, Plan, Remote, Seen, Topic, Wish, printable,
    probe, words,
};
use crate::store::retention;
use crate::text::{age, sanitize};
use crate::tui::{self, App, Ended, Ending, Memory, Multiplexer, Reach, Setting, Sources, Start};

pub use files::{config_path, read_config, read_state, state_folder};
pub use history::HistoryStart;

/// How many candidates an ambiguous name lists.
const NAMED: usize = 20;

// Each flag is one that a person types.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default, Args)]
pub struct Pick {
    /// A session: its id or the beginning of it, its exact title, a .jsonl file, or `-` for the
    /// one before the last; anything else is searched for: words, "a phrase", project:shop,
    /// branch:main, is:running, since:2d
    #[arg(value_name = "WHAT")]
    query: Vec<String>,

    /// Resume the newest session of this repository that is not running
    #[arg(short = 'c', long = "continue", conflicts_with_all = ["query", "last"])]
    newest: bool,

    /// Resume the session that was used Nth last here, counted from 1
    #[arg(long, value_name = "N", conflicts_with = "query", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,

    /// Look at the sessions of every project
    #[arg(long)]
    all: bool,

    /// Go on in a copy and leave the session as it is
    #[arg(long)]
    fork: bool,

    /// Resume in this directory instead of the session's own
    #[arg(long = "in", value_name = "DIR")]
    directory: Option<String>,

    /// Where something has to be decided, take the choice that harms nothing
    #[arg(short, long)]
    yes: bool,

    #[command(flatten)]
    hand_over: HandOver,

    /// A numbered list instead of the full screen
    #[arg(long)]
    plain: bool,

    /// Try everything on a dozen sample sessions, which are gone afterwards
    #[arg(long)]
    demo: bool,

    /// The history to begin with, if that was asked for.
    #[arg(skip)]
    history: Option<HistoryStart>,

    /// Arguments for Claude Code, after `--`
    #[arg(last = true, value_name = "CLAUDE ARGUMENTS")]
    arguments: Vec<String>,
}

/// Everything that the picker is made of, whichever form it takes.
struct Prepared {
    setting: Setting,
    memory: Memory,
    /// How the last run was left, before any flag.
    remembered: Memory,
    config: Config,
    /// What is wrong with the configuration.
    complaint: Option<String>,
    query: String,
    roots: Vec<PathBuf>,
}

impl Pick {
    /// The picker that begins with the history.
    pub fn of_history(history: HistoryStart) -> Self {
        Self {
            history: Some(history),
            ..Self::default()
        }
    }

    /// The flag that was given, if any: none of them means anything to another command.
    pub fn flag(&self) -> Option<&'static str> {
        let flags = [
            (self.all, "--all"),
            (self.newest, "--continue"),
            (self.last.is_some(), "--last"),
            (self.fork, "--fork"),
            (self.directory.is_some(), "--in"),
            (self.yes, "--yes"),
            (self.hand_over.print, "--print"),
            (self.hand_over.print_command, "--print-command"),
            (self.hand_over.dry_run, "--dry-run"),
            (self.hand_over.tmux.is_some(), "--tmux"),
            (self.plain, "--plain"),
            (self.demo, "--demo"),
        ];
        flags
            .into_iter()
            .find(|(set, _)| *set)
            .map(|(_, name)| name)
    }

    pub fn run(self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        if !self.demo {
            return self.resume(surroundings, roots);
        }
        let home = surroundings.home().unwrap_or(Path::new("/home/ada"));
        let home = home.to_string_lossy();
        let store = demo::unpack(&home, surroundings.now.timestamp_millis())
            .context("the demo cannot be unpacked")?;
        if !self.is_full_screen() {
            demo::remove_on_signals(store.path());
        }
        let roots = [store.path().to_owned()];
        let prepared = self.prepare(surroundings, &roots, self.query.join(" "));
        self.pick(surroundings, prepared, Some(standing_in(&home)))
    }

    /// Finds out what is meant, and goes there; or lets the person choose.
    fn resume(&self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let store = Store {
            roots,
            surroundings,
        };
        let nth = match (self.newest, self.last, self.query.as_slice()) {
            (true, _, _) => Some(1),
            (_, Some(nth), _) => Some(nth),
            (_, _, [word]) if word == "-" => Some(2),
            _ => None,
        };
        let meant = match nth {
            Some(nth) => store.recent(usize::try_from(nth)?, self.all)?,
            None => store.meant(&self.query)?,
        };
        match meant {
            Meant::Search(query) => {
                let prepared = self.prepare(surroundings, roots, query);
                self.pick(surroundings, prepared, surroundings.current_dir.clone())
            }
            Meant::One(seen) => self.resume_one(&seen, surroundings, roots),
            Meant::Several { how, candidates } => {
                self.several(how, &candidates, surroundings, roots)
            }
            Meant::Remote(remote) => {
                let launch = self
                    .prepare(surroundings, roots, String::new())
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
        seen: &Seen,
        surroundings: &Surroundings,
        roots: &[PathBuf],
    ) -> anyhow::Result<Outcome> {
        let prepared = self.prepare(surroundings, roots, String::new());
        if let Some(complaint) = &prepared.complaint {
            complain(complaint);
        }
        self.resume_seen(seen, &prepared, surroundings)
    }

    fn resume_seen(
        &self,
        seen: &Seen,
        prepared: &Prepared,
        surroundings: &Surroundings,
    ) -> anyhow::Result<Outcome> {
        let launch = &prepared.setting.launch;
        let session = &seen.session;
        let situation = probe(seen, launch, surroundings.now.timestamp_millis());
        let name = session.lite.title().map_or("", |(_, title)| title);
        let answers = self.given_answers()?;
        if self.hand_over.only_says() {
            let plan = Plan::of(&situation, &self.safe_answers(&situation, answers));
            return self
                .hand_over
                .carry_out(&plan, name, launch, Some(&situation));
        }
        let decider = Decider::of(self.yes, false);
        match decide(&situation, answers, decider)? {
            Decided::Go(plan) => self
                .hand_over
                .carry_out(&plan, name, launch, Some(&situation)),
            Decided::Ask | Decided::Nothing => Ok(Outcome::NothingFound),
            Decided::Read => {
                let path = session.stamp.path();
                complain(&format!(
                    "read it with: claude-resume show {}",
                    path.display()
                ));
                Ok(Outcome::NothingFound)
            }
            Decided::Refused(code) => Ok(Outcome::Code(code)),
        }
    }

    /// What the command line has decided already.
    fn given_answers(&self) -> anyhow::Result<Answers> {
        let none = Answers::default();
        let Some(typed) = &self.directory else {
            return Ok(none);
        };
        match directory(typed) {
            Some(path) => Ok(none.with(Topic::Directory, Answer::GoTo(path))),
            None => bail!("{typed}: no such directory (--in)"),
        }
    }

    /// With `--yes`, the answers that it would give.
    fn safe_answers(&self, situation: &crate::resume::Situation, mut answers: Answers) -> Answers {
        use crate::resume::{next_question, safe_answer};
        while let Some(question) = next_question(situation, &answers).filter(|_| self.yes) {
            let Some(answer) = safe_answer(&question) else {
                break;
            };
            answers = answers.with(question.topic, answer.clone());
        }
        answers
    }

    /// More than one session fits: they are listed.
    fn several(
        &self,
        how: &str,
        candidates: &[Seen],
        surroundings: &Surroundings,
        _roots: &[PathBuf],
    ) -> anyhow::Result<Outcome> {
        let wanted = self.query.join(" ");
        complain(&format!("{wanted}: {} sessions {how}:", candidates.len()));
        let now = surroundings.now.timestamp_millis();
        let mut err = io::stderr().lock();
        for seen in candidates.iter().take(NAMED) {
            let session = &seen.session;
            let title = session.lite.title().map_or("", |(_, title)| title);
            let cwd = session.lite.cwd.as_deref().unwrap_or_default();
            writeln!(
                err,
                "  {}  {:>4}  {}  {}",
                session.stamp.id,
                age(session.last_activity(), now),
                sanitize(&surroundings.tilde(Path::new(cwd))),
                sanitize(title),
            )?;
        }
        if candidates.len() > NAMED {
            writeln!(err, "  and {} more", candidates.len() - NAMED)?;
        }
        Ok(Outcome::Failed)
    }

    fn pick(
        &self,
        surroundings: &Surroundings,
        prepared: Prepared,
        here: Option<PathBuf>,
    ) -> anyhow::Result<Outcome> {
        if !self.is_full_screen() && self.history.is_some() {
            bail!("this terminal shows no full screen: give `history` a query");
        }
        if !self.is_full_screen() {
            if let Some(complaint) = &prepared.complaint {
                complain(complaint);
            }
            let Some(seen) = plain::choose(&prepared, surroundings)? else {
                return Ok(Outcome::NothingFound);
            };
            if self.demo {
                let plan = Plan::new(&seen.session, &prepared.setting.launch);
                return self.finish(&plan, &prepared.setting.launch);
            }
            return self.resume_seen(&seen, &prepared, surroundings);
        }
        let before = prepared.memory;
        let (launch, retention) = (prepared.setting.launch.clone(), prepared.setting.retention);
        let mut app = App::new(
            prepared.setting,
            prepared.memory,
            &prepared.query,
            surroundings.now.fixed_offset(),
        );
        app.mouse = prepared.config.mouse();
        let mut here = here;
        if let Some(start) = &self.history {
            start.open(&mut app);
            here = start.project.clone().or(here);
        }
        let Ended { outcome, memory } = tui::run(Start {
            app,
            sources: Sources {
                configs: surroundings.config_files(&prepared.roots),
                roots: prepared.roots,
                here,
                state: state_folder(),
                retention,
            },
            multiplexer: match env::var_os("TMUX") {
                Some(_) => Multiplexer::Tmux,
                None => Multiplexer::None,
            },
            programs: programs::programs(),
            notice: prepared.complaint,
        })
        .context("the terminal cannot be used: try --plain")?;
        // A flag is for this time: only what was changed on the screen is remembered.
        let memory = Memory {
            reach: if memory.reach == before.reach {
                prepared.remembered.reach
            } else {
                memory.reach
            },
            ..memory
        };
        if memory != prepared.remembered && !self.demo {
            files::remember(memory);
        }
        match outcome {
            tui::Outcome::Chosen(chosen) => self.finish(&chosen.plan, &launch),
            tui::Outcome::Prompt(text) => {
                writeln!(io::stdout().lock(), "{text}")?;
                Ok(Outcome::Done)
            }
            tui::Outcome::Nothing => Ok(Outcome::NothingFound),
            tui::Outcome::Interrupted => Ok(Outcome::Interrupted),
            tui::Outcome::Terminated => Ok(Outcome::Terminated),
        }
    }

    /// A full screen needs a terminal that can show one. Without `--print` the session will need
    /// it too, on stdin and stdout.
    fn is_full_screen(&self) -> bool {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| value == "1");
        let is_dumb = env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if self.plain || is_dumb || is_set("CLAUDE_AX_SCREEN_READER") {
            return false;
        }
        let prints =
            self.hand_over.only_says() || self.history.as_ref().is_some_and(HistoryStart::prints);
        let connected = io::stdin().is_terminal() && io::stdout().is_terminal();
        (prints || connected) && tui::is_there()
    }

    fn prepare(&self, surroundings: &Surroundings, roots: &[PathBuf], query: String) -> Prepared {
        let (config, complaint) = match read_config() {
            Ok(config) => (config, None),
            Err(complaint) => (Config::default(), Some(complaint)),
        };
        let remembered = config.over(&read_state());
        let mut memory = remembered;
        if self.all || self.demo {
            memory.reach = Reach::All;
        }
        let own_root = roots.first().cloned();
        let mut arguments = config.claude.arguments.clone().unwrap_or_default();
        arguments.extend(self.arguments.iter().cloned());
        let command = env::var("CLAUDE_RESUME_COMMAND")
            .ok()
            .and_then(|command| words(&command))
            .unwrap_or_else(|| config.command());
        let setting = Setting {
            keymap: config.keymap(),
            theme: look::theme(&config),
            launch: Launch {
                command,
                arguments,
                configured_root: surroundings.configured_root(),
                default_root: surroundings.default_root(),
                wish: if self.fork {
                    Wish::Fork
                } else {
                    Wish::Continue
                },
                child_session: child_session(),
                nested: match env::var_os("TMUX") {
                    Some(socket) if !socket.is_empty() => Nested::Tmux,
                    _ => Nested::No,
                },
                search_path: env::var_os("PATH"),
                here: surroundings.current_dir.clone(),
                home: surroundings.home().map(Path::to_owned),
            },
            ending: match (self.demo, self.hand_over.only_says()) {
                (_, true) => Ending::Print,
                (true, false) => Ending::Explain,
                (false, false) => Ending::Resume,
            },
            session: session_around(),
            home: surroundings
                .home()
                .map(|home| home.to_string_lossy().into_owned()),
            places: roots
                .iter()
                .map(|root| surroundings.tilde(&root.join("projects")))
                .collect(),
            retention: retention(
                own_root.as_deref(),
                surroundings.current_dir.as_deref(),
                &Surroundings::managed_settings(),
            ),
        };
        Prepared {
            setting,
            memory,
            remembered,
            config,
            complaint,
            query,
            roots: roots.to_vec(),
        }
    }

    /// Does with a plan what was asked for.
    fn finish(&self, plan: &Plan, launch: &Launch) -> anyhow::Result<Outcome> {
        if self.demo && !self.hand_over.only_says() {
            let line = plan.command_line();
            writeln!(io::stdout(), "this is the demo; it would run: {line}")?;
            return Ok(Outcome::Done);
        }
        for warning in &plan.warnings {
            complain(&warning.text);
        }
        self.hand_over.carry_out(plan, "", launch, None)
    }
}

/// A shell that a Claude Code started is one in which another saves nothing, unless it is told to.
fn child_session() -> ChildSession {
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
    complain(&format!(
        "this is a remote session on {}: claude-resume cannot open those; Claude Code itself can: {}",
        remote.host,
        printable(&command)
    ));
    Outcome::Failed
}
