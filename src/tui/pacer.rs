//! When to draw: answers, and anything after a pause, at once; everything else no faster than the
//! eye and the terminal can follow.
//!
//! Knows no clock: moments are arguments. Without a request no frame is due, so an idle picker does
//! not wake up.

use std::time::{Duration, Instant};

/// Between frames that answer a key. Faster than any keyboard repeats, slow enough that a paste
/// of a thousand keys is not a thousand frames.
const INPUT: Duration = Duration::from_millis(4);
/// Between frames for what happened in the background.
const BACKGROUND: Duration = Duration::from_millis(16);
/// Answers per key that are drawn at once: the rows, and the preview of the row under the cursor.
/// The start counts as a key. Further answers are background, so that a flood of them does not
/// become a flood of frames.
const ANSWERS: u8 = 2;

/// Why a frame is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameCause {
    Input,
    /// Something arrived that a key, or the start, waits for.
    Answer,
    Background,
}

/// Remembers the last frame and the next one.
#[derive(Debug, Default)]
pub struct Pacer {
    /// The last frame that was drawn for more than an answer.
    last: Option<Instant>,
    due: Option<Instant>,
    /// Since when an answer is there to be drawn.
    answer: Option<Instant>,
    /// Answers that were drawn at once since the last key.
    answers: u8,
}

impl Pacer {
    /// Something changed on screen.
    pub fn request(&mut self, cause: FrameCause, now: Instant) {
        let gap = match cause {
            FrameCause::Input => {
                self.answers = 0;
                INPUT
            }
            FrameCause::Answer if self.answers < ANSWERS => {
                self.answers += 1;
                self.answer.get_or_insert(now);
                return;
            }
            FrameCause::Answer | FrameCause::Background => BACKGROUND,
        };
        let earliest = self.last.map_or(now, |last| (last + gap).max(now));
        self.due = Some(self.due.map_or(earliest, |due| due.min(earliest)));
    }

    /// When the next frame is due, if one is wanted.
    pub fn due(&self) -> Option<Instant> {
        self.due.into_iter().chain(self.answer).min()
    }

    /// A frame was drawn.
    pub fn drawn(&mut self, now: Instant) {
        let is_due = self.due.take().is_some_and(|due| due <= now);
        // An answer alone puts nothing off: neither the next key nor the next rows.
        if self.answer.take().is_none() || is_due {
            self.last = Some(now);
        }
    }
}

#[cfg(test)]
#[path = "pacer_tests.rs"]
mod tests;
