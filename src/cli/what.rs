//! Which session is meant: by id or the beginning of one, by file, by address, by exact title, or
//! by when it was last used. What fits none of these is something to search for.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use uuid::Uuid;

use super::prefix::{FIRST_LINES, is_whole_id, said_inside, with_prefix};
use super::surroundings::Surroundings;
use super::{collect, complain};
use crate::list::{Row, Scope, Sort};
use crate::paths::project_name;
use crate::resume::{Kept, Remote, Seen, is_address};
use crate::store::{
    Depth, FileState, Hidden, Session, Stamp, TitleSource, is_running, list, readers, rescan,
    running, worktrees,
};
use crate::text::sanitize;
use crate::transcript::{directories, session_ids};

/// What a person means.
#[derive(Debug)]
pub enum Meant {
    /// Something to search for, or nothing in particular.
    Search(String),
    One(Box<Seen>),
    /// More than one session, and how they fit.
    Several {
        how: &'static str,
        candidates: Vec<Seen>,
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
    pub fn meant(self, words: &[String]) -> anyhow::Result<Meant> {
        let text = words.join(" ");
        let text = text.trim();
        let [word] = words else {
            return match text {
                "" => Ok(Meant::Search(String::new())),
                _ => self.by_name(text),
            };
        };
        if is_address(word) {
            return Ok(Meant::Remote(Remote::parse(word)?));
        }
        if word.to_ascii_lowercase().ends_with(".jsonl") {
            return self.by_file(word);
        }
        if is_whole_id(word) {
            return Ok(self.by_id(word));
        }
        self.by_name(word)
    }

    /// A file; where there is none, a title may end like the name of one.
    fn by_file(self, word: &str) -> anyhow::Result<Meant> {
        let path = Path::new(word);
        if !path.exists() {
            let meant = self.by_name(word)?;
            if !matches!(meant, Meant::Search(_)) {
                return Ok(meant);
            }
        }
        self.by_path(path)
    }

    fn stamps(self) -> Vec<Stamp> {
        let listing = list(self.roots, readers(), &AtomicBool::new(false));
        let mut stamps = listing.stamps;
        // An empty file is one that a crash left behind: another folder may hold the session.
        stamps.retain(|stamp| stamp.state == FileState::File && stamp.size > 0);
        stamps
    }

    fn by_id(self, id: &str) -> Meant {
        if let Some(meant) = among(self.begun(id), "begin with it") {
            return meant;
        }
        // A session that went on in another file left its lines there.
        let files = self.stamps().into_iter();
        for stamp in files.filter(|stamp| Uuid::try_parse(&stamp.id).is_ok()) {
            if said_inside(&stamp, id).is_none() {
                continue;
            }
            if let Some(session) = read(&stamp) {
                let other = &stamp.id;
                complain(&format!(
                    "no file is named {id}; its messages are in {other}"
                ));
                return Meant::One(Box::new(Seen::new(session, Vec::new())));
            }
        }
        if let Some(path) = self.empty(id) {
            return Meant::NoSession(nothing_in(&path));
        }
        Meant::NoSession(format!(
            "{id}: no session has this id: `claude-resume list --all` shows them"
        ))
    }

    /// The sessions whose id begins so, or is this one.
    fn begun(self, prefix: &str) -> Vec<Seen> {
        let fitting = with_prefix(self.stamps(), prefix).into_iter();
        let found = fitting.filter_map(|(id, files)| {
            let seen = newest(files)?;
            let is_called_so = seen.session.stamp.id.eq_ignore_ascii_case(&id);
            Some(Seen {
                id: (!is_called_so).then_some(id),
                ..seen
            })
        });
        self.nearest(found.collect())
    }

    /// By an exact title, or by the beginning of an id. A title may read like one: which of the two
    /// is meant is not for us to choose.
    fn by_name(self, wanted: &str) -> anyhow::Result<Meant> {
        let (rows, _) = collect(self.roots, Depth::Candidates)?;
        let lower = one_line(wanted).to_lowercase();
        let has_title = |row: &&Row| {
            let fits = |title: String| title.to_lowercase() == lower;
            row.session.hidden.is_none() && name(&row.session).is_some_and(fits)
        };
        let titled = self.nearest(rows.iter().filter(has_title).map(seen).collect());
        // A short word of an id's letters is one if it means nothing else here.
        let is_said = |row: &Row| {
            let lite = &row.session.lite;
            let texts = [
                lite.title().map(|(_, title)| title),
                lite.first_prompt.as_deref(),
                lite.last_prompt(),
            ];
            let mut texts = texts.into_iter().flatten();
            texts.any(|text| text.to_lowercase().contains(&lower))
        };
        let could_begin = looks_like_an_id(wanted)
            || (could_be_an_id(wanted) && is_distinctive(wanted) && !titled.is_empty())
            || (could_be_an_id(wanted) && !rows.iter().any(is_said));
        let begun = if could_begin {
            self.begun(wanted)
        } else {
            Vec::new()
        };
        let how = match (begun.is_empty(), titled.is_empty()) {
            (true, _) => "have this title",
            (_, true) => "begin with it",
            _ => "begin with it or have it as their title",
        };
        let mut found = begun;
        for seen in titled {
            let path = seen.session.stamp.path();
            if found.iter().all(|one| one.session.stamp.path() != path) {
                found.push(seen);
            }
        }
        Ok(among(found, how).unwrap_or_else(|| Meant::Search(wanted.to_owned())))
    }

    /// Those of this project; where it has none, those of its other worktrees; else all.
    fn nearest(self, found: Vec<Seen>) -> Vec<Seen> {
        let here = self.surroundings.current_dir.as_ref();
        let Some(here) = here.filter(|_| found.len() > 1) else {
            return found;
        };
        let folders = |paths: &[PathBuf]| -> Vec<_> {
            let names = paths
                .iter()
                .map(|path| project_name(&path.to_string_lossy()));
            names.collect()
        };
        let own = folders(std::slice::from_ref(here));
        let trees = folders(&worktrees(here));
        let rank = |seen: &Seen| {
            let folder = &seen.session.stamp.project.name;
            if own.iter().any(|name| name.matches(folder)) {
                0
            } else if trees.iter().any(|name| name.matches(folder)) {
                1
            } else {
                2
            }
        };
        let best = found.iter().map(rank).min();
        let ranked = found.into_iter();
        ranked.filter(|seen| Some(rank(seen)) == best).collect()
    }

    /// A transcript by its path. One in the folder of a config directory belongs to that, also
    /// where we do not look, if it is filed there as Claude Code does it; any other is outside.
    fn by_path(self, path: &Path) -> anyhow::Result<Meant> {
        let kind = std::fs::metadata(path)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        if !kind.is_file() {
            bail!("{}: is no file", path.display());
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
        if session.stamp.size == 0 {
            return Ok(Meant::NoSession(nothing_in(&path)));
        }
        let mut seen = Seen::new(session, Vec::new());
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
                seen.kept = Kept::Outside { in_store };
            }
        }
        Ok(Meant::One(Box::new(seen)))
    }

