//! When to draw: at once after a rest, then no faster than the eye and the terminal can follow.
//!
//! Knows no clock: moments come in as arguments. Asked for nothing, it wants nothing, so an idle
//! picker does not wake up.

use std::time::{Duration, Instant};

/// Between frames that answer a key. Faster than any keyboard repeats, slow enough that a paste
/// of a thousand keys is not a thousand frames.
const INPUT: Duration = Duration::from_millis(4);
/// Between frames for what happened behind the scenes.
const BACKGROUND: Duration = Duration::from_millis(16);

/// Why a frame is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Input,
    Background,
}

/// Remembers the last frame and the next one.
#[derive(Debug, Default)]
pub struct Pacer {
    last: Option<Instant>,
    due: Option<Instant>,
}

impl Pacer {
    /// Something changed on screen.
    pub fn request(&mut self, cause: Cause, now: Instant) {
        let gap = match cause {
            Cause::Input => INPUT,
            Cause::Background => BACKGROUND,
        };
        let earliest = self.last.map_or(now, |last| (last + gap).max(now));
        self.due = Some(self.due.map_or(earliest, |due| due.min(earliest)));
    }

    /// When the next frame is due, if one is wanted.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// A frame was drawn.
    pub fn drawn(&mut self, now: Instant) {
        self.last = Some(now);
        self.due = None;
    }
}

#[cfg(test)]
#[path = "pacer_tests.rs"]
mod tests;
