//! Which session is meant: by id or the beginning of one, by file, by address, by exact title, or
//! by when it was last used. What fits none of these is something to search for.
//!
//! One rule for every command that takes a session: what resumes one and what shows one mean the
//! same by the same words.

mod recent;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use uuid::Uuid;

use super::candidates::tell_others;
use super::prefix::{FIRST_LINES, is_whole_id, said_inside, with_prefix};
use super::surroundings::Surroundings;
use super::{collect, complain};
use crate::files;
use crate::list::{Row, Scope, Sort, has_prefix};
use crate::paths::project_name;
use crate::resume::{FoundSession, Location, Remote, is_address};
use crate::store::{
    FileInfo, FileState, Hidden, ScanDepth, Session, TitleSource, list, readers, rescan, worktrees,
};
use crate::text::sanitize;
use crate::transcript::{directories, session_ids};

/// What a person means.
#[derive(Debug)]
pub enum Meant {
    /// Something to search for, or nothing in particular.
    Search(String),
    One(Box<FoundSession>),
    /// A transcript by its path, wherever it is.
    File(PathBuf),
    /// More than one session, and how they fit.
    Several {
        how: &'static str,
        candidates: Vec<FoundSession>,
    },
    Remote(Remote),
    /// None, and why.
    NoSession(String),
}

/// How far a session that is not named may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In this repository, or in this directory where that is none.
    Here,
    Everywhere,
}

/// Where to look.
#[derive(Debug, Clone, Copy)]
pub struct Store<'a> {
    pub roots: &'a [PathBuf],
    pub surroundings: &'a Surroundings,
}

