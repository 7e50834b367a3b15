//! The names of tools and files in conversations, where a query asks for one that none has.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::Index;
use crate::content::record::{FileRecord, Place, Side};
use crate::content::suggest::distance;
use crate::content::table::{Entry, Table};
use crate::search::{NameKind, NamePattern, RowId};
use crate::transcript::Voice;

/// Bytes of text with paths that are looked at, newest conversations first.
const MOST_TEXT: usize = 64 * 1024 * 1024;
/// Letters and digits. Shorter names are near too many others.
const SHORTEST: usize = 3;
/// Names that are offered.
const MOST: usize = 3;

impl Index {
    /// Names that are spelled almost like one that is asked for, the nearest and most frequent first.
    /// `None` if something in these conversations has that name.
    pub fn near_names(
        &self,
        kind: NameKind,
        wanted: &NamePattern,
        rows: &[RowId],
    ) -> Option<Vec<String>> {
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut looked_at = 0;
        for conversation in rows.iter().filter_map(|row| self.rows.get(row)) {
            let library = &self.roots[usize::from(conversation.root)].library;
            let records = conversation.keys.iter();
            let records = records.filter_map(|key| library.files.get(key));
            for place in records.flat_map(places) {
                let Ok(bytes) = library.table(place) else {
                    continue;
                };
                let mut table = Table::new(&bytes);
                let entries: Vec<Entry> = table.by_ref().collect();
                if kind == NameKind::Tool {
                    for tool in &table.tools {
                        *names.entry((*tool).to_owned()).or_default() += 1;
                    }
                    continue;
                }
                let paths = entries.iter().filter(|entry| entry.voice == Voice::Path);
                let mut paths = paths.peekable();
                if paths.peek().is_none() || looked_at > MOST_TEXT {
                    continue;
                }
                let chunk = place.chunk.text();
                looked_at += chunk.len();
                let Ok(text) = library.text(place.segment(), chunk) else {
                    continue;
                };
                for entry in paths {
                    let path = text.get(entry.text.clone()).unwrap_or_default();
                    let path = String::from_utf8_lossy(path).into_owned();
                    *names.entry(path).or_default() += 1;
                }
            }
        }
        let is_named = |name: &String| match kind {
            NameKind::Tool => wanted.is_tool(&name.to_lowercase()),
            NameKind::Path => wanted.is_path(name),
        };
        if names.keys().any(is_named) {
            return None;
        }
        let literal = wanted.literal().map_or("", |needle| needle.text());
        Some(near(kind, literal, names))
    }
}

fn places(record: &FileRecord) -> impl Iterator<Item = &Place> {
    // Paths are on the side of the tools; a call that starts an agent is on the other, too.
    record.places[Side::Tools as usize].iter()
}

fn near(kind: NameKind, wanted: &str, names: HashMap<String, usize>) -> Vec<String> {
    let wanted = letters(last_part(kind, wanted));
    if wanted.len() < SHORTEST {
        return Vec::new();
    }
    let most = 1 + wanted.len() / 4;
    let mut parts: HashMap<String, usize> = HashMap::new();
    for (name, count) in names {
        // What asks for a tool of a server may leave out the server.
        let part = match kind {
            NameKind::Tool => name.as_str(),
            NameKind::Path => last_part(kind, &name),
        };
        *parts.entry(part.to_owned()).or_default() += count;
    }
    let far = |name: &str| {
        let own = letters(name);
        let short = letters(last_part(kind, name));
        let is_part = contains(&own, &wanted) || contains(&wanted, &own);
        let apart = distance(&wanted, &own).min(distance(&wanted, &short));
        if is_part { apart.min(most) } else { apart }
    };
    let ranked = parts
        .into_iter()
        .map(|(name, count)| (far(&name), count, name));
    let mut ranked: Vec<_> = ranked.filter(|(far, ..)| *far <= most).collect();
    ranked.sort_by_key(|(far, count, name)| (*far, Reverse(*count), name.clone()));
    ranked.truncate(MOST);
    ranked.into_iter().map(|(.., name)| name).collect()
}

/// The name of a file without its folders, or of a tool without its server.
fn last_part(kind: NameKind, name: &str) -> &str {
    let part = match kind {
        NameKind::Tool => name.rsplit("__").next(),
        NameKind::Path => name.rsplit(['/', '\\']).find(|part| !part.is_empty()),
    };
    part.unwrap_or(name)
}

/// `web_fetch` and `WebFetch` are spelled alike.
fn letters(name: &str) -> Vec<char> {
    let letters = name.chars().flat_map(char::to_lowercase);
    letters.filter(|c| c.is_alphanumeric()).collect()
}

fn contains(name: &[char], part: &[char]) -> bool {
    part.len() >= SHORTEST && name.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
