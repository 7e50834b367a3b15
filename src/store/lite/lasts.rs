//! What comes last in a transcript: titles, tag, branch, the last prompt and the last message.
//!
//! Windows are taken from the back of the file to its front, so the first value met is the last
//! one written.

use memchr::memmem;

use super::super::outline::{NewestTime, Outline};
use super::super::session::{LastState, Millis, PrLink};
use super::ending::{left, model};
use super::lines::{FileWindow, Region, WindowLine, backward, first_line_start};
use super::prompts::{self, LitePrompt};
use crate::json::unescape_prefix;
use crate::json::{FieldValue, field};
use crate::record::{EntryType, UserPrompt, one_line};
use crate::text::is_blank;

/// Longest title that is kept, in bytes: far beyond any screen, far below a pasted log.
const TITLE: usize = 4 * 1024;

/// Longest directory that is kept, in bytes: what Linux allows for a path.
pub const LONGEST_PATH: usize = 4096;

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
        if *self == Self::Unset && matches!(field(line, key), Some(FieldValue::Text(_))) {
            *self = visible(line, key).map_or(Self::Cleared, Self::Set);
        }
    }
}

/// The last of each field.
#[derive(Debug, Default)]
pub struct Lasts {
    pub custom_title: Clearable,
    /// Was it set or cleared in the last 64 KiB?
    pub title_in_tail: bool,
    pub ai_title: Option<Box<str>>,
    pub recorded_prompt: Option<Box<str>>,
    pub summary: Option<Box<str>>,
    pub tag: Clearable,
    pub pr: Option<Box<PrLink>>,
    pub relocated_cwd: Option<Box<str>>,
    pub continued_in: Option<Box<str>>,
    pub git_branch: Option<Box<str>>,
    /// The directory of the earliest line in sight, if it is wanted.
    pub cwd: Option<Box<str>>,
    /// That of the last line that is looked at for its branch.
    pub last_cwd: Option<Box<str>>,
    /// Was the last line that says so written for a program?
    pub by_program: Option<bool>,
    pub last_message: Option<Millis>,
    pub prompt: Option<Box<str>>,
    pub prompt_at: Option<Millis>,
    pub command: Option<Box<str>>,
    pub model: Option<Box<str>>,
    pub left: Option<LastState>,
    pub torn_end: bool,
    newest: NewestTime,
    /// Set once the last prompt is known, from a message or a `last-prompt` entry.
    prompt_settled: bool,
    wanted: ExtraFields,
}

/// What to look for beyond the usual.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExtraFields {
    /// When the last prompt was typed: a `last-prompt` entry does not say.
    pub prompt_time: bool,
    /// Whether the last line was written for a program.
    pub by_program: bool,
    /// A directory: the first line is too long to show its own.
    pub cwd: bool,
}

impl Lasts {
    pub fn new(wanted: ExtraFields) -> Self {
        Self {
            wanted,
            ..Self::default()
        }
    }

    /// Is the last prompt or the last message still missing?
    pub fn wants_more(&self) -> bool {
        !self.prompt_settled || self.last_message.is_none()
    }

    /// Is there no last prompt among the lines so far?
    pub fn wants_prompt(&self) -> bool {
        self.prompt.is_none() && self.recorded_prompt.is_none()
    }

    /// Takes the lines of a window from its back. Returns how many bytes at its start belong to
    /// a line that is cut there.
    pub fn take_window(&mut self, window: &FileWindow<'_>) -> usize {
        self.torn_end |= window.ends_torn();
        for (at, line) in backward(window) {
            let region = window.region_at(at);
            // Times run backwards in most files, so the newest one of the tail counts. Before
            // the tail, the first that is met is near enough.
            let wanted = match region {
                Region::Tail => true,
                Region::BeforeTail => self.last_message.is_none(),
                Region::Start => false,
            };
            let time = match line {
                WindowLine::Whole(line) => self.take(line, region),
                WindowLine::CutAtStart(line) => self.take_cut(line),
                WindowLine::CutAtEnd(_) => None,
            };
            if wanted {
                self.last_message = self.last_message.max(time);
            }
        }
        first_line_start(window.bytes)
    }

    /// Takes one line and returns its time if it is a message that may be the last.
    fn take(&mut self, line: &[u8], region: Region) -> Option<Millis> {
        if let Some(metadata) = glued(line) {
            self.take(metadata, region);
        }
        // Two openings cover nearly every line: metadata starts with its type, the chain with
        // its parent. The rest of a line is looked at only if something is still missing.
        let entry = match line.strip_prefix(b"{\"type\":\"") {
            Some(rest) => {
                let end = memchr::memchr(b'"', rest)?;
                EntryType::from_name(&rest[..end])
            }
            None if line.starts_with(b"{\"parentUuid\":") => {
                return self.take_chain(line, region);
            }
            None => Outline::of(line).entry?,
        };
        match entry {
            EntryType::CustomTitle => {
                let was_unset = self.custom_title == Clearable::Unset;
                self.custom_title.keep(line, b"customTitle");
                let is_set = self.custom_title != Clearable::Unset;
                self.title_in_tail |= was_unset && is_set && region == Region::Tail;
            }
            EntryType::Tag => self.tag.keep(line, b"tag"),
            EntryType::AiTitle => keep(&mut self.ai_title, line, b"aiTitle"),
            // A summary at the start of a file is often that of the session before.
            EntryType::Summary if region == Region::Tail => {
                keep(&mut self.summary, line, b"summary");
            }
            EntryType::LastPrompt => self.take_recorded_prompt(line, region),
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
            | EntryType::Progress => return self.take_chain(line, region),
            EntryType::Summary | EntryType::Other => {}
        }
        None
    }

