//! JSON as bytes: the top-level fields of a line, found without parsing it.
//!
//! Knows nothing of sessions. Lenient where a parser is strict: a torn line gives what is in
//! sight, a broken string loses only what is broken.

mod fields;
mod lenient;
mod unescape;

pub use fields::{
    End, FieldValue, Fields, LastFields, elements, field, flat_end, flat_front, flat_place,
    flat_text, object_length, string_end, value_at,
};
pub use lenient::lenient;
pub use unescape::{cut_before, unescape, unescape_into, unescape_prefix};
