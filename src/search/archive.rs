//! The prompt history as something that can be searched: the same queries, the same two tiers.
//!
//! Every entry is a row of its own, so that `project:` and `since:` ask about the time that they
//! mean; equal prompts become one when an answer is put together, represented by the newest
//! that matched. Texts are kept folded only: what is shown is read again from its spot. Reads
//! no file itself.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::document::{Distance, Document, RowId, project_label};
use super::haystack::LONGEST_FIELD;
use super::rank::Tier;
use super::searcher::Searcher;
use super::sieve::Stale;
use super::worker::{Generation, MatchCounts, Reply, Search};
use crate::history::{
    FoundPrompt, PastSession, PastSessions, Paste, PasteKind, Prompt, PromptPos, StoredPastes,
    fingerprint,
};
use crate::store::{Millis, Retention};
use crate::text::{beginning, sanitize};

/// So much of a very long prompt is matched fuzzily, in bytes.
const FUZZY: usize = 256;
const NOBODY: u32 = u32::MAX;
/// So much of what was pasted and is kept in files can be found, in bytes, from the newest prompts
/// on: such files are swept after some weeks, so there are few.
const MOST_PASTED: usize = 32 * 1024 * 1024;

/// What an answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Each prompt once.
    #[default]
    Prompts,
    /// Sessions of which only the prompts are left, each with its newest prompt that matched.
    Deleted,
}

/// What became of the conversation of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversationFate {
    There,
    /// Clean-up took it: only its prompts are left.
    Deleted,
    /// It is not on disk, and cleanup cannot have taken it yet.
    Missing,
    /// Its file has nothing in it.
    Empty,
    /// The history does not say which one it was.
    Unknown,
}

impl ConversationFate {
    /// Of a conversation by the size of its file and the time of its last known prompt.
    pub fn new(size: Option<u64>, last: Millis, retention: Retention, now: Millis) -> Self {
        // Each prompt made the file younger, and cleanup takes nothing that is younger than this.
        let is_due = last != 0 && now.saturating_sub(last) >= retention.span();
        match size {
            Some(0) => Self::Empty,
            Some(_) => Self::There,
            None if is_due => Self::Deleted,
            None => Self::Missing,
        }
    }

    /// Is there no conversation, although the history says which one it was?
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Deleted | Self::Missing | Self::Empty)
    }
}

/// A line of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptHit {
    pub row: RowId,
    /// Which prompt it is, however often it was asked; of a session: which session. Stays the same
    /// also when everything is read again.
    pub group: u32,
    /// The entry whose conversation one can go to: the row itself, or, if its own is gone, the
    /// newest older one that it represents whose conversation is there.
    pub reachable: RowId,
    /// How many entries it represents; of a session: how many prompts it has.
    pub count: u32,
    pub tier: Tier,
    /// What became of the conversation of the row itself.
    pub fate: ConversationFate,
}

impl PromptHit {
    /// The entries that have to be read to show it and to go to it.
    pub fn rows(&self) -> impl Iterator<Item = RowId> + use<> {
        std::iter::once(self.row).chain(self.elsewhere())
    }

    /// The older entry to go to, where the conversation of the row itself is gone.
    pub fn elsewhere(&self) -> Option<RowId> {
        (self.reachable != self.row).then_some(self.reachable)
    }

    /// Is there a conversation to go to?
    pub fn leads_somewhere(&self) -> bool {
        self.fate == ConversationFate::There || self.elsewhere().is_some()
    }
}

/// What was found, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptAnswer {
    pub generation: Generation,
    pub view: View,
    pub tier: Tier,
    pub hits: Vec<PromptHit>,
    /// Of entries, before equal ones became one.
    pub counts: MatchCounts,
    /// How many prompts are within reach, each once, whatever is asked for.
    pub prompts: usize,
    /// How many of the hits have no conversation any more because cleanup took it.
    pub deleted: usize,
    /// How many have none for another reason.
    pub missing: usize,
}

/// What is kept of an entry, besides its folded text.
#[derive(Debug, Clone, Copy)]
struct ArchiveEntry {
    /// Which root, in the upper 16 bits, and where in its history.
    place: u64,
    length: u32,
    /// Equal prompts have the same.
    group: u32,
    session: u32,
    project: u32,
}