    /// In the tail the entry is also a title. Before it, it only says what was asked last.
    fn take_recorded_prompt(&mut self, line: &[u8], region: Region) {
        match region {
            Region::Tail => keep_prompt(&mut self.recorded_prompt, line),
            Region::BeforeTail if !self.prompt_settled => keep_prompt(&mut self.prompt, line),
            Region::BeforeTail | Region::Start => return,
        }
        let known = self.recorded_prompt.is_some() || self.prompt.is_some();
        self.prompt_settled |= known && !self.wanted.prompt_time;
    }

    fn take_chain(&mut self, line: &[u8], region: Region) -> Option<Millis> {
        if self.wanted.cwd {
            self.take_directory(Outline::directory(line));
        }
        if self.left.is_none() && region != Region::Start {
            self.left = left(line);
        }
        if self.model.is_none() {
            self.model = model(line).map(|name| unescape_prefix(name, TITLE).into());
        }
        let prompt_wanted = !self.prompt_settled && region != Region::Start;
        if !prompt_wanted && self.short_fields_missing() {
            self.take_short_fields(&Outline::of_flat_end(line));
        }
        if !prompt_wanted && !self.short_fields_missing() {
            let wanted = region == Region::Tail || self.last_message.is_none();
            let (known, newest) = (self.last_message, &mut self.newest);
            return wanted.then(|| Outline::newer_message(line, known, newest))?;
        }
        let outline = Outline::of(line);
        if outline.is_broken() {
            return None;
        }
        self.take_short_fields(&outline);
        if prompt_wanted && outline.is_sidechain != Some(true) {
            self.take_prompt(line, &outline);
        }
        outline.entry?.is_message().then(|| outline.time())?
    }

    fn short_fields_missing(&self) -> bool {
        self.git_branch.is_none() || (self.wanted.by_program && self.by_program.is_none())
    }

    /// Takes a line whose beginning is not in the window: its short fields are at its end.
    fn take_cut(&mut self, line: &[u8]) -> Option<Millis> {
        let outline = Outline::of_back(line);
        self.take_short_fields(&outline);
        if self.wanted.cwd {
            self.take_directory(outline.cwd);
        }
        outline.entry?.is_message().then(|| outline.time())?
    }

    /// Going back, the last one to be taken is the earliest.
    fn take_directory(&mut self, raw: Option<&[u8]>) {
        if let Some(raw) = raw.filter(|raw| !raw.is_empty()) {
            self.cwd = Some(unescape_prefix(raw, LONGEST_PATH).into());
        }
    }

    fn take_short_fields(&mut self, outline: &Outline<'_>) {
        if self.git_branch.is_none() {
            let branch = outline.git_branch.filter(|branch| !branch.is_empty());
            self.git_branch = branch.map(|branch| unescape_prefix(branch, TITLE).into());
        }
        if self.last_cwd.is_none() && outline.is_sidechain != Some(true) {
            let cwd = outline.cwd.filter(|cwd| !cwd.is_empty());
            self.last_cwd = cwd.map(|cwd| unescape_prefix(cwd, LONGEST_PATH).into());
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
            Some(LitePrompt::Typed(text)) => {
                // Where an entry after it says what was asked last, only the time is new.
                if self.recorded_prompt.is_none() {
                    self.prompt.get_or_insert(text);
                }
                self.prompt_at = outline.time();
                self.prompt_settled = true;
                // An older slash command names the session only if nothing was typed at all.
                self.command = None;
            }
            Some(LitePrompt::Command(text)) if self.command.is_none() => {
                self.command = Some(text);
            }
            _ => {}
        }
    }
}

/// The visible text of a field; `None` if it is missing, no text, or blank.
fn visible(line: &[u8], key: &[u8]) -> Option<Box<str>> {
    let text = unescape_prefix(field(line, key)?.text()?, TITLE);
    (!is_blank(&text)).then(|| text.trim().into())
}

fn keep(slot: &mut Option<Box<str>>, line: &[u8], key: &[u8]) {
    if slot.is_none() {
        *slot = visible(line, key);
    }
}

/// Keeps the prompt of a `last-prompt` line. Where it is wrapped in tags, what was typed is
/// taken out of them; where nothing was typed, it says nothing.
fn keep_prompt(slot: &mut Option<Box<str>>, line: &[u8]) {
    if slot.is_some() {
        return;
    }
    *slot = visible(line, b"lastPrompt").and_then(|text| {
        if !text.starts_with('<') {
            return Some(text);
        }
        match UserPrompt::of(&text) {
            UserPrompt::Typed(text) => one_line(&text),
            UserPrompt::Command(_) | UserPrompt::Machine => None,
        }
    });
}

/// Metadata after something else on the same line, which was not written to its end. Claude Code ends such lines with the session's id.
fn glued(line: &[u8]) -> Option<&[u8]> {
    const ID: usize = 36;
    const END: &[u8] = b"\"}";
    const KEY: &[u8] = b"\"sessionId\":\"";
    let id = line.len().checked_sub(END.len() + ID)?;
    if !line.ends_with(END) || !line[..id].ends_with(KEY) {
        return None;
    }
    let at = memmem::rfind(&line[..id], b"{\"type\":\"").filter(|at| *at > 0)?;
    Some(&line[at..])
}

fn pr_link(line: &[u8]) -> Option<PrLink> {
    let number = match field(line, b"prNumber")? {
        FieldValue::Bare(number) | FieldValue::Text(number) => std::str::from_utf8(number).ok()?,
        _ => return None,
    };
    Some(PrLink {
        number: number.parse().ok()?,
        url: visible(line, b"prUrl"),
        repository: visible(line, b"prRepository"),
    })
}
