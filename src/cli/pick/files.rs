//! The picker's own files: the configuration, and how it was left.

use std::fs;
use std::io;
use std::path::PathBuf;

use directories::ProjectDirs;

use crate::config::{Config, remembered};
use crate::edit::{private_folder, replace};
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
pub fn remember(memory: Memory) {
    let Some(path) = state_path() else {
        return;
    };
    if let Some(folder) = path.parent() {
        let _ = private_folder(folder);
    }
    let _ = replace(&path, remembered(&memory).as_bytes());
}
