//! What comes last in a transcript: titles, tag, branch, the last prompt and the last message.
//!
//! Windows are taken from the back of the file to its front, so the first value met is the last
//! one written.

use super::super::outline::Outline;
use super::super::session::{Millis, PrLink};
use super::lines::{Line, Window, backward, first_line_start};
use super::prompts::{self, Asked};
use crate::json::{Value, field};
use crate::json::{unescape, unescape_prefix};
use crate::record::EntryType;

/// Longest title that is kept, in bytes: far beyond any screen, far below a pasted log.
const TITLE: usize = 4 * 1024;

/// A field whose blank value clears what earlier lines said.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Clearable {
    #[default]
    Unset,
    Cleared,
    Set(Box<str>),
}

impl Clearable {
    pub fn value(self) -> Option<Box<str>> {
        match self {
            Self::Set(text) => Some(text),
            Self::Unset | Self::Cleared => None,
        }
    }

    fn keep(&mut self, line: &[u8], key: &[u8]) {
        if *self == Self::Unset && matches!(field(line, key), Some(Value::Text(_))) {
            *self = visible(line, key).map_or(Self::Cleared, Self::Set);
        }
    }
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In the last 64 KiB.
    Tail,
    Before,
}

/// The last of each field.
#[derive(Debug, Default)]
pub struct Lasts {
    pub custom_title: Clearable,
    pub ai_title: Option<Box<str>>,
    pub recorded_prompt: Option<Box<str>>,
    pub summary: Option<Box<str>>,
    pub tag: Clearable,
    pub pr: Option<Box<PrLink>>,
    pub relocated_cwd: Option<Box<str>>,
    pub continued_in: Option<Box<str>>,
    pub git_branch: Option<Box<str>>,
    /// Was the last line that says so written for a program?
    pub by_program: Option<bool>,
    pub last_message: Option<Millis>,
    pub prompt: Option<Box<str>>,
    pub prompt_at: Option<Millis>,
    pub command: Option<Box<str>>,
    /// Set once the last prompt is known, from a message or a `last-prompt` entry.
    prompt_settled: bool,
}

impl Lasts {
    /// Is the last prompt or the last message still missing?
    pub fn wants_more(&self) -> bool {
        !self.prompt_settled || self.last_message.is_none()
    }

    /// Takes the lines of a window from its back. Returns where its first whole line starts.
    pub fn take_window(&mut self, window: &Window<'_>) -> usize {
        for (at, line) in backward(window) {
            let part = if at >= window.tail_from {
                Part::Tail
            } else {
                Part::Before
            };
            // Times run backwards in most files, so the newest one of the tail counts. Before
            // the tail, the first that is met is near enough.
            let wanted = part == Part::Tail || self.last_message.is_none();
            let time = match line {
                Line::Whole(line) => self.take(line, part, wanted),
                Line::CutAtStart(line) => self.take_cut(line),
                Line::CutAtEnd(_) => None,
            };
            if wanted {
                self.last_message = self.last_message.max(time);
            }
        }
        first_line_start(window.bytes)
    }

    /// Takes one line and returns its time if it is a message and the time is wanted.
    fn take(&mut self, line: &[u8], part: Part, time_wanted: bool) -> Option<Millis> {
        // Two openings cover nearly every line: metadata starts with its type, the chain with
        // its parent. The rest of a line is looked at only if something is still missing.
        let entry = match line.strip_prefix(b"{\"type\":\"") {
            Some(rest) => {
                let end = memchr::memchr(b'"', rest)?;
                EntryType::from_name(&rest[..end])
            }
            None if line.starts_with(b"{\"parentUuid\":") => {
                return self.take_chain(line, time_wanted);
            }
            None => Outline::of(line).entry?,
        };
        match entry {
            EntryType::CustomTitle => self.custom_title.keep(line, b"customTitle"),
            EntryType::Tag => self.tag.keep(line, b"tag"),
            EntryType::AiTitle => keep(&mut self.ai_title, line, b"aiTitle"),
            // A summary at the start of a file is often that of the session before.
            EntryType::Summary if part == Part::Tail => keep(&mut self.summary, line, b"summary"),
            EntryType::LastPrompt => self.take_recorded_prompt(line, part),
            EntryType::Relocated => keep(&mut self.relocated_cwd, line, b"relocatedCwd"),
            EntryType::ContinuedIn => keep(&mut self.continued_in, line, b"continuedInSessionId"),
            EntryType::PrLink => {
                if self.pr.is_none() {
                    self.pr = pr_link(line).map(Box::new);
                }
            }
            EntryType::User
            | EntryType::Assistant
            | EntryType::System
            | EntryType::Attachment
            | EntryType::Progress => return self.take_chain(line, time_wanted),
            EntryType::Summary | EntryType::Other => {}
        }
        None
    }

