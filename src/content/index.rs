//! All conversations that can be searched: which are up to date, which have to be read, what they
//! say.
//!
//! Knows no thread: the caller lets `reading` read the files and hands the steps over.

mod answers;
mod beside;
mod names;

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use beside::AgentsBeside;

use super::library::{ByFile, ByRow, FileKey, FileKeys, Library};
use super::reading::{ReadJob, ReadStep};
use super::record::FileRecord;
use super::store::TextStore;
use crate::list::Row;
use crate::search::RowId;
use crate::store::{FileInfo, FileState, FileVersion};
use crate::text::size;
use crate::transcript::agent_files;

/// A conversation: a transcript and those of its agents.
#[derive(Debug)]
struct Conversation {
    /// The number of its root.
    root: u16,
    /// Has it to be looked at for what is to be read?
    is_stale: bool,
    row: Arc<Row>,
    /// The transcript first.
    keys: Vec<FileKey>,
}

/// How far the conversations are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    pub searched: usize,
    pub total: usize,
    /// Files that could not be read, and why.
    pub failed: Vec<(PathBuf, String)>,
    /// Conversations whose tool texts are left out, because all text would be too large.
    pub without_tools: usize,
    /// Bytes in the middle of very long outputs, which are left out.
    pub left_out: u64,
}

impl Progress {
    /// What is not searched, although its conversations are.
    pub fn omissions(&self) -> Vec<String> {
        let mut omissions = Vec::new();
        if self.without_tools > 0 {
            let s = if self.without_tools == 1 { "" } else { "s" };
            omissions.push(format!(
                "what tools said in {} old conversation{s}, which is not kept",
                self.without_tools
            ));
        }
        if self.left_out > 0 {
            let size = size(self.left_out);
            omissions.push(format!("{size} in the middle of outputs over 1 MB"));
        }
        omissions
    }
}

/// Is it a file that may be a conversation?
fn has_text(file: &FileInfo) -> bool {
    file.state == FileState::File && file.size > 0
}

/// The transcripts of these rows.
pub fn transcripts<'a>(rows: impl Iterator<Item = &'a Row>) -> FileKeys {
    let files = rows.map(|row| &row.session.file);
    let files = files.filter(|file| has_text(file));
    files.map(|file| FileKey::of(&file.path())).collect()
}

/// How often stored text may turn out to be damaged in one run, before its place is given up.
const MOST_DAMAGE: usize = 3;

#[derive(Debug)]
struct Root {
    path: PathBuf,
    library: Library,
    store: TextStore,
    /// How often stored text was damaged.
    damage: usize,
}

#[derive(Debug, Default)]
pub struct Index {
    roots: Vec<Root>,
    rows: ByRow<Conversation>,
    /// Which conversation a file belongs to.
    owners: ByFile<RowId>,
    /// Transcripts of agents that are beside those of their sessions.
    beside: AgentsBeside,
    /// Conversations with something to read, in this order, and some that are gone.
    stale: VecDeque<RowId>,
    /// How many of them there are.
    stale_count: usize,
    /// Files that are being read.
    pending: ByFile<PathBuf>,
    failed: ByFile<(PathBuf, String)>,
    /// Conversations whose stored text could not be read at the last look, and why.
    unavailable: ByRow<String>,
    /// Conversations that have to be read again, because what was known of them was dropped.
    again: BTreeSet<RowId>,
    /// Conversations whose text is not what it was.
    changed: Vec<RowId>,
    /// What went wrong with the cache, once.
    troubles: Vec<String>,
    /// Of how many conversations tool texts are left out, and how many bytes of outputs, once counted.
    omitted: Cell<Option<(usize, u64)>>,
}

impl Index {
    /// Opens what is stored for these roots under `base`; without it everything is read anew.
    pub fn open(roots: &[PathBuf], base: Option<&Path>) -> Self {
        let mut index = Self::default();
        for path in roots {
            let opened = TextStore::open(base, path).and_then(|store| Ok((store.load()?, store)));
            let (library, store) = opened.unwrap_or_else(|error| {
                let trouble = format!("The text cache cannot be used: {error}");
                index.troubles.push(trouble);
                Default::default()
            });
            index.roots.push(Root {
                path: path.clone(),
                library,
                store,
                damage: 0,
            });
        }
        index
    }

