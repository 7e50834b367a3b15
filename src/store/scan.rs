//! The two phases as one stream: stat everything, then read it newest first.
//!
//! Runs on plain threads and hands batches to a sink; who drives it, and on what runtime, is
//! the caller's business. A sink that says stop stops every thread before its next file.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

use super::lite::LiteReader;
use super::session::{Hidden, Lite, Session, Stamp};
use super::sidecar::Sidecar;
use super::stat::{Listing, Trouble, list};
use super::visibility::{by_content, by_stamp};

/// Rows of the first batches: a screenful at once, then enough to keep the channel quiet.
const FIRST_BATCH: usize = 25;
const LARGEST_BATCH: usize = 400;
/// Batches that may wait for a slow receiver before the readers wait for it.
const PENDING_BATCHES: usize = 64;

/// Which files to open in phase 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
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

/// Scans the roots and tells `sink` about it. Returns early if the sink breaks.
pub fn scan(roots: &[PathBuf], depth: Depth, sink: &(dyn Fn(Event) -> ControlFlow<()> + Sync)) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let Listing { stamps, trouble } = list(roots, threads);
    if sink(Event::Listed(stamps.len())).is_break() {
        return;
    }
    let work = Work {
        threads,
        queue: Mutex::new(Queue {
            stamps: stamps.into_iter(),
            taken: 0,
        }),
        stopped: AtomicBool::new(false),
        vanished: AtomicUsize::new(0),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work.run(depth, sink));
        }
        work.run(depth, sink);
    });
    if !work.stopped.load(Ordering::Relaxed) {
        let vanished = trouble.vanished + work.vanished.load(Ordering::Relaxed);
        // The last message: a receiver that is gone by now misses nothing.
        let _ = sink(Event::Finished(Trouble {
            vanished,
            ..trouble
        }));
    }
}

/// Scans in the background. Dropping the receiver cancels the scan.
pub fn stream(roots: Vec<PathBuf>, depth: Depth) -> io::Result<Receiver<Event>> {
    let (sender, receiver) = sync_channel(PENDING_BATCHES);
    thread::Builder::new()
        .name("scan".to_owned())
        .spawn(move || {
            scan(&roots, depth, &|event| match sender.send(event) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        })?;
    Ok(receiver)
}

/// Reads one session again, as the scan would: the way back into the list after a change.
/// `None` if the file is gone.
pub fn rescan(root: &Path, project_dir: &Path, id: &str) -> Option<Session> {
    let stamp = super::stat::stamp_one(root, project_dir, id)?;
    read(&mut LiteReader::default(), stamp, Depth::Everything)
}

/// What the threads share.
struct Work {
    threads: usize,
    queue: Mutex<Queue>,
    stopped: AtomicBool,
    vanished: AtomicUsize,
}

/// The files still to read, newest first.
struct Queue {
    stamps: std::vec::IntoIter<Stamp>,
    taken: usize,
}

impl Work {
    fn run(&self, depth: Depth, sink: &(dyn Fn(Event) -> ControlFlow<()> + Sync)) {
        let mut reader = LiteReader::default();
        loop {
            let stamps = self.take();
            if stamps.is_empty() {
                return;
            }
            let mut batch = Vec::with_capacity(stamps.len());
            for stamp in stamps {
                if self.stopped.load(Ordering::Relaxed) {
                    return;
                }
                match read(&mut reader, stamp, depth) {
                    Some(session) => batch.push(session),
                    None => {
                        self.vanished.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
            if !batch.is_empty() && sink(Event::Batch(batch)).is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The next batch of work: small at first, so that a screen fills at once, and small again
    /// at the end, so that no thread waits for another.
    fn take(&self) -> Vec<Stamp> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let fair = queue.stamps.len() / (4 * self.threads);
        let length = queue.taken.min(fair).clamp(FIRST_BATCH, LARGEST_BATCH);
        queue.taken += length;
        queue.stamps.by_ref().take(length).collect()
    }
}

/// Phase 2 for one file. `None` if it vanished since phase 1.
fn read(reader: &mut LiteReader, stamp: Stamp, depth: Depth) -> Option<Session> {
    let verdict = by_stamp(&stamp);
    let closed = |stamp: Stamp, hidden| Session {
        stamp,
        lite: Lite::default(),
        hidden: Some(hidden),
    };
    match verdict {
        Some(Hidden::Unreadable) => return Some(closed(stamp, Hidden::Unreadable)),
        // An empty file may have been given a name: its folder knows.
        Some(Hidden::Empty) if stamp.has_folder => {}
        Some(hidden) if depth == Depth::Candidates => return Some(closed(stamp, hidden)),
        Some(hidden) if stamp.state != super::session::FileState::File => {
            return Some(closed(stamp, hidden));
        }
        _ => {}
    }
    let path = stamp.path();
    let reading = File::open(&path).and_then(|file| reader.read(&file, stamp.size));
    let mut reading = match reading {
        Ok(reading) => reading,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(_) => return Some(closed(stamp, Hidden::Unreadable)),
    };
    let sidecar = if stamp.has_folder {
        Sidecar::read(&path.with_extension(""))
    } else {
        Sidecar::default()
    };
    if reading.lite.custom_title.is_none() && !reading.title_cleared {
        reading.lite.custom_title = sidecar.custom_title.as_deref().map(Into::into);
    }
    let hidden = by_content(&stamp, &reading, &sidecar);
    Some(Session {
        stamp,
        lite: reading.lite,
        hidden,
    })
}
