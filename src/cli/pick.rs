//! The picker, as the command without a name: what it starts with and what its choice leads to.

mod demo;
mod files;
mod go;
mod history;
pub mod look;
mod plain;
mod programs;

use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::hand_over::HandOver;
use super::history::session_around;
use super::surroundings::Surroundings;
use super::{Outcome, complain};
use crate::config::{Config, Touches};
use crate::demo::standing_in;
use crate::resume::{ChildSession, Launch, Nested, Plan, Wish};
use crate::store::{Hidden, retention};
use crate::tui::{
    self, App, Card, Chosen, Ended, Ending, Memory, Multiplexer, NamedSession, Outside, Overlay,
    PickerStart, Printed, Reach, Setting, Sources, Switch,
};

pub use files::{config_path, read_config, read_state, state_folder};
pub use history::HistoryStart;

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

    /// Continue in a copy and leave the session as it is
    #[arg(long)]
    fork: bool,

    /// Resume in this directory instead of the session's own
    #[arg(long = "in", value_name = "DIR")]
    directory: Option<String>,

    /// Answer questions with the safe choice
    #[arg(short, long)]
    yes: bool,

    #[command(flatten)]
    hand_over: HandOver,

    /// A numbered list instead of the full screen; only with it are numbers read from a pipe
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

/// What the full screen begins with.
#[derive(Debug, Default)]
struct Opening {
    here: Option<PathBuf>,
    only: Option<Vec<NamedSession>>,
    /// The session to begin on, among all others.
    at: Option<At>,
    outside: Option<Outside>,
    card: Option<Card>,
}

/// A session of the list, by the name of its file.
#[derive(Debug)]
struct At {
    id: String,
    hidden: Option<Hidden>,
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
            (self.hand_over.print_words, "--print-words"),
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

    /// The words that were given.
    pub fn words(&self) -> &[String] {
        &self.query
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
        let prepared = self.prepare(surroundings, &roots, self.query.join(" "))?;
        let opening = Opening {
            here: Some(standing_in(&home)),
            ..Opening::default()
        };
        self.pick(surroundings, prepared, opening)
    }