    /// Adds a conversation, or hears that it may have changed. A file without text is none. An agent
    /// beside its session is part of that one's conversation, if it is there.
    pub fn put(&mut self, row: RowId, what: &Arc<Row>) {
        let file = &what.session.file;
        let mut roots = self.roots.iter();
        let root = roots.position(|root| *root.path == *file.project.root);
        let root = root.filter(|_| has_text(file));
        let Some(root) = root.and_then(|root| u16::try_from(root).ok()) else {
            return self.remove(row);
        };
        let key = FileKey::of(&file.path());
        let known = self.rows.get(&row);
        if known.is_some_and(|known| known.keys.first() != Some(&key)) {
            // Another file of the same session stands for it now.
            self.remove(row);
        }
        if let Some(session) = self.note_agent(row, what) {
            if self.join(row, session).is_some() {
                return;
            }
            let library = &mut self.roots[usize::from(root)].library;
            library.set_owner(key, key);
        }
        let files = self.own_files(file);
        let known = self.rows.get_mut(&row);
        let before = known.map(|known| std::mem::take(&mut known.keys));
        let conversation = self.rows.entry(row).or_insert_with(|| Conversation {
            root,
            is_stale: false,
            row: Arc::clone(what),
            keys: Vec::new(),
        });
        conversation.row = Arc::clone(what);
        conversation.keys.reserve_exact(files.len());
        let mut is_new = false;
        for (path, version) in files {
            is_new |= self.own(row, FileKey::of(&path), version);
        }
        self.mark_stale(row, is_new);
        for agent in self.beside.of(key) {
            self.join(agent, key);
        }
        if before.is_some_and(|before| before != self.rows[&row].keys) {
            self.changed.push(row);
        }
    }

    /// The transcript of a session and those of the agents in its folder.
    fn own_files(&mut self, file: &FileInfo) -> Vec<(PathBuf, FileVersion)> {
        let mut files = vec![(file.path(), file.version())];
        if !file.has_folder {
            return files;
        }
        let folder = file.folder();
        let key = FileKey::of(&folder);
        match agent_files(&files[0].0) {
            Ok(agents) => {
                self.failed.remove(&key);
                files.extend(agents.into_iter().filter_map(|path| {
                    let version = FileVersion::of(&path.metadata().ok()?);
                    Some((path, version))
                }));
            }
            Err(error) => {
                self.failed.insert(key, (folder, error.to_string()));
            }
        }
        files
    }

    /// Makes a file part of a conversation. Returns whether it has to be read.
    fn own(&mut self, row: RowId, key: FileKey, version: FileVersion) -> bool {
        self.omitted.take();
        self.owners.insert(key, row);
        let Some(conversation) = self.rows.get_mut(&row) else {
            return false;
        };
        if !conversation.keys.contains(&key) {
            conversation.keys.push(key);
        }
        let files = &self.roots[usize::from(conversation.root)].library.files;
        let is_known = files
            .get(&key)
            .is_some_and(|record| record.version == version);
        !is_known && !self.pending.contains_key(&key)
    }

    fn mark_stale(&mut self, row: RowId, is_stale: bool) {
        let conversation = self.rows.get_mut(&row).filter(|_| is_stale);
        if conversation.is_some_and(|it| !std::mem::replace(&mut it.is_stale, true)) {
            self.stale.push_back(row);
            self.stale_count += 1;
        }
    }

