//! One transcript file as the rest of the program knows it.
//!
//! Plain data: filled in by `scan` (what `stat` tells) and `lite` (what the windows tell), never
//! changed afterwards. A path is put together from its parts, because a hundred thousand of them
//! would cost more memory than everything else.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;

use super::known::FileVersion;
use crate::record::{CONTINUED, headline, is_command};

const EXTENSION: &str = ".jsonl";
/// Letters and digits of a prompt that names a session, unlike "ok" and "?".
const ENOUGH_LETTERS: usize = 4;
/// The title where nothing else is known of a session that continues another one.
const CONTINUED_SESSION: &str = "(continued session)";

/// Milliseconds since the epoch, as Claude Code counts.
pub type Millis = i64;

/// A folder under `projects/`.
#[derive(Debug, PartialEq, Eq)]
pub struct Project {
    /// The config root it was found under.
    pub root: Arc<Path>,
    pub dir: PathBuf,
    /// The folder's name. Never decoded: it is lossy.
    pub name: String,
}

/// What the directory entry is. Everything but a file is listed only to be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    File,
    /// A folder, a pipe, or a file whose name is no text.
    NotAFile,
    Unreadable,
}

/// What phase 1 knows of a `*.jsonl`, without opening it.
#[derive(Debug, Clone)]
pub struct FileInfo {
    /// The file name without `.jsonl`: the session id, in the case it is written in.
    pub id: Box<str>,
    pub project: Arc<Project>,
    pub size: u64,
    pub modified: Millis,
    pub state: FileState,
    /// Is there a folder `<id>/` beside the file, which may hold a title or an archive mark?
    pub has_folder: bool,
    /// `modified` in full, in nanoseconds.
    pub nanos: i64,
    pub inode: u64,
}

impl FileInfo {
    pub fn path(&self) -> PathBuf {
        let mut path = self.folder();
        path.as_mut_os_string().push(EXTENSION);
        path
    }

    pub fn version(&self) -> FileVersion {
        FileVersion {
            size: self.size,
            nanos: self.nanos,
            inode: self.inode,
        }
    }

    /// The session's own folder, which may not be there.
    pub fn folder(&self) -> PathBuf {
        let dir = self.project.dir.as_os_str();
        let mut path = PathBuf::with_capacity(dir.len() + 1 + self.id.len() + EXTENSION.len());
        path.push(dir);
        path.push(&*self.id);
        path
    }
}

/// Why a session is not shown unless asked for. One reason each: `visibility` decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hidden {
    Unreadable,
    NotASession,
    Empty,
    Archived,
    SubAgent,
    TeamWorker,
    Programmatic,
    NoPrompt,
    /// It has no messages, only titles, summaries and the like.
    MetadataOnly,
    Superseded,
}

impl Hidden {
    pub const ALL: [Self; 10] = [
        Self::Empty,
        Self::NoPrompt,
        Self::MetadataOnly,
        Self::SubAgent,
        Self::TeamWorker,
        Self::Programmatic,
        Self::Superseded,
        Self::Archived,
        Self::NotASession,
        Self::Unreadable,
    ];

    /// The word for scripts: in `--include` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NoPrompt => "no-prompt",
            Self::MetadataOnly => "metadata-only",
            Self::SubAgent => "subagent",
            Self::TeamWorker => "team",
            Self::Programmatic => "programmatic",
            Self::Superseded => "superseded",
            Self::Archived => "archived",
            Self::NotASession => "not-a-session",
            Self::Unreadable => "unreadable",
        }
    }

    /// The words for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::NoPrompt => "without a prompt",
            Self::MetadataOnly => "metadata only",
            Self::SubAgent => "sub-agent",
            Self::TeamWorker => "team worker",
            Self::NotASession => "not a session",
            other => other.name(),
        }
    }
}

/// Who drives the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Interactive,
    Background,
    Programmatic,
    SubAgent,
    TeamWorker,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Background => "background",
            Self::Programmatic => "programmatic",
            Self::SubAgent => "subagent",
            Self::TeamWorker => "team",
        }
    }
}

/// Where the title comes from, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TitleSource {
    Custom,
    Ai,
    LastPrompt,
    Summary,
    FirstPrompt,
}

impl TitleSource {
    pub fn name(self) -> &'static str {
        match self {
            Self::Custom => "custom",
            Self::Ai => "ai",
            Self::LastPrompt => "lastPrompt",
            Self::Summary => "summary",
            Self::FirstPrompt => "firstPrompt",
        }
    }
}

/// A pull request that the session worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrLink {
    pub number: u64,
    pub url: Option<Box<str>>,
    pub repository: Option<Box<str>>,
}

/// Where a session comes from: forks share a first message, or name their source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForkOrigin {
    pub first_message: Option<Uuid>,
    /// The id of the session that it was forked from.
    pub forked_from: Option<Box<str>>,
}

/// How a session was left, by its last message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastState {
    /// Claude had the last word.
    Answered,
    /// The last prompt was not answered.
    Asked,
    /// Claude was at work: a tool ran, or had just answered.
    AtWork,
}

