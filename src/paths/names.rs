//! Project directory names: what Claude Code calls the folder of a working directory.

/// Longest sanitized name, in UTF-16 units, before Claude Code cuts it and appends a hash.
const MAX_UNITS: usize = 200;

/// The name Claude Code gives to the project folder of one working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectName {
    name: String,
    /// `first 200 units + "-"`, present only on long paths. Versions that ran on another
    /// runtime hashed differently, so their folders share only this part.
    prefix: Option<String>,
}

impl ProjectName {
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Is `folder` the project folder of this path, made by any version of Claude Code?
    pub fn matches(&self, folder: &str) -> bool {
        folder == self.name
            || self
                .prefix
                .as_deref()
                .is_some_and(|prefix| folder.starts_with(prefix))
    }
}

/// Names the project folder of `path`, which must already be a real path.
///
/// Claude Code works on UTF-16 units, so an emoji becomes two dashes, and it does not normalize.
pub fn project_name(path: &str) -> ProjectName {
    let sanitized: String = path
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect();
    // From here on the name is ASCII: one byte is one UTF-16 unit.
    if sanitized.len() <= MAX_UNITS {
        return ProjectName {
            name: sanitized,
            prefix: None,
        };
    }
    let prefix = format!("{}-", &sanitized[..MAX_UNITS]);
    ProjectName {
        name: format!("{prefix}{}", hash(path)),
        prefix: Some(prefix),
    }
}

/// The 31-multiplier string hash over UTF-16 units, as an absolute 32-bit value in base 36.
fn hash(path: &str) -> String {
    let sum = path.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    });
    base36(sum.unsigned_abs())
}

fn base36(mut number: u32) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut digits = Vec::new();
    loop {
        digits.push(char::from(DIGITS[(number % 36) as usize]));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
