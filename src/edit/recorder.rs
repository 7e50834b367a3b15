//! Recording prompts in the history, and undoing the last one.
//!
//! Prompts are collected and written together. One that is undone before it was written is not
//! written; one that is in the file stays there, and its time is remembered so that this program does
//! not show it. Another process may undo what this one recorded, so the last prompt is written down,
//! too.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::append::append;
use super::lock::WriteError;
use super::pending::{Pending, put};
use super::private;
use crate::files;
use crate::history::{
    LATEST, MAX_INLINE, PasteKind, Prompt, content_hash, history_path, paste_folder, paste_path,
    skip_line, skipped_path,
};

/// What became of the entry that was recorded last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    /// It was not written yet, and will not be.
    Withdrawn(String),
    /// It is in the file, and no read of ours shows it.
    Skipped(String),
    /// Nothing was recorded since the last undo.
    Nothing,
}

#[derive(Debug)]
pub struct Recorder {
    root: PathBuf,
    history: PathBuf,
    state: PathBuf,
    pending: Vec<String>,
    /// The line that was recorded last.
    last: Option<String>,
    /// The times that entries of ours have, each with the next one that may be free.
    taken: HashMap<i64, i64>,
    swept: bool,
}

impl Recorder {
    /// Records into the history of a config directory. `state` is the folder for what this
    /// program remembers.
    pub fn new(root: &Path, state: &Path) -> Self {
        let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self {
            history: history_path(&real),
            root: real,
            state: state.to_owned(),
            pending: Vec::new(),
            last: None,
            taken: HashMap::new(),
            swept: false,
        }
    }

    /// Takes a prompt. Long pastes are put into the paste store at once. One whose time is none is
    /// invalid input.
    pub fn add(&mut self, prompt: &Prompt) -> io::Result<()> {
        let timestamp = self.free_time(prompt.timestamp)?;
        let line = self.line(prompt, timestamp)?;
        for time in [prompt.timestamp, timestamp] {
            self.taken.insert(time, timestamp + 1);
        }
        self.last = Some(line.clone());
        self.pending.push(line);
        Ok(())
    }

    /// The time is what an entry is known by, so no two of ours have the same: this one, or else
    /// the first one after it.
    fn free_time(&self, wanted: i64) -> io::Result<i64> {
        let mut time = wanted;
        while let Some(next) = self.taken.get(&time) {
            time = *next;
        }
        if (0..=LATEST).contains(&time) {
            Ok(time)
        } else {
            let reason = format!("its timestamp {wanted} is no time in milliseconds since 1970");
            Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
        }
    }

