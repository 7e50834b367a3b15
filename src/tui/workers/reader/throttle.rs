//! How often a file that grows is read again: a running session writes every second, and reading a
//! large file takes about that long.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::tui::request::PreviewRequest;

/// A file is not read again for this many times as long as reading it took.
const REST: u32 = 4;

#[derive(Debug, Default)]
pub struct Throttle {
    /// The file that was read last, and until when it is not read again.
    last: Option<(PathBuf, Instant)>,
    /// A request that was answered with the file as it was before it changed.
    pub pending: Option<PreviewRequest>,
}

impl Throttle {
    /// Reading a file began at that time and is over.
    pub fn was_read(&mut self, path: &Path, began: Instant) {
        let now = Instant::now();
        let rest = now.duration_since(began) * REST;
        self.last = Some((path.to_owned(), now + rest));
    }

    /// Was this file read too recently to be read again?
    pub fn rests(&self, path: &Path) -> bool {
        let last = self.last.as_ref();
        last.is_some_and(|(known, until)| known == path && Instant::now() < *until)
    }

    /// How long until the pending request is due, if there is one.
    pub fn due_in(&self) -> Option<Duration> {
        self.pending.as_ref()?;
        let (_, until) = self.last.as_ref()?;
        Some(until.saturating_duration_since(Instant::now()))
    }

    #[cfg(test)]
    pub fn wait(&mut self) {
        if let Some((_, until)) = &mut self.last {
            *until += Duration::from_secs(3600);
        }
    }

    #[cfg(test)]
    pub fn end_rest(&mut self) {
        self.last = None;
    }
}
