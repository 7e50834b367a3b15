//! Which conversations have what is wanted, and in which passages.
//!
//! Looks at one conversation at a time, so that the caller chooses the order and can stop at any
//! time.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::library::{FileKey, Library};
use super::matcher::{Matched, Matcher, Need, Next};
use super::rank::{Rank, Spot, Window, best_window};
use super::record::{FileRecord, Place, Side};
use super::table::{Entry, Table};
use super::wanted::{TextTerm, Wanted};
use crate::transcript::{Traits, Voice};

/// Occurrences of a word in a passage that are compared.
const MOST_SPOTS: usize = 256;
/// Occurrences of a word of which one may be a whole word.
const MOST_TRIED: usize = 32;
/// Matches of a passage that can be shown.
const MOST_MATCHES: usize = 64;

/// A passage in which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPassage {
    pub file: FileKey,
    pub entry: Entry,
    /// The name of its tool.
    pub tool: Option<String>,
    pub rank: Rank,
    /// How many of the words it has.
    words: usize,
    /// Its folded text: the segment, and where it is in it.
    pub stored: (usize, Range<usize>),
    /// The part with most of the words, in the folded text.
    pub window: Range<usize>,
    /// What matches there and around it, ordered by its start.
    pub matches: Vec<Range<usize>>,
}

impl FoundPassage {
    /// The best passage of a conversation has the smallest key: most of the words, the best rank,
    /// files that were changed before those that were read, the newest.
    pub fn key(&self) -> impl Ord + use<> {
        let is_change = self.tool.as_deref().is_some_and(changes_file);
        (
            Reverse(self.words),
            self.rank,
            !(self.entry.voice == Voice::Path && is_change),
            Reverse(self.entry.at),
        )
    }
}

fn changes_file(tool: &str) -> bool {
    matches!(tool, "Edit" | "MultiEdit" | "Write" | "NotebookEdit")
}

#[derive(Debug)]
pub struct RowMatcher<'a> {
    library: &'a Library,
    wanted: &'a Wanted,
    matcher: Matcher<'a>,
}

impl<'a> RowMatcher<'a> {
    pub fn new(library: &'a Library, wanted: &'a Wanted) -> Self {
        Self {
            library,
            wanted,
            matcher: Matcher::new(library),
        }
    }

    /// The files that may have what is wanted. None if all may.
    pub fn candidate_files(&mut self) -> Matched<Option<Vec<FileKey>>> {
        self.matcher.candidate_files(self.wanted)
    }

    /// Does a conversation, in these files, have all that is wanted?
    pub fn has_all(&mut self, files: &[FileKey]) -> Matched<bool> {
        let wanted = self.wanted;
        let known = self.known(files);
        let records: Vec<&FileRecord> = known.iter().map(|(_, record)| *record).collect();
        let mut traits = Traits::default();
        for record in &records {
            traits |= record.traits;
        }
        // Of an agent that only warms up a cache nothing is kept.
        let is_agent = |(key, record): &(FileKey, &FileRecord)| {
            files.first() != Some(key) && record.offset > 0
        };
        if known.iter().any(is_agent) {
            traits |= Traits::AGENT;
        }
        if !traits.contains(wanted.traits) {
            return Ok(false);
        }
        for term in &wanted.texts {
            if !self.is_in(&records, term, true)? {
                return Ok(false);
            }
        }
        for term in &wanted.unwanted {
            if self.is_in(&records, term, false)? {
                return Ok(false);
            }
        }
        Ok(!wanted.texts.is_empty() || !wanted.is_scoped() || self.has_passage(&records)?)
    }

    /// How good a conversation is that has all that is wanted.
    pub fn rank(&mut self, files: &[FileKey]) -> Matched<Rank> {
        let mut words = self.wanted.ranked();
        match (words.next(), words.next()) {
            (None, _) => Ok(Rank::of_word(true)),
            (Some(word), None) => Ok(Rank::of_word(self.has_word(files, word)?)),
            _ => {
                let found = self.passages(files)?;
                let best = found.iter().min_by_key(|passage| passage.key());
                // It may have been read again since.
                Ok(best.map_or(Rank::WORST, |best| best.rank))
            }
        }
    }