    fn pick(
        &self,
        surroundings: &Surroundings,
        mut prepared: Prepared,
        opening: Opening,
    ) -> anyhow::Result<Outcome> {
        if opening.only.is_some() || opening.at.is_some() {
            prepared.memory.reach = Reach::All;
        }
        let start = self.history.as_ref();
        if let Some(start) = start.filter(|_| !self.is_full_screen()) {
            bail!("{}", start.without_screen());
        }
        if !self.is_full_screen() {
            return self.pick_by_number(surroundings, prepared);
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
        app.outside = opening.outside;
        if let Some(At { id, hidden }) = opening.at {
            app.landing = Some(id);
            if hidden.is_some() {
                app.hidden_kinds = Switch::On;
            }
        }
        app.answers = self.given_answers()?;
        app.says_yes = self.yes;
        app.overlay = opening.card.map(|card| Overlay::Preflight(Box::new(card)));
        let mut here = opening.here;
        if let Some(start) = &self.history {
            start.open(&mut app);
            here = start.project.clone().or(here);
        }
        let Ended { outcome, memory } = tui::run(PickerStart {
            app,
            sources: Sources {
                configs: surroundings.config_files(&prepared.roots),
                roots: prepared.roots,
                here,
                home: surroundings.home().map(Path::to_owned),
                only: opening.only,
                state: state_folder(),
                retention,
            },
            multiplexer: match env::var_os("TMUX") {
                Some(_) => Multiplexer::Tmux,
                None => Multiplexer::None,
            },
            programs: programs::programs(),
            clock: surroundings.clock,
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
            tui::Outcome::Chosen(chosen) => self.finish(&chosen, &launch),
            tui::Outcome::Windows(chosen) => self.hand_over.windows(&chosen, &launch),
            tui::Outcome::Prompt { text, lacking } => {
                history::print(&text, lacking, surroundings.stdout)
            }
            tui::Outcome::Nothing => Ok(Outcome::NothingFound),
            tui::Outcome::Interrupted => Ok(Outcome::Interrupted),
            tui::Outcome::Terminated => Ok(Outcome::Terminated),
        }
    }

    fn pick_by_number(
        &self,
        surroundings: &Surroundings,
        prepared: Prepared,
    ) -> anyhow::Result<Outcome> {
        if let Some(complaint) = &prepared.complaint {
            complain(complaint);
        }
        let numbers = if self.plain || io::stdin().is_terminal() {
            plain::Numbers::Read
        } else {
            plain::Numbers::Unread
        };
        let seen = match plain::choose(&prepared, surroundings, numbers)? {
            plain::Choice::One(seen) => seen,
            // Whoever named something meant one of these.
            plain::Choice::NobodyChose if !prepared.query.is_empty() => {
                complain("nobody chose one of them: name it by its id, or run this on a terminal");
                return Ok(Outcome::Failed);
            }
            plain::Choice::Nothing | plain::Choice::NobodyChose => {
                return Ok(Outcome::NothingFound);
            }
        };
        if self.demo {
            let plan = Plan::new(&seen.session, &prepared.setting.launch);
            let chosen = Chosen::new(String::new(), plan);
            return self.finish(&[chosen], &prepared.setting.launch);
        }
        self.resume_seen(&seen, prepared, surroundings)
    }

    /// A full screen needs a terminal that can show one. Without `--print` the session will need
    /// it too, on stdin and stdout.
    pub fn is_full_screen(&self) -> bool {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| value == "1");
        let is_dumb = env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if self.plain || is_dumb || is_set("CLAUDE_AX_SCREEN_READER") {
            return false;
        }
        let prints = self.hand_over.printed().is_some()
            || self.history.as_ref().is_some_and(HistoryStart::prints);
        let connected = io::stdin().is_terminal() && io::stdout().is_terminal();
        (prints || connected) && tui::is_there()
    }

    fn prepare(
        &self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
        query: String,
    ) -> anyhow::Result<Prepared> {
        let named = programs::claude()?;
        let (config, complaint) = match read_config() {
            Ok(config) => (config, None),
            Err(bad) if bad.touches == Touches::Command && named.is_none() => bail!("{}", bad.text),
            Err(bad) => (bad.rest(), Some(bad.text)),
        };
        let remembered = config.over(&read_state());
        let mut memory = remembered;
        if self.all || self.demo {
            memory.reach = Reach::All;
        }
        let own_root = roots.first().cloned();
        let mut arguments = config.claude.arguments.clone().unwrap_or_default();
        arguments.extend(self.arguments.iter().cloned());
        let command = named.unwrap_or_else(|| config.command());
        let setting = Setting {
            keymap: config.keymap(),
            theme: look::theme(&config),
            launch: Launch {
                command: programs::pinned(command, surroundings),
                arguments,
                configured_root: surroundings.configured_root(),
                default_root: surroundings.default_root(),
                wish: if self.fork {
                    Wish::Fork
                } else {
                    Wish::Continue
                },
                asks: config.asks(),
                child_session: match self.hand_over.tmux {
                    // A window of tmux gets nothing of our environment.
                    Some(_) => ChildSession::Free,
                    None => go::child_session(),
                },
                nested: match env::var_os("TMUX") {
                    Some(socket) if !socket.is_empty() => Nested::Tmux,
                    _ => Nested::No,
                },
                search_path: env::var_os("PATH"),
                here: surroundings.current_dir.clone(),
                home: surroundings.home().map(Path::to_owned),
            },
            ending: match (self.demo, self.hand_over.printed()) {
                (true, Some(Printed::Command)) => Ending::Print(Printed::Sample),
                (_, Some(printed)) => Ending::Print(printed),
                (true, None) => Ending::Explain,
                (false, None) => Ending::Resume,
            },
            session: session_around(),
            home: surroundings
                .home()
                .map(|home| home.to_string_lossy().into_owned()),
            places: roots
                .iter()
                .map(|root| surroundings.tilde(&root.join("projects")))
                .collect(),
            // The demo has settings of its own, wherever it is tried.
            retention: if self.demo {
                retention(own_root.as_deref(), None, &[])
            } else {
                let here = surroundings.current_dir.as_deref();
                retention(own_root.as_deref(), here, &Surroundings::managed_settings())
            },
        };
        Ok(Prepared {
            setting,
            memory,
            remembered,
            config,
            complaint,
            query,
            roots: roots.to_vec(),
        })
    }
}
