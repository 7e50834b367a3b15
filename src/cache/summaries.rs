//! What the list knows of every session, kept from scan to scan.
//!
//! The file of a root has one record per transcript, an index of hashes into them, and the order in
//! which the listed ones are shown. Nothing is decoded before it is asked for: loading is reading
//! and a checksum, of a large file only its index.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crc32fast::Hasher;

use super::dir::CacheDir;
use super::file::{self, CacheFile, FileParts};
use super::order::{FRAME, MOST_RECORDS, OrderWriter, TAIL, Tail};
use super::record::{Damaged, FieldReader, FieldWriter, RecordHead};
use crate::store::{FileInfo, Known, ScanDepth, Session, SidecarVersions, Summary};

pub const NAME: &str = "sessions";
/// A larger file is not held in memory: a scan of that many sessions takes enough of it.
const LARGE: usize = 16 * 1024 * 1024;
/// An entry of the index: the hash and the position of a record.
const ENTRY: usize = 8;

/// The version of the file. Another program may read more of a transcript; so may this one, which
/// then needs a new number.
pub fn version() -> u32 {
    crc32fast::hash(concat!(env!("CARGO_PKG_VERSION"), " 4").as_bytes())
}

/// The summaries of some roots, for one scan.
#[derive(Debug)]
pub struct Summaries {
    base: PathBuf,
    roots: Vec<RootSummaries>,
}

#[derive(Debug)]
struct RootSummaries {
    root: PathBuf,
    loaded: OnceLock<Loaded>,
    /// The next file, or why there will be none; begun by the first file that was read.
    draft: Mutex<Option<io::Result<Draft>>>,
}

#[derive(Debug)]
struct Loaded {
    dir: io::Result<CacheDir>,
    table: Table,
}

/// A file that is being written, record by record, so that they need no memory.
#[derive(Debug)]
struct Draft {
    file: CacheFile,
    index: Vec<(u32, u32)>,
    order: OrderWriter,
}

impl Draft {
    fn begin(dir: &CacheDir) -> io::Result<Self> {
        Ok(Self {
            file: dir.create(version())?,
            index: Vec::new(),
            order: OrderWriter::default(),
        })
    }

    fn add(&mut self, hash: u32, record: &[u8]) -> io::Result<()> {
        let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
        let at = u32::try_from(self.file.length()).map_err(too_large)?;
        let length = u32::try_from(record.len()).map_err(too_large)?;
        let mut frame = FieldWriter::default();
        frame.short(length);
        frame.short(crc32fast::hash(record));
        self.file.append(&frame.bytes)?;
        self.file.append(record)?;
        self.index.push((hash, at));
        if let Ok(head) = (FieldReader { bytes: record }).head() {
            self.order.add(head, at);
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.index.sort_unstable();
        for (hash, at) in &self.index {
            self.file.append(&hash.to_le_bytes())?;
            self.file.append(&at.to_le_bytes())?;
        }
        let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
        let records = u32::try_from(self.index.len()).map_err(too_large)?;
        self.order.write(records, &mut self.file)?;
        self.file.finish(NAME)
    }
}

impl Summaries {
    /// Touches no file before it is asked for something.
    pub fn new(base: &Path, roots: &[PathBuf]) -> Self {
        let of_root = |root: &PathBuf| RootSummaries {
            root: root.clone(),
            loaded: OnceLock::new(),
            draft: Mutex::default(),
        };
        // Twice the same would write the same file twice, the second time without what was seen.
        let roots: BTreeSet<&PathBuf> = roots.iter().collect();
        Self {
            base: base.to_owned(),
            roots: roots.into_iter().map(of_root).collect(),
        }
    }

    /// How many sessions the folder of a root knows.
    pub fn count(dir: &CacheDir) -> io::Result<usize> {
        Ok(Table::load(dir)?.len())
    }

