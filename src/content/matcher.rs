//! Finds a text in stored text: reads the blocks that may have it, and no others.
//!
//! The filter of a segment says which blocks are worth reading. Neighbors in a segment are mostly
//! neighbors in the list, so what was read last often serves the next chunk.

use std::io;
use std::ops::Range;

use super::filter;
use super::library::{FileKey, Library};
use super::rank::{Edges, Joint};
use super::record::{Place, Side};
use super::segment::{BLOCK, Segment};
use super::shelf::{Shelf, TextError};
use super::wanted::{TextTerm, Wanted};
use crate::search::{Bits, NamePattern, Needle, Pattern, Stretch};

/// So many blocks are read at once.
const RUN: usize = 16;

pub type Matched<T> = Result<T, TextError>;

/// What to do after an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    GoOn,
    /// Go on at this position of the chunk.
    SkipTo(usize),
    Stop,
}

/// What is needed of each occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Position,
    /// What is around it, too.
    Edges,
}

/// An occurrence, with the text that it was found in.
#[derive(Debug)]
pub struct Occurrence<'t> {
    /// In the chunk.
    pub range: Range<usize>,
    text: &'t [u8],
    upper: &'t Bits,
    /// Where it is in the text.
    at: usize,
}

impl Occurrence<'_> {
    /// What is around it, if that was asked for. A lower letter before a capital ends a word.
    pub fn edges(&self) -> Edges {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let is_inside = |at: usize| {
            let pair = at
                .checked_sub(1)
                .and_then(|before| self.text.get(before..=at));
            let is_in_word = pair.is_some_and(|pair| pair.iter().all(is_letter));
            is_in_word && (self.upper.get(at) <= self.upper.get(at - 1))
        };
        let before = self.at.checked_sub(1).and_then(|at| self.text.get(at));
        Edges {
            starts_word: !is_inside(self.at),
            ends_word: !is_inside(self.at + self.range.len()),
            joint: match before {
                Some(sign) if b" _-/.:".contains(sign) => Joint::Sign,
                _ if self.upper.get(self.at) => Joint::Capital,
                _ => Joint::None,
            },
        }
    }
}

type Take<'t> = &'t mut dyn FnMut(&Occurrence<'_>) -> Next;

#[derive(Debug)]
pub struct Matcher<'a> {
    library: &'a Library,
    candidates: Candidates<'a>,
    /// By side: a conversation has text in a segment of each.
    windows: [Window; 2],
}

impl<'a> Matcher<'a> {
    pub fn new(library: &'a Library) -> Self {
        Self {
            library,
            candidates: Candidates::default(),
            windows: Default::default(),
        }
    }

    /// Hands out the occurrences of a text in a chunk, in order and apart from each other.
    pub fn each(
        &mut self,
        place: &Place,
        side: Side,
        term: &'a TextTerm,
        need: Need,
        take: Take<'_>,
    ) -> Matched<()> {
        match term {
            TextTerm::Needle(needles) => match &needles[side as usize] {
                Some(needle) => self.each_needle(place, side, needle, need, take),
                None => Ok(()),
            },
            TextTerm::Path(_) if side == Side::Talk => Ok(()),
            TextTerm::Path(NamePattern::Part(needle)) => {
                self.each_needle(place, side, needle, need, take)
            }
            TextTerm::Path(NamePattern::Glob(glob)) => {
                // Few chunks have the part that every match has.
                if let Some(literal) = &glob.literal
                    && !self.may_have(place, literal)?
                {
                    return Ok(());
                }
                self.each_pattern(place, &glob.pattern, take)
            }
            TextTerm::Regex(pattern) => self.each_pattern(place, pattern, take),
        }
    }

    /// The same for an expression, in one passage at a time.
    fn each_pattern(&self, place: &Place, pattern: &Pattern, take: Take<'_>) -> Matched<()> {
        let text = self.library.text(place.segment(), place.chunk.text())?;
        let upper = Bits::default();
        let (mut start, mut from) = (0, 0);
        for passage in text.split(|byte| *byte == super::extract::SEPARATOR) {
            for found in pattern.places(passage) {
                let range = start + found.start..start + found.end;
                if range.start < from {
                    continue;
                }
                let at = range.start;
                let text = text.as_slice();
                match take(&Occurrence {
                    range,
                    text,
                    upper: &upper,
                    at,
                }) {
                    Next::GoOn => {}
                    Next::SkipTo(next) => from = next,
                    Next::Stop => return Ok(()),
                }
            }
            start += passage.len() + 1;
        }
        Ok(())
    }

    /// Does a chunk have a text?
    pub fn has(&mut self, place: &Place, side: Side, term: &'a TextTerm) -> Matched<bool> {
        let mut has = false;
        self.each(place, side, term, Need::Position, &mut |_| {
            has = true;
            Next::Stop
        })?;
        Ok(has)
    }

