//! What the app lends to the screen that handles something.

use super::{Context, Data, Effect, Notice, Request};
use crate::list::Row;
use crate::search::Generation;

/// In milliseconds.
const DAY: i64 = 86_400_000;
/// How many days before its deletion a transcript gets a warning.
const WARNING_DAYS: i64 = 7;

/// Everything that drawing reads beside the screen itself.
#[derive(Debug, Clone, Copy)]
pub struct Env<'a> {
    pub context: &'a Context,
    pub data: &'a Data,
}

impl Env<'_> {
    /// Days until Claude Code deletes a transcript, if they are few. An open one is in use.
    pub fn expires_in(&self, row: &Row) -> Option<i64> {
        let session = &row.session;
        let modified = session.file.modified;
        let is_unsure = modified == 0 || self.data.is_row_unchecked(row);
        if is_unsure || self.data.running.of(session).is_some() {
            return None;
        }
        let deleted = modified + i64::from(self.context.setting.retention.days) * DAY;
        let left = (deleted - self.context.millis()).max(0) / DAY;
        (left < WARNING_DAYS).then_some(left)
    }
}

/// The same for a screen that handles a key or news, and the ways to get something done.
#[derive(Debug)]
pub struct Host<'a> {
    pub context: &'a mut Context,
    pub data: &'a Data,
    pub(super) status: &'a mut Option<Notice>,
    pub(super) effects: &'a mut Vec<Effect>,
    pub(super) generation: &'a mut Generation,
    pub(super) has_answer: &'a mut bool,
    pub(super) shifts: &'a mut u64,
}

impl Host<'_> {
    pub fn env(&self) -> Env<'_> {
        Env {
            context: self.context,
            data: self.data,
        }
    }

    /// Says what was done, until the next key.
    pub fn tell(&mut self, text: impl Into<String>) {
        *self.status = Some(Notice::Done(text.into()));
    }

    /// Says what went wrong, until the next key.
    pub fn warn(&mut self, text: impl Into<String>) {
        *self.status = Some(Notice::Trouble(text.into()));
    }

    /// Adds to what was said.
    pub fn add(&mut self, text: &str) {
        let text = match self.status.take() {
            Some(Notice::Done(before)) => format!("{before}; {text}"),
            Some(Notice::Trouble(_)) | None => text.to_owned(),
        };
        self.tell(text);
    }

    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub fn ask(&mut self, request: Request) {
        self.effects.push(Effect::Ask(request));
    }

    /// A number for the next request: no other one has it.
    pub fn next_generation(&mut self) -> Generation {
        self.generation.0 += 1;
        *self.generation
    }

    /// Something arrived that a key, or the start, was waiting for: it is drawn at once.
    pub fn answered(&mut self) {
        *self.has_answer = true;
    }

    /// Another row has come under the cursor by itself, or the row says something else now. Keys do
    /// nothing with it before there was time for a glance.
    pub fn shifted(&mut self) {
        *self.shifts += 1;
    }
}