    /// Drops what is known of these sessions. Returns whether anything was.
    pub fn forget(dir: &CacheDir, ids: &[&str]) -> io::Result<bool> {
        let table = Table::load(dir)?;
        let is_forgotten = |record: &[u8]| {
            let head = FieldReader { bytes: record }.head();
            head.is_ok_and(|head| ids.iter().any(|id| id.as_bytes() == head.id))
        };
        let all = (0..table.len()).filter_map(|at| table.entry(at));
        let kept: Vec<(u32, Cow<'_, [u8]>)> =
            all.filter(|(_, record)| !is_forgotten(record)).collect();
        if kept.len() == table.len() {
            return Ok(false);
        }
        let mut draft = Draft::begin(dir)?;
        for (hash, record) in kept {
            draft.add(hash, &record)?;
        }
        draft.finish()?;
        Ok(true)
    }

    /// Keeps what a scan of this depth has seen. Called once, when it has come to its end. Writes
    /// nothing if all of it was known.
    pub fn save(&self, depth: ScanDepth) -> io::Result<()> {
        let saved = self.roots.iter().map(|root| root.save(depth));
        // One that fails keeps no other from being saved.
        saved.collect::<Vec<_>>().into_iter().collect()
    }

    fn of(&self, file: &FileInfo) -> Option<(&RootSummaries, &Loaded)> {
        let root = self
            .roots
            .iter()
            .find(|it| *it.root == *file.project.root)?;
        let loaded = root
            .loaded
            .get_or_init(|| Loaded::new(&self.base, &root.root));
        Some((root, loaded))
    }
}

impl Known for Summaries {
    fn prepare(&self) {
        for root in &self.roots {
            root.loaded
                .get_or_init(|| Loaded::new(&self.base, &root.root));
        }
    }

    fn recall(&self, file: &FileInfo) -> Option<Summary> {
        let (_, Loaded { table, .. }) = self.of(file)?;
        let (at, record) = table.find(file)?;
        table.keep[at].store(true, Ordering::Relaxed);
        let mut record = FieldReader { bytes: &record };
        record.head().ok()?;
        record.summary().ok()
    }

    fn learn(&self, session: &Session, sidecars: Option<SidecarVersions>, depth: ScanDepth) {
        let file = &session.file;
        let Some((root, Loaded { dir, table })) = self.of(file) else {
            return;
        };
        let Ok(dir) = dir else {
            return;
        };
        let mut record = FieldWriter::default();
        record.head(RecordHead {
            depth,
            listed: session.hidden.is_none().then(|| session.last_activity()),
            id: file.id.as_bytes(),
            folder: project(file),
        });
        record.summary(file.version(), sidecars, &session.meta, session.hidden);
        if let Some((at, _)) = table.find(file) {
            table.keep[at].store(false, Ordering::Relaxed);
        }
        let mut draft = root.draft.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = draft.get_or_insert_with(|| Draft::begin(dir));
        if let Ok(begun) = begun
            && let Err(error) = begun.add(hash(file), &record.bytes)
        {
            *draft = Some(Err(error));
        }
    }
}

impl Loaded {
    fn new(base: &Path, root: &Path) -> Self {
        let dir = CacheDir::open(base, root);
        let table = match &dir {
            // What cannot be read is written again, if that is possible.
            Ok(dir) => Table::load(dir).unwrap_or_default(),
            Err(_) => Table::default(),
        };
        Self { dir, table }
    }
}

impl RootSummaries {
    fn save(&self, depth: ScanDepth) -> io::Result<()> {
        let Some(Loaded { dir, table }) = self.loaded.get() else {
            return Ok(());
        };
        let dir = dir
            .as_ref()
            .map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
        let mut draft = self.draft.lock().unwrap_or_else(PoisonError::into_inner);
        let is_kept = |at: &usize| {
            // Such files are closed in a scan of candidates, and not asked for.
            let is_deep = || {
                let record = table.entry(*at);
                let head = record
                    .as_ref()
                    .map(|(_, bytes)| FieldReader { bytes }.head());
                matches!(head, Some(Ok(head)) if head.depth == ScanDepth::Everything)
            };
            table.keep[*at].load(Ordering::Relaxed) || depth == ScanDepth::Candidates && is_deep()
        };
        let kept: Vec<usize> = (0..table.len()).filter(is_kept).collect();
        // The titles and prompts of what is gone go, too.
        if draft.is_none() && kept.len() == table.len() {
            return Ok(());
        }
        let mut draft = draft.take().unwrap_or_else(|| Draft::begin(dir))?;
        for (hash, record) in kept.into_iter().filter_map(|at| table.entry(at)) {
            draft.add(hash, &record)?;
        }
        draft.finish()
    }
}

/// The body of a file.
enum Body {
    Memory(Vec<u8>),
    /// A large one: a record is read when it is asked for, and has a checksum of its own.
    File(FileParts),
}

impl Default for Body {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl Body {
    fn length(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(parts) => parts.length(),
        }
    }

