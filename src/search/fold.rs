//! Texts made comparable: what looks or reads alike becomes the same bytes.
//!
//! Compatibility forms (NFKC), case and accents are gone on both sides, so `uber` finds `Über`
//! and `ü` finds `u`. Scripts in which marks carry the meaning keep them: stripping them would
//! make か of が and leave Hindi without vowels. White space of any length is one space, controls
//! and invisible characters are nothing: a folded text has no byte below the space, which is why
//! such bytes can separate fields. `trace` leads back to what a folded range was made of.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization, char, is_nfkc_quick};

use super::bits::Bits;

/// A folded text that remembers its capitals, one bit for each byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folded {
    pub text: String,
    pub upper: Bits,
}

impl Folded {
    pub fn new(text: &str) -> Self {
        if is_plain(text.as_bytes()) {
            return Self::plain(text);
        }
        let mut folded = Self::default();
        fold(text, &mut false, |c, is_upper, _| folded.push(c, is_upper));
        folded
    }

    fn plain(text: &str) -> Self {
        let mut upper = Bits::with_len(text.len());
        mark_capitals(&mut upper, 0, text.as_bytes());
        let text = text.to_ascii_lowercase();
        Self { text, upper }
    }

    fn push(&mut self, c: char, is_upper: bool) {
        let at = self.text.len();
        self.text.push(c);
        self.upper.resize(self.text.len());
        if is_upper {
            (at..self.text.len()).for_each(|at| self.upper.set(at, true));
        }
    }
}

/// What of a text is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FoldProfile {
    /// All of it.
    #[default]
    Verbatim,
    /// Without marks of Markdown, which the screen does not show: a phrase may go across emphasis
    /// and code.
    Prose,
}

impl FoldProfile {
    /// Bytes that are left out, as if they were not there.
    fn dropped(self) -> &'static [u8] {
        match self {
            Self::Verbatim => b"",
            Self::Prose => b"`*",
        }
    }

    /// A text without what is left out.
    pub fn kept(self, text: &str) -> Cow<'_, str> {
        let is_dropped = |c: char| u8::try_from(c).is_ok_and(|c| self.dropped().contains(&c));
        if text.contains(is_dropped) {
            Cow::Owned(text.replace(is_dropped, ""))
        } else {
            Cow::Borrowed(text)
        }
    }
}

/// The bytes of a text that ranges of its folded form were made of. The ranges are not empty, and
/// ordered by their start.
pub fn trace(text: &str, profile: FoldProfile, folded: &[Range<usize>]) -> Vec<Range<usize>> {
    let dropped = profile.dropped();
    if is_plain(text.as_bytes()) && !text.bytes().any(|byte| dropped.contains(&byte)) {
        return folded.to_vec();
    }
    let mut traced: Vec<Range<usize>> = Vec::with_capacity(folded.len());
    let mut last = None;
    let mut at = 0;
    // The ranges before this one are done.
    let mut open = 0;
    fold(text, &mut false, |c, _, origin| {
        if open == folded.len() {
            return;
        }
        let is_double = c == ' ' && last == Some(' ');
        if is_double || u8::try_from(c).is_ok_and(|c| dropped.contains(&c)) {
            return;
        }
        last = Some(c);
        let next = at + c.len_utf8();
        while folded
            .get(traced.len())
            .is_some_and(|range| range.start < next)
        {
            traced.push(origin.start..origin.end);
        }
        for (range, traced) in folded.iter().zip(&mut traced).skip(open) {
            if range.end > at {
                traced.end = origin.end;
            }
        }
        at = next;
        while folded.get(open).is_some_and(|range| range.end <= at) {
            open += 1;
        }
    });
    traced
}

