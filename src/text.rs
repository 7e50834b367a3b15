//! Text for people: safe to print, cut to a width, ages and sizes in a few characters.
//!
//! Pure functions on values. Nothing here knows the terminal, the clock or the time zone: a
//! width or a `now` comes in as an argument.

mod age;
mod moment;
mod printed;
mod sanitize;
mod size;
mod width;
mod wrap;

pub use age::{age, ago};
pub use moment::{MomentError, parse_moment};
pub use printed::printed;
pub use sanitize::{
    escape_json, is_blank, pasteable, sanitize, sanitize_lines, sanitize_whole, without_escapes,
};
pub use size::size;
pub use width::{
    CUT, beginning, pad, truncate, truncate_start, truncate_start_with, truncate_with, width,
};
pub use wrap::{wrap, wrap_ranges};
