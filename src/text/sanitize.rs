//! The one door between bytes from disk and the terminal.
//!
//! Stored text can hold escape sequences that switch screens, write the clipboard or reverse
//! the reading direction. After `sanitize` a string is one line of visible characters.

use std::borrow::Cow;
use std::fmt::Write;

/// Makes stored text safe to print on one line: every control character, line separator and
/// bidirectional control is gone, white space of any kind is a plain space. Of emoji that terminals
/// draw with different widths the first part is left.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    safe(text, Pictures::FirstPart)
}

/// The same with emoji as they are, for callers that position what follows them.
pub fn sanitize_whole(text: &str) -> Cow<'_, str> {
    safe(text, Pictures::Whole)
}

/// What becomes of emoji that terminals draw with different widths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pictures {
    /// Columns are counted.
    FirstPart,
    Whole,
}

fn safe(text: &str, pictures: Pictures) -> Cow<'_, str> {
    // Most texts are plain, and a hundred thousand rows have half a million of them.
    let plain = |plain: bool, byte: &u8| plain & (b' '..=b'~').contains(byte);
    let stays = |c: char| matches!(c, ' '..='~') || class_of(c) == CharClass::Keep;
    if text.as_bytes().iter().fold(true, plain) || text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    // Once no terminator is ahead, none is looked for again: that would take quadratic time.
    let mut may_end = true;
    while let Some(c) = chars.next() {
        match class_of(c) {
            CharClass::Keep => safe.push(c),
            CharClass::Letter(_) | CharClass::Tone | CharClass::Joiner
                if pictures == Pictures::Whole =>
            {
                safe.push(c);
            }
            CharClass::Letter(letter) => safe.push(letter),
            CharClass::Space => safe.push(' '),
            CharClass::Drop | CharClass::Tone => {}
            CharClass::Joiner => {
                if chars.next_if(|next| is_picture(*next)).is_none() {
                    safe.push(c);
                }
            }
            // The introducer alone would leave `[31m` on the screen.
            CharClass::Escape => may_end = skip_escape_sequence(c, &mut chars, may_end),
        }
    }
    Cow::Owned(safe)
}

/// Makes stored text safe to print on a terminal or to paste into one, with its lines and tabs as
/// they are.
pub fn sanitize_lines(text: &str) -> String {
    let line = |line: &str| {
        let parts = line.split('\t').map(|part| safe(part, Pictures::Whole));
        let parts: Vec<_> = parts.collect();
        parts.join("\t")
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    lines.join("\n")
}

/// A text that can be pasted anywhere, with its lines and tabs as they are, and how many control
/// characters it has lost. A terminal would run what follows the end of a paste in it.
pub fn pasteable(text: &str) -> (String, usize) {
    let is_lost = |c: &char| !matches!(c, '\n' | '\t') && !class_of(*c).is_harmless();
    let lost = text.chars().filter(is_lost).count();
    // These are still line breaks.
    (sanitize_lines(text), lost - text.matches("\r\n").count())
}

/// The text without escape sequences, such as colors, and otherwise as it is.
pub fn without_escapes(text: &str) -> Cow<'_, str> {
    // C1 controls begin with this byte in UTF-8.
    let may_have = [0x1b, 0xc2]
        .iter()
        .any(|byte| text.as_bytes().contains(byte));
    if !may_have || !text.chars().any(|c| class_of(c) == CharClass::Escape) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut may_end = true;
    while let Some(c) = chars.next() {
        if class_of(c) == CharClass::Escape {
            may_end = skip_escape_sequence(c, &mut chars, may_end);
        } else {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

/// Would nothing be left to see? Looks no further than the first character that decides.
pub fn is_blank(text: &str) -> bool {
    let first = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(class_of)
        .find(|class| !matches!(class, CharClass::Drop | CharClass::Space));
    match first {
        Some(CharClass::Escape) => sanitize(text).trim().is_empty(),
        Some(_) => false,
        None => true,
    }
}

/// Rewrites what `sanitize` would remove as `\uXXXX` in a JSON document. Inside JSON such
/// characters can only be in strings, so the document keeps its meaning and can be printed.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    if json.chars().all(|c| class_of(c).is_harmless()) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if class_of(c).is_harmless() {
            safe.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
    }
    Cow::Owned(safe)
}

#[derive(PartialEq, Eq)]
enum CharClass {
    Keep,
    /// Another character that is the same everywhere.
    Letter(char),
    Space,
    Drop,
    /// The color of the hand or face before it, of no columns or two, as each terminal likes it.
    /// Where it takes two, it stays on the screen as long as what is drawn after it is the same.
    Tone,
    /// Makes one picture of two, of two columns or four. The first one is enough.
    Joiner,
    Escape,
}

impl CharClass {
    /// Can it be printed where columns do not count?
    fn is_harmless(&self) -> bool {
        matches!(
            self,
            Self::Keep | Self::Letter(_) | Self::Tone | Self::Joiner
        )
    }
}

fn class_of(c: char) -> CharClass {
    match c {
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
            CharClass::Space
        }
        '\u{1b}' | '\u{90}' | '\u{98}' | '\u{9b}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => {
            CharClass::Escape
        }
        // Two of these are a flag, of one or two or four columns, as each terminal likes it.
        '\u{1f1e6}'..='\u{1f1ff}' => letter_of_flag(c),
        '\u{1f3fb}'..='\u{1f3ff}' => CharClass::Tone,
        '\u{200d}' => CharClass::Joiner,
        c if c.is_control() || is_bidirectional(c) || is_invisible(c) => CharClass::Drop,
        _ => CharClass::Keep,
    }
}

