//! The order of the listed sessions in their file: of each project folder and of all, the newest
//! first. A start shows its first rows by it, and reads no more of the file than those.
//!
//! After the index of the records come the entries of all folders, a table, and the tail that says
//! where they are. The table has a checksum, and so has each record that an entry leads to: damage
//! costs rows, and makes up none.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dir::CacheDir;
use super::file::{CacheFile, FileParts};
use super::record::{FieldReader, FieldWriter, RecordHead};
use super::summaries;
use crate::store::{Millis, Project, Session};

/// The sessions of all folders that the table names. More than any terminal has lines.
const NEWEST: usize = 256;
/// How many sessions a start reads of each kind: a large screen of them.
const SEEDS: usize = 128;
/// The bytes of an entry: the last activity and the position of the record.
const ENTRY: usize = 12;
/// The bytes before a record: its length and its checksum.
pub const FRAME: usize = 8;
/// The bytes of the tail: the number of records and of entries, the length of the table and its
/// checksum.
pub const TAIL: usize = 16;
/// As much as most records need, so that they are read at once.
pub const MOST_RECORDS: usize = 1024;

/// The last bytes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    pub records: usize,
    entries: usize,
    table: usize,
    checksum: u32,
}

impl Tail {
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (_, tail) = bytes.split_last_chunk::<TAIL>()?;
        let mut fields = FieldReader { bytes: tail };
        let mut length = || usize::try_from(fields.short().ok()?).ok();
        let (records, entries, table) = (length()?, length()?, length()?);
        Some(Self {
            records,
            entries,
            table,
            checksum: fields.short().ok()?,
        })
    }

    /// The length of the order with this tail.
    pub fn length(&self) -> Option<usize> {
        let entries = self.entries.checked_mul(ENTRY)?;
        entries.checked_add(self.table)?.checked_add(TAIL)
    }
}

/// Collects the order while records are written.
#[derive(Debug, Default)]
pub struct OrderWriter {
    folders: BTreeMap<Vec<u8>, Vec<(Reverse<Millis>, u32)>>,
}

impl OrderWriter {
    /// Takes the record at this position.
    pub fn add(&mut self, head: RecordHead<'_>, at: u32) {
        let Some(activity) = head.listed else {
            return;
        };
        let entry = (Reverse(activity), at);
        match self.folders.get_mut(head.folder) {
            Some(entries) => entries.push(entry),
            None => drop(self.folders.insert(head.folder.to_owned(), vec![entry])),
        }
    }

    pub fn write(mut self, records: u32, file: &mut CacheFile) -> io::Result<()> {
        let mut newest = Vec::new();
        let (mut table, mut start) = (FieldWriter::default(), 0);
        table.short(short(self.folders.len())?);
        for (name, entries) in &mut self.folders {
            entries.sort_unstable();
            newest.extend(entries.iter().take(NEWEST));
            let mut bytes = FieldWriter::default();
            for (Reverse(activity), at) in &*entries {
                bytes.signed(*activity);
                bytes.short(*at);
            }
            file.append(&bytes.bytes)?;
            table.text(name);
            table.short(start);
            start += short(entries.len())?;
            table.short(start);
        }
        newest.sort_unstable();
        newest.truncate(NEWEST);
        table.short(short(newest.len())?);
        for (_, at) in newest {
            table.short(at);
        }
        file.append(&table.bytes)?;
        let mut tail = FieldWriter::default();
        tail.short(records);
        tail.short(start);
        tail.short(short(table.bytes.len())?);
        tail.short(crc32fast::hash(&table.bytes));
        file.append(&tail.bytes)
    }
}

fn short(count: usize) -> io::Result<u32> {
    u32::try_from(count).map_err(|_| io::ErrorKind::FileTooLarge.into())
}

/// What was listed at the end of an earlier scan: the newest sessions of some folders, told by
/// their names, and the newest of all. Their files may have changed since, or be gone.
pub fn seeds(base: &Path, roots: &[PathBuf], is_near: impl Fn(&str) -> bool) -> Vec<Session> {
    let mut seen = HashSet::new();
    let roots = roots.iter().filter(|root| seen.insert(*root));
    let read = |root: &PathBuf| Some(Order::open(base, root)?.sessions(&is_near));
    roots.filter_map(read).flatten().collect()
}

