//! The picker, as the command without a name: what it starts with and what its choice leads to.

mod demo;
mod plain;
mod programs;

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use directories::ProjectDirs;

use super::history::session_around;
use super::surroundings::Surroundings;
use super::{Outcome, complain};
use crate::config::{ColourName, Config, remembered};
use crate::demo::standing_in;
use crate::resume::{Launch, words};
use crate::store::retention;
use crate::tui::{
    self, App, Choice, Chosen, Ended, Ending, Glyphs, History, HistoryScope, Memory, Multiplexer,
    Origin, Palette, Reach, Setting, Sources, Start, Theme,
};

// Each flag is one that a person types.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default, Args)]
pub struct Pick {
    /// What to search for: words, "a phrase", project:shop, branch:main, is:running, since:2d
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    /// Start with the sessions of every project
    #[arg(long)]
    all: bool,

    /// Print the id of the chosen session instead of resuming it
    #[arg(long, conflicts_with = "print_command")]
    print: bool,

    /// Print the command that would resume it instead of running it
    #[arg(long)]
    print_command: bool,

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

/// The history that a picker begins with.
#[derive(Debug, Clone)]
pub struct HistoryStart {
    pub query: String,
    pub choice: Choice,
    pub scope: Option<HistoryScope>,
    pub session: Option<String>,
    /// The project that is meant, if not the current one.
    pub project: Option<PathBuf>,
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
            (self.print, "--print"),
            (self.print_command, "--print-command"),
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
            return self.pick(surroundings, roots, surroundings.current_dir.clone());
        }
        let home = surroundings.home().unwrap_or(Path::new("/home/ada"));
        let home = home.to_string_lossy();
        let store = demo::unpack(&home, surroundings.now.timestamp_millis())
            .context("the demo cannot be unpacked")?;
        if !self.is_full_screen() {
            demo::remove_on_signals(store.path());
        }
        let roots = [store.path().to_owned()];
        self.pick(surroundings, &roots, Some(standing_in(&home)))
    }

    fn pick(
        self,
        surroundings: &Surroundings,
        roots: &[PathBuf],
        here: Option<PathBuf>,
    ) -> anyhow::Result<Outcome> {
        let full_screen = self.is_full_screen();
        let prepared = self.prepare(surroundings, roots);
        if !full_screen && self.history.is_some() {
            bail!("this terminal shows no full screen: give `history` a query");
        }
        if !full_screen {
            if let Some(complaint) = &prepared.complaint {
                complain(complaint);
            }
            let chosen = plain::choose(&prepared, surroundings)?;
            return self.finish(chosen);
        }
        let before = prepared.memory;
        let prepared_retention = prepared.setting.retention;
        let mut app = App::new(
            prepared.setting,
            prepared.memory,
            &prepared.query,
            surroundings.now.fixed_offset(),
        );
        app.mouse = prepared.config.mouse();
        let mut here = here;
        if let Some(start) = &self.history {
            let mut history = History::default();
            history.choice = start.choice;
            history.scope = start.scope;
            history.session.clone_from(&start.session);
            history.origin = Origin::Shell;
            app.begin_with(history, &start.query);
            here = start.project.clone().or(here);
        }
        let Ended { outcome, memory } = tui::run(Start {
            app,
            sources: Sources {
                configs: surroundings.config_files(&prepared.roots),
                roots: prepared.roots,
                here,
                state: state_folder(),
                retention: prepared_retention,
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
            remember(memory);
        }
        match outcome {
            tui::Outcome::Chosen(chosen) => self.finish(Some(chosen)),
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
        let chooses = self
            .history
            .as_ref()
            .is_some_and(|it| it.choice == Choice::Print);
        let prints = self.print || self.print_command || chooses;
        let connected = io::stdin().is_terminal() && io::stdout().is_terminal();
        (prints || connected) && tui::is_there()
    }

    fn prepare(&self, surroundings: &Surroundings, roots: &[PathBuf]) -> Prepared {
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
            theme: theme(&config),
            launch: Launch {
                command,
                arguments,
                configured_root: surroundings.configured_root(),
                default_root: surroundings.default_root(),
            },
            ending: match (self.demo, self.print || self.print_command) {
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
            query: self.query.join(" "),
            roots: roots.to_vec(),
        }
    }

    /// Does with the choice what was asked for.
    fn finish(&self, chosen: Option<Chosen>) -> anyhow::Result<Outcome> {
        let Some(chosen) = chosen else {
            return Ok(Outcome::NothingFound);
        };
        chosen.plan.check_id().context("cannot resume")?;
        let mut out = io::stdout().lock();
        if self.print {
            writeln!(out, "{}", chosen.id)?;
            return Ok(Outcome::Done);
        }
        if self.print_command {
            if let Err(error) = chosen.plan.check() {
                complain(&error.to_string());
            }
            writeln!(out, "{}", chosen.plan.command_line())?;
            return Ok(Outcome::Done);
        }
        if self.demo {
            writeln!(
                out,
                "this is the demo; it would run: {}",
                chosen.plan.command_line()
            )?;
            return Ok(Outcome::Done);
        }
        drop(out);
        chosen.plan.check().context("cannot resume")?;
        let program = chosen.plan.command.first().cloned().unwrap_or_default();
        let code = chosen.plan.start().with_context(|| {
            format!("{program}: cannot be started (is Claude Code installed and on the PATH?)")
        })?;
        Ok(match code {
            Some(0) => Outcome::Done,
            _ => Outcome::Failed,
        })
    }
}

/// The platform's places for configuration and state.
fn dirs() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "claude-resume")
}