/// A prompt as a listing shows it. Empty if it says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPrompt<'a> {
    pub stored: &'a str,
    pub shown: Cow<'a, str>,
}

impl<'a> ShownPrompt<'a> {
    fn of(stored: &'a str) -> Self {
        let shown = headline(stored);
        Self { stored, shown }
    }
}

/// What the two windows (and the sidecar files) tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionMeta {
    pub custom_title: Option<Box<str>>,
    pub ai_title: Option<Box<str>>,
    /// What the last `last-prompt` entry says.
    pub recorded_prompt: Option<Box<str>>,
    /// What the last `summary` entry says.
    pub summary: Option<Box<str>>,
    pub first_prompt: Option<Box<str>>,
    /// The last prompt among the messages, where it comes after the last `last-prompt` entry.
    pub later_prompt: Option<Box<str>>,
    pub tag: Option<Box<str>>,
    pub git_branch: Option<Box<str>>,
    pub cwd: Option<Box<str>>,
    /// The directory of the last message, if it is another one.
    pub last_cwd: Option<Box<str>>,
    pub created: Option<Millis>,
    /// The newest user or assistant line.
    pub last_message: Option<Millis>,
    pub pr: Option<Box<PrLink>>,
    pub continued_in: Option<Box<str>>,
    pub kind: Option<Kind>,
    pub origin: ForkOrigin,
    /// The model that answered last.
    pub model: Option<Box<str>>,
    pub left: Option<LastState>,
    /// Does the file end inside a line?
    pub torn_end: bool,
}

impl SessionMeta {
    /// Every text that can be the title, best first, and where it comes from.
    fn titles(&self) -> impl Iterator<Item = (TitleSource, &str)> {
        [
            (TitleSource::Custom, &self.custom_title),
            (TitleSource::Ai, &self.ai_title),
            (TitleSource::LastPrompt, &self.recorded_prompt),
            (TitleSource::Summary, &self.summary),
            (TitleSource::FirstPrompt, &self.first_prompt),
            // The first one may come after a picture larger than what is read of a file.
            (TitleSource::LastPrompt, &self.later_prompt),
        ]
        .into_iter()
        .filter_map(|(source, text)| Some((source, text.as_deref()?)))
    }

    /// The title as it is stored, and where it comes from.
    pub fn raw_title(&self) -> Option<(TitleSource, &str)> {
        self.titles().next()
    }

    /// The title to show: a name as it is, or the first prompt that says something, without what
    /// hides its subject. There is one wherever there is a raw title.
    pub fn headline(&self) -> Option<Cow<'_, str>> {
        // The best of the prompts that say little.
        let mut little: Option<(usize, Cow<'_, str>)> = None;
        for (source, text) in self.titles() {
            let shown = match source {
                TitleSource::Custom | TitleSource::Ai | TitleSource::Summary => {
                    return Some(text.into());
                }
                TitleSource::LastPrompt | TitleSource::FirstPrompt => headline(text),
            };
            let letters = shown.chars().filter(|c| c.is_alphanumeric());
            let said = letters.take(ENOUGH_LETTERS).count();
            if said == ENOUGH_LETTERS {
                return Some(shown);
            }
            if !shown.is_empty() && little.as_ref().is_none_or(|(most, _)| said > *most) {
                little = Some((said, shown));
            }
        }
        let itself = || match self.raw_title()?.1 {
            text if text.starts_with(CONTINUED) => Some(CONTINUED_SESSION.into()),
            text => Some(text.into()),
        };
        little.map(|(_, shown)| shown).or_else(itself)
    }

    /// The last prompt.
    pub fn last_prompt(&self) -> Option<&str> {
        self.later_prompt
            .as_deref()
            .or(self.recorded_prompt.as_deref())
    }

    /// The last prompt that Claude had to answer: `/exit` is none.
    pub fn left_off(&self) -> Option<ShownPrompt<'_>> {
        let prompts = [&self.later_prompt, &self.recorded_prompt];
        let mut prompts = prompts.into_iter().filter_map(|text| text.as_deref());
        let stored = prompts.find(|prompt| !is_command(prompt))?;
        Some(ShownPrompt::of(stored))
    }

    /// The first prompt.
    pub fn began(&self) -> Option<ShownPrompt<'_>> {
        self.first_prompt.as_deref().map(ShownPrompt::of)
    }
}

/// A session: one file with all that a listing knows of it.
#[derive(Debug, Clone)]
pub struct Session {
    pub file: FileInfo,
    pub meta: SessionMeta,
    pub hidden: Option<Hidden>,
}

impl Session {
    /// The time of the last message. A clock that ran ahead is capped by the file's own
    /// time, as in Claude Code's picker; a file without messages has only that.
    pub fn last_activity(&self) -> Millis {
        let modified = self.file.modified;
        self.meta
            .last_message
            .map_or(modified, |message| message.min(modified))
    }
}
