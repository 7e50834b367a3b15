//! Where the program runs: environment, home, current directory, config roots, clock, terminal.
//!
//! Read once, here, so that everything else can be given values.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Context, bail};
use chrono::{DateTime, Local};
use directories::BaseDirs;

use crate::cache::Summaries;
use crate::content::ContentSources;
use crate::history::history_path;
use crate::list::Scope;
use crate::paths::{Environment, config_roots, normalize, tilde};
use crate::store::{readers, worktrees};
use crate::tui::ClockMode;

/// The state of the system when the program started.
#[derive(Debug)]
pub struct Surroundings {
    environment: Environment,
    /// The real path of the current directory, as Claude Code records it; `None` if it is gone.
    pub current_dir: Option<PathBuf>,
    /// The config directories to look in.
    pub roots: Vec<PathBuf>,
    pub now: DateTime<Local>,
    pub clock: ClockMode,
    pub stdout: Stdout,
    /// The folder of the cache; `None` if it is not used.
    pub cache: Option<PathBuf>,
    pub saving: Saving,
}

/// The thread that writes the cache while results are printed. It is waited for at the end.
#[derive(Debug, Default)]
pub struct Saving(RefCell<Option<JoinHandle<()>>>);

impl Saving {
    pub fn start(&self, save: impl FnOnce() + Send + 'static) {
        self.wait();
        self.0.replace(thread::Builder::new().spawn(save).ok());
    }

    fn wait(&self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        self.wait();
    }
}

/// The kind of stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdout {
    Terminal { columns: usize, ink: Ink },
    Pipe,
}

/// Whether text is printed with colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Colors,
    Plain,
}

impl Ink {
    /// The text with an ANSI code around it, where colors are printed.
    pub fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::Colors => format!("\x1b[{code}m{text}\x1b[0m"),
            Self::Plain => text.to_owned(),
        }
    }
}

impl Surroundings {
    /// Where the text of conversations is, and where it is kept.
    pub fn content_sources(&self) -> ContentSources {
        ContentSources {
            roots: self.roots.clone(),
            cache: self.cache.clone(),
            threads: readers(),
        }
    }

    /// Reads the environment. `roots` are the additional config directories of the command line.
    pub fn read(roots: &[PathBuf]) -> anyhow::Result<Self> {
        let environment = Environment {
            claude_config_dir: env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from),
            xdg_config_home: env::var_os("XDG_CONFIG_HOME").map(PathBuf::from),
            home: BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        };
        if environment.home.is_none() && environment.claude_config_dir.is_none() {
            bail!("no home directory: set HOME or CLAUDE_CONFIG_DIR");
        }
        check_roots(roots)?;
        let has_projects = |root: &Path| root.join("projects").is_dir();
        let roots = config_roots(&environment, roots, has_projects);
        let roots: anyhow::Result<Vec<PathBuf>> = roots.iter().map(|it| absolute(it)).collect();
        let fixed = fixed_time();
        Ok(Self {
            environment,
            current_dir: env::current_dir().and_then(|dir| dir.canonicalize()).ok(),
            roots: roots?,
            now: fixed.unwrap_or_else(Local::now),
            clock: match fixed {
                Some(_) => ClockMode::StandsStill,
                None => ClockMode::Goes,
            },
            stdout: stdout(),
            cache: None,
            saving: Saving::default(),
        })
    }

    /// What the cache knows of the sessions.
    pub fn summaries(&self) -> Option<Arc<Summaries>> {
        let summaries = Summaries::new(self.cache.as_deref()?, &self.roots);
        Some(Arc::new(summaries))
    }

    /// The current time in milliseconds since the epoch. A fixed clock always returns the same.
    pub fn milliseconds(&self) -> i64 {
        match self.clock {
            ClockMode::StandsStill => self.now.timestamp_millis(),
            ClockMode::Goes => Local::now().timestamp_millis(),
        }
    }

    /// The repository around the current directory with all its worktrees, or that directory alone
    /// outside of a repository. `None` if the directory is gone.
    pub fn scope(&self) -> Option<Scope> {
        let here = self.current_dir.as_ref()?;
        Some(Scope::repository(worktrees(here), here.clone()))
    }

    /// The folders that hold the sessions, for messages.
    pub fn session_folders(&self) -> Vec<String> {
        let folders = self.roots.iter().map(|root| root.join("projects"));
        folders.map(|folder| self.tilde(&folder)).collect()
    }

    /// The message for an empty store.
    pub fn no_sessions(&self) -> String {
        format!(
            "no Claude Code sessions in {}: start one with `claude`, or add a config directory with --root",
            self.session_folders().join(", ")
        )
    }

    /// The files in which Claude Code keeps data about projects, besides their sessions.
    pub fn config_files(&self) -> Vec<PathBuf> {
        let folders = self.roots.iter().chain(&self.environment.home);
        folders.map(|folder| folder.join(".claude.json")).collect()
    }

    pub fn home(&self) -> Option<&Path> {
        self.environment.home.as_deref()
    }

    /// The value of `CLAUDE_CONFIG_DIR`, if it is set.
    pub fn configured_root(&self) -> Option<PathBuf> {
        let set = self.environment.claude_config_dir.clone();
        set.filter(|path| !path.as_os_str().is_empty())
    }

    /// The config directory that Claude Code uses by default.
    pub fn default_root(&self) -> Option<PathBuf> {
        Some(self.environment.home.as_ref()?.join(".claude"))
    }

    /// The settings files of an organization, which users cannot override, in order of precedence:
    /// the files of `managed-settings.d`, of which the last by name wins, then the one next to it.
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
        let added = added.into_iter().flatten().flatten();
        let added = added.filter(|it| !it.file_name().as_encoded_bytes().starts_with(b"."));
        let mut paths: Vec<PathBuf> = added.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
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

/// A config directory that was asked for must exist and hold sessions or a prompt history.
fn check_roots(roots: &[PathBuf]) -> anyhow::Result<()> {
    for root in roots {
        if !root.is_dir() {
            bail!("{}: no such directory (--root)", root.display());
        }
        if !root.join("projects").is_dir() && !history_path(root).is_file() {
            bail!(
                "{}: no projects/ in it: --root takes a Claude config directory such as ~/.claude",
                root.display()
            );
        }
    }
    Ok(())
}

/// An absolute path, without following links.
pub fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path)
        .with_context(|| format!("{}: cannot be made absolute", path.display()))
}

/// The path of a directory as Claude Code records it. One that is gone may still have sessions.
pub fn real_path(path: &Path) -> anyhow::Result<PathBuf> {
    let gone = |_| absolute(path).map(|path| normalize(&path));
    path.canonicalize().or_else(gone)
}

/// The time in `CLAUDE_RESUME_NOW`, so that pictures of the demo always show the same times.
fn fixed_time() -> Option<DateTime<Local>> {
    let time = DateTime::parse_from_rfc3339(&env::var("CLAUDE_RESUME_NOW").ok()?).ok()?;
    Some(time.with_timezone(&Local))
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
        ink: if plain { Ink::Plain } else { Ink::Colors },
    }
}