/// Bits for a place in a file: 256 TB.
const PLACE: u32 = 48;

impl ArchiveEntry {
    fn spot(&self) -> PromptPos {
        PromptPos {
            root: u16::try_from(self.place >> PLACE).unwrap_or_default(),
            length: self.length,
            offset: self.place & ((1 << PLACE) - 1),
        }
    }
}

/// The entries that are known.
#[derive(Debug, Default)]
pub struct Archive {
    searcher: Searcher,
    entries: Vec<ArchiveEntry>,
    groups: HashMap<u64, u32>,
    sessions: PastSessions,
    /// The group of each session.
    session_groups: Vec<u32>,
    projects: Vec<Arc<str>>,
    by_project: HashMap<Arc<str>, u32>,
    /// Entries with something pasted that is kept in a file and was not read yet, newest last.
    unread: Vec<RowId>,
    /// How many bytes of such files are known.
    pasted: usize,
    /// The prompts that have pastes in files that there was no room for, each once.
    unsearched: HashSet<u32>,
    /// How many different prompts are within each reach, once they were counted.
    distinct: Option<[usize; Distance::ALL.len()]>,
}

impl Archive {
    /// Forgets all entries. What comes again is in the same group as before.
    pub fn forget(&mut self) {
        *self = Self {
            groups: std::mem::take(&mut self.groups),
            ..Self::default()
        };
    }

    /// Takes entries: of equal times the newest first. `place` says how far away a prompt of this
    /// project and session is.
    pub fn put(&mut self, found: &[FoundPrompt], place: impl Fn(&str, Option<&str>) -> Distance) {
        let mut rows = Vec::with_capacity(found.len());
        let mut unread = Vec::new();
        for one in found {
            let Ok(row) = u32::try_from(self.entries.len()) else {
                break;
            };
            let prompt = &one.prompt;
            let group = self.group(fingerprint(prompt));
            let session = self.sessions.take(one);
            if let Some(id) = prompt.session.as_deref()
                && self.session_groups.len() < self.sessions.len()
            {
                let group = self.group(of_session(id));
                self.session_groups.push(group);
            }
            let session = session.and_then(|at| u32::try_from(at).ok());
            let project = self.project_number(&prompt.project);
            self.entries.push(ArchiveEntry {
                place: u64::from(one.spot.root) << PLACE | one.spot.offset,
                length: one.spot.length,
                group,
                session: session.unwrap_or(NOBODY),
                project,
            });
            let place = place(&prompt.project, prompt.session.as_deref());
            let is_stored = |paste: &Paste| matches!(paste.kind, PasteKind::Stored(_));
            if prompt.pastes.iter().any(is_stored) {
                unread.push(RowId(row));
            }
            rows.push((RowId(row), document(prompt, "", place)));
        }
        // What comes first is looked into first.
        self.unread.splice(0..0, unread.into_iter().rev());
        self.searcher.put_in_order(&rows);
        self.distinct = None;
    }

    /// Are there files of pastes that were not read yet?
    pub fn has_unread_pastes(&self) -> bool {
        !self.unread.is_empty()
    }

    /// How many prompts have pastes that no search finds, because there are too many of them or
    /// they are too long.
    pub fn unsearched_pastes(&self) -> usize {
        self.unsearched.len()
    }

    /// Takes in what was pasted into so many entries and is kept in files. `read` gives an entry
    /// by its spot, with the text of its files, of at most so many bytes.
    pub fn take_pastes(
        &mut self,
        count: usize,
        mut read: impl FnMut(PromptPos, usize) -> Option<(Prompt, StoredPastes)>,
        place: impl Fn(&str, Option<&str>) -> Distance,
    ) {
        let first = self.unread.len().saturating_sub(count);
        let mut rows = Vec::new();
        for row in self.unread.split_off(first).into_iter().rev() {
            // Even without room: a file that is gone would not have been searched anyway.
            let room = MOST_PASTED.saturating_sub(self.pasted);
            let found = self.spot(row).and_then(|spot| read(spot, room));
            let Some((prompt, pasted)) = found else {
                continue;
            };
            if pasted.left_out > 0
                && let Some(entry) = self.entries.get(row.0 as usize)
            {
                self.unsearched.insert(entry.group);
            }
            if !pasted.text.is_empty() {
                self.pasted += pasted.text.len();
                let place = place(&prompt.project, prompt.session.as_deref());
                rows.push((row, document(&prompt, &pasted.text, place)));
            }
        }
        self.searcher.put(&rows);
    }