    /// What has to be read, until so many files are being read.
    pub fn jobs(&mut self, most: usize) -> Vec<ReadJob> {
        let mut jobs = Vec::new();
        while self.pending.len() < most
            && let Some(row) = self.stale.pop_front()
        {
            let conversation = self.rows.get_mut(&row);
            let Some(conversation) = conversation.filter(|it| it.is_stale) else {
                continue;
            };
            conversation.is_stale = false;
            self.stale_count -= 1;
            let (root, what) = (conversation.root, Arc::clone(&conversation.row));
            let mut files = self.own_files(&what.session.file);
            let agents = self.beside.files(FileKey::of(&files[0].0));
            files.extend(agents.map(|file| (file.path(), file.version())));
            for (path, version) in files {
                let key = FileKey::of(&path);
                if !self.own(row, key, version) {
                    continue;
                }
                let files = &self.roots[usize::from(root)].library.files;
                let known = files.get(&key).map(FileRecord::extent);
                self.failed.remove(&key);
                self.pending.insert(key, path.clone());
                jobs.push(ReadJob { key, path, known });
            }
        }
        jobs
    }

    /// Forgets a conversation. The agents that it leaves behind are conversations again.
    pub fn remove(&mut self, row: RowId) {
        self.leave(row);
        self.unavailable.remove(&row);
        let Some(gone) = self.take_row(row) else {
            return;
        };
        self.failed
            .remove(&FileKey::of(&gone.row.session.file.folder()));
        for key in &gone.keys {
            if self.owners.get(key) != Some(&row) {
                continue;
            }
            self.owners.remove(key);
            self.failed.remove(key);
            self.roots[usize::from(gone.root)].library.forget(*key);
        }
        let left = gone.keys.first().map(|key| self.beside.of(*key));
        for agent in left.into_iter().flatten() {
            if let Some(what) = self.beside.row(agent).cloned() {
                self.put(agent, &what);
            }
        }
    }

    fn take_row(&mut self, row: RowId) -> Option<Conversation> {
        let gone = self.rows.remove(&row)?;
        self.omitted.take();
        self.stale_count -= usize::from(gone.is_stale);
        Some(gone)
    }

    /// Drops the text of sessions of a root that are not among these transcripts. Returns whether
    /// there was any.
    pub fn forget_gone(&mut self, root: &Path, there: &FileKeys) -> bool {
        let roots = self.roots.iter_mut().filter(|known| known.path == root);
        let mut libraries = roots.map(|root| &mut root.library);
        libraries.any(|library| library.forget_gone(|owner| there.contains(&owner)))
    }

    /// The same where all sessions of these roots were put.
    pub fn forget_others(&mut self, roots: &[PathBuf]) {
        let owners = self.rows.values().filter_map(|row| row.keys.first());
        let there: FileKeys = owners.copied().collect();
        for root in roots {
            self.forget_gone(root, &there);
        }
    }

    /// Takes a step of reading.
    pub fn take(&mut self, step: ReadStep) {
        let (ReadStep::Begin(key, _) | ReadStep::Piece(key, _) | ReadStep::End(key, _)) = step;
        let row = self.owners.get(&key).copied();
        let conversation = row.and_then(|row| self.rows.get(&row));
        let known = conversation.and_then(|it| Some((it.root, *it.keys.first()?)));
        let Some((row, (root, owner))) = row.zip(known) else {
            // Nobody asks for this file any more.
            self.pending.remove(&key);
            return;
        };
        let Root { library, store, .. } = &mut self.roots[usize::from(root)];
        match step {
            ReadStep::Begin(_, reading) => {
                // Text that cannot be extended is read from the beginning after this.
                if library.begin(key, owner, reading).is_err() {
                    library.forget(key);
                }
            }
            ReadStep::Piece(_, parts) => {
                library.add(key, &parts);
                if let Err(error) = library.seal(store, false) {
                    // Text that cannot be kept still has to be somewhere.
                    if matches!(store, TextStore::Cache(_)) {
                        self.troubles
                            .push(format!("The text of conversations cannot be kept: {error}"));
                        *store = TextStore::default();
                    }
                }
            }
            ReadStep::End(_, result) => {
                let path = self.pending.remove(&key).unwrap_or_default();
                self.omitted.take();
                match result {
                    Ok(extent) => {
                        if !library.finish(key, extent) || self.is_outdated(row) {
                            self.again.insert(row);
                        }
                    }
                    Err(error) => {
                        library.give_up(key);
                        self.failed.insert(key, (path, error.to_string()));
                    }
                }
                self.changed.push(row);
            }
        }
    }

