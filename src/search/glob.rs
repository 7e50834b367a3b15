//! Names as `tool:` and `file:` ask for them: a part of a name, or a glob for all of it.

use super::needle::Needle;
use super::pattern::Pattern;

/// A name to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamePattern {
    /// It is somewhere in the name.
    Part(Box<Needle>),
    /// With `*` and `?` for any text and any sign.
    Glob(Box<Glob>),
}

/// A glob, ready to be looked for in folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    pub pattern: Pattern,
    /// The longest part that every match has.
    pub literal: Option<Needle>,
}

/// What has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    Tool,
    /// The end of a path, from a folder or a file on. A passage may have several paths.
    Path,
}

impl NamePattern {
    /// `None` for a text without a name in it; or why it cannot be looked for, in one line.
    pub fn new(text: &str, kind: NameKind) -> Result<Option<Self>, String> {
        if text.contains(WILD) {
            return Glob::new(text, kind).map(|glob| Some(Self::Glob(Box::new(glob))));
        }
        Ok(Needle::new(text).map(|needle| Self::Part(Box::new(needle))))
    }

    /// As it was typed, folded.
    pub fn typed(&self) -> &str {
        match self {
            Self::Part(needle) => needle.text(),
            Self::Glob(glob) => glob.pattern.text(),
        }
    }

    /// Is it this name of a tool, in lower case?
    pub fn is_tool(&self, name: &str) -> bool {
        match self {
            Self::Part(needle) => name.contains(needle.text()),
            Self::Glob(glob) => glob.pattern.regex().is_match(name.as_bytes()),
        }
    }

    /// Is it in this path, folded?
    pub fn is_path(&self, path: &str) -> bool {
        match self {
            Self::Part(needle) => path.contains(needle.text()),
            Self::Glob(glob) => glob.pattern.regex().is_match(path.as_bytes()),
        }
    }

    /// The text that a block must have: part of the name.
    pub fn literal(&self) -> Option<&Needle> {
        match self {
            Self::Part(needle) => Some(needle),
            Self::Glob(glob) => glob.literal.as_ref(),
        }
    }
}

const WILD: [char; 2] = ['*', '?'];

impl Glob {
    fn new(text: &str, kind: NameKind) -> Result<Self, String> {
        let mut inside = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(WILD) {
            inside.push_str(&Pattern::escaped(&rest[..at]));
            inside.push_str(if rest[at..].starts_with('*') {
                ".*"
            } else {
                "."
            });
            // Both signs are one byte.
            rest = &rest[at + 1..];
        }
        inside.push_str(&Pattern::escaped(rest));
        let whole = match kind {
            NameKind::Tool => format!("^{inside}$"),
            NameKind::Path => format!(r"(?:^|[/\\ ]){inside}(?:$| )"),
        };
        let pieces = text.split(WILD);
        let longest = pieces.max_by_key(|piece| piece.len()).unwrap_or_default();
        Ok(Self {
            pattern: Pattern::of_syntax(text, &whole)?,
            literal: Needle::new(&longest.to_lowercase()),
        })
    }
}

#[cfg(test)]
#[path = "glob_tests.rs"]
mod tests;
