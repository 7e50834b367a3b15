//! Turns: what the user asked, and everything that answers it.
//!
//! Streamed lines of one API message become steps in their order, tool calls get their results,
//! commands their output. What the program wrote for itself is left out. Knows nothing of
//! widths or styles: texts are as the file has them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::hash::{BuildHasher, RandomState};

use serde_json::Value;

use super::entry::{ContentBlock, Entry, blocks};
use super::link::EntryId;
use super::noise::{ProgramNote, without_reminders};
use super::sent::EntryMark;
use super::stretches::{Joins, TurnHeading};
use super::tools::{Image, ToolCall, ToolResult};
use crate::record::{CONTINUED, EntryType, UserText};

/// The marker that the program writes where Claude was not asked for an answer.
pub const NO_ANSWER_WANTED: &str = "No response requested.";

/// What opens a turn, and the steps that follow from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub opening: TurnOpening,
    /// The entry that opens it.
    pub uuid: String,
    pub at: Option<i64>,
    pub steps: Vec<TurnStep>,
    /// What the program wrote between the steps.
    pub noise: Vec<ProgramNote>,
    /// What there is to say of the entry that opens it.
    pub mark: Option<EntryMark>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TurnOpening {
    /// What the user typed.
    Prompt {
        text: String,
        images: Vec<Image>,
        typed: Typed,
    },
    /// A slash command.
    Command { name: String, arguments: String },
    /// A shell line.
    Shell(String),
    /// What another session of Claude sent, and what that is called.
    Peer { text: String, name: Option<String> },
    /// The conversation was compacted: what lies before is now this summary.
    Compaction {
        summary: Option<String>,
        /// The entry of the summary: the turn has that of the boundary before it.
        summary_entry: Option<EntryId>,
        trigger: Option<String>,
        tokens_before: Option<u64>,
    },
    /// Answers whose question is not in the conversation.
    Unasked,
}

/// When a prompt was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    AtThePrompt,
    /// While Claude was busy.
    Ahead,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TurnStep {
    /// The entry that contains it.
    pub uuid: String,
    pub at: Option<i64>,
    pub what: StepKind,
    /// What there is to say of that entry.
    pub mark: Option<EntryMark>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    Text(String),
    Thinking(String),
    Tool(Box<ToolCall>),
    /// What the user said when declining a tool call.
    Reply(String),
    /// What a command or a shell line printed.
    Output {
        text: String,
        errors: String,
    },
    /// Claude's summary for someone who was away.
    Recap(String),
    ApiError(String),
    /// The user stopped Claude here.
    Interrupted,
}

impl Turn {
    /// Did the user ask for something here that Claude had to answer? A command such as `/model`
    /// or `/exit` that only the program answered is none.
    pub fn is_human(&self) -> bool {
        match self.opening {
            TurnOpening::Prompt { .. } | TurnOpening::Shell(_) => true,
            TurnOpening::Command { .. } => self.steps.iter().any(|step| {
                use StepKind::{Text, Thinking, Tool};
                matches!(step.what, Text(_) | Thinking(_) | Tool(_))
            }),
            TurnOpening::Peer { .. } | TurnOpening::Compaction { .. } | TurnOpening::Unasked => {
                false
            }
        }
    }
}

impl TurnStep {
    pub fn call(&self) -> Option<&ToolCall> {
        match &self.what {
            StepKind::Tool(call) => Some(call),
            _ => None,
        }
    }
}

/// Puts turns together, entry by entry.
#[derive(Debug, Default)]
pub struct TurnBuilder {
    /// The turns that are held, the newest ones.
    pub turns: Vec<Turn>,
    /// How many were dropped before them.
    pub gone: usize,
    pub joins: Joins,
    /// How many lines belong to a turn that was dropped before.
    pub late: usize,
    calls: HashMap<String, KnownCall>,
    /// The turn of each text, by a hash of its message and itself: some versions repeat the texts of
    /// a message in every line of it, and holding them again would double a long conversation.
    texts: HashMap<u64, usize>,
    hashing: RandomState,
    /// Notes of the program from before the first turn.
    early: Vec<ProgramNote>,
}

/// A tool call by its id, or a result whose call has not come yet.
#[derive(Debug)]
struct KnownCall {
    turn: usize,
    step: usize,
    /// The message of the call: in another message the same id is another call.
    message: Option<String>,
    is_result_only: bool,
}

impl TurnBuilder {
    /// Drops the turns before one. What still comes for them is not added any more.
    pub fn let_go(&mut self, before: usize) -> Vec<Turn> {
        let count = before.saturating_sub(self.gone).min(self.turns.len());
        self.gone += count;
        self.turns.drain(..count).collect()
    }

    /// Takes the next entry, whose number is `at`.
    pub fn take(&mut self, at: usize, entry: &Entry) {
        self.joins.begin(at);
        match entry.kind {
            EntryType::User if entry.is_compact_summary() => self.take_summary(entry),
            EntryType::User if entry.peer().is_some() => self.take_peer(entry),
            EntryType::User => {
                if entry.is_meta {
                    self.note(entry);
                }
                self.take_prompt(entry, entry.blocks(), Typed::AtThePrompt);
            }
            EntryType::Assistant => self.take_assistant(entry),
            EntryType::Attachment => match entry.queued_prompt() {
                Some(prompt) => self.take_prompt(entry, blocks(prompt), Typed::Ahead),
                None => self.note(entry),
            },
            EntryType::System => self.take_system(entry),
            _ => {}
        }
    }

