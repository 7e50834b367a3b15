//! Sessions as the history knows them: who asked what, from when to when.
//!
//! Transcripts are swept after some weeks and the history is not, so for most sessions of a year
//! this is all that is left. Whether a transcript is still there is for the caller to say.

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
            if moment.0 >= known.last.0 {
                known.last = moment;
                known.project = project;
            }
            // Of equal times the one that is read later was written earlier.
            if moment.0 <= known.first.0 {
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

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
