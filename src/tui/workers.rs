//! The threads behind the picker: reading the store, searching it, laying out a preview.
//!
//! Everything they find out arrives as a message; nothing here decides what is shown.

mod catalog;
mod history;
mod named;
mod names;
mod past_page;
mod past_rows;
mod past_watch;
mod place;
mod preflight;
mod reader;
mod watch;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use super::message::{Message, Notice};
use super::request::{HistoryRequest, PreviewRequest, Request};
use crate::search::{IndexRequest, Worker};
use crate::store::Retention;
use catalog::{Catalog, Task};
pub use history::Historian;
use history::HistoryDesk;
pub use named::Named;
pub use reader::{GoOn, Reader};

/// How far the threads stand back behind the one that draws.
#[cfg(target_os = "linux")]
const POLITENESS: i32 = 10;

/// Where to look, and where the person stands.
#[derive(Debug, Clone)]
pub struct Sources {
    pub roots: Vec<PathBuf>,
    /// Files in which Claude Code may have noted what a session has cost.
    pub configs: Vec<PathBuf>,
    pub here: Option<PathBuf>,
    /// The folder for what this program remembers.
    pub state: Option<PathBuf>,
    pub retention: Retention,
    /// The home directory, for what is typed with `~`.
    pub home: Option<PathBuf>,
    /// Only these files, if the person named them; else every session of the roots.
    pub only: Option<Vec<Named>>,
}

/// The ways to the threads. They end when this is dropped.
#[derive(Debug)]
pub struct Workers {
    search: Arc<Worker>,
    catalog: Sender<Task>,
    previews: Sender<PreviewRequest>,
    history: HistoryDesk,
    preflights: Sender<Request>,
    /// The newest preview that was asked for: whatever is older stops.
    newest: Arc<reader::Newest>,
}

impl Workers {
    pub fn start(sources: Sources, inbox: &UnboundedSender<Message>) -> io::Result<Self> {
        // A receiver that is gone means that the picker is over: nobody misses the message.
        let sender = inbox.clone();
        let alarm = alarm("search", inbox);
        let search = Arc::new(Worker::start_after(yield_to_the_screen, move |reply| {
            let _ = &alarm;
            let _ = sender.send(Message::Found(reply));
        })?);
        let (requests, asked) = channel();
        let history = HistoryDesk::new(requests);
        let desk = history.clone();
        let (own, sender) = (sources.clone(), inbox.clone());
        spawn("history", inbox, move || desk.work(own, &asked, &sender))?;
        let home = sources.home.clone();
        let configs = sources.configs.clone();
        let (catalog, tasks) = channel();
        let worker = Catalog::new(sources, Arc::clone(&search), inbox.clone(), catalog.clone());
        spawn("catalog", inbox, move || worker.run(&tasks))?;
        let (previews, requests) = channel();
        let sender = inbox.clone();
        let newest = Arc::new(reader::Newest::default());
        let seen = Arc::clone(&newest);
        spawn("preview", inbox, move || {
            reader::run(&requests, &seen, configs, &sender);
        })?;
        let (preflights, asked) = channel();
        let sender = inbox.clone();
        spawn("preflight", inbox, move || {
            preflight::run(&asked, home.as_deref(), &sender);
        })?;
        Ok(Self {
            search,
            catalog,
            previews,
            history,
            preflights,
            newest,
        })
    }

    /// Hands a request to its worker. Never blocks.
    pub fn send(&self, request: Request) {
        match request {
            Request::Search(search) => self.search.send(IndexRequest::Search(*search)),
            Request::Preview(request) => {
                self.newest.set(&request);
                let _ = self.previews.send(*request);
            }
            Request::Rescan(depth) => {
                let _ = self.catalog.send(Task::Rescan(depth));
            }
            Request::Prompts(request) => self.history.send(request),
            Request::Probe(_) | Request::Begin(_) | Request::Path(_) => {
                let _ = self.preflights.send(request);
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let _ = self.catalog.send(Task::Stop);
        self.history.send(HistoryRequest::Stop);
        self.newest.end();
    }
}

/// Tells the person when its thread dies of a mistake: what it did will not be done any more.
struct Alarm {
    work: &'static str,
    inbox: UnboundedSender<Message>,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            let work = self.work;
            let text = format!("a mistake of ours ended the {work}: please leave and start again");
            let _ = self.inbox.send(Message::Tell(Notice::Trouble(text)));
        }
    }
}

fn spawn(
    name: &'static str,
    inbox: &UnboundedSender<Message>,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let alarm = alarm(name, inbox);
    let work = move || {
        let _alarm = alarm;
        yield_to_the_screen();
        work();
    };
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
}

fn alarm(work: &'static str, inbox: &UnboundedSender<Message>) -> Alarm {
    let inbox = inbox.clone();
    Alarm { work, inbox }
}

/// Lets the thread that draws go first where cores are few: a key must not wait for a search.
/// Elsewhere than on Linux this would concern the whole process, and so `claude` after it.
fn yield_to_the_screen() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(POLITENESS);
}

#[cfg(test)]
#[path = "workers_tests.rs"]
mod tests;