    /// Says anew how far away each prompt is.
    pub fn place(&mut self, place: impl Fn(&str, Option<&str>) -> Distance) {
        // Few projects and few sessions have many prompts.
        let mut known: HashMap<(u32, u32), Distance> = HashMap::new();
        for (row, entry) in (0..).zip(&self.entries) {
            let place = *known
                .entry((entry.project, entry.session))
                .or_insert_with(|| {
                    let session = self.sessions.get(entry.session as usize);
                    let project = &self.projects[entry.project as usize];
                    place(project, session.map(|session| &*session.id))
                });
            self.searcher.set_place(RowId(row), place);
        }
        self.distinct = None;
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn spot(&self, row: RowId) -> Option<PromptPos> {
        Some(self.entries.get(row.0 as usize)?.spot())
    }

    /// The session of a prompt, as the history knows it.
    pub fn session(&self, row: RowId) -> Option<&PastSession> {
        let entry = self.entries.get(row.0 as usize)?;
        self.sessions.get(entry.session as usize)
    }

    /// The names of the projects that something was asked in, each once, as they were read.
    pub fn projects(&self) -> Vec<String> {
        let mut known = HashSet::new();
        let names = self.projects.iter().map(|path| project_label(path));
        let names = names.filter(|name| !name.is_empty() && known.insert(*name));
        names.map(|name| sanitize(name).into_owned()).collect()
    }

    pub fn sessions(&self) -> &PastSessions {
        &self.sessions
    }

    /// The entries of one session, oldest first as far as the file has them so.
    pub fn prompts_of(&self, session: &str) -> Vec<PromptPos> {
        let Some(wanted) = self.sessions.position(session) else {
            return Vec::new();
        };
        let is_wanted = |entry: &&ArchiveEntry| entry.session as usize == wanted;
        let mut spots: Vec<PromptPos> = self
            .entries
            .iter()
            .filter(is_wanted)
            .map(ArchiveEntry::spot)
            .collect();
        spots.sort_by_key(|spot| (spot.root, spot.offset));
        spots
    }

    /// Answers a search: with one answer or two, or with none if it became stale on the way.
    /// `fate` knows what became of a conversation.
    pub fn answer(
        &mut self,
        search: &Search,
        view: View,
        fate: impl Fn(&PastSession) -> ConversationFate,
        is_stale: Stale<'_>,
        mut answer: impl FnMut(&Self, PromptAnswer),
    ) {
        let fates: Vec<ConversationFate> = self.sessions.iter().map(fate).collect();
        let prompts = self.distinct()[search.reach as usize];
        let mut searcher = std::mem::take(&mut self.searcher);
        searcher.answer(search, is_stale, |reply| {
            answer(self, self.put_together(reply, view, prompts, &fates));
        });
        self.searcher = searcher;
    }

    /// What has all words of a search in it. Matching letters takes many times as long, so callers
    /// that do not show fuzzy matches use this.
    pub fn answer_words(
        &mut self,
        search: &Search,
        view: View,
        fate: impl Fn(&PastSession) -> ConversationFate,
    ) -> Option<PromptAnswer> {
        let fates: Vec<ConversationFate> = self.sessions.iter().map(fate).collect();
        let prompts = self.distinct()[search.reach as usize];
        let reply = self.searcher.answer_words(search)?;
        Some(self.put_together(reply, view, prompts, &fates))
    }

    fn put_together(
        &self,
        reply: Reply,
        view: View,
        prompts: usize,
        fates: &[ConversationFate],
    ) -> PromptAnswer {
        let mut hits: Vec<PromptHit> = Vec::new();
        // The place among the hits of each group, or of each session.
        let mut places = vec![NOBODY; self.groups.len()];
        for hit in reply.hits {
            let Some(entry) = self.entries.get(hit.row.0 as usize) else {
                continue;
            };
            let fate = fates.get(entry.session as usize).copied();
            let fate = fate.unwrap_or(ConversationFate::Unknown);
            let (group, count) = match view {
                View::Prompts => (entry.group, 1),
                View::Deleted if !fate.is_gone() => continue,
                View::Deleted => {
                    let session = self.sessions.get(entry.session as usize);
                    let prompts = session.map_or(1, |session| session.prompts);
                    let group = self.session_groups.get(entry.session as usize);
                    let count = u32::try_from(prompts).unwrap_or(u32::MAX);
                    (group.copied().unwrap_or(NOBODY), count)
                }
            };
            let Some(place) = places.get_mut(group as usize) else {
                continue;
            };
            if let Some(first) = hits.get_mut(*place as usize) {
                first.count += u32::from(view == View::Prompts);
                // What was asked again later elsewhere is not lost with that.
                let leads = first.leads_somewhere();
                if view == View::Prompts && fate == ConversationFate::There && !leads {
                    first.reachable = hit.row;
                }
                continue;
            }
            *place = u32::try_from(hits.len()).unwrap_or(NOBODY);
            hits.push(PromptHit {
                row: hit.row,
                group,
                reachable: hit.row,
                count,
                tier: hit.tier,
                fate,
            });
        }
        let count =
            |is: fn(ConversationFate) -> bool| hits.iter().filter(|hit| is(hit.fate)).count();
        PromptAnswer {
            generation: reply.generation,
            view,
            tier: reply.tier,
            deleted: count(|fate| fate == ConversationFate::Deleted),
            missing: count(|fate| fate.is_gone() && fate != ConversationFate::Deleted),
            hits,
            counts: reply.counts,
            prompts,
        }
    }

    /// How many different prompts are within each reach.
    fn distinct(&mut self) -> [usize; Distance::ALL.len()] {
        *self.distinct.get_or_insert_with(|| {
            let mut nearest = vec![None; self.groups.len()];
            for (row, place) in self.searcher.places() {
                let entry = self.entries.get(row.0 as usize);
                let known = entry.and_then(|entry| nearest.get_mut(entry.group as usize));
                if let Some(known) = known {
                    *known = Some(known.map_or(place, |known: Distance| known.min(place)));
                }
            }
            Distance::ALL.map(|reach| {
                let within = |place: &&Distance| **place <= reach;
                nearest.iter().flatten().filter(within).count()
            })
        })
    }

    fn group(&mut self, fingerprint: u64) -> u32 {
        let next = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
        *self.groups.entry(fingerprint).or_insert(next)
    }

    fn project_number(&mut self, project: &str) -> u32 {
        if let Some(&known) = self.by_project.get(project) {
            return known;
        }
        let name: Arc<str> = project.into();
        let number = u32::try_from(self.projects.len()).unwrap_or(u32::MAX);
        self.projects.push(Arc::clone(&name));
        self.by_project.insert(name, number);
        number
    }
}

/// Tells sessions from one another and from prompts.
fn of_session(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    ("session", id).hash(&mut hasher);
    hasher.finish()
}

/// What can be found of an entry. The prompt takes the place of a session's title, because that
/// is matched fuzzily; one that is too long for that is cut there and follows whole.
fn document(prompt: &Prompt, stored: &str, place: Distance) -> Document {
    let text = sanitize(&prompt.display);
    let (title, rest) = if text.len() > LONGEST_FIELD {
        (beginning(&text, FUZZY).to_owned(), text.into_owned())
    } else {
        (text.into_owned(), String::new())
    };
    let mut pasted = String::new();
    for paste in &prompt.pastes {
        if let PasteKind::Inline(text) = &paste.kind {
            pasted.push_str(&sanitize(text));
            pasted.push(' ');
        }
    }
    pasted.push_str(&sanitize(stored));
    Document {
        title,
        first_prompt: rest,
        last_prompt: pasted,
        project: sanitize(project_label(&prompt.project)).into_owned(),
        directory: sanitize(&prompt.project).into_owned(),
        id: sanitize(prompt.session.as_deref().unwrap_or_default()).into_owned(),
        activity: prompt.timestamp,
        place,
        ..Document::default()
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