    /// The files that may have the first of the words. None if all may: most files can be passed
    /// over without a look at them.
    pub fn candidate_files(&mut self, wanted: &'a Wanted) -> Matched<Option<Vec<FileKey>>> {
        let needles = match wanted.texts.first() {
            Some(TextTerm::Needle(needles)) => needles.each_ref().map(Option::as_ref),
            Some(TextTerm::Path(name)) => match name.literal() {
                Some(needle) => [None, Some(needle)],
                None => return Ok(None),
            },
            Some(TextTerm::Regex(_)) | None => return Ok(None),
        };
        let mut known = needles.iter().flatten();
        if !known.all(|needle| filter::knows(needle.text().as_bytes())) {
            return Ok(None);
        }
        let library = self.library;
        let mut found = Vec::new();
        for (key, record) in &library.files {
            'file: for (places, needle) in record.places.iter().zip(needles) {
                let Some(needle) = needle else { continue };
                for place in places.iter() {
                    if self.may_have(place, needle)? {
                        found.push(*key);
                        break 'file;
                    }
                }
            }
        }
        Ok(Some(found))
    }

    fn may_have(&mut self, place: &Place, needle: &'a Needle) -> Matched<bool> {
        let (library, text) = (self.library, place.chunk.text());
        let Some(segment) = library.segment(place.segment())? else {
            return Ok(true);
        };
        if text.end > segment.text_len() {
            return Err(library.note_damage(place.segment()));
        }
        let blocks = text.start / BLOCK..text.end.div_ceil(BLOCK);
        let candidates = self.candidates.of(place.segment(), segment, needle);
        let candidates = candidates.map_err(|error| library.note(place.segment(), error))?;
        Ok(candidates.is_none_or(|candidates| candidates.first_in(blocks).is_some()))
    }

    fn each_needle(
        &mut self,
        place: &Place,
        side: Side,
        needle: &'a Needle,
        need: Need,
        take: Take<'_>,
    ) -> Matched<()> {
        let window = &mut self.windows[side as usize];
        let (library, number) = (self.library, place.segment());
        let chunk = place.chunk.text();
        let mut scan = Scan {
            needle,
            chunk: chunk.clone(),
            from: chunk.start,
        };
        if let Some(Shelf::Open(open)) = library.shelves.get(number) {
            scan.text(&open.text, &open.caps, 0, chunk.end, take);
            return Ok(());
        }
        let Some(segment) = library.segment(number)? else {
            return Ok(());
        };
        if chunk.end > segment.text_len() {
            return Err(library.note_damage(number));
        }
        let candidates = self.candidates.of(number, segment, needle);
        let candidates = candidates.map_err(|error| library.note(number, error))?;
        let end = chunk.end.div_ceil(BLOCK);
        let total = segment.text_len().div_ceil(BLOCK);
        let margin = usize::from(need == Need::Edges);
        let with_caps = needle.upper().is_some() || need == Need::Edges;
        while scan.from < chunk.end {
            let block = scan.from / BLOCK;
            let run = match candidates {
                None if window.has(number, &(block..block + 1)) => block..window.blocks.end,
                // The neighbors are looked at next, so more than this chunk is read.
                None => block..(block + RUN).min(total),
                Some(candidates) => {
                    let Some(first) = candidates.first_in(block..end) else {
                        return Ok(());
                    };
                    let mut last = first + 1;
                    while last < end && last - first < RUN && candidates.get(last) {
                        last += 1;
                    }
                    first..last
                }
            };
            scan.from = scan.from.max(run.start * BLOCK);
            // What begins in the last block may end in the next.
            let until = (run.end * BLOCK + needle.text().len() - 1).min(chunk.end);
            let first = scan.from.saturating_sub(margin).max(chunk.start);
            let behind = (until + margin).min(chunk.end);
            let read = first / BLOCK..behind.div_ceil(BLOCK).max(run.end);
            window
                .read(number, segment, read, with_caps)
                .map_err(|error| library.note(number, error))?;
            let none = Bits::default();
            let upper = window.caps.as_ref().unwrap_or(&none);
            let base = window.blocks.start * BLOCK;
            if !scan.text(&window.text, upper, base, until, take) {
                return Ok(());
            }
            scan.from = scan.from.max(run.end * BLOCK);
        }
        Ok(())
    }
}

/// A needle on its way through a chunk. Positions are those of the segment.
struct Scan<'n> {
    needle: &'n Needle,
    chunk: Range<usize>,
    from: usize,
}

impl Scan<'_> {
    /// Hands out what is found in a text that begins at `base`, up to `until`. Returns whether to go
    /// on.
    fn text(
        &mut self,
        text: &[u8],
        upper: &Bits,
        base: usize,
        until: usize,
        take: Take<'_>,
    ) -> bool {
        let start = self.from;
        let stretch = Stretch {
            bytes: text.get(start - base..until - base).unwrap_or_default(),
            upper,
            at: start - base,
        };
        while let Some(found) = self.needle.next(stretch, self.from - start) {
            let at = start + found;
            let end = at + self.needle.text().len();
            let occurrence = Occurrence {
                range: at - self.chunk.start..end - self.chunk.start,
                text,
                upper,
                at: at - base,
            };
            self.from = match take(&occurrence) {
                Next::GoOn => end,
                Next::SkipTo(next) => (self.chunk.start + next).max(end),
                Next::Stop => return false,
            };
            if self.from >= until {
                break;
            }
        }
        true
    }
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

impl Window {
    fn has(&self, number: usize, blocks: &Range<usize>) -> bool {
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
        if !self.has(number, &blocks) {
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