    /// Does a conversation have a text as a word of its own? A few occurrences of each chunk decide.
    fn has_word(&mut self, files: &[FileKey], term: &'a TextTerm) -> Matched<bool> {
        for (_, record) in self.known(files) {
            for side in Side::BOTH {
                for place in record.places[side as usize].iter() {
                    let mut has = false;
                    let mut tried = 0;
                    self.matcher
                        .each(place, side, term, Need::Edges, &mut |occurrence| {
                            has = occurrence.edges().is_word();
                            tried += 1;
                            if has || tried == MOST_TRIED {
                                Next::Stop
                            } else {
                                Next::GoOn
                            }
                        })?;
                    if has {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// The passages that have any of the words, in the order of the files.
    pub fn passages(&mut self, files: &[FileKey]) -> Matched<Vec<FoundPassage>> {
        let mut all = Vec::new();
        let known = self.known(files);
        for side in Side::BOTH {
            for &(file, record) in &known {
                for place in record.places[side as usize].iter() {
                    self.passages_of(file, place, side, &mut all)?;
                }
            }
        }
        Ok(all)
    }

    /// The files of which something is stored. One that is being read for the first time is not.
    fn known(&self, files: &[FileKey]) -> Vec<(FileKey, &'a FileRecord)> {
        let library = self.library;
        let known = files.iter();
        known
            .filter_map(|key| Some((*key, library.files.get(key)?)))
            .collect()
    }

    fn passages_of(
        &mut self,
        file: FileKey,
        place: &Place,
        side: Side,
        all: &mut Vec<FoundPassage>,
    ) -> Matched<()> {
        let wanted = self.wanted;
        let bytes = self.library.table(place)?;
        let mut table = Table::new(&bytes);
        let entries: Vec<Entry> = table.by_ref().collect();
        let tools = &table.tools;
        // By entry, the occurrences of each word as typed.
        let typed: Vec<&TextTerm> = wanted.ranked().collect();
        let mut spots: BTreeMap<usize, Vec<Vec<Spot>>> = BTreeMap::new();
        for (word, term) in typed.iter().enumerate() {
            self.matcher
                .each(place, side, term, Need::Edges, &mut |occurrence| {
                    let Some((number, entry)) = entry_at(&entries, occurrence.range.start) else {
                        return Next::Stop;
                    };
                    let behind = Next::SkipTo(entry.text.end + 1);
                    if !is_allowed(wanted, term, entry, tools) {
                        return behind;
                    }
                    let words = spots
                        .entry(number)
                        .or_insert_with(|| vec![Vec::new(); typed.len()]);
                    words[word].push(Spot {
                        start: occurrence.range.start - entry.text.start,
                        end: occurrence.range.end - entry.text.start,
                        edges: occurrence.edges(),
                    });
                    if words[word].len() < MOST_SPOTS {
                        Next::GoOn
                    } else {
                        behind
                    }
                })?;
        }
        if typed.is_empty() {
            let allowed = (0..entries.len()).filter(|at| wanted.allows(&entries[*at], tools));
            spots.extend(allowed.map(|at| (at, Vec::new())));
        }
        let chunk = place.chunk.text();
        all.extend(spots.into_iter().map(|(at, spots)| {
            let entry = entries[at].clone();
            let window = best_window(&spots).unwrap_or_default();
            let rank = window.rank(typed.len());
            FoundPassage {
                file,
                tool: entry.tool.map(|tool| tools[tool].to_owned()),
                rank: if entry.voice.is_tool() {
                    rank.printed()
                } else {
                    rank
                },
                words: window.words,
                stored: (
                    place.segment(),
                    chunk.start + entry.text.start..chunk.start + entry.text.end,
                ),
                matches: matches(&spots, &window),
                window: window.range,
                entry,
            }
        }));
        Ok(())
    }

    /// Does any of the files have a text? In passages that are asked for, or in any.
    fn is_in(
        &mut self,
        records: &[&FileRecord],
        term: &'a TextTerm,
        scoped: bool,
    ) -> Matched<bool> {
        let wanted = self.wanted;
        for side in Side::BOTH {
            let places = records
                .iter()
                .flat_map(|record| record.places[side as usize].iter());
            for place in places {
                let has = if scoped && wanted.is_scoped() || matches!(term, TextTerm::Path(_)) {
                    self.has_allowed(place, side, term)?
                } else {
                    self.matcher.has(place, side, term)?
                };
                if has {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Does a passage of a chunk that is asked for have a text?
    fn has_allowed(&mut self, place: &Place, side: Side, term: &'a TextTerm) -> Matched<bool> {
        let wanted = self.wanted;
        let bytes = self.library.table(place)?;
        let mut table = Table::new(&bytes);
        let entries: Vec<Entry> = table.by_ref().collect();
        let mut has = false;
        self.matcher.each(
            place,
            side,
            term,
            Need::Position,
            &mut |occurrence| match entry_at(&entries, occurrence.range.start) {
                Some((_, entry)) if !is_allowed(wanted, term, entry, &table.tools) => {
                    Next::SkipTo(entry.text.end + 1)
                }
                found => {
                    has = found.is_some();
                    Next::Stop
                }
            },
        )?;
        Ok(has)
    }

    /// Is there a passage of the kind that is asked for?
    fn has_passage(&mut self, records: &[&FileRecord]) -> Matched<bool> {
        let places = records.iter().flat_map(|record| record.all_places());
        for place in places {
            let bytes = self.library.table(place)?;
            let mut table = Table::new(&bytes);
            while let Some(entry) = table.next() {
                if self.wanted.allows(&entry, &table.tools) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The entry that has a position of the chunk.
fn entry_at(entries: &[Entry], at: usize) -> Option<(usize, &Entry)> {
    let number = entries.partition_point(|entry| entry.text.end < at);
    Some((number, entries.get(number)?))
}

fn is_allowed(wanted: &Wanted, term: &TextTerm, entry: &Entry, tools: &[&str]) -> bool {
    let is_path = entry.voice == Voice::Path || !matches!(term, TextTerm::Path(_));
    is_path && wanted.allows(entry, tools)
}

/// The matches around a window.
fn matches(spots: &[Vec<Spot>], window: &Window) -> Vec<Range<usize>> {
    let spots = spots.iter().flatten();
    let mut all: Vec<Range<usize>> = spots.map(|spot| spot.start..spot.end).collect();
    all.sort_unstable_by_key(|range| (range.start, range.end));
    let first = all.partition_point(|range| range.start < window.range.start);
    let start = first.saturating_sub(MOST_MATCHES / 8);
    all.into_iter().skip(start).take(MOST_MATCHES).collect()
}

#[cfg(test)]
#[path = "row_matcher_tests.rs"]
mod tests;
