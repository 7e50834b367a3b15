//! The picker's own files: the configuration, and how it was left.

use std::io;
use std::path::PathBuf;

use directories::ProjectDirs;

use crate::config::{Claude, Config, Touches, remembered};
use crate::edit::{private_folder, replace};
use crate::files;
use crate::tui::Memory;

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

/// What is wrong with the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadConfig {
    pub text: String,
    pub touches: Touches,
    claude: Claude,
}

impl BadConfig {
    /// What can be gone on with: the defaults, and what is to be run.
    pub fn rest(&self) -> Config {
        Config {
            claude: self.claude.clone(),
            ..Config::default()
        }
    }
}

/// The person's configuration, or what is wrong with it.
pub fn read_config() -> Result<Config, BadConfig> {
    let Some(path) = config_path() else {
        return Ok(Config::default());
    };
    let bad = |touches, what: &str, claude: Claude| BadConfig {
        text: match touches {
            Touches::Command => format!("{}: {what}; mend it or take it out", path.display()),
            Touches::Manners if claude == Claude::default() => {
                format!("{}: {what}; the defaults are used", path.display())
            }
            Touches::Manners => format!(
                "{}: {what}; the defaults are used, but for [claude]",
                path.display()
            ),
        },
        touches,
        claude,
    };
    match files::read_text(&path, files::SMALL) {
        Ok(text) => Config::parse(&text).map_err(|error| {
            let what = error.to_string();
            bad(error.touches, &what, error.claude)
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Config::default()),
        // It may name a command.
        Err(error) => {
            let what = format!("cannot be read: {error}");
            Err(bad(Touches::Command, &what, Claude::default()))
        }
    }
}

/// How the picker was left. A file that cannot be understood says nothing.
pub fn read_state() -> Config {
    state_path()
        .and_then(|path| files::read_text(&path, files::SMALL).ok())
        .and_then(|text| Config::parse(&text).ok())
        .unwrap_or_default()
}

/// Writes down how the picker was left. It is a convenience: if it fails, nobody is told.
pub fn remember(memory: Memory) {
    let Some(path) = state_path() else {
        return;
    };
    if let Some(folder) = path.parent() {
        let _ = private_folder(folder);
    }
    let _ = replace(&path, remembered(&memory).as_bytes());
}
