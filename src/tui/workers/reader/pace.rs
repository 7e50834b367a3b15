//! How often a file that grows is read again: a running session writes every second, and a large
//! file takes about that long.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::tui::request::PreviewRequest;

/// So many times as long as reading took it is left alone then.
const REST: u32 = 4;

#[derive(Debug, Default)]
pub struct Pace {
    /// The file that was read last, and until when it is not read again.
    last: Option<(PathBuf, Instant)>,
    /// A request that was answered with a file as it was before it changed.
    put_off: Option<PreviewRequest>,
}

impl Pace {
    /// A file was read, beginning at that time.
    pub fn was_read(&mut self, path: &Path, began: Instant) {
        let now = Instant::now();
        let rest = now.duration_since(began) * REST;
        self.last = Some((path.to_owned(), now + rest));
    }

    /// Was this file read so lately that it is left alone?
    pub fn rests(&self, path: &Path) -> bool {
        let last = self.last.as_ref();
        last.is_some_and(|(known, until)| known == path && Instant::now() < *until)
    }

    /// A request is to be answered again when its file has rested.
    pub fn put_off(&mut self, request: &PreviewRequest) {
        self.put_off = Some(request.clone());
    }

    /// Another request is being answered.
    pub fn forget(&mut self) {
        self.put_off = None;
    }

    /// How long until there is something to be done without being asked, if there is.
    pub fn due_in(&self) -> Option<Duration> {
        self.put_off.as_ref()?;
        let (_, until) = self.last.as_ref()?;
        Some(until.saturating_duration_since(Instant::now()))
    }

    pub fn take_due(&mut self) -> Option<PreviewRequest> {
        self.put_off.take()
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
