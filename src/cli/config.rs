//! `claude-resume config`: the effective configuration, with comments.

use std::io::{self, Write};

use clap::Args;

use super::pick::{config_path, read_config, read_state};
use super::{Exit, complain};
use crate::config::effective;

/// Print the effective configuration; line 1 is the path of the file
///
/// The output, saved to that path, is a complete configuration file.
#[derive(Debug, Args)]
pub struct ConfigCommand;

impl ConfigCommand {
    pub fn run() -> anyhow::Result<Exit> {
        let (config, complaint) = read_config();
        if let Some(complaint) = &complaint {
            complain(complaint);
        }
        let config = config.unwrap_or_default();
        let mut out = io::stdout().lock();
        if let Some(path) = config_path() {
            writeln!(out, "# {}", crate::text::sanitize(&path.to_string_lossy()))?;
        }
        let memory = config.over(&read_state());
        write!(out, "{}", effective(&config, &memory))?;
        Ok(complaint.map_or(Exit::DONE, |_| Exit::FAILED))
    }
}
