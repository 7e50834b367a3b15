//! Turns: what a person asked, and everything that answers it.
//!
//! Streamed lines of one API message become steps in their order, tool calls get their results,
//! commands their output. What the program wrote for itself is left out. Knows nothing of
//! widths or styles: texts are as the file has them.

use serde::Serialize;
use serde_json::Value;

use super::calls::{Calls, Known};
use super::entry::{Block, Entry, blocks};
use super::noise::{Noise, Words};
use super::sent::Mark;
use super::stretches::{Heading, Joins};
use super::texts::Texts;
use super::tools::{Image, ToolCall, ToolResult};
use crate::record::{CONTINUED, EntryType, UserText};

/// The marker that the program writes where Claude was not asked for an answer.
const NO_ANSWER_WANTED: &str = "No response requested.";

/// What opens a turn, and the steps that follow from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    pub opening: Opening,
    /// The entry that opens it.
    pub uuid: String,
    pub at: Option<i64>,
    pub steps: Vec<Step>,
    /// What the program wrote between the steps.
    #[serde(skip)]
    pub noise: Vec<Noise>,
    /// What there is to say of the entry that opens it.
    #[serde(skip)]
    pub mark: Option<Mark>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum Opening {
    /// What the person typed.
    Prompt {
        text: String,
        images: Vec<Image>,
        typed: Typed,
    },
    /// A slash command.
    Command { name: String, arguments: String },
    /// A shell line.
    Shell { command: String },
    /// The conversation was compacted: what lies before is now this summary.
    #[serde(rename_all = "camelCase")]
    Compaction {
        summary: Option<String>,
        trigger: Option<String>,
        tokens_before: Option<u64>,
    },
    /// Answers whose question is not in the conversation.
    Unasked,
}

/// When a prompt was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Typed {
    AtThePrompt,
    /// While Claude was busy.
    Ahead,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// The entry that it stands in.
    pub uuid: String,
    pub at: Option<i64>,
    #[serde(flatten)]
    pub what: What,
    /// What there is to say of the entry that it stands in.
    #[serde(skip)]
    pub mark: Option<Mark>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum What {
    Text {
        text: String,
    },
    Thinking {
        text: String,
    },
    Tool(Box<ToolCall>),
    /// What the person said instead of letting a tool run.
    Reply {
        text: String,
    },
    /// What a command or a shell line printed.
    Output {
        text: String,
        errors: String,
    },
    /// Claude's summary for someone who was away.
    Recap {
        text: String,
    },
    ApiError {
        text: String,
    },
    /// The person stopped Claude here.
    Interrupted,
}

impl Turn {
    /// Did a person ask for something here that Claude was to answer? A command such as `/model`
    /// or `/exit` that only the program answered is none.
    pub fn is_human(&self) -> bool {
        match self.opening {
            Opening::Prompt { .. } | Opening::Shell { .. } => true,
            Opening::Command { .. } => self.steps.iter().any(|step| {
                matches!(
                    step.what,
                    What::Text { .. } | What::Thinking { .. } | What::Tool(_)
                )
            }),
            Opening::Compaction { .. } | Opening::Unasked => false,
        }
    }
}

/// Puts turns together, entry by entry.
#[derive(Debug, Default)]
pub struct Builder {
    /// The turns that are held, the newest ones.
    pub turns: Vec<Turn>,
    /// How many were let go before them.
    pub gone: usize,
    pub joins: Joins,
    /// How many lines said something of a turn that was gone.
    pub late: usize,
    calls: Calls,
    texts: Texts,
    /// Notes of the program from before the first turn.
    early: Vec<Noise>,
}

impl Builder {
    /// Lets go of the turns before one. What still comes for them is not put in any more.
    pub fn let_go(&mut self, before: usize) -> Vec<Turn> {
        let count = before.saturating_sub(self.gone).min(self.turns.len());
        self.gone += count;
        self.turns.drain(..count).collect()
    }

    /// Takes the next entry, which is the one of this number.
    pub fn take(&mut self, at: usize, entry: &Entry) {
        self.joins.begin(at);
        match entry.kind {
            EntryType::User => self.take_user(entry),
            EntryType::Assistant => self.take_assistant(entry),
            EntryType::Attachment => self.take_attachment(entry),
            EntryType::System => self.take_system(entry),
            _ => {}
        }
    }

