//! What is in a message: blocks that are not decoded yet, what a tool was called with, and long outputs cut short.

use crate::json::{End, FieldValue, Fields, cut_before, elements, unescape_into, value_at};

/// Bytes that are kept of a long output, at its start and at its end: together 1 MB. Claude Code
/// itself keeps less of most outputs, so few are cut, and a reader holds little at a time.
const HEAD: usize = 768 * 1024;
const TAIL: usize = 256 * 1024;
/// What stands for the rest.
const GAP: &str = "\n…\n";
/// Bytes of all values of a call together that are not known to be text.
const MOST_OTHERS: usize = 8 * 1024;
/// Deeper values of a call are left out.
const DEEPEST: usize = 16;

/// Values of a call that are handed out whole.
const TEXTS: &[&[u8]] = &[
    b"command",
    b"content",
    b"description",
    b"message",
    b"new_source",
    b"new_string",
    b"old_string",
    b"pattern",
    b"plan",
    b"prompt",
    b"query",
    b"question",
    b"url",
];
/// Values that only the program reads, or that repeat another one.
const SWITCHES: &[&[u8]] = &[
    b"activeForm",
    b"cell_type",
    b"edit_mode",
    b"isolation",
    b"model",
    b"output_mode",
    b"priority",
    b"status",
    b"type",
];
const PATHS: &[&[u8]] = &[b"file_path", b"notebook_path", b"path"];

/// The message of a line.
#[derive(Debug, Default)]
pub struct RawMessage<'a> {
    pub id: &'a [u8],
    pub model: &'a [u8],
    pub content: Option<FieldValue<'a>>,
}

impl<'a> RawMessage<'a> {
    /// Reads the object that `bytes` start with, for its content alone or for all of it.
    pub fn of(bytes: &'a [u8], content_only: bool) -> Self {
        let mut message = Self::default();
        let mut fields = Fields::new(bytes);
        while let Some(key) = fields.next_key() {
            match key {
                b"id" => message.id = fields.value().text().unwrap_or_default(),
                b"model" => message.model = fields.value().text().unwrap_or_default(),
                b"content" => {
                    // The end of a list is found when its elements are read.
                    let rest = fields.rest();
                    message.content = Some(match rest.first() {
                        Some(b'[') => FieldValue::Nested(rest),
                        _ => fields.value(),
                    });
                    if content_only || !(message.id.is_empty() || message.model.is_empty()) {
                        break;
                    }
                }
                _ => {}
            }
        }
        message
    }
}

/// A part of a message, as written in the line.
#[derive(Debug, Default)]
pub struct RawBlock<'a> {
    pub kind: &'a [u8],
    pub text: Option<&'a [u8]>,
    pub thinking: Option<&'a [u8]>,
    pub id: &'a [u8],
    pub name: Option<&'a [u8]>,
    pub input: &'a [u8],
    pub content: Option<FieldValue<'a>>,
    pub is_error: bool,
}

impl<'a> RawBlock<'a> {
    fn of_text(text: &'a [u8]) -> Self {
        Self {
            kind: b"text",
            text: Some(text),
            ..Self::default()
        }
    }

    /// Reads the object that `bytes` start with.
    fn of(bytes: &'a [u8]) -> (Self, End) {
        let mut block = Self::default();
        let mut fields = Fields::new(bytes);
        while let Some(key) = fields.next_key() {
            match key {
                b"type" => block.kind = fields.value().text().unwrap_or_default(),
                b"text" => block.text = fields.value().text(),
                b"thinking" => block.thinking = fields.value().text(),
                b"id" | b"tool_use_id" => block.id = fields.value().text().unwrap_or_default(),
                b"name" => block.name = fields.value().text(),
                b"input" => {
                    if let FieldValue::Nested(input) = fields.value() {
                        block.input = input;
                    }
                }
                b"content" => block.content = Some(fields.value()),
                b"is_error" => block.is_error = fields.value().is_true(),
                _ => {}
            }
        }
        (block, fields.end())
    }
}

