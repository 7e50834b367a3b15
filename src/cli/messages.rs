//! Messages of a transcript as plain text: what `search --context` and `show --around` print.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use super::list::rfc3339;
use super::surroundings::Ink;
use crate::files;
use crate::text::{age, sanitize};
use crate::transcript::{Checkpoint, Link, Standing, Voice, passages};

/// Characters of a message that are printed: who needs more opens the session.
const MOST: usize = 4000;

/// A text of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidText {
    pub voice: Voice,
    pub tool: Option<String>,
    pub uuid: Option<Uuid>,
    pub at: Option<i64>,
    /// Safe to print, in lines.
    pub text: String,
    /// Was the end left out?
    pub is_cut: bool,
}

/// Reads the text in these lines.
pub fn read(path: &Path, links: &[&Link]) -> io::Result<Vec<SaidText>> {
    let mut file = files::open(path)?;
    let mut lines = Vec::new();
    for link in links {
        file.seek(SeekFrom::Start(link.offset))?;
        (&mut file)
            .take(link.length as u64)
            .read_to_end(&mut lines)?;
        lines.push(b'\n');
    }
    let mut said = Vec::new();
    passages(
        &lines[..],
        &Checkpoint::default(),
        &|| false,
        &mut |passage| {
            let whole: Vec<_> = passage.text.trim().lines().map(sanitize).collect();
            let whole = whole.join("\n");
            let end = whole.char_indices().nth(MOST).map(|(at, _)| at);
            let text = SaidText {
                voice: passage.voice,
                tool: passage.tool.map(|tool| sanitize(tool).into_owned()),
                uuid: passage.uuid,
                at: passage.at,
                text: whole[..end.unwrap_or(whole.len())].to_owned(),
                is_cut: end.is_some(),
            };
            said.push((passage.lines.start, text));
        },
    )?;
    said.sort_by_key(|(start, _)| *start);
    Ok(said.into_iter().map(|(_, said)| said).collect())
}

impl SaidText {
    pub fn json(&self) -> Value {
        json!({
            "uuid": self.uuid.map(|uuid| uuid.to_string()),
            "role": role(self.voice),
            "tool": self.tool,
            "timestamp": self.at.map(|at| rfc3339(Some(at))),
            "text": self.text,
            "isCut": self.is_cut,
        })
    }

    /// A heading, and the text below it.
    pub fn print(&self, out: &mut dyn Write, ink: Ink, now: i64) -> io::Result<()> {
        let uuid = self.uuid.map_or_else(String::new, |it| it.to_string());
        let who = speaker(self.voice, self.tool.as_deref());
        let age = self.at.map_or_else(String::new, |at| age(at, now));
        let head = format!("{who} · {age} · {uuid}");
        writeln!(out, "{}", ink.paint("2", &head))?;
        for line in self.text.lines() {
            writeln!(out, "  {line}")?;
        }
        if self.is_cut {
            writeln!(out, "  …")?;
        }
        writeln!(out)
    }
}

/// Who a text is from, for programs.
pub fn role(voice: Voice) -> &'static str {
    match voice {
        Voice::User => "user",
        Voice::Claude => "claude",
        Voice::Thinking => "thinking",
        Voice::Summary => "summary",
        Voice::ToolInput => "tool-input",
        Voice::ToolOutput => "tool-output",
        Voice::Path => "path",
        Voice::Peer => "peer",
    }
}

/// Who a text is from, for people.
pub fn speaker(voice: Voice, tool: Option<&str>) -> String {
    let tool = sanitize(tool.unwrap_or("tool"));
    match voice {
        Voice::User => "You".to_owned(),
        Voice::Peer => "Peer".to_owned(),
        Voice::Claude => "Claude".to_owned(),
        Voice::Thinking => "Claude thought".to_owned(),
        Voice::Summary => "summary".to_owned(),
        Voice::ToolInput | Voice::Path => tool.into_owned(),
        Voice::ToolOutput => format!("{tool} printed"),
    }
}

/// Where a message is, for programs.
pub fn place(standing: Standing) -> &'static str {
    match standing {
        Standing::Resumed => "resumed",
        Standing::BeforeCompaction => "before-compaction",
        Standing::Rewound => "rewound",
        Standing::Agent => "agent",
    }
}

/// Where a message is, for people.
pub fn described(standing: Standing) -> &'static str {
    match standing {
        Standing::Resumed => "in the conversation that resuming loads",
        Standing::BeforeCompaction => "before a compaction",
        Standing::Rewound => "on a rewound branch",
        Standing::Agent => "in a sub-agent",
    }
}
