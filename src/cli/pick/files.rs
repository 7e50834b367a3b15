//! The picker's own files: the configuration, and the state between runs.

use std::io;
use std::path::PathBuf;

use directories::ProjectDirs;

use crate::config::{ClaudeSection, Config, remembered};
use crate::edit::{private_folder, replace};
use crate::files;
use crate::tui::Memory;

/// The platform's folders for configuration and state.
fn dirs() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "claude-resume")
}

pub fn config_path() -> Option<PathBuf> {
    Some(dirs()?.config_dir().join("config.toml"))
}

/// The folder of the cache.
pub fn cache_folder() -> Option<PathBuf> {
    Some(dirs()?.cache_dir().to_owned())
}

/// The folder for the state of this program.
pub fn state_folder() -> Option<PathBuf> {
    let dirs = dirs()?;
    let folder = dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir());
    Some(folder.to_owned())
}

fn state_path() -> Option<PathBuf> {
    Some(state_folder()?.join("picker.toml"))
}

/// Reads the configuration, and says what is wrong with it. With a mistake it consists of the
/// defaults and the command in the file; `None` if that command is not certain.
pub fn read_config() -> (Option<Config>, Option<String>) {
    let Some(path) = config_path() else {
        return (Some(Config::default()), None);
    };
    let (what, claude) = match files::read_text(&path, files::SMALL) {
        Ok(text) => match Config::parse(&text) {
            Ok(config) => return (Some(config), None),
            Err(error) => (error.to_string(), error.claude),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return (Some(Config::default()), None);
        }
        // It may name a command.
        Err(error) => (format!("cannot be read: {error}"), None),
    };
    let next = match &claude {
        None => "correct or remove it",
        Some(claude) if *claude == ClaudeSection::default() => "using the defaults",
        Some(_) => "using the defaults, except for [claude]",
    };
    let config = claude.map(|claude| Config {
        claude,
        ..Config::default()
    });
    (config, Some(format!("{}: {what}; {next}", path.display())))
}

/// The settings at the end of the last run. A broken file is ignored.
pub fn read_state() -> Config {
    state_path()
        .and_then(|path| files::read_text(&path, files::SMALL).ok())
        .and_then(|text| Config::parse(&text).ok())
        .unwrap_or_default()
}

/// Saves the settings for the next run. A failure is ignored.
pub fn remember(memory: Memory) {
    let Some(path) = state_path() else {
        return;
    };
    if let Some(folder) = path.parent() {
        let _ = private_folder(folder);
    }
    let _ = replace(&path, remembered(&memory).as_bytes());
}