/// The parts of a content that may be a plain text or a list. Each is walked only once.
pub fn blocks(content: FieldValue<'_>) -> impl Iterator<Item = RawBlock<'_>> {
    let mut rest = match content {
        FieldValue::Nested(list) => list.strip_prefix(b"[").unwrap_or_default(),
        _ => b"",
    };
    let text = content.text().map(RawBlock::of_text);
    text.into_iter().chain(std::iter::from_fn(move || {
        let is_between = |b: &u8| b.is_ascii_whitespace() || *b == b',';
        while let Some((_, after)) = rest.split_first().filter(|(b, _)| is_between(b)) {
            rest = after;
        }
        let (block, length) = match rest.first()? {
            b']' => return None,
            b'{' => match RawBlock::of(rest) {
                (block, End::Closed(length)) => (block, length),
                (block, End::Broken) => (block, rest.len()),
            },
            _ => {
                let (value, end) = value_at(rest, 0);
                let block = value.text().map(RawBlock::of_text).unwrap_or_default();
                (block, end.filter(|end| *end > 0).unwrap_or(rest.len()))
            }
        };
        rest = &rest[length..];
        Some(block)
    }))
}

/// What a tool was called with.
#[derive(Debug, Default)]
pub struct ToolInput {
    pub text: String,
    /// The files among it.
    pub paths: String,
    /// What an agent is started with.
    pub prompt: String,
    starts_agent: bool,
    others: usize,
}

impl ToolInput {
    /// Replaces what was read before.
    pub fn read(&mut self, input: &[u8], starts_agent: bool) {
        self.text.clear();
        self.paths.clear();
        self.prompt.clear();
        self.starts_agent = starts_agent;
        self.others = MOST_OTHERS;
        self.take_nested(b"", input, 0);
    }

    fn take_nested(&mut self, key: &[u8], bytes: &[u8], depth: usize) {
        if depth > DEEPEST {
            return;
        }
        if bytes.first() == Some(&b'[') {
            for value in elements(bytes) {
                self.take(key, value, depth);
            }
            return;
        }
        let mut fields = Fields::new(bytes);
        while let Some(key) = fields.next_key() {
            if !SWITCHES.contains(&key) && !is_id(key) {
                let value = fields.value();
                self.take(key, value, depth);
            }
        }
    }

    fn take(&mut self, key: &[u8], value: FieldValue<'_>, depth: usize) {
        match value {
            FieldValue::Nested(inside) => self.take_nested(key, inside, depth + 1),
            FieldValue::Text(path) if depth == 0 && PATHS.contains(&key) => {
                push(path, &mut self.paths);
            }
            FieldValue::Text(prompt) if self.starts_agent && depth == 0 && key == b"prompt" => {
                push(prompt, &mut self.prompt);
            }
            FieldValue::Text(text) if TEXTS.contains(&key) => push(text, &mut self.text),
            FieldValue::Text(text) => {
                let kept = cut_before(text, self.others);
                self.others -= kept;
                push(&text[..kept], &mut self.text);
            }
            FieldValue::TornText(_) | FieldValue::Bare(_) => {}
        }
    }
}

fn is_id(key: &[u8]) -> bool {
    let key = key.strip_suffix(b"s").unwrap_or(key);
    key == b"id"
        || [&b"_id"[..], b"Id", b"uuid"]
            .iter()
            .any(|it| key.ends_with(it))
}

fn push(raw: &[u8], texts: &mut String) {
    if !raw.is_empty() {
        if !texts.is_empty() {
            texts.push('\n');
        }
        unescape_into(raw, texts);
    }
}

/// Appends the beginning and the end of a text, and returns how many bytes of the file were left out.
pub fn push_clipped(raw: &[u8], texts: &mut String) -> u64 {
    if raw.len() <= HEAD + TAIL {
        push(raw, texts);
        return 0;
    }
    let head = cut_before(raw, HEAD);
    let tail = cut_before(raw, raw.len() - TAIL);
    push(&raw[..head], texts);
    texts.push_str(GAP);
    unescape_into(&raw[tail..], texts);
    (tail - head) as u64
}

/// Cuts the middle out of the joined texts of an output, and returns how many bytes that are. What was cut from a
/// single text is short enough.
pub fn clip(text: &mut String) -> u64 {
    clip_over(text, HEAD + TAIL + 64)
}

/// The same for a text to which more will be appended: only if it has become long.
pub fn clip_growing(text: &mut String) -> u64 {
    clip_over(text, 2 * (HEAD + TAIL))
}

fn clip_over(text: &mut String, most: usize) -> u64 {
    if text.len() <= most {
        return 0;
    }
    let floor = |at: usize| (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (head, tail) = (floor(HEAD), floor(text.len() - TAIL));
    text.replace_range(head..tail, GAP);
    (tail - head) as u64
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
