//! JSON string contents to text, for strings that need not be valid.
//!
//! A strict parser refuses a lone surrogate or a broken byte and so loses a whole title. Here
//! each becomes U+FFFD and the rest stays.

use std::borrow::Cow;

/// Decodes the inside of a JSON string. Most strings have no escapes and are not copied.
pub fn unescape(raw: &[u8]) -> Cow<'_, str> {
    let text = lossy(raw);
    match memchr::memchr(b'\\', text.as_bytes()) {
        None => text,
        Some(first) => {
            let mut decoded = String::with_capacity(text.len());
            decode(&text, first, &mut decoded);
            decoded.into()
        }
    }
}

/// Appends the decoded inside of a JSON string.
pub fn unescape_into(raw: &[u8], decoded: &mut String) {
    let text = lossy(raw);
    let first = memchr::memchr(b'\\', text.as_bytes()).unwrap_or(text.len());
    decode(&text, first, decoded);
}

fn lossy(raw: &[u8]) -> Cow<'_, str> {
    // The strict check is several times faster than the lossy one, and nearly always enough.
    std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::from)
}

/// Decodes at most about `limit` bytes of a JSON string: enough to show its beginning.
pub fn unescape_prefix(raw: &[u8], limit: usize) -> Cow<'_, str> {
    if raw.len() <= limit {
        return unescape(raw);
    }
    unescape(&raw[..cut_before(raw, limit)])
}

/// Where to cut the inside of a JSON string so that at most `limit` bytes are left: neither inside
/// a character nor inside an escape, whose longest form is 12 bytes.
pub fn cut_before(raw: &[u8], limit: usize) -> usize {
    if raw.len() <= limit {
        return raw.len();
    }
    let mut end = limit;
    while end > 0 && raw[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    let from = end.saturating_sub(12);
    if let Some(slash) = memchr::memrchr(b'\\', &raw[from..end]) {
        let run = raw[..=from + slash]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count();
        end = from + slash + 1 - run;
        // Nor between the halves of a pair.
        let half = end.saturating_sub(6);
        let is_high = raw[half..end].starts_with(b"\\u")
            && matches!(
                raw.get(half + 2..half + 4),
                Some([b'd' | b'D', b'8' | b'9' | b'a'..=b'b' | b'A'..=b'B'])
            );
        if is_high {
            end = half;
        }
    }
    end
}

/// Appends `text`, whose first backslash is at `slash`, without its escapes.
fn decode(text: &str, mut slash: usize, decoded: &mut String) {
    let bytes = text.as_bytes();
    decoded.reserve(text.len());
    // What is not copied yet starts here.
    let mut from = 0;
    while let Some(escape) = bytes.get(slash + 1) {
        decoded.push_str(&text[from..slash]);
        let control = match escape {
            b'n' => Some('\n'),
            b't' => Some('\t'),
            b'r' => Some('\r'),
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            _ => None,
        };
        from = slash + 2;
        let mut search = from;
        if let Some(control) = control {
            decoded.push(control);
        } else if *escape == b'u' {
            let (c, rest) = unicode_escape(&text[from..]);
            decoded.push(c);
            from = text.len() - rest.len();
            search = from;
        } else {
            // `\"`, `\\` and `\/` mean themselves, and so does anything unknown.
            from = slash + 1;
        }
        slash = memchr::memchr(b'\\', &bytes[search..]).map_or(bytes.len(), |at| search + at);
    }
    decoded.push_str(&text[from..slash.min(text.len())]);
}

/// Reads the digits after `\u`, and the second half of a surrogate pair if it follows.
fn unicode_escape(text: &str) -> (char, &str) {
    let Some((high, rest)) = four_digits(text) else {
        return (char::REPLACEMENT_CHARACTER, text);
    };
    if let Some(c) = char::from_u32(high) {
        return (c, rest);
    }
    if let Some((low, after)) = rest.strip_prefix("\\u").and_then(four_digits)
        && let Some(Ok(c)) = char::decode_utf16(units([high, low])).next()
    {
        return (c, after);
    }
    (char::REPLACEMENT_CHARACTER, rest)
}

fn units(pair: [u32; 2]) -> impl Iterator<Item = u16> {
    pair.into_iter().filter_map(|unit| u16::try_from(unit).ok())
}

fn four_digits(text: &str) -> Option<(u32, &str)> {
    let digits = text.get(..4)?;
    let all_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = all_hex.then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((number, &text[4..]))
}

#[cfg(test)]
#[path = "unescape_tests.rs"]
mod tests;
