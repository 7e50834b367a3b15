//! The text of a transcript, read slowly and simply: every line is parsed whole, and everything is held.

use std::ops::Range;

use claude_resume::json::{End, Fields, lenient};
use claude_resume::record::{CONTINUED, UserText, parse_epoch, parse_timestamp};
use claude_resume::transcript::{EntryId, Traits, Voice};
use serde_json::{Deserializer, Value};
use uuid::Uuid;

/// A passage as the file has it; outputs are whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullPassage {
    pub voice: Voice,
    pub tool: Option<String>,
    pub uuid: Option<Uuid>,
    pub part: u16,
    pub at: Option<i64>,
    pub lines: Range<u64>,
    pub is_error: bool,
    pub text: String,
}

/// All passages in the order of their first lines.
#[derive(Debug, Default)]
pub struct Oracle {
    pub passages: Vec<FullPassage>,
    pub traits: Traits,
    pub damaged: u32,
    is_warm_up: Option<bool>,
    /// Of the current line: whose its prompts are, and what was reported beside its result.
    prompting: Option<Voice>,
    report: Value,
    /// The id, the start, and the passages of the message that may go on, with their blocks.
    message: Option<(String, u64)>,
    blocks: Vec<(Voice, String)>,
    message_calls: Vec<String>,
    /// Id and tool.
    calls: Vec<(String, String)>,
    /// Prompts that wait for their message, and from where on.
    queue: Vec<(u64, FullPassage)>,
}

const OUTPUT_BREAK: &str = "\n";
const PARAGRAPH: &str = "\n\n";

/// Reads a whole file.
pub fn oracle(bytes: &[u8]) -> Oracle {
    let mut oracle = Oracle::default();
    let mut offset = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        oracle.take_line(line, offset);
        offset += line.len() as u64;
    }
    oracle.release(u64::MAX);
    oracle
        .passages
        .sort_by_key(|it| (it.lines.start, it.part, it.voice));
    oracle
}

impl Oracle {
    fn take_line(&mut self, line: &[u8], offset: u64) {
        let is_torn = !line.ends_with(b"\n");
        let mut rest = line;
        if offset == 0 {
            rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
        }
        let mut is_first = true;
        let mut is_damaged = false;
        loop {
            while let [b' ' | b'\t' | b'\r' | b'\n' | 0x0c | 0, after @ ..] = rest {
                rest = after;
            }
            if rest.is_empty() {
                return;
            }
            let start = offset + (line.len() - rest.len()) as u64;
            if let Some((entry, length)) = object(rest) {
                let belongs = entry.get("parentUuid").or(entry.get("sessionId")).is_some();
                if is_first || belongs {
                    self.take(&entry, start..start + length as u64);
                }
                rest = &rest[length..];
            } else {
                if is_torn {
                    return;
                }
                if !is_damaged {
                    self.damaged += 1;
                    self.message = None;
                    self.release(u64::MAX);
                }
                is_damaged = true;
                let opens = |at: &usize| {
                    rest[*at..].starts_with(b"{\"parentUuid\":")
                        || rest[*at..].starts_with(b"{\"type\":\"")
                };
                rest = &rest[(1..rest.len()).find(opens).unwrap_or(rest.len())..];
            }
            is_first = false;
        }
    }