impl Store<'_> {
    /// What the words on the command line mean.
    pub fn meant(self, words: &[String], reach: Reach) -> anyhow::Result<Meant> {
        let meant = self.look(words, reach)?;
        let is_unknown = match &meant {
            Meant::Search(text) => !text.is_empty(),
            Meant::NoSession(_) => true,
            _ => false,
        };
        let nothing = is_unknown.then(|| self.no_store());
        Ok(nothing.flatten().map_or(meant, Meant::NoSession))
    }

    /// What to say where there is no store at all: more than that one session is missing.
    fn no_store(self) -> Option<String> {
        let is_store = |root: &PathBuf| root.join("projects").is_dir();
        let is_there = self.roots.iter().any(is_store);
        (!is_there).then(|| self.surroundings.no_sessions(self.roots))
    }

    fn look(self, words: &[String], reach: Reach) -> anyhow::Result<Meant> {
        let text = words.join(" ");
        let text = text.trim();
        match words {
            _ if text.is_empty() => Ok(Meant::Search(String::new())),
            [first] => self.by_word(first, text, reach),
            [first, ..] if first == "-" => {
                bail!("- is the session before the last, and stands alone")
            }
            _ => self.by_name(text),
        }
    }

    fn by_word(self, word: &str, trimmed: &str, reach: Reach) -> anyhow::Result<Meant> {
        if trimmed == "-" {
            return self.recent(2, reach);
        }
        let path = Path::new(word);
        if is_transcript(path) {
            return Ok(Meant::File(path.to_owned()));
        }
        if is_whole_id(trimmed) {
            return Ok(self.by_id(trimmed));
        }
        // A title may look like an address or like the name of a file.
        let meant = self.by_name(trimmed)?;
        if !matches!(meant, Meant::Search(_)) {
            return Ok(meant);
        }
        if is_address(trimmed) {
            return Ok(Meant::Remote(Remote::parse(trimmed)?));
        }
        if ends_like_a_transcript(word) {
            return Ok(Meant::File(path.to_owned()));
        }
        let whole = format!("{word}.jsonl");
        if word.contains(std::path::is_separator) && Path::new(&whole).is_file() {
            bail!("{word}: no such file, but {whole} is there: name that");
        }
        Ok(meant)
    }

    fn files(self) -> Vec<FileInfo> {
        let listing = list(self.roots, readers(), &AtomicBool::new(false));
        let mut files = listing.files;
        // An empty file is one that a crash left behind: another folder may hold the session.
        files.retain(|file| file.state == FileState::File && file.size > 0);
        files
    }

    fn by_id(self, id: &str) -> Meant {
        if let Some(meant) = self.among(id, "begin with it", self.begun(id)) {
            return meant;
        }
        // A session that went on in another file left its lines there.
        let files = self.files().into_iter();
        for file in files.filter(|file| Uuid::try_parse(&file.id).is_ok()) {
            if said_inside(&file, id).is_none() {
                continue;
            }
            if let Some(session) = read(&file) {
                let other = &file.id;
                complain(&format!(
                    "no file is named {id}; its messages are in {other}"
                ));
                return Meant::One(Box::new(FoundSession::new(session, Vec::new())));
            }
        }
        let unknown =
            || format!("{id}: no session has this id: `claude-resume list --all` shows them");
        Meant::NoSession(self.empty(id).unwrap_or_else(unknown))
    }

    /// The sessions whose id begins so, or is this one.
    fn begun(self, prefix: &str) -> Vec<FoundSession> {
        let fitting = with_prefix(self.files(), prefix).into_iter();
        let found = fitting.filter_map(|(id, files)| {
            let seen = newest(files)?;
            let is_called_so = seen.session.file.id.eq_ignore_ascii_case(&id);
            Some(FoundSession {
                id: (!is_called_so).then_some(id),
                ..seen
            })
        });
        found.collect()
    }

    /// By an exact title, or by the beginning of an id. A title may read like one: which of the two
    /// is meant is not for us to choose.
    fn by_name(self, wanted: &str) -> anyhow::Result<Meant> {
        let (rows, _) = collect(self.roots, ScanDepth::Candidates)?;
        let lower = one_line(wanted).to_lowercase();
        let has_title = |row: &&Row| {
            let fits = |title: String| title.to_lowercase() == lower;
            row.session.hidden.is_none() && name(&row.session).is_some_and(fits)
        };
        let titled: Vec<FoundSession> = rows.iter().filter(has_title).map(seen).collect();
        let could_begin = looks_like_an_id(wanted)
            || (could_be_an_id(wanted) && is_distinctive(wanted) && !titled.is_empty())
            // A short word of an id's letters is one if it means nothing else here.
            || (could_be_an_id(wanted) && !rows.iter().any(|row| is_said(&row.session, &lower)));
        let begun = if could_begin {
            self.begun(wanted)
        } else {
            Vec::new()
        };
        if !begun.is_empty() && !titled.is_empty() {
            let mut both = begun;
            for seen in titled {
                let path = seen.session.file.path();
                if both.iter().all(|one| one.session.file.path() != path) {
                    both.push(seen);
                }
            }
            // They fit in different ways, so none is nearer than another.
            return Ok(match both.pop() {
                Some(seen) if both.is_empty() => Meant::One(Box::new(seen)),
                last => Meant::Several {
                    how: "begin with it or have it as their title",
                    candidates: both.into_iter().chain(last).collect(),
                },
            });
        }
        let (how, found) = if titled.is_empty() {
            ("begin with it", begun)
        } else {
            ("have this title", titled)
        };
        if let Some(meant) = self.among(wanted, how, found) {
            return Ok(meant);
        }
        if let Some(path) = self.called(wanted) {
            return Ok(Meant::File(path));
        }
        let nothing = looks_like_an_id(wanted).then(|| self.empty(wanted));
        Ok(match nothing.flatten() {
            Some(why) => Meant::NoSession(why),
            None => Meant::Search(wanted.to_owned()),
        })
    }

    /// The sessions that have this somewhere in their id, their title or their prompts.
    pub fn having(self, text: &str) -> anyhow::Result<Vec<FoundSession>> {
        let (rows, _) = collect(self.roots, ScanDepth::Candidates)?;
        let lower = one_line(text).to_lowercase();
        let has_it = |row: &&Row| {
            let session = &row.session;
            session.hidden.is_none()
                && (is_said(session, &lower) || has_prefix(&session.file.id, text))
        };
        let mut found: Vec<&Row> = rows.iter().filter(has_it).collect();
        Sort::Activity.arrange(&mut found);
        Ok(found.into_iter().map(seen).collect())
    }

    /// The one that fits, or the nearest if one alone is nearest; else all, the nearest first.
    /// `None` if there is none.
    fn among(self, wanted: &str, how: &'static str, mut found: Vec<FoundSession>) -> Option<Meant> {
        if found.len() < 2 {
            return found.pop().map(|seen| Meant::One(Box::new(seen)));
        }
        let nearness = self.nearness();
        found.sort_by_cached_key(|seen| nearness.of(&seen.session));
        let is_alone = match found.as_slice() {
            [first, second, ..] => nearness.of(&first.session) < nearness.of(&second.session),
            _ => false,
        };
        if !is_alone {
            let candidates = found;
            return Some(Meant::Several { how, candidates });
        }
        let others = found.split_off(1);
        let nearest = found.pop()?;
        tell_others(wanted, how, &nearest, &others, self.surroundings);
        Some(Meant::One(Box::new(nearest)))
    }

    fn nearness(self) -> Nearness {
        let here = self.surroundings.current_dir.as_ref();
        Nearness(here.map(|here| {
            [
                Scope::directory(here.clone()),
                Scope::repository(worktrees(here), here.clone()),
            ]
        }))
    }

    /// The file of this name, where that is no id: an old store names files otherwise.
    fn called(self, name: &str) -> Option<PathBuf> {
        let mut files = self.files().into_iter();
        let is_it = |file: &FileInfo| *file.id == *name && Uuid::try_parse(&file.id).is_err();
        files.find(is_it).map(|file| file.path())
    }

    /// A transcript by its path. One in the folder of a config directory belongs to that, also
    /// where we do not look, if it is filed there as Claude Code does it; any other is outside.
    pub fn at(self, path: &Path) -> anyhow::Result<FoundSession> {
        let kind = std::fs::metadata(path)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        if !kind.is_file() {
            bail!("{}: not a regular file", path.display());
        }
        if !ends_like_a_transcript(&path.to_string_lossy()) {
            bail!(
                "{0}: Claude Code opens no file by this name: its transcripts end in .jsonl; `claude-resume show {0}` shows it",
                path.display()
            );
        }
        let path = path
            .canonicalize()
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else {
            bail!("{}: is no transcript", path.display());
        };
        let stem = stem.to_string_lossy().into_owned();
        let projects = folder.parent().filter(|above| above.ends_with("projects"));
        let root = projects.and_then(Path::parent);
        let session = rescan(root.unwrap_or(folder), folder, &stem)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        if session.file.size == 0 {
            bail!("{}", nothing_in(&path));
        }
        let mut seen = FoundSession::new(session, Vec::new());
        if Uuid::try_parse(&stem).is_err() {
            let ids = session_ids(&path, FIRST_LINES).unwrap_or_default();
            let is_id = |id: &String| Uuid::try_parse(id).is_ok();
            seen.id = ids.into_iter().find(is_id);
            let shown = path.display();
            match &seen.id {
                Some(id) if stem.starts_with("agent-") => bail!(
                    "{shown}: is what a sub-agent of session {id} said: `claude-resume {id}` resumes the session, `claude-resume show {shown}` shows the file"
                ),
                Some(_) => {}
                None => bail!(
                    "{shown}: is no transcript of a session: none of its first lines names one"
                ),
            }
        }
        // The root that was asked for may be a link to this one.
        let own = root.and_then(|root| {
            let is_it = |known: &&PathBuf| known.canonicalize().is_ok_and(|real| real == root);
            self.roots.iter().find(is_it)
        });
        match (root, own) {
            (Some(root), Some(own)) => {
                let below = folder.strip_prefix(root).unwrap_or(folder);
                if let Some(session) = rescan(own, &own.join(below), &stem) {
                    seen.session = session;
                }
            }
            (Some(_), None) if is_filed(&seen.session, folder) => {}
            _ => {
                let id = seen.id.clone().unwrap_or(stem);
                let in_store = self.path_of(&id);
                seen.location = Location::Outside { in_store };
            }
        }
        Ok(seen)
    }

    /// What to say of an id, or of the beginning of one, whose only file has nothing in it.
    fn empty(self, prefix: &str) -> Option<String> {
        let listing = list(self.roots, readers(), &AtomicBool::new(false));
        let mut files = listing.files.into_iter();
        let is_it = |file: &FileInfo| file.size == 0 && has_prefix(&file.id, prefix);
        files.find(is_it).map(|file| nothing_in(&file.path()))
    }

    /// Where Claude Code would find an id.
    fn path_of(self, id: &str) -> Option<PathBuf> {
        let files = self.files().into_iter();
        let same = files.filter(|file| file.id.eq_ignore_ascii_case(id));
        same.map(|file| file.path()).next()
    }
}