    fn take_prompt(&mut self, entry: &Entry, blocks: Vec<ContentBlock<'_>>, typed: Typed) {
        let mut words = Vec::new();
        let mut images = Vec::new();
        for block in blocks {
            match block {
                ContentBlock::ToolResult {
                    id,
                    content,
                    is_error,
                } => self.answer(entry, id, ToolResult::of(entry, content, is_error)),
                // Of what the program wrote for itself only the results count.
                _ if entry.is_meta && typed == Typed::AtThePrompt => {}
                ContentBlock::Text(text) if text.starts_with(CONTINUED) => {
                    return self.take_summary(entry);
                }
                ContentBlock::Text(text) => words.extend(self.take_text(entry, text)),
                ContentBlock::Image(image) => images.push(Image::of(image)),
                ContentBlock::Other(other) if other["type"] == "document" => {
                    images.push(Image::of(other));
                }
                ContentBlock::Thinking(_)
                | ContentBlock::ToolUse { .. }
                | ContentBlock::Other(_) => {}
            }
        }
        if words.is_empty() && images.is_empty() {
            return;
        }
        let texts: Vec<&str> = words.iter().map(|(typed, _)| &**typed).collect();
        let text = texts.join("\n\n");
        let opening = TurnOpening::Prompt {
            text,
            images,
            typed,
        };
        self.open(entry, opening);
        if let Some(turn) = self.turns.last_mut() {
            let reminders = words.iter().flat_map(|(_, reminders)| reminders);
            turn.noise
                .extend(reminders.map(|text| ProgramNote::reminder(text)));
        }
    }

    fn take_peer(&mut self, entry: &Entry) {
        let texts = entry.texts().map(|text| without_reminders(text).0);
        let texts: Vec<Cow<'_, str>> = texts.collect();
        let text = texts.join("\n\n");
        if text.trim().is_empty() {
            return self.note(entry);
        }
        let name = entry.peer().and_then(|peer| peer.name).map(str::to_owned);
        self.open(entry, TurnOpening::Peer { text, name });
    }