    /// Did a conversation change again while it was read?
    fn is_outdated(&self, row: RowId) -> bool {
        let conversation = self.rows.get(&row);
        let is_older = conversation.is_some_and(
            |Conversation {
                 root, row, keys, ..
             }| {
                let files = &self.roots[usize::from(*root)].library.files;
                let read = keys.first().and_then(|key| files.get(key));
                read.is_some_and(|read| read.version.nanos < row.session.file.nanos)
            },
        );
        let is_its = |key| self.owners.get(key) == Some(&row);
        is_older && !self.pending.keys().any(is_its)
    }

    /// The conversations whose text has changed since this was last asked.
    pub fn take_changed(&mut self) -> Vec<RowId> {
        std::mem::take(&mut self.changed)
    }

    pub fn is_reading(&self) -> bool {
        self.stale_count > 0 || !self.pending.is_empty()
    }

    pub fn progress(&self) -> Progress {
        let mut failed: Vec<_> = self.failed.values().cloned().collect();
        failed.extend(self.unavailable.iter().filter_map(|(row, reason)| {
            let conversation = self.rows.get(row)?;
            Some((conversation.row.session.file.path(), reason.clone()))
        }));
        failed.sort_unstable();
        let (without_tools, left_out) = self.omitted.get().unwrap_or_else(|| self.count_omitted());
        self.omitted.set(Some((without_tools, left_out)));
        let reading = self.pending.keys().filter_map(|key| self.owners.get(key));
        let is_fresh = |row: &&RowId| self.rows.get(row).is_some_and(|it| !it.is_stale);
        let reading: HashSet<&RowId> = reading.filter(is_fresh).collect();
        Progress {
            searched: self.rows.len() - self.stale_count - reading.len(),
            total: self.rows.len(),
            failed,
            without_tools,
            left_out,
        }
    }

    fn count_omitted(&self) -> (usize, u64) {
        let (mut without_tools, mut left_out) = (0, 0);
        for conversation in self.rows.values() {
            let files = &self.roots[usize::from(conversation.root)].library.files;
            let records = conversation.keys.iter().filter_map(|key| files.get(key));
            let mut lacks_tools = false;
            for record in records {
                lacks_tools |= record.lacks_tools;
                left_out += record.left_out().all();
            }
            without_tools += usize::from(lacks_tools);
        }
        (without_tools, left_out)
    }

    /// What went wrong with the cache since this was last asked.
    pub fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    /// Drops stored text that turned out to be damaged, wherever it was met. Has to be read again what
    /// it was of, or what has changed while it was read.
    pub fn heal(&mut self) {
        for root in &mut self.roots {
            if root.library.drop_damaged() {
                root.damage += 1;
                match root.damage {
                    1 => self.troubles.push(
                        "Stored text of conversations was damaged: it is read again".to_owned(),
                    ),
                    MOST_DAMAGE => {
                        root.store = TextStore::default();
                        self.troubles.push(
                            "The text cache is damaged again and again: this run does not use it"
                                .to_owned(),
                        );
                    }
                    _ => {}
                }
            }
            let lost = root.library.take_lost();
            let rows = lost.iter().filter_map(|key| self.owners.get(key));
            self.again.extend(rows);
        }
        for row in std::mem::take(&mut self.again) {
            self.mark_stale(row, true);
        }
    }

    /// Bytes of text: all that is stored, and what of it belongs to no file any more.
    pub fn sizes(&self) -> (usize, usize) {
        let sizes = self.roots.iter().map(|root| root.library.sizes());
        sizes.fold((0, 0), |(all, dead), (more, gone)| {
            (all + more, dead + gone)
        })
    }

    /// All stored text, to compare a search in it with.
    pub fn all_text(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for library in self.roots.iter().map(|root| &root.library) {
            for at in 0..library.shelves.len() {
                let length = library.text_len(at);
                all.extend(library.text(at, 0..length).unwrap_or_default());
            }
        }
        all
    }

    /// Stores what is new. Does nothing if nothing is.
    pub fn save(&mut self) -> io::Result<()> {
        self.omitted.take();
        for root in &mut self.roots {
            root.store.save(&mut root.library)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
