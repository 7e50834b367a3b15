//! The way to the worker of the history, and its loop: requests come before reading on. Knows which
//! requests are stale; what they are about is up to the `Historian`.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Weak};

use super::super::prompt_watch::PromptWatch;
use super::super::{Outbox, Sources};
use super::Historian;
use crate::search::Generation;
use crate::tui::message::Message;
use crate::tui::request::HistoryRequest;
use crate::tui::screens::HistoryNews;

/// What makes running work stale.
#[derive(Debug, Default)]
pub struct Cancellation {
    /// The latest search that was requested.
    pub(super) latest: AtomicU64,
    /// Requests that were not taken yet.
    pub(super) waiting: AtomicUsize,
    /// How many of them want a page: only the last one counts.
    pages: AtomicUsize,
}

/// The way to the worker.
#[derive(Debug)]
pub struct HistoryHandle {
    requests: Sender<HistoryRequest>,
    cancellation: Arc<Cancellation>,
}

impl HistoryHandle {
    pub fn new() -> (Self, Receiver<HistoryRequest>) {
        let (requests, inbox) = channel();
        let handle = Self {
            requests,
            cancellation: Arc::default(),
        };
        (handle, inbox)
    }

    /// Never blocks. A search makes every earlier one stale at once.
    pub fn send(&self, request: HistoryRequest) {
        let cancellation = &self.cancellation;
        match &request {
            HistoryRequest::Search(search, _) => {
                let Generation(generation) = search.generation;
                cancellation.latest.fetch_max(generation, Ordering::Relaxed);
            }
            HistoryRequest::Page(_) => {
                cancellation.pages.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
        cancellation.waiting.fetch_add(1, Ordering::Relaxed);
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
    let Some(cancellation) = handle.upgrade().map(|it| Arc::clone(&it.cancellation)) else {
        return;
    };
    let mut historian = Historian::new(sources, Arc::clone(&cancellation));
    let mut watch: Option<PromptWatch> = None;
    let tell = |news: HistoryNews| outbox.tell(Message::History(news));
    loop {
        let request = if historian.has_work() {
            inbox.try_recv()
        } else {
            inbox.recv().map_err(|_| TryRecvError::Disconnected)
        };
        let request = match request {
            Ok(request) => request,
            Err(TryRecvError::Empty) => {
                historian.go_on(&tell);
                continue;
            }
            Err(TryRecvError::Disconnected) => return,
        };
        cancellation.waiting.fetch_sub(1, Ordering::Relaxed);
        if matches!(request, HistoryRequest::Page(_))
            && cancellation.pages.fetch_sub(1, Ordering::Relaxed) > 1
        {
            // A newer page was requested.
            continue;
        }
        // Changes that this makes visible are read after it.
        if let Some(watch) = &mut watch {
            watch.approach();
        } else {
            let handle = Weak::clone(handle);
            watch = Some(PromptWatch::start(&historian.sources, move || {
                if let Some(handle) = handle.upgrade() {
                    handle.send(HistoryRequest::Changed);
                }
            }));
        }
        historian.take(request, &tell);
    }
}