fn nothing_in(path: &Path) -> String {
    format!("{}: is empty: there is no session in it", path.display())
}

/// How near a session is: in this directory, in this repository with all its worktrees, elsewhere.
/// The same places that `-c` looks in.
struct Nearness(Option<[Scope; 2]>);

impl Nearness {
    fn of(&self, session: &Session) -> usize {
        let scopes = self.0.iter().flatten();
        scopes.take_while(|scope| !scope.contains(session)).count()
    }
}

/// Does the listing know this text of a session?
fn is_said(session: &Session, lower: &str) -> bool {
    let meta = &session.meta;
    let texts = [
        meta.title().map(|(_, title)| title),
        meta.first_prompt.as_deref(),
        meta.last_prompt(),
    ];
    let mut texts = texts.into_iter().flatten();
    texts.any(|text| text.to_lowercase().contains(lower))
}

/// Is it a file that holds a transcript? A path may have any name; a word alone has to end like one.
fn is_transcript(path: &Path) -> bool {
    let word = path.to_string_lossy();
    if !path.is_file() {
        return false;
    }
    ends_like_a_transcript(&word)
        || (word.contains(std::path::is_separator) && begins_like_a_transcript(path))
}

fn ends_like_a_transcript(word: &str) -> bool {
    word.to_ascii_lowercase().ends_with(".jsonl")
}

