//! Messages of a transcript as plain text: what `search --context` and `show --around` print.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use super::list::rfc3339;
use super::surroundings::Ink;
use crate::files;
use crate::text::{age, sanitize, wrap_ranges};
use crate::transcript::{Checkpoint, Link, Standing, Voice, passages};

/// Characters that are printed of a message around the one that is asked for.
const MOST: usize = 4000;

/// How times are printed.
#[derive(Debug, Clone, Copy)]
pub enum Times {
    /// As ages, counted back from this moment: for people.
    Ages(i64),
    /// RFC 3339: for programs.
    Absolute,
}

/// How messages are printed.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub ink: Ink,
    pub times: Times,
    /// Lines are broken between words to fit. `None` leaves them as they are.
    pub columns: Option<usize>,
}

/// Columns before each line of a text.
const INDENT: usize = 2;

impl Times {
    fn of(self, at: i64) -> String {
        match self {
            Self::Ages(now) => age(at, now),
            Self::Absolute => rfc3339(Some(at)),
        }
    }
}

/// A text of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidText {
    pub voice: Voice,
    pub tool: Option<String>,
    pub uuid: Option<Uuid>,
    /// Which block of the entry it is.
    pub part: u16,
    pub at: Option<i64>,
    /// Safe to print, in lines.
    pub text: String,
    /// Was the end left out?
    pub is_cut: bool,
}

/// Reads the text in these lines. That of one entry is whole, long texts of the others end early.
pub fn read(path: &Path, links: &[&Link], whole: Option<Uuid>) -> io::Result<Vec<SaidText>> {
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
            let lines: Vec<_> = passage.text.trim().lines().map(sanitize).collect();
            let mut safe = lines.join("\n");
            let end = safe.char_indices().nth(MOST).map(|(at, _)| at);
            let end = end.filter(|_| whole.is_none() || passage.uuid != whole);
            safe.truncate(end.unwrap_or(safe.len()));
            let text = SaidText {
                voice: passage.voice,
                tool: passage.tool.map(|tool| sanitize(tool).into_owned()),
                uuid: passage.uuid,
                part: passage.part,
                at: passage.at,
                text: safe,
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
    pub fn print(&self, out: &mut dyn Write, look: Look) -> io::Result<()> {
        let uuid = self.uuid.map_or_else(String::new, |it| it.to_string());
        let who = speaker(self.voice, self.tool.as_deref());
        let time = self.at.map_or_else(String::new, |at| look.times.of(at));
        let head = format!("{who} · {time} · {uuid}");
        writeln!(out, "{}", look.ink.paint("2", &head))?;
        let columns = look.columns.unwrap_or(usize::MAX).saturating_sub(INDENT);
        for line in self.text.lines() {
            for part in wrap_ranges(line, 0, columns) {
                writeln!(out, "{:INDENT$}{}", "", &line[part])?;
            }
        }
        if self.is_cut {
            writeln!(out, "{:INDENT$}…", "")?;
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
        Voice::ToAgent => "to-agent",
    }
}

/// Who a text is from, for people.
pub fn speaker(voice: Voice, tool: Option<&str>) -> String {
    let tool = sanitize(tool.unwrap_or("tool"));
    match voice {
        Voice::User => "You".to_owned(),
        Voice::Peer => "Peer".to_owned(),
        Voice::Claude => "Claude".to_owned(),
        Voice::ToAgent => "Claude, to a sub-agent".to_owned(),
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
