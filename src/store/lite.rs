//! Phase 2: what a listing needs of a transcript, from its first and last 64 KiB.
//!
//! Reads windows of a file of any size and any state, never the whole of a large one, and holds
//! at most a few windows in memory. A short file is read once, with one call. Where the first
//! prompt lies beyond the head, or the last one before the tail, it reads on in bounded steps.
//! Malformed lines are passed over; nothing a file contains is an error.

mod ending;
mod firsts;
mod lasts;
mod lines;
mod pictures;
mod prompts;

use std::io;

use firsts::Firsts;
use lasts::{Clearable, ExtraFields, Lasts};
use lines::{FileWindow, Region, WindowEnd};

use super::session::{Kind, Millis, SessionMeta};

/// The window that Claude Code itself reads at each end of a transcript: it keeps its metadata
/// within the last 64 KiB, by writing it again when it has drifted out.
const WINDOW: usize = 64 * 1024;
/// The same, for callers that ask whether a line is within it.
pub const LITE_WINDOW: u64 = WINDOW as u64;
/// How far into a file to look for the first prompt. New versions write large attachments before
/// it; measured on 726 real files, 27 have it past 64 KiB and none past 1 MiB. What `pictures` leaves
/// out does not count.
const READ_ON: usize = 1024 * 1024;
/// How far back to look for the last prompt or message: a long agentic turn pushes the prompt
/// out of the tail, and versions before 2.1.69 wrote no `last-prompt`.
const READ_BACK: usize = 256 * 1024;

/// Bytes that can be read at an offset: a file, or a slice in tests.
pub trait Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl Source for std::fs::File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }
}

impl Source for &[u8] {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).map_or(self.len(), |at| at.min(self.len()));
        let length = buffer.len().min(self.len() - start);
        buffer[..length].copy_from_slice(&self[start..start + length]);
        Ok(length)
    }
}

/// How much of the file the windows showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteCoverage {
    /// There is nothing in the file but white space.
    Blank,
    /// Every byte was read.
    Whole,
    /// The middle was not read: what was not found may be there.
    Part,
}

/// How to find the last prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastPrompt {
    /// By the entry that Claude Code writes, where there is one.
    Entry,
    /// By the message itself: only that says when it was typed.
    Message,
}

/// What the windows of one file tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteReading {
    pub meta: SessionMeta,
    pub coverage: LiteCoverage,
    /// Was the title cleared on purpose, so that a title kept elsewhere is stale?
    pub title_cleared: bool,
    /// Was the title found in the last 64 KiB? Otherwise one that is kept elsewhere overrules it.
    pub title_in_tail: bool,
    /// When the last prompt was typed, if that is known.
    pub last_prompt_at: Option<Millis>,
    /// Was a message seen, or a prompt that was typed ahead?
    pub has_message: bool,
}

/// Reads one file after the other with the same buffers.
#[derive(Debug, Default)]
pub struct LiteReader {
    head: Buffer,
    tail: Buffer,
    more: Buffer,
}

impl LiteReader {
    /// Reads the windows of a file that `stat` said is `size` bytes long. It may have grown or
    /// shrunk since: what is there is read.
    pub fn read(
        &mut self,
        source: &impl Source,
        size: u64,
        last_prompt: LastPrompt,
    ) -> io::Result<LiteReading> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        // Two windows that meet are one: a single call reads a short file whole.
        let whole = size <= 2 * WINDOW;
        let (head_length, ending) = if whole {
            (size, WindowEnd::File)
        } else {
            (WINDOW, WindowEnd::Cut)
        };
        let read = self.head.fill(source, 0, head_length)?;
        let head = without_byte_order_mark(read);

        let mut firsts = Firsts::default();
        let unused = head.len() - firsts.take_window(head, ending);
        let (mut reached, mut pictured_prompt) = (read.len(), None);
        if !whole {
            let offset = reached - unused;
            let on = read_on(source, &mut self.more, &mut firsts, offset, size)?;
            (reached, pictured_prompt) = (on.reached, on.pictured_prompt);
        }
        let mut lasts = Lasts::new(ExtraFields {
            prompt_time: last_prompt == LastPrompt::Message,
            by_program: firsts.by_program == Some(true),
            cwd: firsts.cwd.is_none(),
        });
        let (mut region, mut tail_start) = (Region::BeforeTail, head.len().saturating_sub(WINDOW));
        if !whole {
            let start = size - WINDOW;
            let cut = lasts.take_window(&FileWindow {
                bytes: self.tail.fill(source, start, WINDOW)?,
                cut_start: true,
                ending: WindowEnd::File,
                region: Region::Tail,
                tail_start: 0,
            });
            let lowest = read_back(source, &mut self.more, &mut lasts, start + cut, size)?;
            // Nothing was asked after it: the first prompt is the last one, too.
            if lasts.wants_prompt() && pictured_prompt.is_some_and(|end| end >= lowest) {
                lasts.prompt.clone_from(&firsts.prompt);
            }
            tail_start = usize::MAX;
            if lowest.min(start) > WINDOW {
                region = Region::Start;
            }
        }
        lasts.take_window(&FileWindow {
            bytes: head,
            cut_start: false,
            ending,
            region,
            tail_start,
        });

        let blank = head.iter().all(|b| b.is_ascii_whitespace() || *b == 0);
        let coverage = match region {
            _ if whole && blank => LiteCoverage::Blank,
            Region::Start if reached + WINDOW < size => LiteCoverage::Part,
            _ => LiteCoverage::Whole,
        };
        Ok(assemble(firsts, lasts, coverage))
    }
}

