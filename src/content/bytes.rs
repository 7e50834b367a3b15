//! Numbers and texts as bytes: small numbers in one byte, texts with their length before them.

/// Appends a number, seven bits in each byte.
pub fn put_unsigned(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push((number & 0x7f) as u8);
}

/// Appends a number that may be negative: small ones of either sign are short.
pub fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put_unsigned(bytes, (number << 1 ^ number >> 63).cast_unsigned());
}

pub fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_unsigned(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads what was put, in the same order. Nothing where the bytes end or make no sense.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// A number that counts or names something in memory.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.unsigned()?).ok()
    }

    pub fn text(&mut self) -> Option<&'a str> {
        let length = self.size()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

#[cfg(test)]
#[path = "bytes_tests.rs"]
mod tests;
