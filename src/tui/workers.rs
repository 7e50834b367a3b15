//! The workers of the picker: reading the store, searching it, laying out previews.
//!
//! All but the search run on the blocking threads of the runtime, which are niced. Results arrive
//! as messages through a bounded channel, so a worker that is faster than the screen waits for it.
//! Requests never block. Dropping `Workers` cancels all work, and waits for none of it.

mod catalog;
mod clipboard;
mod history;
mod named;
mod names;
mod preflight;
mod prompt_page;
mod publish;
mod reader;
mod repository;
mod watch;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::clipboard::ClipboardEnv;
use super::{Message, Notice, Request};
use crate::content::{ContentAnswer, ContentRequest, ContentSearch, ContentSources, ContentWorker};
use crate::reader::PreviewRequest;
use crate::search::{IndexRequest, Worker};
use crate::store::Retention;
use catalog::{Catalog, CatalogTask};
use clipboard::Clipboard;
pub use history::Historian;
use history::HistoryHandle;
pub use named::NamedSession;
pub use publish::{Published, publish};
use reader::LatestPreview;

/// The niceness of the workers, so that drawing goes first.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Where to look, and from where.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    pub roots: Vec<PathBuf>,
    /// Files in which Claude Code may have noted the cost of a session.
    pub configs: Vec<PathBuf>,
    pub here: Option<PathBuf>,
    /// The folder for what this program remembers.
    pub state: Option<PathBuf>,
    /// The folder of the cache; `None` if it is not used.
    pub cache: Option<PathBuf>,
    pub first_rows: FirstRows,
    pub retention: Retention,
    /// The home directory, for paths that are typed with `~`.
    pub home: Option<PathBuf>,
    /// Only these sessions, if any were named; else every session of the roots.
    pub only: Option<Vec<NamedSession>>,
}

/// Where the first rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstRows {
    #[default]
    Scan,
    /// Those that are to be shown first may be taken from the cache, and are checked by the scan.
    Cache,
}

/// The ways to the workers.
#[derive(Debug)]
pub struct Workers {
    spawner: Spawner,
    home: Option<PathBuf>,
    search: Arc<Worker>,
    content: Arc<ContentWorker>,
    catalog: Arc<Sender<CatalogTask>>,
    rows: Weak<Mutex<Catalog>>,
    previews: Sender<PreviewRequest>,
    latest: Arc<LatestPreview>,
    history: Arc<HistoryHandle>,
    clipboard: Clipboard,
}

