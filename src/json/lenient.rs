//! A lenient parser for lines that a strict one refuses.
//!
//! Half a surrogate pair, a broken byte, an escape that is none, a number beyond all bounds or
//! a nesting beyond all measure cost only themselves.

use serde_json::{Map, Value};

use super::fields::{self, Fields, elements};
use super::unescape::unescape;

/// Deeper values are null. A parser that follows every depth ends with the stack.
const DEEPEST: usize = 100;

/// Parses an object as far as it can be understood.
pub fn lenient(object: &[u8]) -> Value {
    nested(object, 0)
}

fn nested(bytes: &[u8], depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if bytes.first() == Some(&b'[') {
        return elements(bytes).map(|value| of(value, depth)).collect();
    }
    let mut object = Map::new();
    let mut fields = Fields::new(bytes);
    while let Some(key) = fields.next_key() {
        let value = of(fields.value(), depth);
        object.insert(unescape(key).into_owned(), value);
    }
    Value::Object(object)
}

fn of(value: fields::FieldValue<'_>, depth: usize) -> Value {
    match value {
        fields::FieldValue::Text(text) | fields::FieldValue::TornText(text) => {
            Value::String(unescape(text).into_owned())
        }
        fields::FieldValue::Nested(bytes) => nested(bytes, depth + 1),
        fields::FieldValue::Bare(bare) => serde_json::from_slice(bare).unwrap_or_default(),
    }
}

#[cfg(test)]
#[path = "lenient_tests.rs"]
mod tests;
