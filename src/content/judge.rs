//! Which conversations have what is wanted, and in which passages.
//!
//! Looks at one conversation at a time, so that the caller chooses the order and can stop at any
//! time. The filter of a segment says which blocks are worth reading; neighbors in a segment are
//! mostly neighbors in the list, so what was read last often serves the next one.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use super::filter;
use super::library::{FileKey, FileRecord, Library, Place, Side};
use super::segment::{BLOCK, Segment};
use super::shelf::{Shelf, TextError};
use super::table::{Entry, Table};
use super::wanted::{TextTerm, Wanted};
use crate::search::{Bits, Needle, Stretch};
use crate::transcript::{Traits, Voice};

/// So many blocks are read at once.
const RUN: usize = 16;

/// How near each other the words are. The best comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Closeness {
    /// As typed, one after the other; or there is only one.
    Phrase,
    /// In one passage.
    Passage,
    /// Anywhere in the conversation.
    Scattered,
}

/// A passage in which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPassage {
    pub file: FileKey,
    pub entry: Entry,
    /// The name of its tool.
    pub tool: Option<String>,
    /// Does it have the words as they were typed?
    pub has_phrase: bool,
    /// How many of the words it has.
    pub words: u32,
}

type Judged<T> = Result<T, TextError>;

#[derive(Debug)]
pub struct Judge<'a> {
    library: &'a Library,
    wanted: &'a Wanted,
    candidates: Candidates<'a>,
    /// By side: a conversation has text in a segment of each.
    windows: [Window; 2],
}

/// In which blocks words may begin, by word and segment. A query has a few words, so looking for one
/// is cheaper than a hash, of which there would be one for each file.
#[derive(Debug, Default)]
struct Candidates<'a> {
    words: Vec<(&'a str, Vec<Blocks>)>,
}

#[derive(Debug, Clone, Default)]
enum Blocks {
    #[default]
    Unknown,
    Any,
    These(Bits),
}

impl<'a> Candidates<'a> {
    fn of(
        &mut self,
        number: usize,
        segment: &Segment,
        needle: &'a Needle,
    ) -> io::Result<Option<&Bits>> {
        let word = needle.text();
        let known = self.words.iter().position(|(known, _)| *known == word);
        let at = known.unwrap_or_else(|| {
            self.words.push((word, Vec::new()));
            self.words.len() - 1
        });
        let segments = &mut self.words[at].1;
        if segments.len() <= number {
            segments.resize(number + 1, Blocks::Unknown);
        }
        let blocks = &mut segments[number];
        if matches!(blocks, Blocks::Unknown) {
            let found = segment.candidates(word.as_bytes())?;
            *blocks = found.map_or(Blocks::Any, Blocks::These);
        }
        Ok(match blocks {
            Blocks::These(blocks) => Some(blocks),
            Blocks::Unknown | Blocks::Any => None,
        })
    }
}

/// Blocks that were read last.
#[derive(Debug, Default)]
struct Window {
    segment: Option<usize>,
    blocks: Range<usize>,
    text: Vec<u8>,
    caps: Option<Bits>,
}

impl<'a> Judge<'a> {
    pub fn new(library: &'a Library, wanted: &'a Wanted) -> Self {
        Self {
            library,
            wanted,
            candidates: Candidates::default(),
            windows: Default::default(),
        }
    }

    /// Does a conversation, in these files, have all that is wanted?
    pub fn judge(&mut self, files: &[FileKey]) -> Judged<Option<Closeness>> {
        let wanted = self.wanted;
        let known = self.known(files);
        let records: Vec<&FileRecord> = known.iter().map(|(_, record)| *record).collect();
        let mut traits = Traits::default();
        for record in &records {
            traits |= record.extent.checkpoint.traits;
        }
        // Of an agent that only warms up a cache nothing is kept.
        let is_agent = |(key, record): &(FileKey, &FileRecord)| {
            files.first() != Some(key) && record.extent.checkpoint.offset > 0
        };
        if known.iter().any(is_agent) {
            traits |= Traits::AGENT;
        }
        if !traits.contains(wanted.traits) {
            return Ok(None);
        }
        for term in &wanted.texts {
            if !self.is_in(&records, term, true)? {
                return Ok(None);
            }
        }
        for term in &wanted.unwanted {
            if self.is_in(&records, term, false)? {
                return Ok(None);
            }
        }
        if wanted.texts.is_empty() && wanted.is_scoped() && !self.has_passage(&records)? {
            return Ok(None);
        }
        if wanted.texts.len() < 2 {
            return Ok(Some(Closeness::Phrase));
        }
        if let Some(phrase) = &wanted.phrase
            && self.is_in(&records, phrase, true)?
        {
            return Ok(Some(Closeness::Phrase));
        }
        let found = self.passages_of(&known)?;
        let all = u32::try_from(wanted.texts.len()).unwrap_or(u32::MAX);
        let is_together = found.iter().any(|passage| passage.words == all);
        Ok(Some(if is_together {
            Closeness::Passage
        } else {
            Closeness::Scattered
        }))
    }