pub fn config_path() -> Option<PathBuf> {
    Some(dirs()?.config_dir().join("config.toml"))
}

/// The folder for what this program remembers.
pub fn state_folder() -> Option<PathBuf> {
    let dirs = dirs()?;
    let folder = dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir());
    Some(folder.to_owned())
}

fn state_path() -> Option<PathBuf> {
    Some(state_folder()?.join("picker.toml"))
}

/// The person's configuration, or what is wrong with it.
pub fn read_config() -> Result<Config, String> {
    let Some(path) = config_path() else {
        return Ok(Config::default());
    };
    match fs::read_to_string(&path) {
        Ok(text) => Config::parse(&text)
            .map_err(|error| format!("{}: {error}; the defaults are used", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Config::default()),
        Err(error) => Err(format!(
            "{}: cannot be read: {error}; the defaults are used",
            path.display()
        )),
    }
}

/// How the picker was left. A file that cannot be understood says nothing.
pub fn read_state() -> Config {
    state_path()
        .and_then(|path| fs::read_to_string(path).ok())
        .and_then(|text| Config::parse(&text).ok())
        .unwrap_or_default()
}

/// Writes down how the picker was left. It is a convenience: if it fails, nobody is told.
fn remember(memory: Memory) {
    let Some(path) = state_path() else {
        return;
    };
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let _ = replace(&path, &remembered(&memory));
}

/// Replaces a file in one step, so that another picker never reads half of it.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(&beside, path).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

fn theme(config: &Config) -> Theme {
    let no_colour = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let never = config.theme.colour == Some(ColourName::Never);
    Theme {
        palette: if no_colour || never {
            Palette::Plain
        } else {
            Palette::Ansi
        },
        glyphs: config.glyphs().unwrap_or_else(glyphs),
        accents: config.accents(),
    }
}

/// What the locale can show. One that is not set at all says nothing against it; the Linux
/// console has no glyphs beyond its few hundred.
fn glyphs() -> Glyphs {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let utf8 = locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    let console = env::var_os("TERM").is_some_and(|term| term == "linux");
    if utf8 && !console {
        Glyphs::Unicode
    } else {
        Glyphs::Ascii
    }
}
