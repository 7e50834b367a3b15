//! What resuming sends of a conversation to Claude, and what it leaves out.
//!
//! Follows what Claude Code was seen to send. A line is left out as a whole where nothing of it is
//! sent. Calls without a result that belong to the end of the conversation are sent, with a result
//! that Claude Code makes up; elsewhere their lines are left out.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use serde::Serialize;

use super::chain::Chain;
use super::entry::{Block, Entry};
use super::index::Index;
use super::interruption::{By, Interruption, LAST_WORDS};
use super::link::EntryId;
use super::turns::Turn;
use crate::record::{EntryType, UserText};

/// Why resuming does not send an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LeftOut {
    /// Another entry comes before it on its line.
    SecondOnLine,
    /// The result of a call that is not there.
    NoCall,
    /// The id of the tool call was used before.
    RepeatedId,
    /// A tool call that never had a result.
    NoResult,
    /// The API failed.
    ApiError,
    /// There is nothing in it to send.
    Empty,
}

/// What there is to say of an entry when it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    LeftOut(LeftOut),
    /// Its parent is missing. Claude Code joins it to the entry before.
    AfterGap,
}

/// What resuming makes of a conversation.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    left_out: HashMap<EntryId, LeftOut>,
    /// Calls and results that are left out of entries that are sent, by their tool ids.
    dropped: HashMap<EntryId, HashSet<String>>,
    /// Tool ids of results that Claude Code makes up, by the entry that they come after.
    made_up: HashMap<EntryId, Vec<String>>,
    after_gap: HashSet<EntryId>,
    pub interruption: Interruption,
}

impl Sent {
    pub fn left_out(&self, entry: &Entry) -> Option<LeftOut> {
        self.left_out.get(&entry.id()?).copied()
    }

    /// Is the call or the result with this tool id left out of an entry that is sent?
    pub fn is_dropped(&self, entry: &Entry, tool: &str) -> bool {
        let dropped = entry.id().and_then(|id| self.dropped.get(&id));
        dropped.is_some_and(|dropped| dropped.contains(tool))
    }

    /// The tool ids of results that Claude Code makes up after an entry.
    pub fn made_up_after(&self, entry: &Entry) -> &[String] {
        let made_up = entry.id().and_then(|id| self.made_up.get(&id));
        made_up.map_or(&[], Vec::as_slice)
    }

    /// Puts on the turns what there is to say of their entries.
    pub fn mark(&self, turns: &mut [Turn]) {
        if self.left_out.is_empty() && self.after_gap.is_empty() {
            return;
        }
        for turn in turns {
            turn.mark = self.mark_of(&turn.uuid);
            for step in &mut turn.steps {
                // The entry that opens a turn has its mark there.
                if step.uuid != turn.uuid {
                    step.mark = self.mark_of(&step.uuid);
                }
            }
        }
    }

    fn mark_of(&self, uuid: &str) -> Option<Mark> {
        let id = EntryId::of(uuid.as_bytes())?;
        let left_out = self.left_out.get(&id).copied().map(Mark::LeftOut);
        left_out.or_else(|| self.after_gap.contains(&id).then_some(Mark::AfterGap))
    }
}

/// Collects what decides, entry by entry.
#[derive(Debug, Default)]
pub struct Sending {
    sent: Sent,
    /// Ids are known by their hashes: a long conversation has many.
    hashing: RandomState,
    /// The message of each tool call.
    calls: HashMap<u64, u64>,
    /// Calls of tools that speak to the person themselves.
    closing: HashSet<u64>,
    answered: HashSet<u64>,
    /// Calls without a result so far.
    open: HashMap<u64, OpenCall>,
    /// Results whose call has not come so far.
    early: Vec<(u64, String, Place)>,
    /// Parts of entries that are not sent.
    dropped: HashMap<EntryId, Dropped>,
    /// Lines of messages in which nothing is said so far.
    silent: HashMap<u64, Vec<EntryId>>,
    spoken: HashSet<u64>,
    last: Option<Last>,
    last_message: Option<u64>,
    /// The last of the lines of that message and of the results of its calls.
    last_of_message: Option<EntryId>,
    /// The number of the last entry with words for Claude.
    last_words: usize,
    number: usize,
    has_prompt: bool,
    error: Option<String>,
    has_attachment: bool,
}

#[derive(Debug)]
struct OpenCall {
    id: String,
    name: String,
    message: u64,
    place: Place,
}

/// Where a call or a result stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    entry: EntryId,
    /// How many entries come before it.
    number: usize,
    /// How many parts of the entry can be sent, and how many of them are calls.
    parts: usize,
    calls: usize,
}

#[derive(Debug)]
struct Dropped {
    tools: HashSet<String>,
    reason: LeftOut,
    parts: usize,
}