    /// How many prompts are not written yet.
    pub fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// Writes what was collected, and what others had to leave behind. If another process has the
    /// lock, everything is as before, and can be tried again.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let left_behind = Pending::claim(&self.state, &self.history).ok();
        let before = left_behind.as_ref().map(|claimed| &claimed.lines);
        let lines: String = before
            .into_iter()
            .chain(&self.pending)
            .map(String::as_str)
            .collect();
        // If it fails, what was claimed waits again.
        append(&self.history, &lines)?;
        if let Some(written) = left_behind.filter(|claimed| !claimed.lines.is_empty()) {
            let _ = written.keep("");
        }
        self.pending.clear();
        self.remember_last();
        self.sweep();
        Ok(())
    }

    /// Takes away what processes of ours left that were killed while they wrote, once.
    fn sweep(&mut self) {
        if std::mem::replace(&mut self.swept, true) {
            return;
        }
        private::sweep(&paste_folder(&self.root));
        private::sweep(&self.state);
    }

    /// Leaves what could not be written to the next process that records.
    pub fn leave_behind(&mut self) -> io::Result<()> {
        let lines = self.pending.concat();
        if !lines.is_empty() {
            put(&self.state, &self.history, &lines)?;
            self.pending.clear();
            self.remember_last();
        }
        Ok(())
    }

    /// Takes back what was recorded last in this history: by this recorder, or else by any.
    pub fn undo(&mut self) -> io::Result<Undone> {
        let Some(last) = self.last.take().or_else(|| self.read_last()) else {
            return Ok(Undone::Nothing);
        };
        let display = Prompt::parse(last.as_bytes()).map_or_else(String::new, |it| it.display);
        if let Some(at) = self.pending.iter().rposition(|line| *line == last) {
            self.pending.remove(at);
            return Ok(Undone::Withdrawn(display));
        }
        let waits = self.withdraw(&last);
        if !waits {
            self.skip(&last)?;
        }
        self.forget_last();
        Ok(if waits {
            Undone::Withdrawn(display)
        } else {
            Undone::Skipped(display)
        })
    }

    /// Takes a line away, if it still waits.
    fn withdraw(&self, wanted: &str) -> bool {
        let Ok(waiting) = Pending::claim(&self.state, &self.history) else {
            return false;
        };
        let lines = waiting.lines.split_inclusive('\n');
        let kept: String = lines.filter(|line| *line != wanted).collect();
        kept != waiting.lines && waiting.keep(&kept).is_ok()
    }

    fn skip(&self, last: &str) -> io::Result<()> {
        let Some(prompt) = Prompt::parse(last.as_bytes()) else {
            return Ok(());
        };
        // Readers know it by its real path, and it may be a link.
        let real = fs::canonicalize(&self.history).unwrap_or_else(|_| self.history.clone());
        private::folder(&self.state)?;
        let path = skipped_path(&self.state);
        files::open_with(private::options().create(true).append(true), &path)
            .and_then(|mut file| {
                file.write_all(format!("{}\n", skip_line(&real, &prompt)).as_bytes())
            })
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
    }

    /// The line of an entry, in the order in which Claude Code writes its fields.
    fn line(&self, prompt: &Prompt, timestamp: i64) -> io::Result<String> {
        let mut pastes = Vec::new();
        for paste in &prompt.pastes {
            let stored = match &paste.kind {
                // The length is that of JavaScript.
                PasteKind::Inline(text) if text.encode_utf16().count() <= MAX_INLINE => {
                    format!("\"content\":{}", json!(text))
                }
                PasteKind::Inline(text) => format!("\"contentHash\":{}", json!(self.store(text)?)),
                PasteKind::Stored(hash) => format!("\"contentHash\":{}", json!(hash)),
                // Pictures are not kept.
                PasteKind::Image | PasteKind::Nothing => continue,
            };
            let id = paste.id;
            pastes.push(format!(
                "\"{id}\":{{\"id\":{id},\"type\":\"text\",{stored}}}"
            ));
        }
        let session = prompt.session.as_ref();
        let session = session.map_or(String::new(), |id| format!(",\"sessionId\":{}", json!(id)));
        Ok(format!(
            "{{\"display\":{},\"pastedContents\":{{{}}},\"timestamp\":{timestamp},\"project\":{}{session}}}\n",
            json!(prompt.display),
            pastes.join(","),
            json!(prompt.project),
        ))
    }

    /// Keeps a long paste in a file called after its hash. Returns the hash.
    fn store(&self, text: &str) -> io::Result<String> {
        let hash = content_hash(text.as_bytes());
        let path = paste_path(&self.root, &hash).ok_or_else(|| io::Error::other("no hash"))?;
        let known =
            files::read(&path, text.len() as u64).is_ok_and(|known| known == text.as_bytes());
        if !known {
            private::folder(&paste_folder(&self.root))?;
            private::replace(&path, text.as_bytes())?;
        }
        Ok(hash)
    }

    /// Each history has a last prompt of its own.
    fn last_path(&self) -> PathBuf {
        let name = content_hash(self.history.to_string_lossy().as_bytes());
        self.state.join(format!("last-prompt-{name}.jsonl"))
    }

    /// A convenience for `undo`: if it fails, there is nothing to take back later.
    fn remember_last(&self) {
        if let Some(last) = &self.last {
            let text = format!("{}\n{last}", self.history.display());
            let _ = private::folder(&self.state)
                .and_then(|()| private::replace(&self.last_path(), text.as_bytes()));
        }
    }

    fn forget_last(&self) {
        let _ = fs::remove_file(self.last_path());
    }

    fn read_last(&self) -> Option<String> {
        let text = files::read_text(&self.last_path(), files::LARGE).ok()?;
        let (history, line) = text.split_once('\n')?;
        (Path::new(history) == self.history).then(|| line.to_owned())
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