/// Folds onto the end of an arena, at most so many bytes.
pub fn fold_onto(arena: &mut Vec<u8>, upper: &mut Bits, text: &str, most: usize) {
    let start = arena.len();
    if is_plain(text.as_bytes()) {
        let bytes = &text.as_bytes()[..text.len().min(most)];
        arena.extend_from_slice(bytes);
        arena[start..].make_ascii_lowercase();
        upper.resize(arena.len());
        mark_capitals(upper, start, bytes);
        return;
    }
    // Most texts have a character or two that are not ASCII, such as the sign of a cut.
    if text.len() <= most {
        fold_long_onto(arena, upper, text, FoldProfile::Verbatim);
        if arena.len() - start <= most {
            return;
        }
        // Folding can make a text longer.
        arena.truncate(start);
        upper.resize(start);
    }
    let mut bytes = [0; 4];
    let mut full = false;
    fold(text, &mut false, |c, is_upper, _| {
        let encoded = c.encode_utf8(&mut bytes).as_bytes();
        let at = arena.len();
        full |= at + encoded.len() - start > most;
        if full {
            return;
        }
        arena.extend_from_slice(encoded);
        if is_upper {
            upper.resize(arena.len());
            (at..arena.len()).for_each(|at| upper.set(at, true));
        }
    });
    upper.resize(arena.len());
}

/// Folds a text of any length onto the end of an arena.
///
/// Most of a long text is ASCII with line breaks: that is folded a run at a time where nothing is
/// left out, else byte by byte. Only what is not ASCII takes the long way.
pub fn fold_long_onto(arena: &mut Vec<u8>, upper: &mut Bits, text: &str, profile: FoldProfile) {
    let dropped = profile.dropped();
    let bytes = text.as_bytes();
    arena.reserve(bytes.len());
    let first = arena.len();
    let mut after_space = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if let Some((run, rest)) = bytes[at..].split_first_chunk::<RUN>()
            && rest.first().is_none_or(u8::is_ascii)
            && let Some(folded) = fold_run(*run, after_space, dropped)
        {
            let start = arena.len();
            arena.extend_from_slice(&folded);
            upper.resize(arena.len());
            mark_capitals(upper, start, run);
            after_space = folded.ends_with(b" ");
            at += RUN;
            continue;
        }
        if byte.is_ascii() && bytes.get(at + 1).is_none_or(u8::is_ascii) {
            at += 1;
            let is_space = matches!(byte, b' ' | b'\t'..=b'\r');
            if is_space && after_space || dropped.contains(&byte) {
                continue;
            }
            if is_space {
                arena.push(b' ');
                after_space = true;
            } else if !byte.is_ascii_control() {
                let lower = byte.to_ascii_lowercase();
                arena.push(lower);
                if lower != byte {
                    upper.resize(arena.len());
                    upper.set(arena.len() - 1, true);
                }
                after_space = false;
            }
            continue;
        }
        // To the next place where two bytes of ASCII meet: nothing joins across it.
        let is_ascii = |pair: &[u8]| pair.iter().all(u8::is_ascii);
        let length = bytes[at + 1..].windows(2).position(is_ascii);
        let end = length.map_or(bytes.len(), |length| at + 1 + length);
        let mut encoded = [0; 4];
        fold(&text[at..end], &mut after_space, |c, is_upper, _| {
            // A space after a dropped byte may follow a space.
            let is_double = c == ' ' && arena.len() > first && arena.ends_with(b" ");
            if is_double || u8::try_from(c).is_ok_and(|c| dropped.contains(&c)) {
                return;
            }
            let start = arena.len();
            arena.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes());
            if is_upper {
                upper.resize(arena.len());
                (start..arena.len()).for_each(|at| upper.set(at, true));
            }
        });
        // A dropped byte was taken for something visible.
        after_space = arena.len() > first && arena.ends_with(b" ");
        at = end;
    }
    upper.resize(arena.len());
}

/// So many bytes are folded at once.
const RUN: usize = 32;

/// Folds a run of ASCII of which nothing is left out. Loops without a way out: they become vectors.
fn fold_run(mut run: [u8; RUN], after_space: bool, dropped: &[u8]) -> Option<[u8; RUN]> {
    let mut is_odd = false;
    for byte in &mut run {
        let is_break = (b'\t'..=b'\r').contains(byte);
        is_odd |= !is_break && !(b' '..=b'~').contains(byte);
        *byte = if is_break {
            b' '
        } else {
            byte.to_ascii_lowercase()
        };
    }
    for mark in dropped {
        for byte in run {
            is_odd |= byte == *mark;
        }
    }
    for (byte, next) in run.iter().zip(&run[1..]) {
        is_odd |= *byte == b' ' && *next == b' ';
    }
    is_odd |= after_space && run[0] == b' ';
    (!is_odd).then_some(run)
}