/// The last message that is no error of the API.
#[derive(Debug)]
enum Last {
    Answer {
        uuid: String,
    },
    Result {
        uuid: String,
        tool: u64,
        by: By,
    },
    Prompt {
        uuid: String,
        by: By,
    },
    Command {
        uuid: String,
    },
    /// Nothing that asks for an answer.
    Other,
}

impl Sending {
    pub fn new(index: &Index, chain: &Chain) -> Self {
        let id = |at: &usize| index.links()[*at].id;
        let unread = chain.unread.iter();
        Self {
            sent: Sent {
                left_out: unread.map(|at| (id(at), LeftOut::SecondOnLine)).collect(),
                after_gap: chain.bridged.iter().map(id).collect(),
                ..Sent::default()
            },
            ..Self::default()
        }
    }

    pub fn take(&mut self, entry: &Entry) {
        let Some(id) = entry.id() else {
            return;
        };
        if self.sent.left_out.contains_key(&id) {
            return;
        }
        self.number += 1;
        match entry.kind {
            EntryType::Assistant if entry.is_api_error() => {
                let text = entry.texts().next();
                self.error = Some(text.unwrap_or_default().to_owned());
                self.sent.left_out.insert(id, LeftOut::ApiError);
            }
            EntryType::Assistant => self.take_answer(entry, id),
            EntryType::User => self.take_user(entry, id),
            EntryType::Attachment => self.has_attachment = true,
            _ => {}
        }
    }

    fn take_answer(&mut self, entry: &Entry, id: EntryId) {
        let blocks = entry.blocks();
        // A line without a message is one of its own.
        let message = match entry.message_id() {
            Some(message) => self.hashing.hash_one(message),
            None => self.hashing.hash_one(id),
        };
        let parts = blocks.iter().filter(|block| block.is_said()).count();
        if parts == 0 {
            if !self.spoken.contains(&message) {
                self.silent.entry(message).or_default().push(id);
            }
            return;
        }
        let is_call = |block: &&Block<'_>| matches!(block, Block::ToolUse { .. });
        let place = Place {
            entry: id,
            number: self.number,
            parts,
            calls: blocks.iter().filter(is_call).count(),
        };
        for block in &blocks {
            if let Block::ToolUse { id, name, .. } = block {
                self.take_call(id, name, message, place);
            }
        }
        self.silent.remove(&message);
        self.spoken.insert(message);
        self.last_message = Some(message);
        self.last_of_message = Some(id);
        let uuid = entry.uuid.clone();
        self.message(Last::Answer { uuid });
    }

    fn take_call(&mut self, id: &str, name: &str, message: u64, place: Place) {
        let hash = self.hashing.hash_one(id);
        let before = self.calls.insert(hash, message);
        if LAST_WORDS.contains(&name) {
            self.closing.insert(hash);
        }
        match before {
            // Some versions write the calls of a message again with every line.
            Some(before) if before == message => {}
            Some(_) => self.drop(id, LeftOut::RepeatedId, place),
            None if self.answered.contains(&hash) => {}
            None => {
                let (id, name) = (id.to_owned(), name.to_owned());
                let call = OpenCall {
                    id,
                    name,
                    message,
                    place,
                };
                self.open.insert(hash, call);
            }
        }
    }

    fn drop(&mut self, tool: &str, reason: LeftOut, place: Place) {
        let dropped = self.dropped.entry(place.entry).or_insert(Dropped {
            tools: HashSet::new(),
            reason,
            parts: place.parts,
        });
        dropped.tools.insert(tool.to_owned());
    }

    fn take_user(&mut self, entry: &Entry, id: EntryId) {
        let blocks = entry.blocks();
        let place = Place {
            entry: id,
            number: self.number,
            parts: blocks.len(),
            calls: 0,
        };
        let mut last = Last::Other;
        for block in &blocks {
            let uuid = entry.uuid.clone();
            let by = By::End { tools: Vec::new() };
            match block {
                Block::ToolResult { id, .. } => {
                    let tool = self.take_result(id, place);
                    last = Last::Result { uuid, tool, by };
                }
                Block::Text(text) => match (UserText::of(text), &mut last) {
                    (UserText::Interrupted, Last::Result { by, .. }) => *by = By::Person,
                    (_, Last::Result { .. }) => {}
                    (UserText::Interrupted, _) => {
                        let by = By::Person;
                        last = Last::Prompt { uuid, by };
                    }
                    (UserText::Typed(_) | UserText::Shell(_) | UserText::Machine, _) => {
                        last = Last::Prompt { uuid, by };
                    }
                    (UserText::Command { .. }, _) => last = Last::Command { uuid },
                    // What a command printed asks for nothing.
                    (UserText::CommandOutput(_) | UserText::ShellOutput { .. }, _) => {
                        last = Last::Other;
                    }
                },
                Block::Image(_) | Block::Other(_) if matches!(last, Last::Other) => {
                    last = Last::Prompt { uuid, by };
                }
                _ => {}
            }
        }
        if !matches!(last, Last::Result { .. }) {
            self.last_words = self.number;
        }
        self.has_prompt |= !entry.is_meta && matches!(last, Last::Prompt { .. });
        self.message(if entry.is_meta { Last::Other } else { last });
    }

