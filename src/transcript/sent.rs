//! What resuming sends of a conversation to Claude, and what it leaves out.
//!
//! Follows what Claude Code was seen to send. A line is left out as a whole where nothing of it is
//! sent. Calls without a result that belong to the end of the conversation are sent, with a result
//! that Claude Code makes up; elsewhere their lines are left out.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use serde::Serialize;

use super::chain::Chain;
use super::entry::{ContentBlock, Entry};
use super::index::Index;
use super::link::EntryId;
use super::turns::{StepKind, Turn};
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
pub enum EntryMark {
    LeftOut(LeftOut),
    /// Its parent is missing. Claude Code joins it to the entry before.
    AfterGap,
    /// A tool call that never had a result. Claude Code makes one up.
    MadeUp,
}

/// Tools whose result is the end of a turn: they speak to the user directly.
const LAST_WORDS: [&str; 3] = ["SendUserMessage", "SendUserFile", "Brief"];

/// Where the conversation stopped: was Claude done, or was it cut off?
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Interruption {
    /// Claude had the last word.
    #[default]
    None,
    /// The last prompt was never answered.
    #[serde(rename_all = "camelCase")]
    Prompt { uuid: String, by: StoppedBy },
    /// Claude was at work: a tool had answered, or was still running.
    #[serde(rename_all = "camelCase")]
    Turn { uuid: String, by: StoppedBy },
}

/// What cut Claude off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum StoppedBy {
    /// The user pressed Esc.
    Person,
    /// The end of the program, while these tools were running.
    End { tools: Vec<String> },
    /// The API failed.
    ApiError { text: String },
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
        if self.left_out.is_empty() && self.after_gap.is_empty() && self.made_up.is_empty() {
            return;
        }
        let made_up: HashSet<&String> = self.made_up.values().flatten().collect();
        for turn in turns {
            turn.mark = self.mark_of(&turn.uuid);
            for step in &mut turn.steps {
                // The entry that opens a turn has its mark there.
                if step.uuid != turn.uuid {
                    step.mark = self.mark_of(&step.uuid);
                }
                if let StepKind::Tool(call) = &step.what
                    && call.result.is_none()
                    && made_up.contains(&call.id)
                {
                    step.mark.get_or_insert(EntryMark::MadeUp);
                }
            }
        }
    }

    fn mark_of(&self, uuid: &str) -> Option<EntryMark> {
        let id = EntryId::of(uuid.as_bytes())?;
        let left_out = self.left_out.get(&id).copied().map(EntryMark::LeftOut);
        left_out.or_else(|| self.after_gap.contains(&id).then_some(EntryMark::AfterGap))
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
    /// Calls of tools that speak to the user directly.
    closing: HashSet<u64>,
    answered: HashSet<u64>,
    /// Calls without a result so far.
    open: HashMap<u64, OpenCall>,
    /// Results whose call has not come so far.
    early: Vec<(u64, String, CallPos)>,
    /// Parts of entries that are not sent.
    dropped: HashMap<EntryId, Dropped>,
    /// Lines of messages in which nothing is said so far.
    silent: HashMap<u64, Vec<EntryId>>,
    spoken: HashSet<u64>,
    last: Option<LastMessage>,
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
    pos: CallPos,
}

/// Where a call or a result is.
#[derive(Debug, Clone, Copy)]
struct CallPos {
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
struct LastMessage {
    uuid: String,
    kind: LastKind,
    /// Did the user stop Claude here?
    is_stopped: bool,
}

#[derive(Debug, Clone, Copy)]
enum LastKind {
    Answer,
    /// The result of this tool.
    Result(u64),
    Prompt,
    Command,
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
        let is_call = |block: &&ContentBlock<'_>| matches!(block, ContentBlock::ToolUse { .. });
        let pos = CallPos {
            entry: id,
            number: self.number,
            parts,
            calls: blocks.iter().filter(is_call).count(),
        };
        for block in &blocks {
            if let ContentBlock::ToolUse { id, name, .. } = block {
                self.take_call(id, name, message, pos);
            }
        }
        self.silent.remove(&message);
        self.spoken.insert(message);
        self.last_message = Some(message);
        self.last_of_message = Some(id);
        self.message(entry, LastKind::Answer, false);
    }

    fn take_call(&mut self, id: &str, name: &str, message: u64, pos: CallPos) {
        let hash = self.hashing.hash_one(id);
        let before = self.calls.insert(hash, message);
        if LAST_WORDS.contains(&name) {
            self.closing.insert(hash);
        }
        match before {
            // Some versions write the calls of a message again with every line.
            Some(before) if before == message => {}
            Some(_) => self.drop(id, LeftOut::RepeatedId, pos),
            None if self.answered.contains(&hash) => {}
            None => {
                let (id, name) = (id.to_owned(), name.to_owned());
                let call = OpenCall {
                    id,
                    name,
                    message,
                    pos,
                };
                self.open.insert(hash, call);
            }
        }
    }

    fn drop(&mut self, tool: &str, reason: LeftOut, pos: CallPos) {
        let dropped = self.dropped.entry(pos.entry).or_insert(Dropped {
            tools: HashSet::new(),
            reason,
            parts: pos.parts,
        });
        dropped.tools.insert(tool.to_owned());
    }

