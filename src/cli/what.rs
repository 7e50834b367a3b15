//! Which session is meant: by id or the beginning of one, by file, by address, by exact title, or
//! by when it was last used. Anything else is a search.
//!
//! One rule for every command that takes a session.

mod files;
mod recent;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use uuid::Uuid;

use super::candidates::tell_others;
use super::surroundings::Surroundings;
use super::{collect, complain};
use crate::list::{Row, Scope, Sort, has_prefix};
use crate::resume::FoundSession;
use crate::store::{FileInfo, FileState, ScanDepth, Session, TitleSource, list, readers};
use crate::text::sanitize;
use crate::tui::Reach;
use files::with_prefix;
use files::{ends_like_a_transcript, is_transcript, newest, nothing_in, read, said_inside};

/// What the words on the command line name.
#[derive(Debug)]
pub enum Target {
    /// A search, or nothing in particular.
    Search(String),
    One(Box<FoundSession>),
    /// A transcript by its path, inside or outside of a store.
    File(PathBuf),
    /// More than one session, and how they match.
    Several {
        how: &'static str,
        candidates: Vec<FoundSession>,
    },
    /// None, and why.
    NoSession(String),
}

impl Surroundings {
    /// What the words on the command line name. Only `-` depends on how far to look.
    pub fn target(&self, words: &[String], reach: Reach) -> anyhow::Result<Target> {
        let text = words.join(" ");
        let text = text.trim();
        let target = match words {
            _ if text.is_empty() => return Ok(Target::Search(String::new())),
            [first] => self.by_word(first, text, reach)?,
            [first, ..] if first == "-" => {
                bail!("- is the previous session: it takes no other words")
            }
            _ => self.by_name(text),
        };
        let nothing = match &target {
            Target::Search(_) | Target::NoSession(_) => self.no_store(),
            _ => None,
        };
        Ok(nothing.map_or(target, Target::NoSession))
    }

    /// The message where there is no store at all: more than one session is missing then.
    fn no_store(&self) -> Option<String> {
        let is_store = |root: &PathBuf| root.join("projects").is_dir();
        let is_there = self.roots.iter().any(is_store);
        (!is_there).then(|| self.no_sessions())
    }

    fn by_word(&self, word: &str, trimmed: &str, reach: Reach) -> anyhow::Result<Target> {
        if trimmed == "-" {
            return Ok(self.recent(2, reach));
        }
        let path = Path::new(word);
        if is_transcript(path) {
            return Ok(Target::File(path.to_owned()));
        }
        // A whole id, as Claude Code writes them, is never a title.
        if trimmed.len() == 36 && Uuid::try_parse(trimmed).is_ok() {
            return Ok(self.by_id(trimmed));
        }
        // A title may look like an address or like the name of a file.
        let target = self.by_name(trimmed);
        Ok(match target {
            Target::Search(_) if is_address(trimmed) => bail!(
                "{trimmed}: an address: only sessions on this machine can be opened. For one on claude.ai, use `claude --teleport session_…`"
            ),
            Target::Search(_) if ends_like_a_transcript(word) => Target::File(path.to_owned()),
            target => target,
        })
    }

    /// All transcripts that are not empty. A crash leaves an empty file, and another folder may
    /// hold the session.
    fn files(&self) -> Vec<FileInfo> {
        let mut files = list(&self.roots, readers(), &AtomicBool::new(false)).files;
        files.retain(|file| file.state == FileState::File && file.size > 0);
        files
    }

    fn by_id(&self, id: &str) -> Target {
        if let Some(target) = self.among(id, "session ids begin with it", self.begun(id)) {
            return target;
        }
        // A session that continued in another file left its lines there.
        let files = self.files().into_iter();
        let mut files = files.filter(|file| Uuid::try_parse(&file.id).is_ok());
        let inside = files.find_map(|file| said_inside(&file, id).and_then(|_| read(&file)));
        if let Some(session) = inside {
            let other = &session.file.id;
            complain(&format!(
                "no file is named {id}; its messages are in {other}"
            ));
            return Target::One(Box::new(FoundSession::new(session, Vec::new())));
        }
        let unknown =
            || format!("{id}: no session has this id: `claude-resume list --all` lists them");
        Target::NoSession(self.empty(id).unwrap_or_else(unknown))
    }

    /// The sessions whose id begins with this.
    fn begun(&self, prefix: &str) -> Vec<FoundSession> {
        let fitting = with_prefix(self.files(), prefix).into_iter();
        let found = fitting.filter_map(|(id, files)| {
            let mut found = newest(files)?;
            if !found.session.file.id.eq_ignore_ascii_case(&id) {
                found.id = Some(id);
            }
            Some(found)
        });
        found.collect()
    }