fn assemble(firsts: Firsts, lasts: Lasts, coverage: LiteCoverage) -> LiteReading {
    let programmatic = firsts.by_program == Some(true)
        // A session that a program began and a user continued is interactive.
        && lasts.by_program != Some(false);
    let kind = if firsts.is_sidechain == Some(true) {
        Some(Kind::SubAgent)
    } else if firsts.is_team_worker == Some(true) {
        Some(Kind::TeamWorker)
    } else if programmatic || firsts.session_kind == Some(Kind::Programmatic) {
        Some(Kind::Programmatic)
    } else if firsts.session_kind == Some(Kind::Background) {
        Some(Kind::Background)
    } else {
        firsts.saw_message().then_some(Kind::Interactive)
    };
    let title_cleared = lasts.custom_title == Clearable::Cleared;
    let has_message =
        firsts.saw_message() || lasts.last_message.is_some() || lasts.prompt.is_some();
    // A session that ends with `/exit` was left off at what was typed before.
    let later_command = lasts.command.filter(|_| lasts.recorded_prompt.is_none());
    let cwd = lasts.relocated_cwd.or(firsts.cwd).or(lasts.cwd);
    LiteReading {
        meta: SessionMeta {
            custom_title: lasts.custom_title.value(),
            ai_title: lasts.ai_title,
            recorded_prompt: lasts.recorded_prompt,
            summary: lasts.summary,
            first_prompt: firsts.prompt.or(firsts.command),
            later_prompt: lasts.prompt.or(later_command),
            tag: lasts.tag.value(),
            git_branch: lasts.git_branch,
            last_cwd: lasts.last_cwd.filter(|last| cwd.as_ref() != Some(last)),
            cwd,
            created: firsts.created,
            last_message: lasts.last_message,
            pr: lasts.pr,
            continued_in: lasts.continued_in,
            kind,
            origin: firsts.origin,
            model: lasts.model,
            left: lasts.left,
            torn_end: lasts.torn_end,
        },
        coverage,
        title_cleared,
        title_in_tail: lasts.title_in_tail,
        has_message,
        last_prompt_at: lasts.prompt_at,
    }
}

/// How far a file was read in search of the first prompt.
#[derive(Debug)]
struct ReadOn {
    reached: usize,
    /// Where the line ends that has the prompt behind a picture.
    pictured_prompt: Option<usize>,
}

/// Reads on from `offset` in doubling steps until the first prompt is found.
fn read_on(
    source: &impl Source,
    buffer: &mut Buffer,
    firsts: &mut Firsts,
    mut offset: usize,
    size: usize,
) -> io::Result<ReadOn> {
    let mut limit = size.min(READ_ON);
    let mut spare = pictures::Spare::default();
    let mut reached = WINDOW;
    let mut pictured_prompt = None;
    let mut step = 2 * WINDOW;
    while firsts.wants_more() && reached < limit {
        reached = limit.min(offset + step);
        let ending = if reached == size {
            WindowEnd::File
        } else {
            WindowEnd::Cut
        };
        let bytes = buffer.fill(source, offset, reached - offset)?;
        let used = firsts.take_window(bytes, ending);
        offset += used;
        step *= 2;
        if !firsts.wants_more() || reached != limit || ending == WindowEnd::File {
            continue;
        }
        // The limit is inside a line. Behind a picture there may be a prompt.
        let cut = bytes.get(used..).unwrap_or_default();
        let line = if prompts::may_follow(cut) {
            pictures::read_line(source, &mut Buffer::default(), offset, size, &mut spare)?
        } else {
            None
        };
        match line {
            Some(line) => {
                firsts.take_window(&line.bytes, line.ending);
                pictured_prompt = (!firsts.wants_more()).then_some(line.end);
                limit = size.min(limit + (line.end - offset).saturating_sub(line.bytes.len()));
                (offset, reached) = (line.end, line.end);
                step = 2 * WINDOW;
            }
            None => {
                firsts.take_window(cut, WindowEnd::GiveUp);
            }
        }
    }
    Ok(ReadOn {
        reached,
        pictured_prompt,
    })
}

/// Reads back from `end`, the start of a line, in doubling steps until the last prompt and
/// message are found. Returns how far back the file was read.
fn read_back(
    source: &impl Source,
    buffer: &mut Buffer,
    lasts: &mut Lasts,
    mut end: usize,
    size: usize,
) -> io::Result<usize> {
    let limit = end.saturating_sub(READ_BACK).max(WINDOW);
    let mut start = end;
    let mut step = WINDOW;
    while lasts.wants_more() && start > limit {
        start = limit.max(end.saturating_sub(step));
        let bytes = buffer.fill(source, start, end - start)?;
        let ending = match end {
            _ if end == size => WindowEnd::File,
            _ => WindowEnd::Line,
        };
        let cut = lasts.take_window(&FileWindow {
            bytes,
            cut_start: true,
            ending,
            region: Region::BeforeTail,
            tail_start: usize::MAX,
        });
        end = start + cut;
        step *= 2;
    }
    Ok(start)
}

/// A buffer that is used again for the next file without being zeroed again.
#[derive(Debug, Default)]
struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// Reads `length` bytes from `offset`, or as many as there are.
    fn fill(&mut self, source: &impl Source, offset: usize, length: usize) -> io::Result<&[u8]> {
        if self.bytes.len() < length {
            self.bytes.resize(length, 0);
        } else if self.bytes.len() > 4 * WINDOW && length <= 2 * WINDOW {
            // One long read must not hold a megabyte for the rest of the scan.
            self.bytes.truncate(length);
            self.bytes.shrink_to_fit();
        }
        let mut filled = 0;
        while filled < length {
            match source.read_at(&mut self.bytes[filled..length], (offset + filled) as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.bytes[..filled])
    }
}

fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
