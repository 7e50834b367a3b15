//! Where the program runs: environment, home, current directory, clock, terminal.
//!
//! Read once, here, so that everything else can be given values.

use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chrono::{DateTime, Local};
use directories::BaseDirs;

use crate::history::history_path;
use crate::paths::{Environment, config_roots, tilde};
use crate::tui::ClockMode;

/// What the program found around itself when it started.
#[derive(Debug)]
pub struct Surroundings {
    environment: Environment,
    /// The real path of the current directory, as Claude Code records it; `None` if it is gone.
    pub current_dir: Option<PathBuf>,
    pub now: DateTime<Local>,
    pub clock: ClockMode,
    pub stdout: Stdout,
}

/// What is looked for in a config directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    Sessions,
    /// A history is enough.
    Prompts,
}

/// What stdout is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdout {
    Terminal { columns: usize, ink: Ink },
    Pipe,
}

/// What text is printed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Colours,
    Plain,
}

impl Surroundings {
    pub fn read() -> anyhow::Result<Self> {
        let environment = Environment {
            claude_config_dir: env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from),
            xdg_config_home: env::var_os("XDG_CONFIG_HOME").map(PathBuf::from),
            home: BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        };
        if environment.home.is_none() && environment.claude_config_dir.is_none() {
            bail!("there is no home directory: set HOME or CLAUDE_CONFIG_DIR");
        }
        let set = moment();
        Ok(Self {
            environment,
            current_dir: env::current_dir().and_then(|dir| dir.canonicalize()).ok(),
            now: set.unwrap_or_else(Local::now),
            clock: match set {
                Some(_) => ClockMode::StandsStill,
                None => ClockMode::Goes,
            },
            stdout: stdout(),
        })
    }

    /// The time by the clock, in milliseconds since the epoch: one that stands still says the same
    /// all the time.
    pub fn milliseconds(&self) -> i64 {
        match self.clock {
            ClockMode::StandsStill => self.now.timestamp_millis(),
            ClockMode::Goes => Local::now().timestamp_millis(),
        }
    }

    /// The config roots to look in. One that was asked for must be there.
    pub fn roots(&self, asked_for: &[PathBuf], sought: Sought) -> anyhow::Result<Vec<PathBuf>> {
        for root in asked_for {
            if !root.is_dir() {
                bail!("{}: no such directory (--root)", root.display());
            }
            let projects = root.join("projects");
            if sought == Sought::Prompts && history_path(root).is_file() {
                continue;
            }
            match fs::metadata(&projects) {
                Ok(folder) if folder.is_dir() => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    bail!("{}: cannot be read: {error}", projects.display());
                }
                _ => bail!(
                    "{}: has no projects/ in it: --root takes a Claude config directory such as ~/.claude",
                    root.display()
                ),
            }
        }
        config_roots(&self.environment, asked_for, has_projects)
            .into_iter()
            .map(|root| {
                std::path::absolute(&root)
                    .with_context(|| format!("{}: cannot be made absolute", root.display()))
            })
            .collect()
    }

    /// What to say where there is nothing at all.
    pub fn no_sessions(&self, roots: &[PathBuf]) -> String {
        let places: Vec<String> = roots
            .iter()
            .map(|root| self.tilde(&root.join("projects")))
            .collect();
        format!(
            "no Claude Code sessions yet under {}: start one with `claude`, or name another config directory with --root",
            places.join(", ")
        )
    }

    /// Where Claude Code keeps what it knows of projects, besides their sessions.
    pub fn config_files(&self, roots: &[PathBuf]) -> Vec<PathBuf> {
        let folders = roots.iter().chain(&self.environment.home);
        folders.map(|folder| folder.join(".claude.json")).collect()
    }

    pub fn home(&self) -> Option<&Path> {
        self.environment.home.as_deref()
    }

    /// What `CLAUDE_CONFIG_DIR` says, if anything.
    pub fn configured_root(&self) -> Option<PathBuf> {
        let set = self.environment.claude_config_dir.clone();
        set.filter(|path| !path.as_os_str().is_empty())
    }

    /// The config directory that Claude Code uses where nothing is set.
    pub fn default_root(&self) -> Option<PathBuf> {
        Some(self.environment.home.as_ref()?.join(".claude"))
    }

    /// Where an organisation keeps the settings that no person overrides, what counts most first:
    /// the files of `managed-settings.d`, of which the last by name wins, then the one beside it.
    pub fn managed_settings() -> Vec<PathBuf> {
        let folder = if cfg!(target_os = "macos") {
            "/Library/Application Support/ClaudeCode"
        } else if cfg!(windows) {
            r"C:\Program Files\ClaudeCode"
        } else {
            "/etc/claude-code"
        };
        let folder = env::var_os("CLAUDE_RESUME_MANAGED_DIR").unwrap_or_else(|| folder.into());
        let folder = PathBuf::from(folder);
        let added = fs::read_dir(folder.join("managed-settings.d"));
        let mut paths: Vec<PathBuf> = added
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|it| it == "json"))
            .collect();
        paths.sort();
        paths.reverse();
        paths.push(folder.join("managed-settings.json"));
        paths
    }

    /// A path as people write it, with `~` for home.
    pub fn tilde(&self, path: &Path) -> String {
        tilde(path, self.environment.home.as_deref())
    }
}

/// The moment that `CLAUDE_RESUME_NOW` names: pictures of the demo show the same times each time
/// they are drawn.
fn moment() -> Option<DateTime<Local>> {
    let named = env::var("CLAUDE_RESUME_NOW").ok()?;
    let moment = DateTime::parse_from_rfc3339(&named).ok()?;
    Some(moment.with_timezone(&Local))
}

fn has_projects(root: &Path) -> bool {
    root.join("projects").is_dir()
}

fn stdout() -> Stdout {
    if !io::stdout().is_terminal() {
        return Stdout::Pipe;
    }
    let columns = crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns));
    let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || env::var_os("TERM").is_some_and(|term| term == "dumb");
    Stdout::Terminal {
        columns,
        ink: if plain { Ink::Plain } else { Ink::Colours },
    }
}