    /// By an exact title, or by the beginning of an id. A title may read like one: then both
    /// match, and the choice is left to the caller.
    fn by_name(&self, wanted: &str) -> Target {
        let (rows, _) = collect(self, ScanDepth::Candidates);
        let lower = one_line(wanted).to_lowercase();
        let has_title = |row: &&Row| {
            let fits = |title: String| title.to_lowercase() == lower;
            row.session.hidden.is_none() && name(&row.session).is_some_and(fits)
        };
        let mut titled: Vec<FoundSession> = rows.iter().filter(has_title).map(found).collect();
        let could_begin = looks_like_an_id(wanted)
            || (could_be_an_id(wanted) && is_distinctive(wanted) && !titled.is_empty())
            // A short word of hex digits is an id if no session contains it as a word.
            || (could_be_an_id(wanted) && !rows.iter().any(|row| is_said(&row.session, &lower)));
        let mut begun = Vec::new();
        if could_begin {
            begun = self.begun(wanted);
        }
        let how = match (begun.is_empty(), titled.is_empty()) {
            (_, true) => "session ids begin with it",
            (true, false) => "sessions have this title",
            (false, false) => "sessions have it as their title or as the beginning of their id",
        };
        let is_mixed = !begun.is_empty() && !titled.is_empty();
        let path = |found: &FoundSession| found.session.file.path();
        titled.retain(|found| begun.iter().all(|one| path(one) != path(found)));
        begun.append(&mut titled);
        if is_mixed && begun.len() > 1 {
            // They match in different ways, so none is nearer than another.
            let candidates = begun;
            return Target::Several { how, candidates };
        }
        if let Some(target) = self.among(wanted, how, begun) {
            return target;
        }
        // An old store gives its files other names.
        let is_it = |file: &FileInfo| *file.id == *wanted && Uuid::try_parse(&file.id).is_err();
        if let Some(file) = self.files().into_iter().find(is_it) {
            return Target::File(file.path());
        }
        let nothing = looks_like_an_id(wanted).then(|| self.empty(wanted));
        match nothing.flatten() {
            Some(why) => Target::NoSession(why),
            None => Target::Search(wanted.to_owned()),
        }
    }

    /// The sessions that contain this in their id, their title or their prompts.
    pub fn having(&self, text: &str) -> Vec<FoundSession> {
        let (rows, _) = collect(self, ScanDepth::Candidates);
        let lower = one_line(text).to_lowercase();
        let has_it = |row: &&Row| {
            let session = &row.session;
            session.hidden.is_none()
                && (is_said(session, &lower) || has_prefix(&session.file.id, text))
        };
        let mut having: Vec<&Row> = rows.iter().filter(has_it).collect();
        Sort::Activity.arrange(&mut having);
        having.into_iter().map(found).collect()
    }

    /// The only match, or the nearest if only one is nearest; otherwise all, nearest first.
    /// `None` if there is none.
    fn among(
        &self,
        wanted: &str,
        how: &'static str,
        mut found: Vec<FoundSession>,
    ) -> Option<Target> {
        if found.len() < 2 {
            return found.pop().map(|found| Target::One(Box::new(found)));
        }
        // The same distances that `-c` goes by.
        let scope = self.scope().unwrap_or(Scope::Everything);
        let distance = |found: &FoundSession| scope.distance(&found.session);
        found.sort_by_cached_key(distance);
        if let [first, second, ..] = found.as_slice()
            && distance(first) < distance(second)
        {
            let others = found.split_off(1);
            let nearest = found.pop()?;
            tell_others(wanted, how, &nearest, &others, self);
            return Some(Target::One(Box::new(nearest)));
        }
        let candidates = found;
        Some(Target::Several { how, candidates })
    }

    /// The message for an id, or the beginning of one, whose only file is empty.
    fn empty(&self, prefix: &str) -> Option<String> {
        let listing = list(&self.roots, readers(), &AtomicBool::new(false));
        let mut files = listing.files.into_iter();
        let is_it = |file: &FileInfo| file.size == 0 && has_prefix(&file.id, prefix);
        files.find(is_it).map(|file| nothing_in(&file.path()))
    }
}

/// Does a title or a prompt in the listing contain this?
fn is_said(session: &Session, lower: &str) -> bool {
    let meta = &session.meta;
    let title = meta.headline();
    let texts = [
        title.as_deref(),
        meta.raw_title().map(|(_, title)| title),
        meta.first_prompt.as_deref(),
        meta.last_prompt(),
    ];
    let mut texts = texts.into_iter().flatten();
    texts.any(|text| text.to_lowercase().contains(lower))
}

/// Is a word on the command line read as a title, not as an id, a file, an address or an option?
pub fn could_be_a_title(word: &str) -> bool {
    !is_address(word)
        && !ends_like_a_transcript(word)
        && !looks_like_an_id(word)
        && !word.starts_with('-')
}

fn is_address(word: &str) -> bool {
    word.contains("://")
}

fn could_be_an_id(word: &str) -> bool {
    let is_hex = |c: char| c.is_ascii_hexdigit() || c == '-';
    word.len() >= 3 && !word.starts_with('-') && word.chars().all(is_hex)
}

/// Long enough that few ids begin with it by chance. In a large store some id begins with `add`.
fn is_distinctive(word: &str) -> bool {
    word.len() >= 4
}

/// Hex digits, and enough of them that they are no word or number: `feed`, `2026`.
pub fn looks_like_an_id(word: &str) -> bool {
    const SURELY: usize = 8;
    let digits = word.contains(|c: char| c.is_ascii_digit());
    let letters = word.contains(|c: char| c.is_ascii_alphabetic());
    could_be_an_id(word) && (word.len() >= SURELY || (is_distinctive(word) && digits && letters))
}

/// The title that names a session, on one line. A prompt that is shown in place of a title does
/// not: "continue" is a search.
pub fn name(session: &Session) -> Option<String> {
    use TitleSource::{Ai, Custom, Summary};
    let (source, title) = session.meta.raw_title()?;
    matches!(source, Custom | Ai | Summary).then(|| one_line(title))
}

/// A text on one line, safe to print.
pub fn one_line(text: &str) -> String {
    let safe = sanitize(text);
    let words: Vec<&str> = safe.split_whitespace().collect();
    words.join(" ")
}

/// The session of a row with its copies.
pub fn found(row: &Row) -> FoundSession {
    let copies = row.copies.iter().map(|copy| copy.file.path()).collect();
    FoundSession::new(row.session.clone(), copies)
}
