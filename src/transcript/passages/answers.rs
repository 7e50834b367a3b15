//! What a person answered to Claude's questions. The text of the result repeats the questions; beside it
//! the program keeps the answers alone.

use crate::json::{FieldValue, Fields, elements, field, unescape};

/// Beginnings of the results with answers.
const ANSWERED: [&str; 2] = [
    "User has answered your questions: ",
    "Your questions have been answered: ",
];

/// The answers and the notes on them, one per line, by the text of the result and its line. `None` for
/// any other result, and where only the text has them.
pub fn answers(output: &str, object: &[u8]) -> Option<String> {
    if !ANSWERED.iter().any(|it| output.starts_with(it)) {
        return None;
    }
    let result = nested(field(object, b"toolUseResult")?)?;
    let mut answers = String::new();
    push_values(field(result, b"answers")?, &mut answers);
    if let Some(notes) = field(result, b"annotations").and_then(nested) {
        let mut fields = Fields::new(notes);
        while fields.next_key().is_some() {
            if let Some(note) = nested(fields.value()).and_then(|it| field(it, b"notes")) {
                push_values(note, &mut answers);
            }
        }
    }
    (!answers.trim().is_empty()).then_some(answers)
}

/// A text, or all that an object or a list has.
fn push_values(value: FieldValue<'_>, texts: &mut String) {
    match value {
        FieldValue::Text(text) => {
            if !texts.is_empty() {
                texts.push('\n');
            }
            texts.push_str(&unescape(text));
        }
        FieldValue::Nested(list) if list.first() == Some(&b'[') => {
            for text in elements(list).filter(|it| matches!(it, FieldValue::Text(_))) {
                push_values(text, texts);
            }
        }
        FieldValue::Nested(object) => {
            let mut fields = Fields::new(object);
            while fields.next_key().is_some() {
                let value = fields.value();
                let is_deep =
                    matches!(value, FieldValue::Nested(inside) if inside.first() != Some(&b'['));
                if !is_deep {
                    push_values(value, texts);
                }
            }
        }
        FieldValue::TornText(_) | FieldValue::Bare(_) => {}
    }
}

fn nested(value: FieldValue<'_>) -> Option<&[u8]> {
    match value {
        FieldValue::Nested(inside) => Some(inside),
        _ => None,
    }
}