    fn take(&mut self, entry: &Value, lines: Range<u64>) {
        let old = lines.start.saturating_sub(1024 * 1024);
        if self.message.is_none() {
            self.release(old);
        }
        let message = &entry["message"];
        let kind = entry["type"].as_str().unwrap_or_default();
        let origin = FullPassage {
            voice: Voice::User,
            tool: None,
            uuid: entry["uuid"]
                .as_str()
                .and_then(|id| EntryId::of(id.as_bytes()))
                .map(EntryId::uuid),
            part: 0,
            at: time(&entry["timestamp"]).or_else(|| time(&message["timestamp"])),
            lines,
            is_error: false,
            text: String::new(),
        };
        let is_agent = entry["isSidechain"] == true;
        self.prompting = is_agent.then_some(Voice::ToAgent);
        self.report = entry["toolUseResult"].clone();
        // The agents that only warm up a cache have files of their own.
        if matches!(kind, "user" | "assistant") {
            let is_warm_up = self.is_warm_up.unwrap_or(message["content"] == "Warmup");
            self.is_warm_up = Some(is_warm_up && entry["isSidechain"] == true);
        }
        if self.is_warm_up == Some(true) {
            return;
        }
        if matches!(kind, "user" | "assistant") && entry["isSidechain"] == true {
            self.traits |= Traits::AGENT;
        }
        match kind {
            "user" if entry["isCompactSummary"] == true => {
                self.summary(&message["content"], &origin);
            }
            "user" if entry["origin"]["kind"] == "peer" => {
                let texts = blocks(&message["content"]);
                let texts: Vec<String> = texts
                    .iter()
                    .filter_map(text_of)
                    .map(without_reminders)
                    .collect();
                self.say(Voice::Peer, &texts.join(PARAGRAPH), &origin);
            }
            "user" => self.prompt(&message["content"], &origin, entry["isMeta"] == true),
            "assistant" => self.assistant(entry, &origin),
            "attachment" => {
                let attachment = &entry["attachment"];
                match attachment["type"].as_str() {
                    Some("queued_command") => self.prompt(&attachment["prompt"], &origin, false),
                    Some("file" | "directory" | "pdf_reference") => {
                        let path = attachment["filename"]
                            .as_str()
                            .or(attachment["path"].as_str());
                        self.add(Voice::Path, path.unwrap_or_default(), &origin);
                    }
                    _ => {}
                }
            }
            "system" => {
                let content = entry["content"].as_str().unwrap_or_default();
                match entry["subtype"].as_str() {
                    Some("away_summary") => self.add(Voice::Summary, content, &origin),
                    Some("local_command") => {
                        self.user_text(content, &origin);
                    }
                    _ => {}
                }
            }
            "summary" => self.add(
                Voice::Summary,
                entry["summary"].as_str().unwrap_or_default(),
                &origin,
            ),
            "queue-operation" if entry["operation"] == "enqueue" => {
                self.enqueue(&entry["content"], origin);
            }
            _ => {}
        }
    }

    fn add(&mut self, voice: Voice, text: &str, origin: &FullPassage) {
        if !text.trim().is_empty() {
            self.passages.push(FullPassage {
                voice,
                text: text.to_owned(),
                ..origin.clone()
            });
        }
    }

    fn say(&mut self, voice: Voice, text: &str, origin: &FullPassage) {
        if !text.trim().is_empty() {
            self.close(origin);
            let lines = format!("\n{text}\n");
            self.queue
                .retain(|(_, it)| !lines.contains(&format!("\n{}\n", it.text)));
            self.add(voice, text, origin);
        }
    }

    fn prompt(&mut self, content: &Value, origin: &FullPassage, is_meta: bool) {
        let mut typed: Vec<String> = Vec::new();
        let mut first = None;
        for (part, block) in (0..).zip(blocks(content)) {
            let own = FullPassage {
                part,
                ..origin.clone()
            };
            if block["type"] == "tool_result" {
                self.result(&block, &own);
            } else if is_meta {
            } else if block["type"] == "image" {
                self.traits |= Traits::IMAGE;
            } else if let Some(text) = text_of(&block) {
                if text.starts_with(CONTINUED) {
                    return self.summary(content, origin);
                }
                if let Some(text) = self.user_text(text, &own) {
                    first = first.filter(|_| !typed.concat().is_empty()).or(Some(part));
                    typed.push(text);
                }
            }
        }
        let origin = FullPassage {
            part: first.unwrap_or(0),
            ..origin.clone()
        };
        self.say(
            self.prompting.unwrap_or(Voice::User),
            &typed.join(PARAGRAPH),
            &origin,
        );
    }

    fn user_text(&mut self, text: &str, origin: &FullPassage) -> Option<String> {
        match UserText::of(text) {
            UserText::Typed(text) => return Some(without_reminders(text)),
            UserText::Shell(command) => self.say(
                self.prompting.unwrap_or(Voice::User),
                &format!("! {command}"),
                origin,
            ),
            UserText::Command { name, arguments } => {
                self.say(
                    self.prompting.unwrap_or(Voice::User),
                    format!("{name} {arguments}").trim_end(),
                    origin,
                );
            }
            UserText::CommandOutput(text) => self.add(Voice::ToolOutput, text, origin),
            UserText::ShellOutput { stdout, stderr } => {
                let texts: Vec<&str> = [stdout, stderr]
                    .into_iter()
                    .filter(|it| !it.is_empty())
                    .collect();
                self.add(Voice::ToolOutput, &texts.join(OUTPUT_BREAK), origin);
            }
            UserText::Interrupted | UserText::Machine => {}
        }
        None
    }

    fn summary(&mut self, content: &Value, origin: &FullPassage) {
        let blocks = blocks(content);
        let texts: Vec<&str> = blocks.iter().filter_map(text_of).collect();
        self.close(origin);
        self.add(Voice::Summary, &texts.join(PARAGRAPH), origin);
    }

