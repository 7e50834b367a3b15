//! All conversations that can be searched: which are up to date, which have to be read, what they
//! say.
//!
//! Knows no thread: the caller lets `reading` read the files and hands the steps over.

mod answers;
mod beside;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use beside::AgentsBeside;

use super::library::{FileKey, FileKeys, Library};
use super::reading::{ReadJob, ReadStep};
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
    root: usize,
    file: FileInfo,
    /// The transcript first.
    keys: Vec<FileKey>,
}

impl Conversation {
    fn new(root: usize, file: &FileInfo) -> Self {
        Self {
            root,
            file: file.clone(),
            keys: Vec::new(),
        }
    }
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

#[derive(Debug)]
pub struct Index {
    roots: Vec<Root>,
    rows: HashMap<RowId, Conversation>,
    /// Which conversation a file belongs to.
    owners: HashMap<FileKey, RowId>,
    /// Transcripts of agents that are beside those of their sessions.
    beside: AgentsBeside,
    /// Files that are being read, or wait for it.
    pending: HashMap<FileKey, PathBuf>,
    /// How many of them each conversation has.
    unread: HashMap<RowId, usize>,
    failed: HashMap<FileKey, (PathBuf, String)>,
    /// Conversations whose stored text could not be read at the last look, and why.
    unavailable: HashMap<RowId, String>,
    /// Conversations that have to be read again, because what was known of them was dropped.
    again: HashSet<RowId>,
    /// Conversations whose text is not what it was.
    changed: Vec<RowId>,
    /// What went wrong with the cache, once.
    troubles: Vec<String>,
}

impl Index {
    /// Opens what is stored for these roots under `base`; without it everything is read anew.
    pub fn open(roots: &[PathBuf], base: Option<&Path>) -> Self {
        let mut troubles = Vec::new();
        let roots = roots.iter().map(|path| {
            let opened = TextStore::open(base, path).and_then(|store| Ok((store.load()?, store)));
            let (library, store) = opened.unwrap_or_else(|error| {
                troubles.push(format!("The text cache cannot be used: {error}"));
                Default::default()
            });
            Root {
                path: path.clone(),
                library,
                store,
                damage: 0,
            }
        });
        Self {
            roots: roots.collect(),
            rows: HashMap::new(),
            owners: HashMap::new(),
            beside: AgentsBeside::default(),
            pending: HashMap::new(),
            unread: HashMap::new(),
            failed: HashMap::new(),
            unavailable: HashMap::new(),
            again: HashSet::new(),
            changed: Vec::new(),
            troubles,
        }
    }

    /// Adds a conversation, or hears that it may have changed. Returns what has to be read. A file
    /// without text is none. An agent beside its session is part of that one's conversation, if it is
    /// there.
    pub fn put(&mut self, row: RowId, file: &FileInfo) -> Vec<ReadJob> {
        let root = self
            .roots
            .iter()
            .position(|root| *root.path == *file.project.root);
        let Some(root) = root.filter(|_| has_text(file)) else {
            return self.remove(row);
        };
        let path = file.path();
        let key = FileKey::of(&path);
        if let Some(session) = self.note_agent(row, file) {
            if let Some(jobs) = self.join(row, session) {
                return jobs;
            }
            self.roots[root].library.set_owner(key, key);
        }
        let mut files = vec![(path, file.version())];
        if file.has_folder {
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
        }
        let before = self.rows.get(&row).map(|before| before.keys.clone());
        let is_other = |before: &Vec<FileKey>| before.first() != Some(&key);
        // Another file of the same session stands for it now: agents beside the last one stay alone.
        let mut jobs = match before.as_ref().filter(|before| is_other(before)) {
            Some(_) => self.remove(row),
            None => Vec::new(),
        };
        self.rows.insert(row, Conversation::new(root, file));
        let wanted = files.into_iter();
        let wanted = wanted.filter_map(|(path, version)| self.want(row, path, version));
        jobs.extend(wanted);
        for agent in self.beside.of(key) {
            jobs.extend(self.join(agent, key).unwrap_or_default());
        }
        if before.is_some_and(|before| before != self.rows[&row].keys) {
            self.changed.push(row);
        }
        jobs
    }

