//! One transcript file as the rest of the program knows it.
//!
//! Plain data: filled in by `scan` (what `stat` tells) and `lite` (what the windows tell), never
//! changed afterwards. A path is put together from its parts, because a hundred thousand of them
//! would cost more memory than everything else.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;

use super::known::FileVersion;

const EXTENSION: &str = ".jsonl";

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

/// Where the displayed title comes from, best first.
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
    /// The title to show, and where it comes from.
    pub fn title(&self) -> Option<(TitleSource, &str)> {
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
        .find_map(|(source, text)| Some((source, text.as_deref()?)))
    }

    /// The last prompt.
    pub fn last_prompt(&self) -> Option<&str> {
        self.later_prompt
            .as_deref()
            .or(self.recorded_prompt.as_deref())
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
