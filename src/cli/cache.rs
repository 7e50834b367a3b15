//! `claude-resume cache`: what the cache holds, where it is, and how to get rid of it.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::pick::{cache_folder, read_config};
use super::surroundings::Surroundings;
use super::{Exit, complain, counted};
use crate::cache::{CacheDir, Summaries, is_inside};
use crate::content::{FileKey, Index};
use crate::store::{FileInfo, list};
use crate::text::{escape_json, sanitize, size};
use crate::tui::Switch;

/// Show or delete what is kept from earlier runs
///
/// The cache only saves time: it can be deleted at any time, and is made again. It holds titles,
/// prompts and the text of conversations, with what tools printed: at most 2 GB of text for each
/// config directory. Only you can read it. The text of a deleted or rewritten transcript goes with
/// the next search. A transcript that has grown is compared with what was read at up to 9 places
/// and its end; if it was also changed elsewhere, only `clear` makes sure. To run without the
/// cache, use --no-cache, or set `enabled = false` under `[cache]` in the configuration.
#[derive(Debug, Args)]
pub struct CacheCommand {
    #[arg(value_enum, default_value_t)]
    action: CacheAction,

    /// Whole ids of sessions, to delete only what is kept of them (clear)
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Print one JSON object per config directory (info)
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum CacheAction {
    /// What it holds, for each config directory
    #[default]
    Info,
    /// Delete it, or what it holds of some sessions
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
    pub fn run(&self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        if self.json && self.action != CacheAction::Info {
            bail!("--json is for `cache info`");
        }
        if !self.ids.is_empty() && self.action != CacheAction::Clear {
            bail!("ids are for `cache clear`");
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
            CacheAction::Clear if !self.ids.is_empty() => return self.forget(&base, surroundings),
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

    /// Deletes what is kept of some sessions, and of all that are gone.
    fn forget(&self, base: &Path, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let roots = &surroundings.roots;
        let listing = list(roots, 1, &AtomicBool::new(false));
        let ids: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        let is_named = |file: &&FileInfo| ids.iter().any(|id| file.id.eq_ignore_ascii_case(id));
        let named: Vec<&FileInfo> = listing.files.iter().filter(is_named).collect();
        let mut known: HashSet<&str> = named.iter().map(|file| &*file.id).collect();
        let mut index = Index::open(roots, Some(base));
        for root in roots {
            if !listing.trouble.spares(root) {
                bail!(
                    "{}: cannot be listed, so nothing was deleted",
                    root.display()
                );
            }
            let others = listing.files.iter().filter(|file| !is_named(file));
            let there = others.map(|file| FileKey::of(&file.path())).collect();
            index.forget_gone(root, &there);
            let at = || format!("{}: cannot be changed", base.display());
            let dir = CacheDir::open(base, root).with_context(at)?;
            for id in &ids {
                // Also one whose transcript is gone.
                if Summaries::forget(&dir, &[id]).with_context(at)? {
                    known.insert(id);
                }
            }
        }
        index.save().context("the text cannot be deleted")?;
        index
            .troubles()
            .iter()
            .for_each(|trouble| complain(trouble));
        let unknown = ids.iter().filter(|id| {
            let mut known = known.iter();
            !known.any(|known| known.eq_ignore_ascii_case(id))
        });
        let unknown: Vec<&&str> = unknown.collect();
        for id in &unknown {
            complain(&format!("{id}: no session with this id is known"));
        }
        Ok(if unknown.is_empty() {
            Exit::DONE
        } else {
            Exit::NOTHING_FOUND
        })
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