    /// Makes a file part of a conversation. Returns what has to be read of it.
    fn want(&mut self, row: RowId, path: PathBuf, version: FileVersion) -> Option<ReadJob> {
        let key = FileKey::of(&path);
        self.owners.insert(key, row);
        let conversation = self.rows.get_mut(&row)?;
        conversation.keys.push(key);
        let known = self.roots[conversation.root].library.files.get(&key);
        let known = known.map(|record| &record.extent);
        if known.is_some_and(|known| known.version == version) || self.pending.contains_key(&key) {
            return None;
        }
        let known = known.cloned();
        self.failed.remove(&key);
        self.pending.insert(key, path.clone());
        *self.unread.entry(row).or_default() += 1;
        Some(ReadJob { key, path, known })
    }

    /// Forgets a conversation. Returns what has to be read of the agents that it leaves behind.
    pub fn remove(&mut self, row: RowId) -> Vec<ReadJob> {
        self.leave(row);
        self.unread.remove(&row);
        self.unavailable.remove(&row);
        let Some(gone) = self.rows.remove(&row) else {
            return Vec::new();
        };
        self.failed.remove(&FileKey::of(&gone.file.folder()));
        for key in &gone.keys {
            if self.owners.get(key) != Some(&row) {
                continue;
            }
            self.owners.remove(key);
            self.failed.remove(key);
            self.roots[gone.root].library.forget(*key);
        }
        let left = gone.keys.first().map(|key| self.beside.of(*key));
        let mut jobs = Vec::new();
        for agent in left.into_iter().flatten() {
            if let Some(file) = self.beside.file(agent).cloned() {
                jobs.extend(self.put(agent, &file));
            }
        }
        jobs
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
        let Root { library, store, .. } = &mut self.roots[root];
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
                if let Some(unread) = self.unread.get_mut(&row) {
                    *unread -= 1;
                    if *unread == 0 {
                        self.unread.remove(&row);
                    }
                }
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
        let conversation = conversation.filter(|_| !self.unread.contains_key(&row));
        conversation.is_some_and(|Conversation { root, file, keys }| {
            let files = &self.roots[*root].library.files;
            let read = keys.first().and_then(|key| files.get(key));
            read.is_some_and(|read| read.extent.version.nanos < file.nanos)
        })
    }

    /// The conversations whose text has changed since this was last asked.
    pub fn take_changed(&mut self) -> Vec<RowId> {
        std::mem::take(&mut self.changed)
    }

    pub fn is_reading(&self) -> bool {
        !self.pending.is_empty()
    }

    pub fn progress(&self) -> Progress {
        let mut failed: Vec<_> = self.failed.values().cloned().collect();
        failed.extend(self.unavailable.iter().filter_map(|(row, reason)| {
            let conversation = self.rows.get(row)?;
            Some((conversation.file.path(), reason.clone()))
        }));
        failed.sort_unstable();
        let (mut without_tools, mut left_out) = (0, 0);
        for conversation in self.rows.values() {
            let files = &self.roots[conversation.root].library.files;
            let records = conversation.keys.iter().filter_map(|key| files.get(key));
            let mut lacks_tools = false;
            for record in records {
                lacks_tools |= record.lacks_tools;
                left_out += record.extent.left_out.all();
            }
            without_tools += usize::from(lacks_tools);
        }
        Progress {
            searched: self.rows.len() - self.unread.len(),
            total: self.rows.len(),
            failed,
            without_tools,
            left_out,
        }
    }

    /// What went wrong with the cache since this was last asked.
    pub fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    /// Drops stored text that turned out to be damaged, wherever it was met. Returns what has to be
    /// read again.
    pub fn heal(&mut self) -> Vec<ReadJob> {
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
        let again: Vec<(RowId, FileInfo)> = self
            .again
            .drain()
            .filter_map(|row| Some((row, self.rows.get(&row)?.file.clone())))
            .collect();
        again
            .into_iter()
            .flat_map(|(row, file)| self.put(row, &file))
            .collect()
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
        for root in &mut self.roots {
            root.store.save(&mut root.library)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
