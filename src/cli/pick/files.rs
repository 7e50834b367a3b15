//! The picker's own files: the configuration, and the state between runs.

use std::io;
use std::path::PathBuf;

use directories::ProjectDirs;

use crate::config::{Affects, ClaudeSection, Config, remembered};
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

/// A configuration with a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadConfig {
    pub text: String,
    pub affects: Affects,
}

/// Reads the configuration. With a mistake, it consists of the defaults and the command in the file.
pub fn read_config() -> (Config, Option<BadConfig>) {
    let Some(path) = config_path() else {
        return (Config::default(), None);
    };
    let (what, affects, claude) = match files::read_text(&path, files::SMALL) {
        Ok(text) => match Config::parse(&text) {
            Ok(config) => return (config, None),
            Err(error) => (error.to_string(), error.affects, error.claude),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (Config::default(), None),
        Err(error) => {
            // It may name a command.
            let what = format!("cannot be read: {error}");
            (what, Affects::Command, ClaudeSection::default())
        }
    };
    let next = match affects {
        Affects::Command => "correct or remove it",
        Affects::Picker if claude == ClaudeSection::default() => "using the defaults",
        Affects::Picker => "using the defaults, except for [claude]",
    };
    let bad = BadConfig {
        text: format!("{}: {what}; {next}", path.display()),
        affects,
    };
    let config = Config {
        claude,
        ..Config::default()
    };
    (config, Some(bad))
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