    fn result(&mut self, block: &Value, origin: &FullPassage) {
        let id = block["tool_use_id"].as_str().unwrap_or_default();
        let call = self.calls.iter().position(|call| call.0 == id);
        let tool = call.map(|at| self.calls.remove(at).1);
        let parts = blocks(&block["content"]);
        if parts.iter().any(|part| part["type"] == "image") {
            self.traits |= Traits::IMAGE;
        }
        let texts: Vec<&str> = parts
            .iter()
            .filter_map(|part| {
                let thinking = part["thinking"]
                    .as_str()
                    .filter(|_| part["type"] == "thinking");
                text_of(part).or(thinking).filter(|text| !text.is_empty())
            })
            .collect();
        let text = texts.join(OUTPUT_BREAK);
        let is_error = block["is_error"] == true;
        let declined = [
            "The user doesn't want to proceed with",
            "The user doesn't want to take this action",
            "[Request interrupted by user for tool use]",
        ];
        if is_error && declined.iter().any(|it| text.starts_with(it)) {
            let said = text
                .split_once("the user said:\n")
                .map_or("", |it| it.1.trim());
            if !said.starts_with("The user wants to clarify") {
                self.say(Voice::User, said, origin);
            }
            return;
        }
        let is_answered = [
            "User has answered your questions: ",
            "Your questions have been answered: ",
        ]
        .iter()
        .any(|it| text.starts_with(it));
        if is_answered && !is_error {
            let mut typed = Vec::new();
            answer_texts(&self.report["answers"], &mut typed);
            let notes = self.report["annotations"].as_object();
            for note in notes.into_iter().flatten().map(|(_, note)| note) {
                answer_texts(&note["notes"], &mut typed);
            }
            let typed = typed.join("\n");
            if !typed.trim().is_empty() {
                return self.say(Voice::User, &typed, origin);
            }
        }
        if is_error {
            self.traits |= Traits::ERROR;
        }
        let origin = FullPassage {
            tool,
            is_error,
            ..origin.clone()
        };
        self.add(Voice::ToolOutput, &text, &origin);
    }

    fn assistant(&mut self, entry: &Value, origin: &FullPassage) {
        let message = &entry["message"];
        let id = message["id"].as_str().unwrap_or_default();
        let goes_on = self
            .message
            .as_ref()
            .is_some_and(|(known, _)| !id.is_empty() && known == id);
        if !goes_on {
            self.close(origin);
            self.message = Some((id.to_owned(), origin.lines.start));
            self.blocks.clear();
            self.message_calls.clear();
        }
        let is_synthetic = message["model"] == "<synthetic>";
        let is_error = is_synthetic && entry["isApiErrorMessage"] == true;
        for (part, block) in (0..).zip(blocks(&message["content"])) {
            let origin = FullPassage {
                part,
                ..origin.clone()
            };
            let (voice, text) = match block["type"].as_str() {
                Some("text") => (Voice::Claude, block["text"].as_str()),
                Some("thinking") => (Voice::Thinking, block["thinking"].as_str()),
                Some("tool_use") => {
                    self.call(&block, id, &origin);
                    continue;
                }
                _ => continue,
            };
            let Some(text) = text.filter(|it| !it.trim().is_empty()) else {
                continue;
            };
            if is_synthetic && text == "No response requested." {
                continue;
            }
            if voice == Voice::Thinking {
                self.traits |= Traits::THINKING;
            }
            let said = (voice, text.to_owned());
            if id.is_empty() || !self.blocks.contains(&said) {
                self.blocks.push(said);
                let origin = FullPassage { is_error, ..origin };
                self.add(voice, text, &origin);
            }
        }
    }

    fn close(&mut self, origin: &FullPassage) {
        self.message = None;
        self.release(origin.lines.start.saturating_sub(1024 * 1024));
    }