    /// The passages that have any of the words, in the order of the files.
    pub fn passages(&mut self, files: &[FileKey]) -> Judged<Vec<FoundPassage>> {
        let known = self.known(files);
        self.passages_of(&known)
    }

    /// The files of which something is stored. One that is being read for the first time is not.
    fn known(&self, files: &[FileKey]) -> Vec<(FileKey, &'a FileRecord)> {
        let library = self.library;
        let known = files.iter();
        known
            .filter_map(|key| Some((*key, library.files.get(key)?)))
            .collect()
    }

    fn passages_of(&mut self, known: &[(FileKey, &FileRecord)]) -> Judged<Vec<FoundPassage>> {
        let wanted = self.wanted;
        let mut all = Vec::new();
        for side in Side::BOTH {
            for &(file, record) in known {
                for place in &record.places[side as usize] {
                    let bytes = self.table(place)?;
                    let mut table = Table::new(&bytes);
                    let entries: Vec<Entry> = table.by_ref().collect();
                    // By entry: which of the words, and the phrase as one more.
                    let mut found: BTreeMap<usize, u128> = BTreeMap::new();
                    let terms = wanted.texts.iter().chain(&wanted.phrase);
                    for (number, term) in terms.enumerate() {
                        let places =
                            self.entries_with(place, side, term, &entries, &table.tools)?;
                        for at in places {
                            *found.entry(at).or_default() |= 1 << number.min(127);
                        }
                    }
                    if wanted.texts.is_empty() {
                        let allowed = (0..entries.len())
                            .filter(|at| wanted.allows(&entries[*at], &table.tools));
                        found.extend(allowed.map(|at| (at, 0)));
                    }
                    let phrase = 1_u128 << wanted.texts.len().min(127);
                    all.extend(found.into_iter().map(|(at, words)| FoundPassage {
                        file,
                        tool: entries[at].tool.map(|tool| table.tools[tool].to_owned()),
                        entry: entries[at].clone(),
                        has_phrase: words & phrase != 0 || wanted.texts.len() < 2,
                        words: (words & (phrase - 1)).count_ones(),
                    }));
                }
            }
        }
        Ok(all)
    }

    /// The entries of a chunk that have a text, in order.
    fn entries_with(
        &mut self,
        place: &Place,
        side: Side,
        term: &'a TextTerm,
        entries: &[Entry],
        tools: &[&str],
    ) -> Judged<Vec<usize>> {
        let chunk = place.chunk.text();
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = self.find(place, from..chunk.len(), side, term)? {
            let number = entries.partition_point(|entry| entry.text.end < at);
            let Some(entry) = entries.get(number) else {
                break;
            };
            let is_path = entry.voice == Voice::Path || !matches!(term, TextTerm::Path(_));
            if is_path && self.wanted.allows(entry, tools) {
                found.push(number);
            }
            from = entry.text.end + 1;
        }
        Ok(found)
    }