    /// In the tail the entry is also a title. Before it, it only says what was asked last.
    fn take_recorded_prompt(&mut self, line: &[u8], part: Part) {
        if part == Part::Tail {
            keep(&mut self.recorded_prompt, line, b"lastPrompt");
            self.prompt_settled |= self.recorded_prompt.is_some();
        } else if !self.prompt_settled {
            keep(&mut self.prompt, line, b"lastPrompt");
            self.prompt_settled = self.prompt.is_some();
        }
    }

    fn take_chain(&mut self, line: &[u8], time_wanted: bool) -> Option<Millis> {
        if self.prompt_settled && self.git_branch.is_none() {
            self.take_short_fields(&Outline::of_flat_end(line));
        }
        if self.prompt_settled && self.git_branch.is_some() {
            return time_wanted.then(|| Outline::newer_message(line, self.last_message))?;
        }
        let outline = Outline::of(line);
        self.take_short_fields(&outline);
        if !self.prompt_settled && outline.is_sidechain != Some(true) {
            self.take_prompt(line, &outline);
        }
        outline.entry?.is_message().then(|| outline.time())?
    }

    /// Takes a line whose beginning is out of sight: its short fields stand at its end.
    fn take_cut(&mut self, line: &[u8]) -> Option<Millis> {
        let outline = Outline::of_back(line);
        self.take_short_fields(&outline);
        outline.entry?.is_message().then(|| outline.time())?
    }

    fn take_short_fields(&mut self, outline: &Outline<'_>) {
        if self.git_branch.is_none() {
            let branch = outline.git_branch.filter(|branch| !branch.is_empty());
            self.git_branch = branch.map(|branch| unescape(branch).into());
        }
        self.by_program = self.by_program.or_else(|| outline.by_program());
    }

    fn take_prompt(&mut self, line: &[u8], outline: &Outline<'_>) {
        let found = match outline.entry {
            Some(EntryType::User) => prompts::in_message(line, outline),
            Some(EntryType::Attachment) => outline.attachment.and_then(prompts::in_attachment),
            _ => None,
        };
        match found {
            Some(Asked::Typed(text)) => {
                self.prompt = Some(text);
                self.prompt_at = outline.time();
                self.prompt_settled = true;
                // An older slash command names the session only if nothing was typed at all.
                self.command = None;
            }
            Some(Asked::Command(text)) if self.command.is_none() => {
                self.command = Some(text);
            }
            _ => {}
        }
    }
}

/// The visible text of a field; `None` if it is missing, no text, or blank.
fn visible(line: &[u8], key: &[u8]) -> Option<Box<str>> {
    let text = unescape_prefix(field(line, key)?.text()?, TITLE);
    let text = text.trim();
    (!text.is_empty()).then(|| text.into())
}

fn keep(slot: &mut Option<Box<str>>, line: &[u8], key: &[u8]) {
    if slot.is_none() {
        *slot = visible(line, key);
    }
}

fn pr_link(line: &[u8]) -> Option<PrLink> {
    let number = match field(line, b"prNumber")? {
        Value::Bare(number) | Value::Text(number) => std::str::from_utf8(number).ok()?,
        _ => return None,
    };
    Some(PrLink {
        number: number.parse().ok()?,
        url: visible(line, b"prUrl"),
        repository: visible(line, b"prRepository"),
    })
}
