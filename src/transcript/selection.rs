//! A line parsed by a strict parser, with only the fields that anybody asks for.
//!
//! Most fields of a line say the same in every line of a session, and the report of a tool is as
//! large as everything else together. What is not kept is checked and passed over.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The fields of a line that are kept.
const LINE: &[&str] = &[
    "uuid",
    "parentUuid",
    "type",
    "subtype",
    "timestamp",
    "content",
    "attachment",
    "compactMetadata",
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isApiErrorMessage",
    "sessionId",
    "cwd",
    "gitBranch",
    "version",
    "permissionMode",
];
/// The fields of a message that are kept.
const MESSAGE: &[&str] = &["id", "role", "model", "content", "timestamp"];
/// The tokens that are counted.
const USAGE: &[&str] = &[
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
];

/// A line with its kept fields.
#[derive(Debug)]
pub struct Selection {
    pub fields: Value,
    /// What a tool reported, unparsed.
    pub report: Option<Box<RawValue>>,
}

/// Parses a line. `None` if a strict parser refuses it.
pub fn select(line: &[u8]) -> Option<Selection> {
    let mut parser = serde_json::Deserializer::from_slice(line);
    let mut report = None;
    let keep = Keep {
        level: Level::Line,
        report: &mut report,
    };
    let fields = keep.deserialize(&mut parser).ok()?;
    parser.end().ok()?;
    Some(Selection { fields, report })
}

/// Where in a line a parser stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Line,
    Message,
    Usage,
}

impl Level {
    fn kept(self) -> &'static [&'static str] {
        match self {
            Self::Line => LINE,
            Self::Message => MESSAGE,
            Self::Usage => USAGE,
        }
    }
}

/// Keeps the fields of an object that count on its level.
struct Keep<'a> {
    level: Level,
    report: &'a mut Option<Box<RawValue>>,
}

impl<'de> DeserializeSeed<'de> for Keep<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keep<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        let name = Name(self.level);
        while let Some(key) = access.next_key_seed(name)? {
            let value = match key {
                Key::Kept(_) => access.next_value()?,
                Key::Report => {
                    *self.report = Some(access.next_value()?);
                    continue;
                }
                Key::Inner(_, level) => access.next_value_seed(Keep {
                    level,
                    report: &mut *self.report,
                })?,
                Key::Other => {
                    access.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if let Key::Kept(name) | Key::Inner(name, _) = key {
                object.insert(name.to_owned(), value);
            }
        }
        Ok(Value::Object(object))
    }

    // A message or a usage that is no object says nothing.

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        while access.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Null)
    }
}

/// What a key asks for.
#[derive(Debug, Clone, Copy)]
enum Key {
    Kept(&'static str),
    Inner(&'static str, Level),
    Report,
    Other,
}

/// Reads a key without copying it.
#[derive(Debug, Clone, Copy)]
struct Name(Level);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        Ok(match (self.0, key) {
            (Level::Line, "message") => Key::Inner("message", Level::Message),
            (Level::Message, "usage") => Key::Inner("usage", Level::Usage),
            (Level::Line, "toolUseResult") => Key::Report,
            (level, key) => {
                let kept = level.kept().iter().find(|kept| **kept == key);
                kept.map_or(Key::Other, |kept| Key::Kept(kept))
            }
        })
    }
}

#[cfg(test)]
#[path = "selection_tests.rs"]
mod tests;
