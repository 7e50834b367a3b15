//! Sessions by file: a transcript by its path, and files whose id begins with something.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use uuid::Uuid;

use crate::cli::surroundings::Surroundings;
use crate::files;
use crate::list::has_prefix;
use crate::paths::project_name;
use crate::resume::{FoundSession, Location};
use crate::store::{FileInfo, Hidden, Session, rescan};
use crate::transcript::{directories, session_ids};

/// How many bytes of a file are searched for a session id: its first lines.
const FIRST_LINES: u64 = 16 * 1024;

impl Surroundings {
    /// A transcript by its path. One in the folder of a config directory belongs to it, even if
    /// that directory is not searched, provided that the folder is named as Claude Code names it.
    /// Any other transcript is outside.
    pub fn session_at(&self, path: &Path) -> anyhow::Result<FoundSession> {
        let shown = path.display();
        let unreadable = || format!("{shown}: cannot be read");
        if !std::fs::metadata(path).with_context(unreadable)?.is_file() {
            bail!("{shown}: not a regular file");
        }
        if !ends_like_a_transcript(&path.to_string_lossy()) {
            bail!(
                "{shown}: Claude Code only opens transcripts that end in .jsonl; `claude-resume show {shown}` shows this one"
            );
        }
        let path = path.canonicalize().with_context(unreadable)?;
        let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else {
            bail!("{shown}: not a transcript");
        };
        let stem = stem.to_string_lossy().into_owned();
        let projects = folder.parent().filter(|above| above.ends_with("projects"));
        let root = projects.and_then(Path::parent);
        let session = rescan(root.unwrap_or(folder), folder, &stem).with_context(unreadable)?;
        let session = session.with_context(unreadable)?;
        if session.file.size == 0 {
            bail!("{}", nothing_in(&path));
        }
        let mut found = FoundSession::new(session, Vec::new());
        if Uuid::try_parse(&stem).is_err() {
            let ids = session_ids(&path, FIRST_LINES).unwrap_or_default();
            found.id = ids.into_iter().find(|id| Uuid::try_parse(id).is_ok());
            match &found.id {
                Some(id) if stem.starts_with("agent-") => bail!(
                    "{shown}: the transcript of a sub-agent of session {id}: `claude-resume {id}` resumes the session, `claude-resume show {shown}` shows the file"
                ),
                Some(_) => {}
                None => bail!("{shown}: not a transcript: its first lines name no session"),
            }
        }
        // The root on the command line may be a link to this one.
        let own = root.and_then(|root| {
            let is_it = |known: &&PathBuf| known.canonicalize().is_ok_and(|real| real == root);
            self.roots.iter().find(is_it)
        });
        match (root, own) {
            (Some(root), Some(own)) => {
                let below = folder.strip_prefix(root).unwrap_or(folder);
                if let Ok(Some(session)) = rescan(own, &own.join(below), &stem) {
                    found.session = session;
                }
            }
            (Some(_), None) if is_filed(&found.session, folder) => {}
            _ => {
                let id = found.id.clone().unwrap_or(stem);
                // The file that Claude Code would open for this id.
                let mut files = self.files().into_iter();
                let same = files.find(|file| file.id.eq_ignore_ascii_case(&id));
                let in_store = same.map(|file| file.path());
                found.location = Location::Outside { in_store };
            }
        }
        Ok(found)
    }
}

pub fn nothing_in(path: &Path) -> String {
    format!(
        "{}: the file is empty: there is no session in it",
        path.display()
    )
}

/// The files of each session whose id begins with this, by that id in lower case. The names of
/// files are enough, except in an old store, which gives its files other names: those are opened.
pub fn with_prefix(files: Vec<FileInfo>, prefix: &str) -> BTreeMap<String, Vec<FileInfo>> {
    let mut named: BTreeMap<String, Vec<FileInfo>> = BTreeMap::new();
    let mut inside: BTreeMap<String, Vec<FileInfo>> = BTreeMap::new();
    for file in files {
        if Uuid::try_parse(&file.id).is_ok() {
            if has_prefix(&file.id, prefix) {
                let id = file.id.to_lowercase();
                named.entry(id).or_default().push(file);
            }
        // The file of a sub-agent names the session that it worked for.
        } else if !file.id.starts_with("agent-")
            && let Some(id) = said_inside(&file, prefix)
        {
            inside.entry(id.to_lowercase()).or_default().push(file);
        }
    }
    // A file with the name of the session takes precedence over lines in another.
    inside.append(&mut named);
    inside
}

/// The first id in a file that begins with this.
pub fn said_inside(file: &FileInfo, prefix: &str) -> Option<String> {
    let ids = session_ids(&file.path(), FIRST_LINES).unwrap_or_default();
    ids.into_iter().find(|id| has_prefix(id, prefix))
}

/// The newest of several files with one id that holds a session. The others are its copies.
pub fn newest(mut files: Vec<FileInfo>) -> Option<FoundSession> {
    files.sort_by_key(|file| Reverse(file.modified));
    let is_valid = |session: &Session| {
        let hidden = session.hidden;
        !matches!(
            hidden,
            Some(Hidden::Empty | Hidden::Unreadable | Hidden::NotASession)
        )
    };
    let session = files.iter().filter_map(read).find(is_valid);
    // A session that cannot be resumed is reported as such, not as unknown.
    let session = session.or_else(|| files.iter().find_map(read))?;
    let own = session.file.path();
    let copies = files.iter().map(FileInfo::path).filter(|path| *path != own);
    let copies = copies.collect();
    Some(FoundSession::new(session, copies))
}

pub fn read(file: &FileInfo) -> Option<Session> {
    let read = rescan(&file.project.root, &file.project.dir, &file.id);
    read.ok().flatten()
}

/// Is it a transcript? A path may have any name; a word without a slash has to end in `.jsonl`.
pub fn is_transcript(path: &Path) -> bool {
    let word = path.to_string_lossy();
    path.is_file()
        && (ends_like_a_transcript(&word)
            || (word.contains(std::path::is_separator) && begins_like_a_transcript(path)))
}

pub fn ends_like_a_transcript(word: &str) -> bool {
    word.to_ascii_lowercase().ends_with(".jsonl")
}

/// Its lines are objects, written without spaces.
fn begins_like_a_transcript(path: &Path) -> bool {
    let mut beginning = [0; 2];
    let read = files::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == *b"{\""
}

/// Is the folder named after a directory of the session? Any folder may be called `projects`, but
/// only a config directory decides what Claude Code will do.
fn is_filed(session: &Session, folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let fits = |cwd: &str| project_name(cwd).matches(name);
    session.meta.cwd.as_deref().is_some_and(fits)
        || directories(&session.file.path()).is_ok_and(|all| all.iter().any(|cwd| fits(cwd)))
}