    /// Does any of the files have a text? In passages that are asked for, or in any.
    fn is_in(&mut self, records: &[&FileRecord], term: &'a TextTerm, scoped: bool) -> Judged<bool> {
        let wanted = self.wanted;
        for side in Side::BOTH {
            for place in records
                .iter()
                .flat_map(|record| &record.places[side as usize])
            {
                if scoped && wanted.is_scoped() || matches!(term, TextTerm::Path(_)) {
                    let bytes = self.table(place)?;
                    let mut table = Table::new(&bytes);
                    let entries: Vec<Entry> = table.by_ref().collect();
                    if !self
                        .entries_with(place, side, term, &entries, &table.tools)?
                        .is_empty()
                    {
                        return Ok(true);
                    }
                } else {
                    let all = 0..place.chunk.text().len();
                    if self.find(place, all, side, term)?.is_some() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Is there a passage of the kind that is asked for?
    fn has_passage(&mut self, records: &[&FileRecord]) -> Judged<bool> {
        let places = records
            .iter()
            .flat_map(|record| record.places.iter().flatten());
        for place in places {
            let bytes = self.table(place)?;
            let mut table = Table::new(&bytes);
            while let Some(entry) = table.next() {
                if self.wanted.allows(&entry, &table.tools) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn table(&self, place: &Place) -> Judged<Vec<u8>> {
        self.library.table(place)
    }

    /// The first occurrence of a text in a part of a chunk. Positions are counted from the
    /// beginning of the chunk.
    fn find(
        &mut self,
        place: &Place,
        range: Range<usize>,
        side: Side,
        term: &'a TextTerm,
    ) -> Judged<Option<usize>> {
        let chunk = place.chunk.text();
        let within = chunk.start + range.start..chunk.start + range.end;
        let found = match term {
            TextTerm::Needle(needles) => match &needles[side as usize] {
                Some(needle) => self.find_needle(place.segment, within, side, needle)?,
                None => None,
            },
            TextTerm::Path(_) if side == Side::Talk => None,
            TextTerm::Path(needle) => self.find_needle(place.segment, within, side, needle)?,
            TextTerm::Regex(pattern) => {
                let library = self.library;
                let text = library.text(place.segment, within.clone())?;
                let mut start = within.start;
                let mut passages = text.split(|byte| *byte == super::extract::SEPARATOR);
                passages.find_map(|passage| {
                    let at = start;
                    start += passage.len() + 1;
                    Some(at + pattern.regex().find(passage)?.start())
                })
            }
        };
        Ok(found.map(|at| at - chunk.start))
    }

    /// The files that may have the first of the words. Nothing if all may: most files can be passed
    /// over without a look at them.
    pub fn promising(&mut self) -> Judged<Option<Vec<FileKey>>> {
        let needles = match self.wanted.texts.first() {
            Some(TextTerm::Needle(needles)) => needles.each_ref().map(Option::as_ref),
            Some(TextTerm::Path(needle)) => [None, Some(&**needle)],
            Some(TextTerm::Regex(_)) | None => return Ok(None),
        };
        if needles
            .iter()
            .flatten()
            .any(|needle| !filter::knows(needle.text().as_bytes()))
        {
            return Ok(None);
        }
        let library = self.library;
        let mut found = Vec::new();
        for (key, record) in &library.files {
            'file: for (places, needle) in record.places.iter().zip(needles) {
                let Some(needle) = needle else { continue };
                for place in places {
                    if self.may_have(place, needle)? {
                        found.push(*key);
                        break 'file;
                    }
                }
            }
        }
        Ok(Some(found))
    }

    fn may_have(&mut self, place: &Place, needle: &'a Needle) -> Judged<bool> {
        let (library, text) = (self.library, place.chunk.text());
        let Some(segment) = library.segment(place.segment)? else {
            return Ok(true);
        };
        if text.end > segment.text_len() {
            return Err(library.note_damage(place.segment));
        }
        let blocks = text.start / BLOCK..text.end.div_ceil(BLOCK);
        let candidates = self.candidates.of(place.segment, segment, needle);
        let candidates = candidates.map_err(|error| library.note(place.segment, error))?;
        Ok(candidates.is_none_or(|candidates| candidates.first_in(blocks).is_some()))
    }

    fn find_needle(
        &mut self,
        number: usize,
        within: Range<usize>,
        side: Side,
        needle: &'a Needle,
    ) -> Judged<Option<usize>> {
        let window = &mut self.windows[side as usize];
        let library = self.library;
        if let Some(Shelf::Open(open)) = library.shelves.get(number) {
            let stretch = Stretch {
                bytes: open.text.get(within.clone()).unwrap_or_default(),
                upper: &open.caps,
                at: within.start,
            };
            return Ok(needle.next(stretch, 0).map(|at| within.start + at));
        }
        let Some(segment) = library.segment(number)? else {
            return Ok(None);
        };
        if within.end > segment.text_len() {
            return Err(library.note_damage(number));
        }
        let word = needle.text().as_bytes();
        let candidates = self.candidates.of(number, segment, needle);
        let candidates = candidates.map_err(|error| library.note(number, error))?;
        let end = within.end.div_ceil(BLOCK);
        let total = segment.text_len().div_ceil(BLOCK);
        let mut block = within.start / BLOCK;
        while block < end {
            let run = match candidates {
                None if window.has(number, block..block + 1) => block..window.blocks.end,
                // The neighbors are looked at next, so more than this chunk is read.
                None => block..(block + RUN).min(total),
                Some(candidates) => {
                    let Some(first) = candidates.first_in(block..end) else {
                        return Ok(None);
                    };
                    let mut last = first + 1;
                    while last < end && last - first < RUN && candidates.get(last) {
                        last += 1;
                    }
                    first..last
                }
            };
            // What begins in the last block may end in the next.
            let reach = (run.end * BLOCK + word.len() - 1).min(within.end);
            let read = run.start..reach.div_ceil(BLOCK).max(run.end);
            window
                .read(number, segment, read, needle.upper().is_some())
                .map_err(|error| library.note(number, error))?;
            let start = within.start.max(run.start * BLOCK);
            let base = window.blocks.start * BLOCK;
            let none = Bits::default();
            let stretch = Stretch {
                bytes: window
                    .text
                    .get(start - base..reach - base)
                    .unwrap_or_default(),
                upper: window.caps.as_ref().unwrap_or(&none),
                at: start - base,
            };
            if let Some(at) = needle.next(stretch, 0) {
                return Ok(Some(start + at));
            }
            block = run.end;
        }
        Ok(None)
    }
}

impl Window {
    fn has(&self, number: usize, blocks: Range<usize>) -> bool {
        self.segment == Some(number)
            && self.blocks.start <= blocks.start
            && blocks.end <= self.blocks.end
    }

    /// Makes blocks available, with their capitals if asked for.
    fn read(
        &mut self,
        number: usize,
        segment: &Segment,
        blocks: Range<usize>,
        with_caps: bool,
    ) -> io::Result<()> {
        if !self.has(number, blocks.clone()) {
            // Whatever fails leaves nothing behind that could be taken for text.
            self.segment = None;
            segment.text(blocks.clone(), &mut self.text)?;
            (self.segment, self.blocks, self.caps) = (Some(number), blocks, None);
        }
        if with_caps && self.caps.is_none() {
            self.caps = Some(segment.caps(self.blocks.clone())?);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
