//! The picker, which runs without a command: how it starts, and what its result leads to.

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
use super::history::calling_session;
use super::surroundings::Surroundings;
use super::{Exit, complain};
use crate::demo::demo_directory;
use crate::list::Sort;
use crate::resume::{ChildSession, FoundSession, Launch, Nested, Plan, Wish};
use crate::store::retention;
use crate::tui::{
    self, App, Chosen, ClipboardEnv, Ended, Ending, EnterMode, FirstRows, Memory, NamedSession,
    PickerStart, Printed, Question, Reach, Screen, Setting, Sources, Switch,
};

pub use files::{cache_folder, config_path, read_config, read_state, state_folder};
pub use history::HistoryStart;

// One field for each option.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default, Args)]
pub struct Pick {
    /// A session, or words to search for
    ///
    /// A session is named by its id or the beginning of it, its exact title, its .jsonl file, or
    /// `-` for the second most recent session here that is not running (like --last 2). Only real
    /// titles match exactly; anything else is a search: words, "a phrase", /regex/, project:shop,
    /// branch:main, is:running, since:2d, role:user, tool:Bash, file:src/auth.rs, has:error. If
    /// several sessions match, this directory wins, then this repository.
    // Not an address.
    #[allow(clippy::doc_markdown)]
    #[arg(value_name = "WHAT")]
    query: Vec<String>,

    /// Resume the most recent session of this repository that is not running
    #[arg(short = 'c', long = "continue", conflicts_with_all = ["query", "last"])]
    newest: bool,

    /// Resume the Nth most recent session here that is not running (1 = newest)
    #[arg(long, value_name = "N", conflicts_with = "query", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,

    /// Look in all projects
    #[arg(long)]
    all: bool,

    /// Resume in a fork and leave the session unchanged
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

    /// Print a numbered list and read the choice from stdin
    #[arg(long)]
    plain: bool,

    /// Try the picker on a dozen sample sessions, which are deleted afterwards
    #[arg(long)]
    demo: bool,

    /// The history to open, if that was asked for.
    #[arg(skip)]
    history: Option<HistoryStart>,

    /// Arguments for claude, after `--`
    #[arg(last = true, value_name = "CLAUDE ARGUMENTS")]
    arguments: Vec<String>,
}

/// Everything that the picker starts with, as a full screen or as a numbered list.
struct Prepared {
    setting: Setting,
    memory: Memory,
    /// The settings at the end of the last run, before any option.
    remembered: Memory,
    mouse: Switch,
    clipboard: ClipboardEnv,
    /// What is wrong with the configuration.
    complaint: Option<String>,
    query: String,
    here: Option<PathBuf>,
    /// Only these sessions.
    only: Option<Vec<NamedSession>>,
    /// The id of the session to select, and whether it is hidden.
    selected: Option<(String, bool)>,
    question: Option<Question>,
}

impl Pick {
    /// The picker that opens with the history.
    pub fn of_history(history: HistoryStart) -> Self {
        Self {
            history: Some(history),
            ..Self::default()
        }
    }

    pub fn run(self, mut surroundings: Surroundings) -> anyhow::Result<Exit> {
        if !self.demo {
            return self.resume(&surroundings);
        }
        let home = surroundings.home().unwrap_or(Path::new("/home/ada"));
        let home = home.to_string_lossy().into_owned();
        let store = demo::unpack(&home, surroundings.now.timestamp_millis())
            .context("cannot unpack the demo")?;
        if !self.is_full_screen() {
            demo::remove_on_signals(store.path());
        }
        surroundings.roots = vec![store.path().to_owned()];
        surroundings.cache = None;
        let mut prepared = self.prepare(&surroundings, self.query.join(" "))?;
        prepared.here = Some(demo_directory(&home));
        self.pick(&surroundings, prepared)
    }

    fn pick(&self, surroundings: &Surroundings, prepared: Prepared) -> anyhow::Result<Exit> {
        if !self.is_full_screen() {
            if let Some(start) = &self.history {
                bail!("{}", start.without_screen());
            }
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
        app.context.mouse = prepared.mouse;
        if let Some((id, is_hidden)) = prepared.selected {
            app.select(id, is_hidden);
        }
        if let Some(question) = prepared.question {
            app.screens.push(Screen::Question(Box::new(question)));
        }
        let shows_newest = prepared.query.trim().is_empty()
            && prepared.memory.order == Sort::Activity
            && self.history.is_none();
        let mut here = prepared.here;
        if let Some(start) = &self.history {
            start.open(&mut app);
            here = start.project.clone().or(here);
        }
        let Ended {
            outcome,
            memory,
            unsaid,
        } = tui::run(PickerStart {
            app,
            sources: Sources {
                configs: surroundings.config_files(),
                roots: surroundings.roots.clone(),
                here,
                home: surroundings.home().map(Path::to_owned),
                only: prepared.only,
                state: state_folder(),
                cache: surroundings.cache.clone(),
                first_rows: if shows_newest {
                    FirstRows::Cache
                } else {
                    FirstRows::Scan
                },
                retention,
            },
            clipboard: prepared.clipboard,
            programs: programs::programs(),
            clock: surroundings.clock,
            notice: prepared.complaint,
        })
        .context("the terminal cannot be used: try --plain")?;
        if let Some(unsaid) = unsaid {
            complain(&unsaid);
        }
        // An option is for one run: only changes on the screen are remembered.
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
            tui::Outcome::Nothing => Ok(Exit::NOTHING_FOUND),
            tui::Outcome::Interrupted => Ok(Exit::INTERRUPTED),
            tui::Outcome::Terminated => Ok(Exit::TERMINATED),
        }
    }

