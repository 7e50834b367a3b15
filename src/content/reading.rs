//! Reads transcripts on threads of its own, newest first, and hands over their text.
//!
//! The threads wait while there is nothing to read, and while what they handed over has not been
//! taken: the text of a large store does not pile up in memory.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::extract::{Extent, Parts, Reading, extract};
use super::library::FileKey;

/// Bytes of text that may wait to be taken. Enough for the readers to go on while a segment is
/// being written.
const WAITING: usize = 8 * 1024 * 1024;
/// What a step counts at least: small files must not pile up either.
const STEP: usize = 4 * 1024;

/// A file to read.
#[derive(Debug)]
pub struct ReadJob {
    pub key: FileKey,
    pub path: PathBuf,
    /// How far it is known.
    pub known: Option<Extent>,
}

/// What becomes of a file, in this order. Each step has to be acknowledged with `Readers::taken`.
#[derive(Debug)]
pub enum ReadStep {
    Begin(FileKey, Reading),
    Piece(FileKey, Box<Parts>),
    /// The whole file, or why it could not be read.
    End(FileKey, io::Result<Extent>),
}

/// The way to the threads. Dropping it stops them, in the middle of a file.
#[derive(Debug)]
pub struct Readers {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<ReadJob>,
    /// The sizes of steps that were sent and not taken, and their sum.
    steps: VecDeque<usize>,
    waiting: usize,
    is_stopped: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `get` returns, as soon as it returns something. Nothing once the readers are stopped.
    fn wait_for<T>(&self, get: impl Fn(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        while !state.is_stopped {
            if let Some(got) = get(&mut state) {
                return Some(got);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }
}

impl Readers {
    /// Starts so many threads, or as many as there are to be had. `first` is called on each before
    /// anything else, `send` with each step.
    pub fn start(
        threads: usize,
        first: impl Fn() + Clone + Send + 'static,
        send: impl Fn(ReadStep) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        for number in 0..threads.max(1) {
            let (shared, first, send) = (Arc::clone(&shared), first.clone(), send.clone());
            let started = thread::Builder::new()
                .name("text".to_owned())
                .spawn(move || {
                    first();
                    while let Some(job) = shared.wait_for(|state| state.queue.pop_front()) {
                        shared.read(&job, &send);
                    }
                });
            match started {
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(Self { shared })
    }

    /// Adds files, to be read in this order.
    pub fn read(&self, jobs: Vec<ReadJob>) {
        self.shared.change(|state| state.queue.extend(jobs));
    }

    /// A step was taken: the next one may be sent.
    pub fn taken(&self) {
        self.shared.change(|state| {
            state.waiting -= state.steps.pop_front().unwrap_or_default();
        });
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.shared.change(|state| state.is_stopped = true);
    }
}

impl Shared {
    fn read(&self, job: &ReadJob, send: &impl Fn(ReadStep)) {
        let key = job.key;
        let send = |step| {
            let size: usize = match &step {
                ReadStep::Piece(_, parts) => parts.iter().map(|part| part.text.len()).sum(),
                ReadStep::Begin(..) | ReadStep::End(..) => 0,
            };
            let size = size.max(STEP);
            let admit = |state: &mut State| {
                (state.waiting < WAITING).then(|| {
                    state.waiting += size;
                    state.steps.push_back(size);
                })
            };
            if self.wait_for(admit).is_some() {
                send(step);
            }
        };
        let extent = extract(
            &job.path,
            job.known.as_ref(),
            &|| self.is_stopped(),
            |reading| send(ReadStep::Begin(key, reading)),
            |parts| send(ReadStep::Piece(key, Box::new(parts))),
        );
        send(ReadStep::End(key, extent));
    }
}
