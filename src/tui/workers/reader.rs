//! Reads conversations for the preview, on its own thread: the latest request, and no other.
//!
//! A newer request cancels the rest of an answer, also in the middle of reading a file.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::Outbox;
use crate::reader::{GoOn, PreviewReader, PreviewRequest};
use crate::tui::message::{Message, Previewed};

/// Two requests within this time are a key held down: only the row where it stops is read.
const REPEATS: Duration = Duration::from_millis(70);
/// How long without a request until the key counts as released.
const RELEASED: Duration = Duration::from_millis(35);

/// Shared id of the latest request.
#[derive(Debug, Default)]
pub struct LatestPreview {
    generation: AtomicU64,
    /// Its file and branch: reading the same one goes on, however it is laid out then.
    subject: AtomicU64,
}

impl LatestPreview {
    pub fn set(&self, request: &PreviewRequest) {
        self.subject.store(subject(request), Ordering::Relaxed);
        self.generation
            .store(request.generation.0, Ordering::Relaxed);
    }

    /// Cancels everything.
    pub fn cancel(&self) {
        self.subject.store(0, Ordering::Relaxed);
        self.generation.store(u64::MAX, Ordering::Relaxed);
    }
}

/// Identifies the file and branch of a request; never zero.
fn subject(request: &PreviewRequest) -> u64 {
    let mut hasher = DefaultHasher::new();
    (
        &request.path,
        &request.spec.leaf,
        request.spec.options.earlier,
    )
        .hash(&mut hasher);
    hasher.finish().max(1)
}

pub fn run(
    requests: &Receiver<PreviewRequest>,
    latest: &LatestPreview,
    configs: Vec<PathBuf>,
    outbox: &Outbox,
) {
    let mut reader = PreviewReader::new(configs);
    // When the previous request was taken, and its file.
    let mut last: Option<(Instant, PathBuf)> = None;
    // A request that was answered with the file as it was before it changed, and when it is due.
    let mut again: Option<(Instant, PreviewRequest)> = None;
    loop {
        let due = again.as_ref().map_or(Duration::MAX, |(at, _)| {
            at.saturating_duration_since(Instant::now())
        });
        let mut request = match (requests.recv_timeout(due), again.take()) {
            (Ok(first), _) => requests.try_iter().last().unwrap_or(first),
            (Err(RecvTimeoutError::Timeout), Some((_, request))) => request,
            (Err(_), _) => return,
        };
        let is_held =
            |(at, path): &(Instant, PathBuf)| *path != request.path && at.elapsed() < REPEATS;
        if last.as_ref().is_some_and(is_held) {
            while let Ok(newer) = requests.recv_timeout(RELEASED) {
                request = newer;
            }
        }
        last = Some((Instant::now(), request.path.clone()));
        let generation = request.generation;
        let about = subject(&request);
        let go_on = GoOn {
            reading: &|| latest.subject.load(Ordering::Relaxed) == about,
            laying_out: &|| latest.generation.load(Ordering::Relaxed) <= generation.0,
        };
        let due = reader.answer(&request, go_on, &mut |result| {
            outbox.tell(Message::Previewed(Previewed { generation, result }));
        });
        again = due.map(|due| (due, request));
    }
}
