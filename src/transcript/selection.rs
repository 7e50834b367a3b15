//! A line parsed by a strict parser, with only the fields that anybody asks for.
//!
//! Most fields of a line say the same in every line of a session, and the report of a tool is as
//! large as everything else together. What is not kept is checked and passed over.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

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
    "hookErrors",
    "error",
    "retryAttempt",
    "maxRetries",
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

/// The kept fields of an object. There are few of them: a list is smaller than a map, and found
/// through as fast.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    /// A field; null if there is none.
    pub fn get(&self, key: &str) -> &Value {
        let found = self.0.iter().find(|(name, _)| *name == key);
        found.map_or(&Value::Null, |(_, value)| value)
    }

    /// The last of two fields with one name counts, as in JavaScript.
    fn put(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    /// The kept fields of an object that is parsed already.
    fn of(mut object: Value, level: Level) -> Self {
        let mut fields = Self::default();
        for name in level.kept() {
            if let Some(value) = object.get_mut(*name) {
                fields.put(name, value.take());
            }
        }
        fields
    }
}

/// A line with its kept fields.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    pub line: Fields,
    pub message: Fields,
    pub usage: Fields,
    /// What a tool reported, unparsed.
    pub report: Option<Box<RawValue>>,
}

impl Selection {
    /// Parses a line. `None` if a strict parser refuses it.
    pub fn strict(line: &[u8]) -> Option<Self> {
        let mut parser = serde_json::Deserializer::from_slice(line);
        let mut selection = Self::default();
        let keep = Keep {
            level: Level::Line,
            into: &mut selection,
        };
        keep.deserialize(&mut parser).ok()?;
        parser.end().ok()?;
        Some(selection)
    }

    /// Takes what is kept out of a line that was parsed in another way.
    pub fn of(mut line: Value) -> Self {
        let mut take = |key: &str| line.get_mut(key).map(Value::take).unwrap_or_default();
        let mut message = take("message");
        let usage = message.get_mut("usage").map(Value::take);
        let report = take("toolUseResult");
        let is_report = !report.is_null();
        Self {
            usage: Fields::of(usage.unwrap_or_default(), Level::Usage),
            message: Fields::of(message, Level::Message),
            report: is_report
                .then(|| RawValue::from_string(report.to_string()).ok())
                .flatten(),
            line: Fields::of(line, Level::Line),
        }
    }

    fn fields(&mut self, level: Level) -> &mut Fields {
        match level {
            Level::Line => &mut self.line,
            Level::Message => &mut self.message,
            Level::Usage => &mut self.usage,
        }
    }
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
    into: &'a mut Selection,
}

impl<'de> DeserializeSeed<'de> for Keep<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keep<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while let Some(key) = access.next_key_seed(Name(self.level))? {
            match key {
                Key::Kept(name) => {
                    let value = access.next_value()?;
                    self.into.fields(self.level).put(name, value);
                }
                Key::Report => self.into.report = Some(access.next_value()?),
                Key::Inner(level) => access.next_value_seed(Keep {
                    level,
                    into: &mut *self.into,
                })?,
                Key::Other => {
                    access.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    // A message or a usage that is no object says nothing.

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while access.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// What a key asks for.
#[derive(Debug, Clone, Copy)]
enum Key {
    Kept(&'static str),
    Inner(Level),
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
            (Level::Line, "message") => Key::Inner(Level::Message),
            (Level::Message, "usage") => Key::Inner(Level::Usage),
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