/// Marks the capitals of a plain text whose first byte is at `start`.
fn mark_capitals(upper: &mut Bits, start: usize, text: &[u8]) {
    for (at, run) in (start..).step_by(64).zip(text.chunks(64)) {
        let capital = |byte: &u8| u64::from(byte.is_ascii_uppercase());
        let mask = run
            .iter()
            .rev()
            .fold(0, |mask, byte| mask << 1 | capital(byte));
        upper.set_run(at, mask);
    }
}

/// Is there nothing to fold but case? True for most texts, and much faster for them.
fn is_plain(text: &[u8]) -> bool {
    let plain = |plain: bool, byte: &u8| plain & (b' '..=b'~').contains(byte);
    text.iter().fold(true, plain) && !text.windows(2).any(|pair| pair == b"  ")
}

/// Hands out the folded characters of a text, each with whether it was a capital and with the bytes
/// that it was made of.
fn fold(text: &str, after_space: &mut bool, mut emit: impl FnMut(char, bool, Range<usize>)) {
    let mut emit = |folded: char, upper: bool, origin: Range<usize>| {
        let space = folded.is_whitespace();
        if !(space && *after_space) && (space || !folded.is_control()) {
            let folded = if space { ' ' } else { folded };
            emit(folded, upper, origin);
        }
        *after_space = space || *after_space && folded.is_control();
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // Nothing that belongs to a character before it is ASCII.
        if byte.is_ascii() && bytes.get(at + 1).is_none_or(u8::is_ascii) {
            let lower = byte.to_ascii_lowercase();
            emit(char::from(lower), lower != byte, at..at + 1);
            at += 1;
            continue;
        }
        let Some(rest) = text.get(at..) else { return };
        let length = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| !joins_the_one_before(*c))
            .map_or(rest.len(), |(length, _)| length);
        let cluster = rest.get(..length).unwrap_or_default();
        let kept = cluster.nfkd().filter(|c| !is_dropped(*c));
        for c in kept.nfc() {
            let upper = c.is_uppercase();
            for lower in c.to_lowercase() {
                let origin = at..at + length;
                match spelled_out(lower) {
                    Some(letters) => letters
                        .chars()
                        .for_each(|letter| emit(letter, upper, origin.clone())),
                    None => emit(lower, upper, origin),
                }
            }
        }
        at += length;
    }
}

/// Letters that no normal form takes apart, as people without the key for them type them.
fn spelled_out(lower: char) -> Option<&'static str> {
    Some(match lower {
        'ß' => "ss",
        'ς' => "σ",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'ŧ' => "t",
        _ => return None,
    })
}

/// Is this an accent that people leave out, or nothing that can be seen?
fn is_dropped(c: char) -> bool {
    matches!(
        c,
        // Accents of Latin, Greek and Cyrillic; points of Hebrew; vowels of Arabic.
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'
            | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{64b}'..='\u{65f}'
            | '\u{670}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}'
            // The color of a hand: what is shown has none.
            | '\u{1f3fb}'..='\u{1f3ff}'
    ) || is_invisible(c)
}

/// Soft hyphen, joiners, direction marks, variation selectors, byte-order mark, tags.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e01ef}'
    )
}

/// Must this character be folded together with the one before it? Accents are dropped with it,
/// and decomposed Hangul and kana become one character with it.
fn joins_the_one_before(c: char) -> bool {
    !c.is_ascii()
        && (char::canonical_combining_class(c) != 0
            || is_dropped(c)
            // Halfwidth voicing marks combine only in their compatibility form.
            || matches!(c, '\u{ff9e}' | '\u{ff9f}')
            || is_nfkc_quick(std::iter::once(c)) == IsNormalized::Maybe)
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
