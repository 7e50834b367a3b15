//! A tool call and what came of it.

use serde_json::Value;

use super::entry::{ContentBlock, Entry, blocks};
use super::link::EntryId;

/// Beginnings of the results that the program writes when the user declines a tool call.
const DECLINED: &[&str] = &[
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "[Request interrupted by user for tool use]",
];
/// The text before the user's own words in such a result.
const SAID: &str = "the user said:\n";
/// Words of the program in that place: the user chose to discuss the questions first.
const CLARIFY: &str = "The user wants to clarify these questions.";

/// A call of a tool, with its result once there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    /// `None` for a result whose call is not in sight.
    pub name: Option<String>,
    pub input: Value,
    /// A call without a result was never finished.
    pub result: Option<ToolResult>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    pub parts: Vec<ContentPart>,
    pub is_error: bool,
    /// What the tool reported besides the text for Claude: patches, exit codes, file lists.
    pub detail: Value,
    pub at: Option<i64>,
    /// The entry that contains it.
    pub entry: Option<EntryId>,
}

/// A piece of a result or a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentPart {
    Text(String),
    Image(Image),
    /// A block of a kind that is not shown, by its name.
    Other(String),
}

impl ContentPart {
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Image(_) | Self::Other(_) => None,
        }
    }
}

impl ToolCall {
    pub fn edits_file(&self) -> bool {
        let name = self.name.as_deref();
        matches!(name, Some("Edit" | "MultiEdit" | "Write" | "NotebookEdit"))
    }

    /// Does the tool start a sub-agent?
    pub fn starts_agent(&self) -> bool {
        matches!(self.name.as_deref(), Some("Task" | "Agent"))
    }
}

/// An image, or another file such as a PDF, in the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub media_type: Option<String>,
    /// How large the picture is, in bytes; the data itself is not kept.
    pub bytes: u64,
}

impl Image {
    pub fn of(block: &Value) -> Self {
        let source = &block["source"];
        let data = source["data"].as_str().unwrap_or_default();
        let (data, left_out) = without_note(data);
        let length = data.len() as u64 + left_out;
        let padding = data.bytes().rev().take_while(|b| *b == b'=').count();
        // Base64 holds three bytes in four characters.
        let decoded = (length / 4 * 3).saturating_sub(padding as u64);
        let is_text = source["type"] == "text";
        Self {
            media_type: source["media_type"].as_str().map(str::to_owned),
            bytes: if is_text { length } else { decoded },
        }
    }
}

/// The data of a very large picture ends with a note of how much was not read.
fn without_note(data: &str) -> (&str, u64) {
    let noted = || {
        let (kept, note) = data.rsplit_once(" … [")?;
        let (left_out, _) = note.split_once(' ')?;
        Some((kept, left_out.parse().ok()?))
    };
    noted().unwrap_or((data, 0))
}

impl ToolResult {
    /// The result in a block of `entry`.
    pub fn of(entry: &Entry, content: &Value, is_error: bool) -> Self {
        let parts = blocks(content).into_iter().map(part).collect();
        Self {
            parts,
            is_error,
            detail: entry.line.report(),
            at: entry.at,
            entry: EntryId::of(entry.uuid.as_bytes()),
        }
    }

    /// All its text.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.parts.iter().filter_map(ContentPart::text).collect();
        texts.join("\n")
    }

    /// What the user said when declining the call, which may be nothing. `None` if the user
    /// let it run.
    pub fn declined(&self) -> Option<&str> {
        let text = self.parts.first()?.text()?;
        declined(text).filter(|_| self.is_error)
    }
}

/// The same by the text of a failed call.
pub fn declined(text: &str) -> Option<&str> {
    if !DECLINED.iter().any(|it| text.starts_with(it)) {
        return None;
    }
    let said = text.split_once(SAID).map_or("", |(_, said)| said.trim());
    Some(if said.starts_with(CLARIFY) { "" } else { said })
}

/// What a tool is called on the screen: that of a server without the marks around its name.
pub fn tool_title(name: &str) -> String {
    let inside = name.strip_prefix("mcp__");
    let Some((server, tool)) = inside.and_then(|it| it.split_once("__")) else {
        return name.to_owned();
    };
    // `plugin_<plugin>_<server>`
    let plugin = server.strip_prefix("plugin_");
    let named = plugin.and_then(|it| it.rsplit('_').next());
    format!("{tool} ({})", named.unwrap_or(server))
}

fn part(block: ContentBlock<'_>) -> ContentPart {
    let name = match block {
        ContentBlock::Text(text) | ContentBlock::Thinking(text) => {
            return ContentPart::Text(text.to_owned());
        }
        ContentBlock::Image(image) => return ContentPart::Image(Image::of(image)),
        ContentBlock::ToolUse { name, .. } => name,
        ContentBlock::ToolResult { .. } => "tool_result",
        ContentBlock::Other(value) => value["type"].as_str().unwrap_or("unknown"),
    };
    ContentPart::Other(name.to_owned())
}