    fn take_user(&mut self, entry: &Entry, id: EntryId) {
        let blocks = entry.blocks();
        let pos = CallPos {
            entry: id,
            number: self.number,
            parts: blocks.len(),
            calls: 0,
        };
        let mut kind = LastKind::Other;
        let mut is_stopped = false;
        for block in &blocks {
            kind = match block {
                ContentBlock::ToolResult { id, .. } => {
                    is_stopped = false;
                    LastKind::Result(self.take_result(id, pos))
                }
                ContentBlock::Text(text) => {
                    let text = UserText::of(text);
                    is_stopped &= matches!(kind, LastKind::Result(_));
                    is_stopped |= text == UserText::Interrupted;
                    match (text, kind) {
                        (_, LastKind::Result(_)) => kind,
                        (UserText::Command { .. }, _) => LastKind::Command,
                        // The output of a command asks for nothing.
                        (UserText::CommandOutput(_) | UserText::ShellOutput { .. }, _) => {
                            LastKind::Other
                        }
                        _ => LastKind::Prompt,
                    }
                }
                ContentBlock::Image(_) | ContentBlock::Other(_)
                    if matches!(kind, LastKind::Other) =>
                {
                    LastKind::Prompt
                }
                _ => kind,
            };
        }
        if !matches!(kind, LastKind::Result(_)) {
            self.last_words = self.number;
        }
        if entry.is_meta || entry.peer().is_some() {
            kind = LastKind::Other;
        }
        self.has_prompt |= matches!(kind, LastKind::Prompt);
        self.message(entry, kind, is_stopped);
    }

    fn take_result(&mut self, id: &str, pos: CallPos) -> u64 {
        let hash = self.hashing.hash_one(id);
        if self.calls.contains_key(&hash) && self.calls.get(&hash) == self.last_message.as_ref() {
            self.last_of_message = Some(pos.entry);
        }
        if !self.answered.insert(hash) {
            self.drop(id, LeftOut::RepeatedId, pos);
        } else if self.open.remove(&hash).is_none() && !self.calls.contains_key(&hash) {
            self.early.push((hash, id.to_owned(), pos));
        }
        hash
    }

    fn message(&mut self, entry: &Entry, kind: LastKind, is_stopped: bool) {
        self.last = Some(LastMessage {
            uuid: entry.uuid.clone(),
            kind,
            is_stopped,
        });
        self.error = None;
        self.has_attachment = false;
    }

    /// What resuming makes of the entries, all of which were taken.
    pub fn finish(mut self) -> Sent {
        for (hash, tool, pos) in std::mem::take(&mut self.early) {
            if !self.calls.contains_key(&hash) {
                self.drop(&tool, LeftOut::NoCall, pos);
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
        self.sent.interruption = self.interruption(running);
        self.sent
    }

    /// Decides about the calls without a result, and gives the names of those that were running
    /// when the conversation ended.
    fn judge_calls(&mut self) -> Vec<String> {
        let mut open: Vec<OpenCall> = self.open.drain().map(|(_, call)| call).collect();
        open.sort_by_key(|call| call.pos.number);
        let mut lines: HashMap<EntryId, usize> = HashMap::new();
        for call in &open {
            *lines.entry(call.pos.entry).or_default() += 1;
        }
        let mut running = Vec::new();
        for call in open {
            let entry = call.pos.entry;
            let is_last = Some(call.message) == self.last_message;
            let is_awaited = match self.last.as_ref().map(|last| last.kind) {
                Some(LastKind::Answer) => is_last,
                Some(LastKind::Result(_)) => true,
                _ => false,
            };
            let is_after_words = call.pos.number > self.last_words;
            let is_running = self.error.is_none() && is_awaited && is_after_words;
            if is_running {
                running.push(call.name);
            }
            // A line of which other calls have results is sent with made-up ones for the rest.
            if is_running || lines[&entry] < call.pos.calls {
                let last = self.last_of_message.filter(|_| is_running && is_last);
                let made_up = self.sent.made_up.entry(last.unwrap_or(entry));
                made_up.or_default().push(call.id);
            } else {
                self.sent.left_out.insert(entry, LeftOut::NoResult);
            }
        }
        running
    }

    fn interruption(&self, running: Vec<String>) -> Interruption {
        let Some(last) = &self.last else {
            return Interruption::None;
        };
        let is_cut_off = match last.kind {
            LastKind::Answer => !running.is_empty(),
            LastKind::Result(tool) => !self.closing.contains(&tool),
            LastKind::Prompt => true,
            // Commands alone wait for nothing.
            LastKind::Command => self.has_prompt,
            LastKind::Other => false,
        };
        if !is_cut_off {
            return Interruption::None;
        }
        let uuid = last.uuid.clone();
        let by = match &self.error {
            Some(text) => StoppedBy::ApiError { text: text.clone() },
            None if last.is_stopped => StoppedBy::Person,
            None => StoppedBy::End { tools: running },
        };
        let is_asked = matches!(last.kind, LastKind::Prompt | LastKind::Command);
        // With the attachments of the prompt, Claude had begun.
        if is_asked && (!self.has_attachment || by == StoppedBy::Person) {
            Interruption::Prompt { uuid, by }
        } else {
            Interruption::Turn { uuid, by }
        }
    }
}
