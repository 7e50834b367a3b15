//! The two phases as one stream: stat everything, then read it newest first.
//!
//! Runs on plain threads and hands batches to a sink; the caller
//! chooses thread and runtime. A sink that says stop stops every thread before its next file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{io, thread};

use super::known::{Known, SidecarVersions, Summary, is_settled};
use super::lite::{LastPrompt, LiteReader};
use super::session::{FileInfo, FileState, Hidden, Kind, Session, SessionMeta};
use super::sidecar::Sidecar;
use super::stat::{FileListing, Trouble, in_parallel, list};
use super::visibility::{by_content, by_file};
use crate::files;

/// Rows of the first batches: a screenful at once, then enough to keep the channel quiet.
const FIRST_BATCH: usize = 25;
const LARGEST_BATCH: usize = 400;
/// Threads that read, at least: with a cold cache they wait for the disk, not for a core. On two
/// cores 10,000 sessions that are not in memory take 1.0 s with four instead of 1.3 to 2.1 s with
/// two; warm it makes no difference.
const READERS: usize = 4;

/// Which files to open in phase 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanDepth {
    /// Only those that may be shown. One folder has been seen with 107,692 files of which a
    /// dozen were sessions: those that `stat` already rules out stay closed.
    Candidates,
    /// Every file that can be opened.
    Everything,
}

/// What the scanner tells, in this order.
#[derive(Debug)]
pub enum Event {
    /// Phase 1 is over: so many files will come.
    Listed(usize),
    /// Sessions, roughly newest first.
    Batch(Vec<Session>),
    /// All is read.
    Finished(Trouble),
}

/// A file that was not opened because the process had too many files open. That says nothing about
/// the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("too many open files")]
pub struct TooManyOpen(pub PathBuf);

/// Receives the events. Breaks to stop the scan.
type Sink<'a> = &'a (dyn Fn(Event) -> ControlFlow<()> + Sync);

/// Scans the roots and tells `sink` about it. Files that have not changed since they were `known`
/// stay closed. Ends before the next file once the sink breaks or `stop` is set.
pub fn scan(
    roots: &[PathBuf],
    depth: ScanDepth,
    known: Option<&dyn Known>,
    stop: &AtomicBool,
    sink: Sink,
) {
    let began = SystemTime::now();
    let FileListing { files, trouble } = thread::scope(|scope| {
        if let Some(known) = known {
            // Without a thread to give, the first question does it.
            let _ = thread::Builder::new().spawn_scoped(scope, || known.prepare());
        }
        list(roots, cores(), stop)
    });
    if sink(Event::Listed(files.len())).is_break() {
        stop.store(true, Ordering::Relaxed);
        return;
    }
    let job = ScanJob {
        depth,
        known,
        began,
        sink,
        stop,
        readers: readers(),
        queue: Mutex::new((files.into_iter(), 0)),
        vanished: AtomicUsize::new(0),
        unread: Mutex::default(),
    };
    // The newest screenful comes first and alone: other readers would take its core, and the rows
    // after it could arrive before it.
    let first = job.read_batch(&mut job.reader());
    if first.is_continue() {
        in_parallel(job.readers, || {
            let mut reader = job.reader();
            while job.read_batch(&mut reader).is_continue() {}
        });
    }
    if !stop.load(Ordering::Relaxed) {
        let vanished = trouble.vanished + job.vanished.load(Ordering::Relaxed);
        let unread = job.unread.into_inner();
        let mut unread = unread.unwrap_or_else(PoisonError::into_inner);
        unread.sort_unstable();
        // The last message: a receiver that is gone by now misses nothing.
        let _ = sink(Event::Finished(Trouble {
            unread,
            vanished,
            ..trouble
        }));
    }
}

/// How many threads read files at once.
pub fn readers() -> usize {
    cores().max(READERS)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Reads one session again, as the scan would: the way back into the list after a change.
/// `None` if the file is gone.
pub fn rescan(root: &Path, project_dir: &Path, id: &str) -> Result<Option<Session>, TooManyOpen> {
    let Some(file) = super::stat::stamp_one(root, project_dir, id) else {
        return Ok(None);
    };
    let mut reader = SessionReader::new(ScanDepth::Everything, None, SystemTime::now());
    reader.read(file)
}

/// What the threads share.
struct ScanJob<'a> {
    depth: ScanDepth,
    known: Option<&'a dyn Known>,
    began: SystemTime,
    sink: Sink<'a>,
    stop: &'a AtomicBool,
    readers: usize,
    /// The files that are not read yet, newest first, and how many were taken.
    queue: Mutex<(std::vec::IntoIter<FileInfo>, usize)>,
    vanished: AtomicUsize,
    unread: Mutex<Vec<PathBuf>>,
}