    /// Takes one text of a user line, and returns it if the user typed it.
    fn take_text<'a>(
        &mut self,
        entry: &Entry,
        text: &'a str,
    ) -> Option<(Cow<'a, str>, Vec<&'a str>)> {
        match UserText::of(text) {
            UserText::Typed(text) => return Some(without_reminders(text)),
            UserText::Shell(command) => self.open(entry, TurnOpening::Shell(command.to_owned())),
            UserText::Command { name, arguments } => {
                let (name, arguments) = (name.to_owned(), arguments.to_owned());
                self.open(entry, TurnOpening::Command { name, arguments });
            }
            UserText::CommandOutput(text) => self.output(entry, text, ""),
            UserText::ShellOutput { stdout, stderr } => self.output(entry, stdout, stderr),
            UserText::Interrupted => self.step(entry, StepKind::Interrupted),
            UserText::Machine => self.note(entry),
        }
        None
    }

    fn output(&mut self, entry: &Entry, text: &str, errors: &str) {
        if !text.is_empty() || !errors.is_empty() {
            let (text, errors) = (text.to_owned(), errors.to_owned());
            self.step(entry, StepKind::Output { text, errors });
        }
    }

    /// The summary follows its boundary, where there is one.
    fn take_summary(&mut self, entry: &Entry) {
        let texts: Vec<&str> = entry.texts().collect();
        let text = Some(texts.join("\n\n"));
        if let Some(turn) = self.turns.last_mut()
            && let TurnOpening::Compaction {
                summary,
                summary_entry,
                ..
            } = &mut turn.opening
            && summary.is_none()
        {
            *summary = text;
            *summary_entry = entry.id();
            return self.joins.touch(self.last());
        }
        let opening = TurnOpening::Compaction {
            summary: text,
            summary_entry: entry.id(),
            trigger: None,
            tokens_before: None,
        };
        self.open(entry, opening);
    }

    fn take_assistant(&mut self, entry: &Entry) {
        for block in entry.blocks() {
            let what = match block {
                ContentBlock::Text(text) if entry.is_api_error() => {
                    StepKind::ApiError(text.to_owned())
                }
                ContentBlock::Text(text) if entry.is_synthetic() && text == NO_ANSWER_WANTED => {
                    continue;
                }
                ContentBlock::Text(text) | ContentBlock::Thinking(text)
                    if text.trim().is_empty() || !self.is_new(entry, text) =>
                {
                    continue;
                }
                ContentBlock::Text(text) => StepKind::Text(text.to_owned()),
                ContentBlock::Thinking(text) => StepKind::Thinking(text.to_owned()),
                ContentBlock::ToolUse { id, name, input } => {
                    self.call(entry, id, name, input);
                    continue;
                }
                ContentBlock::ToolResult { .. }
                | ContentBlock::Image(_)
                | ContentBlock::Other(_) => continue,
            };
            self.step(entry, what);
        }
    }

    fn is_new(&mut self, entry: &Entry, text: &str) -> bool {
        let Some(message) = entry.message_id() else {
            return true;
        };
        let here = self.last();
        match self.texts.entry(self.hashing.hash_one((message, text))) {
            MapEntry::Occupied(known) => {
                self.joins.touch(*known.get());
                false
            }
            MapEntry::Vacant(free) => {
                free.insert(here);
                true
            }
        }
    }

    fn call(&mut self, entry: &Entry, id: &str, name: &str, input: &Value) {
        // The result was written before the call, or the call twice.
        if let Some(known) = self.calls.get_mut(id)
            && (known.is_result_only || known.message.as_deref() == entry.message_id())
        {
            known.is_result_only = false;
            self.update_call(id, |call| {
                call.name = Some(name.to_owned());
                call.input = input.clone();
            });
            return;
        }
        let call = ToolCall {
            id: id.to_owned(),
            name: Some(name.to_owned()),
            input: input.clone(),
            result: None,
        };
        self.add_call(entry, call);
    }

    fn answer(&mut self, entry: &Entry, id: &str, result: ToolResult) {
        let said = result.declined().unwrap_or_default().to_owned();
        if self.calls.contains_key(id) {
            self.update_call(id, |call| call.result = Some(result));
        } else {
            let call = ToolCall {
                id: id.to_owned(),
                name: None,
                input: Value::Null,
                result: Some(result),
            };
            self.add_call(entry, call);
        }
        if !said.is_empty() {
            self.step(entry, StepKind::Reply(said));
        }
    }

    /// The current entry adds to a call that may be in an earlier turn, or in one that is no longer
    /// held.
    fn update_call(&mut self, id: &str, update: impl FnOnce(&mut ToolCall)) {
        let Some(known) = self.calls.get(id) else {
            return;
        };
        match known.turn.checked_sub(self.gone) {
            Some(at) => {
                let turn = self.turns.get_mut(at);
                let step = turn.and_then(|turn| turn.steps.get_mut(known.step));
                if let Some(StepKind::Tool(call)) = step.map(|step| &mut step.what) {
                    update(call);
                }
            }
            None => self.late += 1,
        }
        self.joins.touch(known.turn);
    }

    fn add_call(&mut self, entry: &Entry, call: ToolCall) {
        let id = call.id.clone();
        let is_result_only = call.name.is_none();
        self.step(entry, StepKind::Tool(Box::new(call)));
        let steps = self.turns.last().map_or(0, |turn| turn.steps.len());
        if !id.is_empty() {
            let known = KnownCall {
                turn: self.last(),
                step: steps.saturating_sub(1),
                message: entry.message_id().map(str::to_owned),
                is_result_only,
            };
            self.calls.insert(id, known);
        }
    }

    fn take_system(&mut self, entry: &Entry) {
        let content = entry.line.content.as_str().unwrap_or_default();
        match entry.line.subtype.as_str() {
            Some("compact_boundary") => {
                let metadata = &entry.line.compact_metadata;
                let opening = TurnOpening::Compaction {
                    summary: None,
                    summary_entry: None,
                    trigger: metadata["trigger"].as_str().map(str::to_owned),
                    tokens_before: metadata["preTokens"].as_u64(),
                };
                self.open(entry, opening);
            }
            Some("away_summary") => self.step(entry, StepKind::Recap(content.to_owned())),
            Some("local_command") => {
                self.take_text(entry, content);
            }
            // `api_error` lines are retries; an answer that failed is an assistant line.
            _ => self.note(entry),
        }
    }

    /// Keeps a note of the program with the steps of its turn. A note opens no turn: without a
    /// message there is no conversation.
    fn note(&mut self, entry: &Entry) {
        match self.turns.last_mut() {
            Some(turn) => {
                turn.noise.push(ProgramNote::of(entry, turn.steps.len()));
                self.joins.touch(self.last());
            }
            None => self.early.push(ProgramNote::of(entry, 0)),
        }
    }

    fn open(&mut self, entry: &Entry, opening: TurnOpening) {
        let number = self.gone + self.turns.len();
        let heading = TurnHeading::new(&entry.uuid, entry.at);
        self.joins.open(number, heading);
        self.turns.push(Turn {
            opening,
            uuid: entry.uuid.clone(),
            at: entry.at,
            steps: Vec::new(),
            noise: std::mem::take(&mut self.early),
            mark: None,
        });
    }

    fn step(&mut self, entry: &Entry, what: StepKind) {
        if self.turns.is_empty() {
            self.open(entry, TurnOpening::Unasked);
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.steps.push(TurnStep {
                uuid: entry.uuid.clone(),
                at: entry.at,
                what,
                mark: None,
            });
            self.joins.touch(self.last());
        }
    }

    /// The number of the last turn.
    fn last(&self) -> usize {
        (self.gone + self.turns.len()).saturating_sub(1)
    }
}