/// Signs, symbols and everything in the planes of emoji: what is joined to such a picture.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

fn letter_of_flag(c: char) -> CharClass {
    let place = u32::from(c) - 0x1f1e6;
    char::from_u32(u32::from('A') + place).map_or(CharClass::Drop, CharClass::Letter)
}

/// Marks, embeddings, overrides and isolates: they can make a text read as another one.
fn is_bidirectional(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Soft hyphen, zero-width space, word joiner and friends, byte-order mark, interlinear annotation, tags.
/// Zero-width joiners are not among them: Indic scripts need them.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Skips what belongs to an escape sequence that `introducer` opened, as a terminal would read
/// it. `may_end` says whether a string terminator may still come; what is known of that now is
/// returned.
fn skip_escape_sequence(introducer: char, chars: &mut Chars<'_>, may_end: bool) -> bool {
    let kind = match introducer {
        '\u{9b}' => '[',
        '\u{1b}' => match chars.peek() {
            Some(&c @ ('[' | ']' | 'P' | 'X' | '^' | '_')) => {
                chars.next();
                c
            }
            // Two-character sequences such as `ESC c` (reset), or ones with intermediates.
            Some(' '..='~') => {
                while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
                chars.next_if(|c| ('0'..='~').contains(c));
                return may_end;
            }
            _ => return may_end,
        },
        _ => ']',
    };
    if kind == '[' {
        while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
        chars.next_if(|c| ('@'..='~').contains(c));
        return may_end;
    }
    may_end && skip_string_sequence(chars)
}

/// A string sequence runs to BEL or the string terminator. Without one it stays text, minus the
/// introducer: swallowing the rest would let one stray byte hide a whole prompt.
fn skip_string_sequence(chars: &mut Chars<'_>) -> bool {
    let mut ahead = chars.clone();
    while let Some(c) = ahead.next() {
        let ends = match c {
            '\u{7}' | '\u{9c}' => true,
            '\u{1b}' => ahead.next_if_eq(&'\\').is_some(),
            _ => false,
        };
        if ends {
            *chars = ahead;
            return true;
        }
    }
    false
}

#[cfg(test)]
#[path = "sanitize_tests.rs"]
mod tests;