    fn take_user(&mut self, entry: &Entry) {
        if entry.is_compact_summary() {
            return self.take_summary(entry);
        }
        if entry.is_meta {
            self.note(entry);
        }
        let mut typed = Vec::new();
        let mut images = Vec::new();
        for block in entry.blocks() {
            match block {
                Block::ToolResult {
                    id,
                    content,
                    is_error,
                } => self.answer(entry, id, ToolResult::of(entry, content, is_error)),
                // Only results are of interest in what the program wrote for itself.
                _ if entry.is_meta => {}
                Block::Text(text) if text.starts_with(CONTINUED) => {
                    return self.take_summary(entry);
                }
                Block::Text(text) => typed.extend(self.take_text(entry, text)),
                Block::Image(image) => images.push(Image::of(image)),
                Block::Other(other) if other["type"] == "document" => {
                    images.push(Image::of(other));
                }
                Block::Thinking(_) | Block::ToolUse { .. } | Block::Other(_) => {}
            }
        }
        self.ask(entry, &typed, images, Typed::AtThePrompt);
    }

    /// Takes one text that stands in a user line, and gives it back if a person typed it.
    fn take_text<'a>(&mut self, entry: &Entry, text: &'a str) -> Option<Words<'a>> {
        match UserText::of(text) {
            UserText::Typed(text) => return Some(Words::of(text)),
            UserText::Shell(command) => self.open(
                entry,
                Opening::Shell {
                    command: command.to_owned(),
                },
            ),
            UserText::Command { name, arguments } => self.open(
                entry,
                Opening::Command {
                    name: name.to_owned(),
                    arguments: arguments.to_owned(),
                },
            ),
            UserText::CommandOutput(text) => self.output(entry, text, ""),
            UserText::ShellOutput { stdout, stderr } => self.output(entry, stdout, stderr),
            UserText::Interrupted => self.step(entry, What::Interrupted),
            UserText::Machine => self.note(entry),
        }
        None
    }

    fn output(&mut self, entry: &Entry, text: &str, errors: &str) {
        if !text.is_empty() || !errors.is_empty() {
            let (text, errors) = (text.to_owned(), errors.to_owned());
            self.step(entry, What::Output { text, errors });
        }
    }

    /// The summary follows its boundary, where there is one.
    fn take_summary(&mut self, entry: &Entry) {
        let texts: Vec<&str> = entry
            .blocks()
            .into_iter()
            .filter_map(|block| match block {
                Block::Text(text) => Some(text),
                _ => None,
            })
            .collect();
        let text = Some(texts.join("\n\n"));
        if let Some(Turn {
            opening: Opening::Compaction { summary, .. },
            ..
        }) = self.turns.last_mut()
            && summary.is_none()
        {
            *summary = text;
            self.joins.touch(self.gone + self.turns.len() - 1);
            return;
        }
        self.open(
            entry,
            Opening::Compaction {
                summary: text,
                trigger: None,
                tokens_before: None,
            },
        );
    }

    fn take_assistant(&mut self, entry: &Entry) {
        for block in entry.blocks() {
            match block {
                Block::Text(text) if entry.is_api_error() => {
                    let text = text.to_owned();
                    self.step(entry, What::ApiError { text });
                }
                Block::Text(text) if entry.is_synthetic() && text == NO_ANSWER_WANTED => {}
                Block::Text(text) => {
                    if !text.trim().is_empty() && self.is_new(entry, text) {
                        let text = text.to_owned();
                        self.step(entry, What::Text { text });
                    }
                }
                Block::Thinking(text) => {
                    if !text.trim().is_empty() && self.is_new(entry, text) {
                        let text = text.to_owned();
                        self.step(entry, What::Thinking { text });
                    }
                }
                Block::ToolUse { id, name, input } => self.call(entry, id, name, input),
                Block::ToolResult { .. } | Block::Image(_) | Block::Other(_) => {}
            }
        }
    }

    fn is_new(&mut self, entry: &Entry, text: &str) -> bool {
        let Some(message) = entry.message_id() else {
            return true;
        };
        let here = (self.gone + self.turns.len()).saturating_sub(1);
        let known = self.texts.put(message, text, here);
        if let Some(turn) = known {
            self.joins.touch(turn);
        }
        known.is_none()
    }

    fn call(&mut self, entry: &Entry, id: &str, name: &str, input: &Value) {
        // The result was written before the call, or the call twice. In another message the same
        // id is another call: some models number theirs anew.
        let is_again = self.calls.is_again(id, entry.message_id());
        match self.known_call(id) {
            Known::Held(call) if is_again => {
                call.name = Some(name.to_owned());
                call.input = input.clone();
                return self.touch_call(id);
            }
            Known::Gone if is_again => return self.touch_call(id),
            Known::Held(_) | Known::Gone | Known::Not => {}
        }
        self.calls.made_in(id, entry.message_id());
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
        match self.known_call(id) {
            Known::Held(call) => {
                call.result = Some(result);
                self.touch_call(id);
            }
            Known::Gone => self.touch_call(id),
            Known::Not => {
                self.calls.came_first(id);
                let call = ToolCall {
                    id: id.to_owned(),
                    name: None,
                    input: Value::Null,
                    result: Some(result),
                };
                self.add_call(entry, call);
            }
        }
        if !said.is_empty() {
            self.step(entry, What::Reply { text: said });
        }
    }

    fn known_call(&mut self, id: &str) -> Known<'_> {
        let Some((turn, step)) = self.calls.place_of(id) else {
            return Known::Not;
        };
        let Some(at) = turn.checked_sub(self.gone) else {
            return Known::Gone;
        };
        let turn = self.turns.get_mut(at);
        match turn.and_then(|turn| turn.steps.get_mut(step)) {
            Some(Step {
                what: What::Tool(call),
                ..
            }) => Known::Held(call),
            _ => Known::Not,
        }
    }

    /// The entry at hand says something of a call that may stand in an earlier turn.
    fn touch_call(&mut self, id: &str) {
        if let Some((turn, _)) = self.calls.place_of(id) {
            self.late += usize::from(turn < self.gone);
            self.joins.touch(turn);
        }
    }

    fn add_call(&mut self, entry: &Entry, call: ToolCall) {
        let id = call.id.clone();
        self.step(entry, What::Tool(Box::new(call)));
        let step = self.turns.last().map_or(0, |turn| turn.steps.len());
        if !id.is_empty() {
            let turn = self.gone + self.turns.len() - 1;
            self.calls.put(id, turn, step.saturating_sub(1));
        }
    }

    /// A prompt that was typed while Claude was busy comes as an attachment.
    fn take_attachment(&mut self, entry: &Entry) {
        let Some(prompt) = entry.queued_prompt() else {
            return self.note(entry);
        };
        let mut typed = Vec::new();
        let mut images = Vec::new();
        for block in blocks(prompt) {
            match block {
                Block::Text(text) => typed.extend(self.take_text(entry, text)),
                Block::Image(image) => images.push(Image::of(image)),
                Block::Other(other) if other["type"] == "document" => {
                    images.push(Image::of(other));
                }
                _ => {}
            }
        }
        self.ask(entry, &typed, images, Typed::Ahead);
    }

    fn take_system(&mut self, entry: &Entry) {
        let content = entry.line.content.as_str().unwrap_or_default();
        match entry.line.subtype.as_str() {
            Some("compact_boundary") => {
                let metadata = &entry.line.compact_metadata;
                self.open(
                    entry,
                    Opening::Compaction {
                        summary: None,
                        trigger: metadata["trigger"].as_str().map(str::to_owned),
                        tokens_before: metadata["preTokens"].as_u64(),
                    },
                );
            }
            Some("away_summary") => {
                let text = content.to_owned();
                self.step(entry, What::Recap { text });
            }
            Some("local_command") => {
                self.take_text(entry, content);
            }
            // `api_error` lines are retries; an answer that failed is an assistant line.
            _ => self.note(entry),
        }
    }

    /// Keeps a note of the program beside the steps of the turn that it was written in. It opens
    /// none: where nobody said anything there is no conversation.
    fn note(&mut self, entry: &Entry) {
        match self.turns.last_mut() {
            Some(turn) => {
                turn.noise.push(Noise::of(entry, turn.steps.len()));
                self.joins.touch(self.gone + self.turns.len() - 1);
            }
            None => self.early.push(Noise::of(entry, 0)),
        }
    }

    /// Opens a turn with what the person typed, if that is anything.
    fn ask(&mut self, entry: &Entry, words: &[Words<'_>], images: Vec<Image>, typed: Typed) {
        if words.is_empty() && images.is_empty() {
            return;
        }
        let texts: Vec<&str> = words.iter().map(|words| &*words.typed).collect();
        let text = texts.join("\n\n");
        self.open(
            entry,
            Opening::Prompt {
                text,
                images,
                typed,
            },
        );
        if let Some(turn) = self.turns.last_mut() {
            let reminders = words.iter().flat_map(|words| &words.reminders);
            let notes = reminders.map(|text| Noise::reminder(text, entry.at));
            turn.noise.extend(notes);
        }
    }

    fn open(&mut self, entry: &Entry, opening: Opening) {
        let number = self.gone + self.turns.len();
        self.joins.open(number, Heading::of(entry));
        self.turns.push(Turn {
            opening,
            uuid: entry.uuid.clone(),
            at: entry.at,
            steps: Vec::new(),
            noise: std::mem::take(&mut self.early),
            mark: None,
        });
    }

    fn step(&mut self, entry: &Entry, what: What) {
        if self.turns.is_empty() {
            self.open(entry, Opening::Unasked);
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.steps.push(Step {
                uuid: entry.uuid.clone(),
                at: entry.at,
                what,
                mark: None,
            });
            self.joins.touch(self.gone + self.turns.len() - 1);
        }
    }
}
