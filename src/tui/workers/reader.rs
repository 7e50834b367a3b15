//! Reads conversations for the preview, on its own thread: the latest request, and no other.
//!
//! A newer request cancels the rest of an answer, also in the middle of reading a file.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Outbox;
use crate::reader::{GoOn, PreviewReader, PreviewRequest};
use crate::tui::message::{Message, Previewed};

/// Two requests within this time are a key held down: only the row where it stops is read.
const REPEATS: Duration = Duration::from_millis(70);
/// How long without a request until the key counts as released.
const RELEASED: Duration = Duration::from_millis(35);

/// The latest request, shared with its sender.
#[derive(Debug, Default)]
pub struct LatestPreview(Mutex<Option<PreviewRequest>>);

impl LatestPreview {
    /// `None` cancels everything.
    pub fn set(&self, request: Option<PreviewRequest>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = request;
    }

    fn is(&self, wanted: impl FnOnce(&PreviewRequest) -> bool) -> bool {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.as_ref().is_some_and(wanted)
    }
}

/// Is the same branch of the same file wanted? Then reading it goes on, however it is laid out.
fn is_of_same(one: &PreviewRequest, other: &PreviewRequest) -> bool {
    one.path == other.path
        && one.spec.leaf == other.spec.leaf
        && one.spec.options.earlier == other.spec.options.earlier
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
        let go_on = GoOn {
            reading: &|| latest.is(|it| is_of_same(it, &request)),
            laying_out: &|| latest.is(|it| it.generation == generation),
        };
        let due = reader.answer(&request, go_on, &mut |result| {
            outbox.tell(Message::Previewed(Previewed { generation, result }));
        });
        again = due.map(|due| (due, request));
    }
}
