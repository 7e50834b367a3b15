//! Sessions as the history knows them: who asked what, from when to when.
//!
//! Transcripts are swept after some weeks and the history is not, so for most sessions of a year
//! this is all that is left. Whether a transcript is still there is for the caller to say.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::prompts::{FoundPrompt, PromptPos};

/// A session by its prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastSession {
    pub id: Arc<str>,
    /// Where its last prompt was entered.
    pub project: Arc<str>,
    pub first: (i64, PromptPos),
    pub last: (i64, PromptPos),
    pub prompts: usize,
}

/// All of them. Entries may come in any order.
#[derive(Debug, Default)]
pub struct PastSessions {
    sessions: Vec<PastSession>,
    by_id: HashMap<Arc<str>, usize>,
    projects: HashSet<Arc<str>>,
}

impl PastSessions {
    /// Takes an entry. Says which session it belongs to, if to any.
    pub fn take(&mut self, found: &FoundPrompt) -> Option<usize> {
        let id = found.prompt.session.as_deref()?;
        let moment = (found.prompt.timestamp, found.spot);
        let project = self.name(&found.prompt.project);
        if let Some(&at) = self.by_id.get(id) {
            let known = &mut self.sessions[at];
            known.prompts += 1;
            if written(moment) > written(known.last) {
                known.last = moment;
                known.project = project;
            }
            if written(moment) < written(known.first) {
                known.first = moment;
            }
            return Some(at);
        }
        let id: Arc<str> = id.into();
        let at = self.sessions.len();
        self.by_id.insert(Arc::clone(&id), at);
        self.sessions.push(PastSession {
            id,
            project,
            first: moment,
            last: moment,
            prompts: 1,
        });
        Some(at)
    }

    pub fn get(&self, at: usize) -> Option<&PastSession> {
        self.sessions.get(at)
    }

    pub fn position(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &PastSession> {
        self.sessions.iter()
    }

    /// The name of a project, kept once.
    fn name(&mut self, project: &str) -> Arc<str> {
        let known = self.projects.get(project).cloned();
        let name = known.unwrap_or_else(|| project.into());
        self.projects.insert(Arc::clone(&name));
        name
    }
}

/// The order in which entries were written: of equal times the one that stands later in its file
/// is the later one. Of two files the first root's is, as where they are listed.
fn written((time, spot): (i64, PromptPos)) -> (i64, Reverse<u16>, u64) {
    (time, Reverse(spot.root), spot.offset)
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
