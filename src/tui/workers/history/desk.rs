//! The way to the thread of the history, and its loop: what is asked for comes before what is left
//! to read. Knows which requests are stale; what they are about is for the `Historian`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};

use tokio::sync::mpsc::UnboundedSender;

use super::super::Sources;
use super::super::past_watch::PastWatch;
use super::Historian;
use crate::search::Generation;
use crate::tui::history::HistoryNews;
use crate::tui::message::Message;
use crate::tui::request::HistoryRequest;

/// What the thread must know while it is at work.
#[derive(Debug, Default)]
pub struct Attention {
    /// The newest search that was asked for.
    pub(super) newest: AtomicU64,
    /// Requests that have not been looked at.
    pub(super) waiting: AtomicUsize,
    /// Those of them that want a page: only the last one counts.
    pages: AtomicUsize,
}

/// The way to the thread.
#[derive(Debug, Clone)]
pub struct HistoryDesk {
    requests: Sender<HistoryRequest>,
    attention: Arc<Attention>,
}

impl HistoryDesk {
    pub fn new(requests: Sender<HistoryRequest>) -> Self {
        Self {
            requests,
            attention: Arc::default(),
        }
    }

    /// Never blocks. A search makes every earlier one stale at once.
    pub fn send(&self, request: HistoryRequest) {
        if let HistoryRequest::Search(search, _) = &request {
            let Generation(generation) = search.generation;
            let newest = &self.attention.newest;
            newest.fetch_max(generation, Ordering::Relaxed);
        }
        if let HistoryRequest::Page(_) = &request {
            self.attention.pages.fetch_add(1, Ordering::Relaxed);
        }
        self.attention.waiting.fetch_add(1, Ordering::Relaxed);
        let _ = self.requests.send(request);
    }

    /// Works until it is told to stop: a desk holds a sender of its own, so its inbox never ends.
    pub fn work(
        &self,
        sources: Sources,
        inbox: &Receiver<HistoryRequest>,
        screen: &UnboundedSender<Message>,
    ) {
        let mut historian = Historian::new(sources, Arc::clone(&self.attention));
        let mut watch: Option<PastWatch> = None;
        let tell = |news: HistoryNews| {
            let _ = screen.send(Message::History(news));
        };
        loop {
            let request = if historian.has_work() {
                match inbox.try_recv() {
                    Ok(request) => Some(request),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => return,
                }
            } else {
                match inbox.recv() {
                    Ok(request) => Some(request),
                    Err(_) => return,
                }
            };
            if request.is_some() {
                self.attention.waiting.fetch_sub(1, Ordering::Relaxed);
            }
            match request {
                Some(HistoryRequest::Stop) => return,
                // Somebody goes on: a long prompt that they passed by is not read for nobody.
                Some(HistoryRequest::Page(_))
                    if self.attention.pages.fetch_sub(1, Ordering::Relaxed) > 1 => {}
                Some(request) => {
                    // Whatever this makes visible is looked at behind it.
                    if let Some(watch) = &mut watch {
                        watch.approach();
                    } else {
                        let desk = self.clone();
                        let tell = move || desk.send(HistoryRequest::Changed);
                        watch = PastWatch::start(&historian.sources, tell);
                    }
                    historian.take(request, &tell);
                }
                None => historian.go_on(&tell),
            }
        }
    }
}