    fn take_result(&mut self, id: &str, place: Place) -> u64 {
        let hash = self.hashing.hash_one(id);
        if self.calls.contains_key(&hash) && self.calls.get(&hash) == self.last_message.as_ref() {
            self.last_of_message = Some(place.entry);
        }
        if !self.answered.insert(hash) {
            self.drop(id, LeftOut::RepeatedId, place);
        } else if self.open.remove(&hash).is_none() && !self.calls.contains_key(&hash) {
            self.early.push((hash, id.to_owned(), place));
        }
        hash
    }

    fn message(&mut self, last: Last) {
        self.last = Some(last);
        self.error = None;
        self.has_attachment = false;
    }

    /// What resuming makes of the entries, all of which were taken.
    pub fn finish(mut self) -> Sent {
        for (hash, tool, place) in std::mem::take(&mut self.early) {
            if !self.calls.contains_key(&hash) {
                self.drop(&tool, LeftOut::NoCall, place);
            }
        }
        let running = self.judge_calls();
        for (id, dropped) in std::mem::take(&mut self.dropped) {
            if dropped.tools.len() >= dropped.parts {
                self.sent.left_out.insert(id, dropped.reason);
            } else {
                self.sent.dropped.insert(id, dropped.tools);
            }
        }
        let silent = self.silent.values().flatten();
        let left_out = silent.map(|id| (*id, LeftOut::Empty));
        self.sent.left_out.extend(left_out);
        self.sent.interruption = self.interruption(&running);
        self.sent
    }

    /// Decides about the calls without a result, and gives the names of those that were running
    /// when the conversation ended.
    fn judge_calls(&mut self) -> Vec<String> {
        let mut open: Vec<OpenCall> = self.open.drain().map(|(_, call)| call).collect();
        open.sort_by_key(|call| call.place.number);
        let mut lines: HashMap<EntryId, usize> = HashMap::new();
        for call in &open {
            *lines.entry(call.place.entry).or_default() += 1;
        }
        let mut running = Vec::new();
        for call in open {
            let Place {
                entry,
                number,
                calls,
                ..
            } = call.place;
            let is_last = Some(call.message) == self.last_message;
            let is_running = self.error.is_none()
                && match self.last {
                    Some(Last::Answer { .. }) => is_last && number > self.last_words,
                    Some(Last::Result { .. }) => number > self.last_words,
                    _ => false,
                };
            if is_running {
                running.push(call.name);
            }
            // A line of which other calls have results is sent with made-up ones for the rest.
            if is_running || lines[&entry] < calls {
                let last = self.last_of_message.filter(|_| is_running && is_last);
                let made_up = self.sent.made_up.entry(last.unwrap_or(entry));
                made_up.or_default().push(call.id);
            } else {
                self.sent.left_out.insert(entry, LeftOut::NoResult);
            }
        }
        running
    }

    fn interruption(&self, running: &[String]) -> Interruption {
        let named = |by: &By| match (&self.error, by) {
            (Some(text), _) => By::ApiError { text: text.clone() },
            (None, By::End { .. }) => By::End {
                tools: running.to_vec(),
            },
            (None, by) => by.clone(),
        };
        let end = By::End { tools: Vec::new() };
        match &self.last {
            Some(Last::Answer { uuid }) if !running.is_empty() => Interruption::Turn {
                uuid: uuid.clone(),
                by: named(&end),
            },
            Some(Last::Result { uuid, by, tool }) if !self.closing.contains(tool) => {
                Interruption::Turn {
                    uuid: uuid.clone(),
                    by: named(by),
                }
            }
            Some(Last::Prompt { uuid, by }) => self.unanswered(uuid, named(by)),
            // Commands alone wait for nothing.
            Some(Last::Command { uuid }) if self.has_prompt => self.unanswered(uuid, named(&end)),
            _ => Interruption::None,
        }
    }

    /// With the attachments of the prompt, Claude had begun.
    fn unanswered(&self, uuid: &str, by: By) -> Interruption {
        let uuid = uuid.to_owned();
        if self.has_attachment && by != By::Person {
            Interruption::Turn { uuid, by }
        } else {
            Interruption::Prompt { uuid, by }
        }
    }
}
