//! Lines outside the chain that describe the session: the position of the last line of each kind.
//!
//! The first pass notes only positions; the lines are read on demand.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};

use serde_json::Value;

use super::clip::read_line;
use crate::json;

/// The position of a line in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinePos {
    pub offset: u64,
    pub length: usize,
}

/// The places of the lines that count, by kind: the name of the type. File-history lines are of one
/// kind, whatever follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetadataLines(HashMap<String, Vec<LinePos>>);

/// A line whose type is not its first field is walked for it only up to this length: Claude Code
/// writes the type of its metadata first.
const SHORT_LINE: usize = 4096;

impl MetadataLines {
    /// Notes a line outside the chain.
    pub(super) fn note(&mut self, line: &[u8], offset: u64) {
        let name = match line.strip_prefix(b"{\"type\":\"") {
            Some(rest) => rest.split(|b| *b == b'"').next(),
            None if line.len() <= SHORT_LINE => {
                json::field(line, b"type").and_then(json::FieldValue::text)
            }
            None => None,
        };
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        let (kind, keeps_all) = match name.unwrap_or_default() {
            "file-history-snapshot" | "file-history-delta" => ("file-history", true),
            all @ ("pr-link" | "content-replacement") => (all, true),
            last @ ("custom-title" | "ai-title" | "tag" | "agent-name" | "agent-color"
            | "agent-setting" | "mode" | "permission-mode" | "worktree-state"
            | "cost-state") => (last, false),
            _ => return,
        };
        let places = self.0.entry(kind.to_owned()).or_default();
        if !keeps_all {
            places.clear();
        }
        places.push(LinePos {
            offset,
            length: line.len(),
        });
    }

    /// How many lines of a kind count.
    pub fn count(&self, kind: &str) -> usize {
        self.0.get(kind).map_or(0, Vec::len)
    }

    /// The position of the last line of a kind.
    pub fn last(&self, kind: &str) -> Option<&LinePos> {
        self.0.get(kind).and_then(|places| places.last())
    }

    /// Reads the last line of a kind.
    pub fn read_last(&self, source: impl Read + Seek, kind: &str) -> io::Result<Option<Value>> {
        Ok(read(source, self.last(kind))?.pop())
    }

    /// Reads the lines of a kind, oldest first.
    pub fn read(&self, source: impl Read + Seek, kind: &str) -> io::Result<Vec<Value>> {
        read(source, self.0.get(kind).into_iter().flatten())
    }
}

/// Reads lines. What is no JSON any more is left out.
fn read<'a>(
    mut source: impl Read + Seek,
    places: impl IntoIterator<Item = &'a LinePos>,
) -> io::Result<Vec<Value>> {
    let mut found = Vec::new();
    let mut line = Vec::new();
    for place in places {
        source.seek(SeekFrom::Start(place.offset))?;
        read_line(&mut source, place.length, &mut line)?;
        found.extend(serde_json::from_slice::<Value>(&line).ok());
    }
    Ok(found)
}
