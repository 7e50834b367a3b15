//! Agents of the old layout: their transcripts are beside those of the sessions that they worked for.
//!
//! Such a file is a row of its own. While its session has a conversation, it is part of that one;
//! otherwise it is a conversation itself.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Conversation, FileKey, Index};
use crate::list::Row;
use crate::search::RowId;
use crate::store::FileInfo;
use crate::transcript::{agent_files, agent_session};

/// The rows of agents, by the transcripts of their sessions.
#[derive(Debug, Default)]
pub(super) struct AgentsBeside {
    agents: HashMap<RowId, (FileKey, Arc<Row>)>,
    by_session: HashMap<FileKey, BTreeSet<RowId>>,
}

impl AgentsBeside {
    /// The rows of the agents of a session.
    pub fn of(&self, session: FileKey) -> Vec<RowId> {
        let agents = self.by_session.get(&session);
        agents.into_iter().flatten().copied().collect()
    }

    /// Their transcripts.
    pub fn files(&self, session: FileKey) -> impl Iterator<Item = &FileInfo> {
        let agents = self.by_session.get(&session).into_iter().flatten();
        agents.filter_map(|agent| Some(&self.row(*agent)?.session.file))
    }

    pub fn row(&self, agent: RowId) -> Option<&Arc<Row>> {
        Some(&self.agents.get(&agent)?.1)
    }

    fn put(&mut self, agent: RowId, session: FileKey, what: &Arc<Row>) {
        self.by_session.entry(session).or_default().insert(agent);
        self.agents.insert(agent, (session, Arc::clone(what)));
    }

    fn remove(&mut self, agent: RowId) -> Option<(FileKey, Arc<Row>)> {
        let (session, what) = self.agents.remove(&agent)?;
        if let Some(agents) = self.by_session.get_mut(&session) {
            agents.remove(&agent);
            if agents.is_empty() {
                self.by_session.remove(&session);
            }
        }
        Some((session, what))
    }
}

impl Index {
    /// Remembers an agent for when its session comes. Returns the transcript of that one; `None` if
    /// this is no such agent.
    pub fn note_agent(&mut self, row: RowId, what: &Arc<Row>) -> Option<FileKey> {
        let file = &what.session.file;
        if !file.id.starts_with("agent-") {
            return None;
        }
        let path = file.path();
        let key = FileKey::of(&path);
        let known = self.beside.agents.get(&row);
        let is_same = |known: &FileInfo| known.version() == file.version() && known.path() == path;
        let known = known.filter(|(_, known)| is_same(&known.session.file));
        let known = known.map(|(session, _)| *session);
        let records = self.roots.iter();
        let mut records = records.filter_map(|root| root.library.files.get(&key));
        // What was read as part of a session says so without a look at the file.
        let recorded = || {
            let record = records.next()?;
            let is_known = record.owner != key && record.version == file.version();
            is_known.then_some(record.owner)
        };
        let session = known.or_else(recorded).or_else(|| {
            // One that cannot be opened is told once it is read.
            let session = agent_session(&path).ok()??;
            let file = format!("{session}.jsonl");
            Some(FileKey::of(&path.with_file_name(file)))
        });
        let before = self.beside.agents.get(&row);
        if before.is_some_and(|(before, _)| Some(*before) != session) {
            self.leave(row);
        }
        let session = session?;
        self.beside.put(row, session, what);
        Some(session)
    }

    /// Makes an agent part of the conversation of its session. `None` if there is none.
    pub(super) fn join(&mut self, agent: RowId, session: FileKey) -> Option<()> {
        let row = *self.owners.get(&session)?;
        let conversation = self.rows.get(&row)?;
        if conversation.keys.first() != Some(&session) {
            return None;
        }
        let root = usize::from(conversation.root);
        let file = &self.beside.row(agent)?.session.file;
        let (key, version) = (FileKey::of(&file.path()), file.version());
        // It was a conversation until now.
        self.take_row(agent);
        self.unavailable.remove(&agent);
        self.changed.push(row);
        self.roots[root].library.set_owner(key, session);
        let is_new = self.own(row, key, version);
        self.mark_stale(row, is_new);
        Some(())
    }

    /// The files of a conversation.
    pub(super) fn paths(&self, conversation: &Conversation) -> HashMap<FileKey, PathBuf> {
        let main = conversation.row.session.file.path();
        let agents = if conversation.keys.len() > 1 {
            agent_files(&main).unwrap_or_default()
        } else {
            Vec::new()
        };
        let beside = conversation.keys.first();
        let beside = beside.into_iter().flat_map(|key| self.beside.files(*key));
        let beside = beside.map(FileInfo::path);
        let all = std::iter::once(main).chain(agents).chain(beside);
        all.map(|path| (FileKey::of(&path), path)).collect()
    }

    /// Takes a row that goes out of the conversation that it is a part of.
    pub(super) fn leave(&mut self, agent: RowId) {
        let Some((session, what)) = self.beside.remove(agent) else {
            return;
        };
        let key = FileKey::of(&what.session.file.path());
        let owner = self.owners.get(&session).copied();
        let Some((row, conversation)) = owner.and_then(|row| Some((row, self.rows.get_mut(&row)?)))
        else {
            return;
        };
        conversation.keys.retain(|known| *known != key);
        self.changed.push(row);
        self.roots[usize::from(conversation.root)]
            .library
            .forget(key);
        self.owners.remove(&key);
        self.failed.remove(&key);
    }
}

#[cfg(test)]
#[path = "beside_tests.rs"]
mod tests;
