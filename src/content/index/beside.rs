//! Agents of the old layout: their transcripts are beside those of the sessions that they worked for.
//!
//! Such a file is a row of its own. While its session has a conversation, it is part of that one;
//! otherwise it is a conversation itself.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use super::{Conversation, FileKey, Index, ReadJob};
use crate::search::RowId;
use crate::store::FileInfo;
use crate::transcript::{agent_files, agent_session};

/// The rows of agents, by the transcripts of their sessions.
#[derive(Debug, Default)]
pub(super) struct AgentsBeside {
    agents: HashMap<RowId, (FileKey, FileInfo)>,
    by_session: HashMap<FileKey, BTreeSet<RowId>>,
}

impl AgentsBeside {
    /// The rows of the agents of a session.
    pub fn of(&self, session: FileKey) -> Vec<RowId> {
        let agents = self.by_session.get(&session);
        agents.into_iter().flatten().copied().collect()
    }

    pub fn file(&self, agent: RowId) -> Option<&FileInfo> {
        Some(&self.agents.get(&agent)?.1)
    }

    fn put(&mut self, agent: RowId, session: FileKey, file: &FileInfo) {
        self.by_session.entry(session).or_default().insert(agent);
        self.agents.insert(agent, (session, file.clone()));
    }

    fn remove(&mut self, agent: RowId) -> Option<(FileKey, FileInfo)> {
        let (session, file) = self.agents.remove(&agent)?;
        if let Some(agents) = self.by_session.get_mut(&session) {
            agents.remove(&agent);
            if agents.is_empty() {
                self.by_session.remove(&session);
            }
        }
        Some((session, file))
    }
}

impl Index {
    /// Remembers an agent for when its session comes. Returns the transcript of that one; `None` if
    /// this is no such agent.
    pub fn note_agent(&mut self, row: RowId, file: &FileInfo) -> Option<FileKey> {
        if !file.id.starts_with("agent-") {
            return None;
        }
        let path = file.path();
        let key = FileKey::of(&path);
        let known = self.beside.agents.get(&row);
        let is_same = |known: &FileInfo| known.version() == file.version() && known.path() == path;
        let known = known.filter(|(_, file)| is_same(file));
        let known = known.map(|(session, _)| *session);
        let records = self.roots.iter();
        let mut records = records.filter_map(|root| root.library.files.get(&key));
        // What was read as part of a session says so without a look at the file.
        let recorded = || {
            let record = records.next()?;
            let is_known = record.owner != key && record.extent.version == file.version();
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
        self.beside.put(row, session, file);
        Some(session)
    }

    /// Makes an agent part of the conversation of its session. `None` if there is none.
    pub(super) fn join(&mut self, agent: RowId, session: FileKey) -> Option<Vec<ReadJob>> {
        let row = *self.owners.get(&session)?;
        let conversation = self.rows.get(&row)?;
        if conversation.keys.first() != Some(&session) {
            return None;
        }
        let root = conversation.root;
        let file = self.beside.file(agent)?;
        let (path, version) = (file.path(), file.version());
        let key = FileKey::of(&path);
        // It was a conversation until now.
        self.rows.remove(&agent);
        self.changed.push(row);
        self.unavailable.remove(&agent);
        if let Some(unread) = self.unread.remove(&agent) {
            *self.unread.entry(row).or_default() += unread;
        }
        self.roots[root].library.set_owner(key, session);
        if let Some(conversation) = self.rows.get_mut(&row) {
            conversation.keys.retain(|known| *known != key);
        }
        Some(self.want(row, path, version).into_iter().collect())
    }

    /// The files of a conversation.
    pub(super) fn paths(&self, conversation: &Conversation) -> HashMap<FileKey, PathBuf> {
        let main = conversation.file.path();
        let agents = if conversation.keys.len() > 1 {
            agent_files(&main).unwrap_or_default()
        } else {
            Vec::new()
        };
        let beside = conversation.keys.first().map(|key| self.beside.of(*key));
        let beside = beside.into_iter().flatten();
        let beside = beside.filter_map(|agent| Some(self.beside.file(agent)?.path()));
        let all = std::iter::once(main).chain(agents).chain(beside);
        all.map(|path| (FileKey::of(&path), path)).collect()
    }

    /// Takes a row that goes out of the conversation that it is a part of.
    pub(super) fn leave(&mut self, agent: RowId) {
        let Some((session, file)) = self.beside.remove(agent) else {
            return;
        };
        let key = FileKey::of(&file.path());
        let owner = self.owners.get(&session).copied();
        let Some((row, conversation)) = owner.and_then(|row| Some((row, self.rows.get_mut(&row)?)))
        else {
            return;
        };
        conversation.keys.retain(|known| *known != key);
        self.changed.push(row);
        self.roots[conversation.root].library.forget(key);
        self.owners.remove(&key);
        self.failed.remove(&key);
        if self.pending.contains_key(&key)
            && let Some(unread) = self.unread.get_mut(&row)
        {
            *unread -= 1;
            if *unread == 0 {
                self.unread.remove(&row);
            }
        }
    }
}

#[cfg(test)]
#[path = "beside_tests.rs"]
mod tests;