    /// The file of this id in which there is nothing.
    fn empty(self, id: &str) -> Option<PathBuf> {
        let listing = list(self.roots, readers(), &AtomicBool::new(false));
        let mut stamps = listing.stamps.into_iter();
        let is_it = |stamp: &Stamp| stamp.size == 0 && stamp.id.eq_ignore_ascii_case(id);
        stamps.find(is_it).map(|stamp| stamp.path())
    }

    /// Where Claude Code would find an id.
    fn path_of(self, id: &str) -> Option<PathBuf> {
        let stamps = self.stamps().into_iter();
        let same = stamps.filter(|stamp| stamp.id.eq_ignore_ascii_case(id));
        same.map(|stamp| stamp.path()).next()
    }

    /// The session that was used `nth` last in the scope, those that run now left out.
    pub fn recent(self, nth: usize, reach: Reach) -> anyhow::Result<Meant> {
        let (rows, _) = collect(self.roots, Depth::Candidates)?;
        let scope = match &self.surroundings.current_dir {
            _ if reach == Reach::Everywhere => Scope::Everything,
            Some(here) => Scope::repository(worktrees(here), here.clone()),
            None => {
                let gone = "the directory you are in is gone: --all looks everywhere";
                return Ok(Meant::NoSession(gone.to_owned()));
            }
        };
        let live = running(self.roots, is_running);
        let mut fitting: Vec<&Row> = rows
            .iter()
            .filter(|row| row.session.hidden.is_none())
            .filter(|row| row.files().any(|session| scope.contains(session)))
            .filter(|row| !live.contains_key(&*row.session.stamp.id))
            .collect();
        Sort::Activity.arrange(&mut fitting);
        if let Some(row) = fitting.get(nth.saturating_sub(1)) {
            return Ok(Meant::One(Box::new(seen(row))));
        }
        let place = scope.label();
        Ok(Meant::NoSession(match fitting.len() {
            0 => format!("no session in {place} that is not running: --all looks everywhere"),
            1 => format!("only 1 session in {place} that is not running"),
            count => format!("only {count} sessions in {place} that are not running"),
        }))
    }
}

fn nothing_in(path: &Path) -> String {
    format!("{}: is empty: there is nothing to resume", path.display())
}

/// Is the folder named after a directory of the session? Anybody may have folders that are called
/// `projects`, and a config directory is more than a place: it says what Claude Code will do.
fn is_filed(session: &Session, folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let fits = |cwd: &str| project_name(cwd).matches(name);
    session.lite.cwd.as_deref().is_some_and(fits)
        || directories(&session.stamp.path()).is_ok_and(|all| all.iter().any(|cwd| fits(cwd)))
}

/// One, or one of several; `None` if there is none.
fn among(mut candidates: Vec<Seen>, how: &'static str) -> Option<Meant> {
    match candidates.len() {
        0 | 1 => candidates.pop().map(|seen| Meant::One(Box::new(seen))),
        _ => Some(Meant::Several { how, candidates }),
    }
}

/// Is a word on the command line read as a title, or as something to search for?
pub fn could_be_a_title(word: &str) -> bool {
    !is_address(word)
        && !word.to_ascii_lowercase().ends_with(".jsonl")
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
    let (source, title) = session.lite.title()?;
    matches!(source, Custom | Ai | Summary).then(|| one_line(title))
}

/// A title as it stands on a line: safe, and without breaks.
pub fn one_line(text: &str) -> String {
    let safe = sanitize(text);
    let words: Vec<&str> = safe.split_whitespace().collect();
    words.join(" ")
}

pub fn seen(row: &Row) -> Seen {
    let copies = row.copies.iter().map(|copy| copy.stamp.path()).collect();
    Seen::new(row.session.clone(), copies)
}

/// Of several files with one id the newest that holds a session; the others are named.
fn newest(mut files: Vec<Stamp>) -> Option<Seen> {
    files.sort_by_key(|stamp| std::cmp::Reverse(stamp.modified));
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
    let own = session.stamp.path();
    let copies = files.iter().map(Stamp::path).filter(|path| *path != own);
    let copies = copies.collect();
    Some(Seen::new(session, copies))
}

fn read(stamp: &Stamp) -> Option<Session> {
    rescan(&stamp.project.root, &stamp.project.dir, &stamp.id)
}