    fn call(&mut self, block: &Value, message: &str, origin: &FullPassage) {
        let (id, Some(name)) = (
            block["id"].as_str().unwrap_or_default(),
            block["name"].as_str(),
        ) else {
            return;
        };
        if !message.is_empty() && !id.is_empty() {
            if self.message_calls.iter().any(|known| known == id) {
                return;
            }
            self.message_calls.push(id.to_owned());
        }
        self.calls.retain(|call| call.0 != id);
        self.calls.push((id.to_owned(), name.to_owned()));
        if matches!(name, "Task" | "Agent") {
            self.traits |= Traits::AGENT;
        }
        let origin = FullPassage {
            tool: Some(name.to_owned()),
            ..origin.clone()
        };
        let mut words = Vec::new();
        strings(&block["input"], "", true, &mut words);
        let is_path = |key: &str| matches!(key, "\0file_path" | "\0notebook_path" | "\0path");
        let (paths, words): (Vec<_>, Vec<_>) = words.into_iter().partition(|(key, _)| is_path(key));
        let starts_agent = matches!(name, "Task" | "Agent");
        let is_prompt = |key: &str| starts_agent && key == "\0prompt";
        let (prompts, words): (Vec<_>, Vec<_>) =
            words.into_iter().partition(|(key, _)| is_prompt(key));
        for (voice, words) in [
            (Voice::Path, paths),
            (Voice::ToolInput, words),
            (Voice::ToAgent, prompts),
        ] {
            let texts: Vec<String> = words
                .into_iter()
                .map(|it| it.1)
                .filter(|it| !it.is_empty())
                .collect();
            self.add(voice, &texts.join("\n"), &origin);
        }
    }

    fn enqueue(&mut self, content: &Value, origin: FullPassage) {
        let mut typed = Vec::new();
        for block in blocks(content) {
            let text = block["text"].as_str().unwrap_or_default();
            if let UserText::Typed(text) = UserText::of(text)
                && !text.starts_with("{\"task_id\"")
            {
                typed.push(without_reminders(text));
            }
        }
        let text = typed.join(PARAGRAPH);
        if !text.trim().is_empty() {
            let hold = self.message.as_ref().map_or(origin.lines.start, |it| it.1);
            self.queue.push((hold, FullPassage { text, ..origin }));
        }
    }

    fn release(&mut self, before: u64) {
        if self.queue.iter().any(|(hold, _)| *hold < before) {
            let gone = std::mem::take(&mut self.queue);
            self.passages.extend(gone.into_iter().map(|it| it.1));
        }
    }
}

/// A text, or those of a list or an object.
fn answer_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(list) => {
            let list = list.iter().filter(|it| it.is_string());
            list.for_each(|it| answer_texts(it, texts));
        }
        Value::Object(fields) => {
            let fields = fields.values().filter(|it| !it.is_object());
            fields.for_each(|it| answer_texts(it, texts));
        }
        _ => {}
    }
}

fn object(bytes: &[u8]) -> Option<(Value, usize)> {
    let mut stream = Deserializer::from_slice(bytes).into_iter::<Value>();
    if let Some(Ok(value @ Value::Object(_))) = stream.next() {
        return Some((value, stream.byte_offset()));
    }
    match Fields::new(bytes).end() {
        End::Closed(length) => Some((lenient(&bytes[..length]), length)),
        End::Broken => None,
    }
}

fn time(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => parse_timestamp(text.as_bytes()),
        Value::Number(number) => parse_epoch(number.to_string().as_bytes()),
        _ => None,
    }
}

fn blocks(content: &Value) -> Vec<Value> {
    let text = |text: &Value| serde_json::json!({"type": "text", "text": text});
    match content {
        Value::String(_) => vec![text(content)],
        Value::Array(parts) => parts
            .iter()
            .map(|part| {
                if part.is_string() {
                    text(part)
                } else {
                    part.clone()
                }
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn text_of(block: &Value) -> Option<&str> {
    block["text"].as_str().filter(|_| block["type"] == "text")
}

fn without_reminders(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once("<system-reminder>")
        && let Some((_, after)) = inside.split_once("</system-reminder>")
    {
        parts.push(before.trim_end());
        rest = after.trim_start();
    }
    parts.push(rest);
    if parts.len() > 1 {
        parts.retain(|part| !part.is_empty());
    }
    parts.join("\n")
}

/// All strings that a tool was called with, after their keys; those of the top have a mark.
fn strings(value: &Value, key: &str, is_top: bool, found: &mut Vec<(String, String)>) {
    const NO_TEXT: &[&str] = &[
        "activeForm",
        "cell_type",
        "edit_mode",
        "isolation",
        "model",
        "output_mode",
        "priority",
        "status",
        "type",
    ];
    match value {
        Value::String(text) => found.push((key.to_owned(), text.clone())),
        Value::Array(values) => {
            let key = key.trim_start_matches('\0');
            for value in values {
                strings(value, key, false, found);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                let singular = key.strip_suffix('s').unwrap_or(key);
                let is_id = singular == "id"
                    || ["_id", "Id", "uuid"]
                        .iter()
                        .any(|it| singular.ends_with(it));
                if !NO_TEXT.contains(&key.as_str()) && !is_id {
                    let mark = if is_top { "\0" } else { "" };
                    strings(value, &format!("{mark}{key}"), false, found);
                }
            }
        }
        _ => {}
    }
}