/// An open file of sessions.
struct Order<'a> {
    root: &'a Path,
    file: FileParts,
    /// Where the entries begin.
    entries: usize,
    table: Vec<u8>,
}

impl<'a> Order<'a> {
    fn open(base: &Path, root: &'a Path) -> Option<Self> {
        let file = CacheDir::find(base, root)?.file(summaries::NAME).ok()?;
        let file = FileParts::new(file, summaries::version()).ok()??;
        let tail = file.length().checked_sub(TAIL)?;
        let tail = Tail::parse(&file.read(tail, TAIL)?)?;
        let entries = file.length().checked_sub(tail.length()?)?;
        let table = file.read(file.length() - TAIL - tail.table, tail.table)?;
        let is_whole = crc32fast::hash(&table) == tail.checksum;
        is_whole.then_some(Self {
            root,
            file,
            entries,
            table,
        })
    }

    fn sessions(&self, is_near: impl Fn(&str) -> bool) -> Vec<Session> {
        let mut projects = BTreeMap::new();
        let mut sessions = Vec::new();
        for at in self.positions(is_near).unwrap_or_default() {
            sessions.extend(self.session(at, &mut projects));
        }
        sessions
    }

    /// The positions of the records to read, each once.
    fn positions(&self, is_near: impl Fn(&str) -> bool) -> Option<Vec<u32>> {
        let mut table = FieldReader { bytes: &self.table };
        let mut near = Vec::new();
        for _ in 0..table.short().ok()? {
            let name = std::str::from_utf8(table.text().ok()?);
            let (start, end) = (table.short().ok()?, table.short().ok()?);
            if name.is_ok_and(&is_near) {
                let start = usize::try_from(start).ok()?;
                let count = usize::try_from(end).ok()?.checked_sub(start)?;
                self.read_entries(start, count.min(SEEDS), &mut near)?;
            }
        }
        near.sort_unstable();
        let near = near.into_iter().take(SEEDS).map(|(_, at)| at);
        let newest = usize::try_from(table.short().ok()?).ok()?;
        let newest = (0..newest.min(SEEDS)).map_while(|_| table.short().ok());
        let mut seen = HashSet::new();
        Some(near.chain(newest).filter(|at| seen.insert(*at)).collect())
    }

    fn read_entries(
        &self,
        start: usize,
        count: usize,
        into: &mut Vec<(Reverse<Millis>, u32)>,
    ) -> Option<()> {
        let at = self.entries.checked_add(start.checked_mul(ENTRY)?)?;
        let bytes = self.file.read(at, count.checked_mul(ENTRY)?)?;
        let mut fields = FieldReader { bytes: &bytes };
        for _ in 0..count {
            let activity = fields.signed().ok()?;
            into.push((Reverse(activity), fields.short().ok()?));
        }
        Some(())
    }

    /// The session of a record, unless that is damaged.
    fn session(&self, at: u32, projects: &mut BTreeMap<Vec<u8>, Arc<Project>>) -> Option<Session> {
        let at = usize::try_from(at).ok()?;
        let most = self.file.length().checked_sub(at)?.min(MOST_RECORDS);
        let mut bytes = self.file.read(at, most)?;
        let mut frame = FieldReader { bytes: &bytes };
        let length = usize::try_from(frame.short().ok()?).ok()?;
        let checksum = frame.short().ok()?;
        let end = length.checked_add(FRAME)?;
        if end > bytes.len() {
            bytes = self.file.read(at, end)?;
        }
        let record = bytes.get(FRAME..end)?;
        if crc32fast::hash(record) != checksum {
            return None;
        }
        let mut record = FieldReader { bytes: record };
        let head = record.head().ok()?;
        let id = std::str::from_utf8(head.id).ok()?;
        if !projects.contains_key(head.folder) {
            let name = std::str::from_utf8(head.folder).ok()?;
            let folder = self.root.join("projects").join(name);
            let project = Project::new(self.root.into(), folder);
            projects.insert(head.folder.to_owned(), Arc::new(project));
        }
        let project = Arc::clone(projects.get(head.folder)?);
        Some(record.summary().ok()?.into_session(id.into(), project))
    }
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