    fn read(&self, at: usize, length: usize) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => Some(bytes.get(at..)?.get(..length)?.into()),
            Self::File(parts) => Some(parts.read(at, length)?.into()),
        }
    }
}

/// The records of a file.
#[derive(Default)]
struct Table {
    body: Body,
    /// Where the records end in it.
    end: usize,
    /// Sorted by hash.
    index: Vec<(u32, u32)>,
    /// Was the file that a record is of seen?
    keep: Vec<AtomicBool>,
}

impl fmt::Debug for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Table of {}", self.len())
    }
}

impl Table {
    fn load(dir: &CacheDir) -> io::Result<Self> {
        let body = match dir.file(NAME) {
            Ok(file) => Self::body(file, LARGE)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(body.and_then(Self::parse).unwrap_or_default())
    }

    /// The body of a file, in memory unless it is larger than this.
    fn body(file: File, large: usize) -> io::Result<Option<Body>> {
        if file.metadata()?.len() > large as u64 {
            return Ok(FileParts::new(file, version())?.map(Body::File));
        }
        Ok(file::read(file, version())?.map(Body::Memory))
    }

    fn parse(body: Body) -> Option<Self> {
        let tail = body.read(body.length().checked_sub(TAIL)?, TAIL)?;
        let tail = Tail::parse(&tail)?;
        let count = tail.records;
        let end = body.length().checked_sub(tail.length()?)?;
        let start = end.checked_sub(count.checked_mul(ENTRY)?)?;
        let entries = body.read(start, end - start)?;
        let mut entries = FieldReader { bytes: &entries };
        let index: Result<Vec<(u32, u32)>, Damaged> = (0..count)
            .map(|_| Ok((entries.short()?, entries.short()?)))
            .collect();
        let index = index.ok()?;
        let keep = (0..count).map(|_| AtomicBool::new(false)).collect();
        Some(Self {
            end: start,
            body,
            index,
            keep,
        })
    }

    fn len(&self) -> usize {
        self.index.len()
    }

    /// The hash and the bytes of a record.
    fn entry(&self, at: usize) -> Option<(u32, Cow<'_, [u8]>)> {
        let (hash, start) = self.index.get(at)?;
        let start = usize::try_from(*start).ok()?;
        let most = self.end.checked_sub(start)?;
        let bytes = self.body.read(start, most.min(MOST_RECORDS))?;
        let mut frame = FieldReader { bytes: &bytes };
        let length = usize::try_from(frame.short().ok()?).ok()?;
        let checksum = frame.short().ok()?;
        if length > most.checked_sub(FRAME)? {
            return None;
        }
        let record = match bytes {
            Cow::Owned(mut bytes) if bytes.len() >= FRAME + length => {
                bytes.truncate(FRAME + length);
                bytes.drain(..FRAME);
                bytes.into()
            }
            _ => self.body.read(start + FRAME, length)?,
        };
        // That of the whole file was not compared.
        let is_sound = || crc32fast::hash(&record) == checksum;
        (matches!(self.body, Body::Memory(_)) || is_sound()).then_some((*hash, record))
    }

    /// The place of the record of a file, and the record.
    fn find(&self, file: &FileInfo) -> Option<(usize, Cow<'_, [u8]>)> {
        let wanted = hash(file);
        let first = self.index.partition_point(|(hash, _)| *hash < wanted);
        let same = self.index[first..].iter();
        let same = same.take_while(|(hash, _)| *hash == wanted).enumerate();
        same.map(|(nth, _)| first + nth).find_map(|at| {
            let (_, record) = self.entry(at)?;
            let head = FieldReader { bytes: &record }.head().ok()?;
            let is_it = head.id == file.id.as_bytes() && head.folder == project(file);
            is_it.then_some((at, record))
        })
    }
}

/// The name of the project folder, which may not be text.
fn project(file: &FileInfo) -> &[u8] {
    let name = file.project.dir.file_name();
    name.map_or(b"", |name| name.as_encoded_bytes())
}

fn hash(file: &FileInfo) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(file.id.as_bytes());
    hasher.update(project(file));
    hasher.finalize()
}

#[cfg(test)]
#[path = "summaries_tests.rs"]
pub mod tests;