/// Its lines are objects, written without spaces.
fn begins_like_a_transcript(path: &Path) -> bool {
    let mut beginning = [0; 2];
    let read = files::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == *b"{\""
}

/// Is the folder named after a directory of the session? Anybody may have folders that are called
/// `projects`, and a config directory is more than a place: it says what Claude Code will do.
fn is_filed(session: &Session, folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let fits = |cwd: &str| project_name(cwd).matches(name);
    session.meta.cwd.as_deref().is_some_and(fits)
        || directories(&session.file.path()).is_ok_and(|all| all.iter().any(|cwd| fits(cwd)))
}

/// Is a word on the command line read as a title, or as something to search for?
pub fn could_be_a_title(word: &str) -> bool {
    !is_address(word)
        && !ends_like_a_transcript(word)
        && !looks_like_an_id(word)
        // An option, or the session before the last.
        && !word.starts_with('-')
}

fn could_be_an_id(word: &str) -> bool {
    let is_hex = |c: char| c.is_ascii_hexdigit() || c == '-';
    word.len() >= 3 && word.starts_with(|c: char| c.is_ascii_hexdigit()) && word.chars().all(is_hex)
}

/// Are these so many letters that few ids begin with them by chance? In a large store one begins
/// with `add`, whatever it is.
fn is_distinctive(word: &str) -> bool {
    word.len() >= 4
}

/// Letters and digits of an id, and enough of them that they are no word: `feed`, `2026`.
fn looks_like_an_id(word: &str) -> bool {
    const SURELY: usize = 8;
    let digits = word.contains(|c: char| c.is_ascii_digit());
    let letters = word.contains(|c: char| c.is_ascii_alphabetic());
    could_be_an_id(word) && (word.len() >= SURELY || (is_distinctive(word) && digits && letters))
}

/// The title by which a session can be named, on one line. A prompt that stands in for one is no
/// name: "continue" is something to search for.
pub fn name(session: &Session) -> Option<String> {
    use TitleSource::{Ai, Custom, Summary};
    let (source, title) = session.meta.title()?;
    matches!(source, Custom | Ai | Summary).then(|| one_line(title))
}

/// A title as it stands on a line: safe, and without breaks.
pub fn one_line(text: &str) -> String {
    let safe = sanitize(text);
    let words: Vec<&str> = safe.split_whitespace().collect();
    words.join(" ")
}

pub fn seen(row: &Row) -> FoundSession {
    let copies = row.copies.iter().map(|copy| copy.file.path()).collect();
    FoundSession::new(row.session.clone(), copies)
}

/// Of several files with one id the newest that holds a session; the others are named.
fn newest(mut files: Vec<FileInfo>) -> Option<FoundSession> {
    files.sort_by_key(|file| std::cmp::Reverse(file.modified));
    let is_valid = |session: &Session| {
        !matches!(
            session.hidden,
            Some(Hidden::Empty | Hidden::Unreadable | Hidden::NotASession)
        )
    };
    let mut sessions = files.iter().filter_map(read);
    let session = sessions
        .find(is_valid)
        // What cannot be resumed is told as such, not as unknown.
        .or_else(|| files.iter().find_map(read))?;
    let own = session.file.path();
    let copies = files.iter().map(FileInfo::path).filter(|path| *path != own);
    let copies = copies.collect();
    Some(FoundSession::new(session, copies))
}

fn read(file: &FileInfo) -> Option<Session> {
    rescan(&file.project.root, &file.project.dir, &file.id)
}