impl<'a> ScanJob<'a> {
    fn reader(&self) -> SessionReader<'a> {
        SessionReader::new(self.depth, self.known, self.began)
    }

    /// Reads the next files and tells of them. Breaks when there are none, or no more are wanted.
    fn read_batch(&self, reader: &mut SessionReader<'_>) -> ControlFlow<()> {
        let files = self.take();
        if files.is_empty() {
            return ControlFlow::Break(());
        }
        let mut batch = Vec::with_capacity(files.len());
        for file in files {
            if self.stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            match reader.read(file) {
                Ok(Some(session)) => batch.push(session),
                Ok(None) => {
                    self.vanished.fetch_add(1, Ordering::Relaxed);
                }
                Err(TooManyOpen(path)) => {
                    let unread = self.unread.lock();
                    unread.unwrap_or_else(PoisonError::into_inner).push(path);
                }
            }
        }
        if !batch.is_empty() && (self.sink)(Event::Batch(batch)).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }

    /// The next batch of work: small at first, so that a screen fills at once, and small again
    /// at the end, so that no thread waits for another.
    fn take(&self) -> Vec<FileInfo> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let (files, taken) = &mut *queue;
        let fair = files.len() / (2 * self.readers);
        let length = (*taken).min(fair).clamp(FIRST_BATCH, LARGEST_BATCH);
        *taken += length;
        files.take(length).collect()
    }
}

/// What one thread keeps from file to file.
struct SessionReader<'a> {
    depth: ScanDepth,
    known: Option<&'a dyn Known>,
    /// A time before the stat pass.
    began: SystemTime,
    lite: LiteReader,
}

impl<'a> SessionReader<'a> {
    fn new(depth: ScanDepth, known: Option<&'a dyn Known>, began: SystemTime) -> Self {
        Self {
            depth,
            known,
            began,
            lite: LiteReader::default(),
        }
    }

    /// Phase 2 for one file. `None` if it vanished since phase 1.
    fn read(&mut self, file: FileInfo) -> Result<Option<Session>, TooManyOpen> {
        let verdict = by_file(&file);
        let closed = |file: FileInfo, hidden| Session {
            file,
            meta: SessionMeta::default(),
            hidden,
        };
        let stays_closed = match verdict {
            None => false,
            Some(Hidden::Unreadable) => true,
            // An empty file may have been given a name: its folder knows.
            Some(Hidden::Empty) if file.has_folder => false,
            Some(_) => self.depth == ScanDepth::Candidates || file.state != FileState::File,
        };
        if stays_closed {
            return Ok(Some(closed(file, verdict)));
        }
        let known = self.known;
        let recalled = known.and_then(|known| known.recall(&file));
        if let Some(Summary { meta, hidden, .. }) = recalled.filter(|known| known.is_of(&file)) {
            return Ok(Some(Session { file, meta, hidden }));
        }
        // Before they are read: what changes after this is noticed next time.
        let sidecars =
            (known.is_some() && file.has_folder).then(|| SidecarVersions::of(&file.folder()));
        let sidecar = if file.has_folder {
            Sidecar::read(&file.folder()).map_err(|_| TooManyOpen(file.path()))?
        } else {
            Sidecar::default()
        };
        let last_prompt = match sidecar.archived_at {
            None => LastPrompt::Entry,
            Some(_) => LastPrompt::Message,
        };
        let opened = files::open(&file.path());
        let reading = opened.and_then(|opened| self.lite.read(&opened, file.size, last_prompt));
        let mut reading = match reading {
            Ok(reading) => reading,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if files::is_exhausted(&error) => return Err(TooManyOpen(file.path())),
            Err(_) => return Ok(Some(closed(file, Some(Hidden::Unreadable)))),
        };
        // As in Claude Code: the tail of the transcript, the file beside it, the rest.
        if let Some(title) = &sidecar.custom_title
            && !reading.title_in_tail
        {
            reading.meta.custom_title = Some(title.as_str().into());
        }
        if verdict == Some(Hidden::SubAgent) {
            reading.meta.kind = Some(Kind::SubAgent);
        }
        let hidden = by_content(verdict, &file, &reading, &sidecar);
        let session = Session {
            file,
            meta: reading.meta,
            hidden,
        };
        if let Some(known) = known
            && is_settled(&session.file, sidecars, self.began)
        {
            let depth = match verdict {
                None | Some(Hidden::Empty) => ScanDepth::Candidates,
                Some(_) => ScanDepth::Everything,
            };
            known.learn(&session, sidecars, depth);
        }
        Ok(Some(session))
    }
}
