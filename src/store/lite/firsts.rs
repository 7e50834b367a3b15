//! What comes first in a transcript: when and where it began, who began it, and the first prompt.

use std::ops::ControlFlow;

use uuid::Uuid;

use super::super::outline::Outline;
use super::super::session::{ForkOrigin, Kind, Millis};
use super::lasts::LONGEST_PATH;
use super::lines::{WindowEnd, WindowLine, forward};
use super::prompts::{self, LitePrompt};
use crate::json::{FieldValue, field, unescape, unescape_prefix};
use crate::record::EntryType;

/// The first of each field, in file order.
#[derive(Debug, Default)]
pub struct Firsts {
    pub created: Option<Millis>,
    pub cwd: Option<Box<str>>,
    /// Was the first line that says so written for a program?
    pub by_program: Option<bool>,
    /// What the session says it is, beside what its entry point tells.
    pub session_kind: Option<Kind>,
    pub is_sidechain: Option<bool>,
    /// Does the first message belong to a member of a team? A leader's first message does not.
    pub is_team_worker: Option<bool>,
    pub prompt: Option<Box<str>>,
    /// The first slash command, for sessions that hold no other prompt.
    pub command: Option<Box<str>>,
    pub origin: ForkOrigin,
}

impl Firsts {
    /// Is the first prompt still missing?
    pub fn wants_more(&self) -> bool {
        self.prompt.is_none()
    }

    pub fn saw_message(&self) -> bool {
        self.is_team_worker.is_some()
    }

    /// Takes the lines of the next window. Returns where the first unused byte stands.
    pub fn take_window(&mut self, bytes: &[u8], ending: WindowEnd) -> usize {
        forward(bytes, ending, |line| {
            match line {
                // Metadata says nothing of the session but when it began.
                WindowLine::Whole(line) if is_metadata(line) => {
                    self.created = self.created.or_else(|| Outline::metadata_time(line));
                }
                WindowLine::Whole(line) => {
                    let outline = Outline::of_attachment(line).unwrap_or_else(|| Outline::of(line));
                    // The middle of a message is walked too: what it says of the session may
                    // be nowhere else, and a torn line must not say anything.
                    let is_message = outline.entry.is_some_and(EntryType::is_message);
                    let outline = if is_message {
                        outline.complete(line)
                    } else {
                        outline
                    };
                    if !outline.is_broken() {
                        self.take(line, &outline);
                    }
                }
                WindowLine::CutAtEnd(line) => self.take(line, &Outline::of_front(line)),
                WindowLine::CutAtStart(_) => {}
            }
            let complete = self.prompt.is_some() && self.cwd.is_some() && self.created.is_some();
            if complete {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    fn take(&mut self, line: &[u8], outline: &Outline<'_>) {
        self.created = self.created.or_else(|| outline.time());
        keep_first(&mut self.cwd, outline.cwd);
        if self.prompt.is_some() {
            return;
        }
        self.by_program = self.by_program.or_else(|| outline.by_program());
        self.session_kind = self
            .session_kind
            .or_else(|| outline.session_kind.map(kind_of));
        self.is_sidechain = self.is_sidechain.or(outline.is_sidechain);
        let Some(entry) = outline.entry.filter(|entry| entry.is_message()) else {
            return;
        };
        if self.is_team_worker.is_none() {
            let source = outline
                .forked_from
                .and_then(|fork| field(fork, b"sessionId"));
            self.origin = ForkOrigin {
                first_message: outline.uuid.and_then(|id| Uuid::try_parse_ascii(id).ok()),
                forked_from: source
                    .and_then(FieldValue::text)
                    .map(|id| unescape(id).into()),
            };
        }
        self.is_team_worker
            .get_or_insert(outline.team_name.is_some_and(|name| !name.is_empty()));
        // A sub-agent's lines inside a session's file are not prompts of the user.
        let foreign = outline.is_sidechain == Some(true) && self.is_sidechain != Some(true);
        if entry != EntryType::User || foreign {
            return;
        }
        match prompts::in_message(line, outline) {
            Some(LitePrompt::Typed(text)) => {
                self.prompt = Some(text);
                self.by_program = self
                    .by_program
                    .or_else(|| outline.prompt_source.map(|source| source == b"sdk"));
            }
            Some(LitePrompt::Command(text)) if self.command.is_none() => {
                self.command = Some(text);
            }
            _ => {}
        }
    }
}

fn kind_of(session_kind: &[u8]) -> Kind {
    match session_kind {
        b"bg" => Kind::Background,
        b"daemon" | b"daemon-worker" => Kind::Programmatic,
        _ => Kind::Interactive,
    }
}

/// Is this a line outside the chain, as nearly all of them open?
fn is_metadata(line: &[u8]) -> bool {
    line.strip_prefix(b"{\"type\":\"").is_some_and(|rest| {
        let name = &rest[..memchr::memchr(b'"', rest).unwrap_or(rest.len())];
        !EntryType::from_name(name).is_chain()
    })
}

fn keep_first(slot: &mut Option<Box<str>>, raw: Option<&[u8]>) {
    if slot.is_none() {
        *slot = raw
            .filter(|raw| !raw.is_empty())
            .map(|raw| unescape_prefix(raw, LONGEST_PATH).into());
    }
}