    fn pick_by_number(
        &self,
        surroundings: &Surroundings,
        mut prepared: Prepared,
    ) -> anyhow::Result<Exit> {
        if let Some(complaint) = prepared.complaint.take() {
            complain(&complaint);
        }
        let chosen = plain::choose(self, &prepared, surroundings)?;
        let Some(found) = chosen else {
            return Ok(Exit::NOTHING_FOUND);
        };
        if self.demo {
            let plan = Plan::new(&found.session, &prepared.setting.launch);
            let chosen = Chosen::new(String::new(), plan);
            return self.finish(&[chosen], &prepared.setting.launch);
        }
        self.resume_found(&found, prepared, surroundings)
    }

    /// A full screen needs a terminal that can show one. Without `--print` the session needs it
    /// too, on stdin and stdout.
    pub fn is_full_screen(&self) -> bool {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| value == "1");
        let is_dumb = env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if self.plain || is_dumb || is_set("CLAUDE_AX_SCREEN_READER") {
            return false;
        }
        let history = self.history.as_ref();
        let prints = self.hand_over.printed().is_some()
            || history.is_some_and(|start| start.choice == EnterMode::Print);
        let connected = io::stdin().is_terminal() && io::stdout().is_terminal();
        (prints || connected) && tui::is_there()
    }

    fn prepare(&self, surroundings: &Surroundings, query: String) -> anyhow::Result<Prepared> {
        let named = programs::claude()?;
        let (config, complaint) = read_config();
        if let (None, None, Some(complaint)) = (&config, &named, &complaint) {
            bail!("{complaint}");
        }
        let config = config.unwrap_or_default();
        let remembered = config.over(&read_state());
        let mut memory = remembered;
        if self.all || self.demo {
            memory.reach = Reach::All;
        }
        let here = surroundings.current_dir.clone();
        let own_root = surroundings.roots.first().map(PathBuf::as_path);
        let mut arguments = config.claude.arguments.clone().unwrap_or_default();
        arguments.extend(self.arguments.iter().cloned());
        let command = named.unwrap_or_else(|| config.command());
        let home = surroundings.home();
        let setting = Setting {
            keymap: config.keymap(),
            theme: look::theme(&config),
            launch: Launch {
                command: programs::pinned(command, surroundings),
                installed: None,
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
                    // A window of tmux does not inherit our environment.
                    Some(_) => ChildSession::Free,
                    None => go::child_session(),
                },
                nested: match env::var_os("TMUX") {
                    Some(socket) if !socket.is_empty() => Nested::Tmux,
                    _ => Nested::No,
                },
                search_path: env::var_os("PATH"),
                here: here.clone(),
                home: home.map(Path::to_owned),
            },
            ending: match (self.demo, self.hand_over.printed()) {
                (true, Some(Printed::Command)) => Ending::Print(Printed::Sample),
                (_, Some(printed)) => Ending::Print(printed),
                (true, None) => Ending::Explain,
                (false, None) => Ending::Resume,
            },
            split: self.hand_over.tmux,
            session: calling_session(),
            home: home.map(|home| home.to_string_lossy().into_owned()),
            places: surroundings.session_folders(),
            // The demo has its own settings.
            retention: if self.demo {
                retention(own_root, None, &[])
            } else {
                retention(own_root, here.as_deref(), &Surroundings::managed_settings())
            },
            answers: self.given_answers()?,
            says_yes: self.yes,
            outside: None,
        };
        Ok(Prepared {
            setting,
            memory,
            remembered,
            mouse: config.mouse(),
            clipboard: programs::clipboard(config.clipboard.command.clone(), surroundings),
            complaint,
            query,
            here,
            only: None,
            selected: None,
            question: None,
        })
    }
}

impl Prepared {
    /// Shows only these sessions.
    fn show_only(&mut self, sessions: &[FoundSession]) {
        let named = sessions.iter().map(|found| {
            let file = &found.session.file;
            NamedSession {
                root: file.project.root.to_path_buf(),
                folder: file.project.dir.clone(),
                id: file.id.to_string(),
            }
        });
        self.only = Some(named.collect());
        self.memory.reach = Reach::All;
    }

    /// Shows all sessions and selects this one, or this one alone if it is in none of the roots.
    fn select(&mut self, found: &FoundSession, roots: &[PathBuf]) {
        let session = &found.session;
        if roots.contains(&session.file.project.root.to_path_buf()) {
            self.selected = Some((session.file.id.to_string(), session.hidden.is_some()));
            self.memory.reach = Reach::All;
        } else {
            self.show_only(std::slice::from_ref(found));
        }
    }
}