impl Workers {
    pub fn start(sources: Sources, clipboard: ClipboardEnv, spawner: Spawner) -> io::Result<Self> {
        let alarm = spawner.alarm("search in conversations");
        let reading = ContentSources {
            roots: sources.roots.clone(),
            cache: sources.cache.clone(),
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        let content = Arc::new(ContentWorker::start(reading, be_nice, move |answer| {
            alarm.outbox.tell(match answer {
                ContentAnswer::Trouble(text) => Message::Tell(Notice::Trouble(text)),
                answer => Message::Inside(answer),
            });
        })?);
        let alarm = spawner.alarm("search");
        let inside = Arc::clone(&content);
        let search = Worker::start_after(
            be_nice,
            move |reply| alarm.outbox.tell(Message::Found(reply)),
            move |search, rows| {
                inside.send(ContentRequest::Search(ContentSearch {
                    generation: search.generation,
                    query: search.query.clone(),
                    rows,
                }));
            },
        );
        let search = Arc::new(search?);
        // Workers that send tasks to themselves hold weak handles: they end when these here, the
        // only strong ones, are dropped.
        let (history, inbox) = HistoryHandle::new();
        let history = Arc::new(history);
        let (own, roots) = (Arc::downgrade(&history), sources.clone());
        spawner.spawn("history", move |outbox| {
            history::run(roots, &inbox, &own, outbox);
        });
        let (previews, inbox) = channel();
        let latest = Arc::new(LatestPreview::default());
        let (seen, configs) = (Arc::clone(&latest), sources.configs.clone());
        spawner.spawn("preview", move |outbox| {
            reader::run(&inbox, &seen, configs, outbox);
        });
        let home = sources.home.clone();
        let (tasks, inbox) = channel();
        let tasks = Arc::new(tasks);
        let own = Arc::downgrade(&tasks);
        let searches = (Arc::clone(&search), Arc::clone(&content));
        let catalog = Catalog::new(sources, searches, spawner.clone());
        let rows = Arc::downgrade(&catalog);
        spawner.spawn("catalog", move |_| catalog::run(&catalog, &inbox, own));
        Ok(Self {
            clipboard: Clipboard::new(clipboard, spawner.clone()),
            spawner,
            home,
            search,
            content,
            catalog: tasks,
            rows,
            previews,
            latest,
            history,
        })
    }

    /// Hands a request to its worker. Never blocks.
    pub fn send(&self, request: Request) {
        match request {
            Request::Search(search) => self.search.send(IndexRequest::Search(*search)),
            Request::Excerpts(generation, rows) => {
                self.content
                    .send(ContentRequest::Excerpts(generation, rows));
            }
            Request::Suggest(generation) => {
                self.content.send(ContentRequest::Suggest(generation));
            }
            Request::Preview(request) => {
                self.latest.set(Some((*request).clone()));
                let _ = self.previews.send(*request);
            }
            Request::Rescan(depth) => {
                let _ = self.catalog.send(CatalogTask::Rescan(depth));
            }
            Request::Check(request) => {
                let catalog = Weak::clone(&self.rows);
                let work = move |outbox: &Outbox| catalog::check(&request, &catalog, outbox);
                self.spawner.spawn("check of a session", work);
            }
            Request::Prompts(request) => self.history.send(request),
            Request::Probe(request) => {
                self.look_up(move || Message::Probed(preflight::probed(*request)));
            }
            Request::Begin(generation, fresh) => self.look_up(move || {
                Message::Beginning(Box::new(preflight::beginning(generation, *fresh)))
            }),
            Request::Path(request) => {
                let home = self.home.clone();
                self.look_up(move || Message::Path(preflight::answer(request, home.as_deref())));
            }
            Request::Copy(clip) => self.clipboard.send(clip),
        }
    }

    /// Is a text on its way to the clipboard?
    pub fn is_copying(&self) -> bool {
        self.clipboard.is_working()
    }

    /// The picker is left: no copy may take longer than another second.
    pub fn hurry(&self) {
        self.clipboard.hurry();
    }

    fn look_up(&self, look: impl FnOnce() -> Message + Send + 'static) {
        let work = move |outbox: &Outbox| outbox.tell(look());
        self.spawner.spawn("preflight", work);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.latest.set(None);
    }
}

/// The way to the loop of the picker.
#[derive(Debug, Clone)]
pub struct Outbox(mpsc::Sender<Message>);

impl Outbox {
    /// Waits while the loop is behind. Once it has ended, the message is not needed.
    pub fn tell(&self, message: Message) {
        let _ = self.0.blocking_send(message);
    }

    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

/// Starts workers on the blocking threads of the runtime.
#[derive(Debug, Clone)]
pub struct Spawner {
    runtime: Handle,
    outbox: Outbox,
}

impl Spawner {
    pub fn new(runtime: Handle, inbox: mpsc::Sender<Message>) -> Self {
        let outbox = Outbox(inbox);
        Self { runtime, outbox }
    }

    fn spawn(&self, name: &'static str, work: impl FnOnce(&Outbox) + Send + 'static) {
        let alarm = self.alarm(name);
        self.runtime.spawn_blocking(move || work(&alarm.outbox));
    }

    fn alarm(&self, work: &'static str) -> PanicAlarm {
        let outbox = self.outbox.clone();
        PanicAlarm { work, outbox }
    }
}

/// Reports that its worker panicked: what it did will not be done any more.
struct PanicAlarm {
    work: &'static str,
    outbox: Outbox,
}

impl Drop for PanicAlarm {
    fn drop(&mut self) {
        if thread::panicking() {
            let work = self.work;
            let text = format!("internal error: the {work} stopped. Quit and start again");
            self.outbox.tell(Message::Tell(Notice::Trouble(text)));
        }
    }
}

/// Lets the thread that draws go first if cores are few: a key must not wait for a search. Not on
/// other systems than Linux, where it would concern the whole process, and so `claude` after it.
pub fn be_nice() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(test)]
#[path = "workers_tests.rs"]
mod tests;
