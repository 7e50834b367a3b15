//! `claude-resume cache`: what the cache holds, where it is, and how to get rid of it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::pick::{cache_folder, read_config};
use super::surroundings::Surroundings;
use super::{Exit, counted};
use crate::cache::{CacheDir, Summaries, is_inside};
use crate::text::{escape_json, sanitize, size};
use crate::tui::Switch;

/// Show or delete what is kept from earlier runs
///
/// The cache only saves time: it can be deleted at any time, and is made again. It holds titles
/// and prompts, and only you can read it. To run without it, use --no-cache, or set
/// `enabled = false` under `[cache]` in the configuration.
#[derive(Debug, Args)]
pub struct CacheCommand {
    #[arg(value_enum, default_value_t)]
    action: CacheAction,

    /// Print one JSON object per config directory (info)
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum CacheAction {
    /// What it holds, for each config directory
    #[default]
    Info,
    /// Delete it
    Clear,
    /// Print the path of its folder
    Path,
}

/// What the cache holds for a config directory.
#[derive(Debug, Serialize)]
struct CacheInfo {
    root: Option<String>,
    folder: PathBuf,
    sessions: usize,
    bytes: u64,
    files: Vec<CachedFile>,
}

#[derive(Debug, Serialize)]
struct CachedFile {
    name: String,
    bytes: u64,
}

/// The folder of the cache, unless it is off.
pub fn cache_in_use(surroundings: &Surroundings, option: Switch) -> Option<PathBuf> {
    let config = read_config().0.unwrap_or_default();
    if option == Switch::Off || config.cache() == Switch::Off {
        return None;
    }
    let is_free = |base: &PathBuf| !surroundings.roots.iter().any(|root| is_inside(base, root));
    cache_folder().filter(is_free)
}

impl CacheCommand {
    pub fn run(&self) -> anyhow::Result<Exit> {
        if self.json && self.action != CacheAction::Info {
            bail!("--json is for `cache info`");
        }
        let Some(base) = cache_folder() else {
            bail!("no home directory: set HOME");
        };
        let at = || format!("{}: cannot be read", base.display());
        let mut out = io::stdout().lock();
        match self.action {
            CacheAction::Path => writeln!(out, "{}", sanitize(&base.to_string_lossy()))?,
            CacheAction::Info => {
                for dir in CacheDir::all(&base).with_context(at)? {
                    self.print(&mut out, &CacheInfo::of(&dir).with_context(at)?)?;
                }
            }
            CacheAction::Clear => {
                for dir in CacheDir::all(&base).with_context(at)? {
                    let path = dir.path().to_owned();
                    let at = || format!("{}: cannot be deleted", path.display());
                    dir.clear().with_context(at)?;
                }
            }
        }
        Ok(Exit::DONE)
    }

    fn print(&self, out: &mut impl Write, info: &CacheInfo) -> anyhow::Result<()> {
        if self.json {
            writeln!(out, "{}", escape_json(&serde_json::to_string(info)?))?;
            return Ok(());
        }
        let root = info.root.as_deref().unwrap_or("unknown");
        writeln!(
            out,
            "{}\t{}\t{}\t{}",
            sanitize(root),
            counted(info.sessions, "session"),
            counted(info.files.len(), "file"),
            size(info.bytes)
        )?;
        Ok(())
    }
}

impl CacheInfo {
    fn of(dir: &CacheDir) -> io::Result<Self> {
        let files = dir.info()?.into_iter();
        let files: Vec<CachedFile> = files
            .map(|(name, bytes)| CachedFile { name, bytes })
            .collect();
        Ok(Self {
            root: dir.root(),
            folder: Path::to_owned(dir.path()),
            sessions: Summaries::count(dir)?,
            bytes: files.iter().map(|file| file.bytes).sum(),
            files,
        })
    }
}
