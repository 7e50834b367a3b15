//! The way to the worker of the history, and its loop: requests come before reading on.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Weak};

use super::super::watch::FileWatch;
use super::super::{Outbox, Sources};
use super::Historian;
use crate::history::{history_path, skipped_path};
use crate::tui::message::Message;
use crate::tui::request::HistoryRequest;
use crate::tui::screens::HistoryNews;

/// The way to the worker.
#[derive(Debug)]
pub struct HistoryHandle {
    requests: Sender<HistoryRequest>,
    /// Requests that were not taken yet: they interrupt a search.
    waiting: Arc<AtomicUsize>,
}

impl HistoryHandle {
    pub fn new() -> (Self, Receiver<HistoryRequest>) {
        let (requests, inbox) = channel();
        let waiting = Arc::default();
        (Self { requests, waiting }, inbox)
    }

    /// Never blocks.
    pub fn send(&self, request: HistoryRequest) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let _ = self.requests.send(request);
    }
}

/// Works until the handle is dropped.
pub fn run(
    sources: Sources,
    inbox: &Receiver<HistoryRequest>,
    handle: &Weak<HistoryHandle>,
    outbox: &Outbox,
) {
    let Some(waiting) = handle.upgrade().map(|it| Arc::clone(&it.waiting)) else {
        return;
    };
    let state = sources.state.clone();
    let mut historian = Historian::new(sources, Arc::clone(&waiting));
    let mut watch: Option<FileWatch> = None;
    let mut queue = VecDeque::new();
    let tell = |news: HistoryNews| outbox.tell(Message::History(news));
    loop {
        let next = if queue.is_empty() && !historian.has_work() {
            inbox.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            inbox.try_recv()
        };
        match next {
            Ok(request) => {
                queue.push_back(request);
                continue;
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return,
        }
        let Some(request) = queue.pop_front() else {
            historian.go_on(&tell);
            continue;
        };
        waiting.fetch_sub(1, Ordering::Relaxed);
        let is_page = |request: &_| matches!(request, HistoryRequest::Page { .. });
        if is_page(&request) && queue.iter().any(is_page) {
            // A newer page was requested.
            continue;
        }
        // Changes that this makes visible are read after it.
        let watch = watch.get_or_insert_with(|| start_watch(&historian.sources, handle.clone()));
        if let Some(state) = &state {
            approach(watch, state);
        }
        historian.take(request, &tell);
    }
}

/// Reports changes of the histories, and of the record of removed prompts.
fn start_watch(sources: &Sources, handle: Weak<HistoryHandle>) -> FileWatch {
    let histories: Vec<PathBuf> = sources.roots.iter().map(|it| history_path(it)).collect();
    let skipped = sources.state.as_deref().map(skipped_path);
    // A folder on the way to the record counts, too.
    let is_ours = move |path: &PathBuf| {
        histories.contains(path) || skipped.as_ref().is_some_and(|it| it.starts_with(path))
    };
    let mut watch = FileWatch::start(move |event| {
        if (event.need_rescan() || event.paths.iter().any(&is_ours))
            && let Some(handle) = handle.upgrade()
        {
            handle.send(HistoryRequest::Changed);
        }
    });
    for root in &sources.roots {
        watch.folder(root);
    }
    watch
}

/// Watches the folder of the record, or its nearest parent as long as it does not exist.
fn approach(watch: &mut FileWatch, state: &Path) {
    let mut watched = None;
    // The next folder may be made between the check and the watch, and no event tells of it.
    while let Some(nearest) = state.ancestors().find(|folder| folder.is_dir())
        && watched != Some(nearest)
    {
        watch.folder(nearest);
        watched = Some(nearest);
    }
}
