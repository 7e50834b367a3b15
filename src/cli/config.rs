//! `claude-resume config`: the configuration as it counts, with comments.

use std::io::{self, Write};

use clap::Args;

use super::pick::{config_path, read_config, read_state};
use super::{Outcome, complain};
use crate::config::effective;

/// Print the configuration as it counts, with comments
///
/// What is printed can be saved as the configuration file, whose place stands in the first line.
#[derive(Debug, Args)]
pub struct Config;

impl Config {
    pub fn run() -> anyhow::Result<Outcome> {
        let (config, outcome) = match read_config() {
            Ok(config) => (config, Outcome::Done),
            Err(bad) => {
                complain(&bad.text);
                (bad.rest(), Outcome::Failed)
            }
        };
        let mut out = io::stdout().lock();
        if let Some(path) = config_path() {
            writeln!(out, "# {}", crate::text::sanitize(&path.to_string_lossy()))?;
        }
        let memory = config.over(&read_state());
        write!(out, "{}", effective(&config, &memory))?;
        Ok(outcome)
    }
}
