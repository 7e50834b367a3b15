//! A conversation as lines of a given width: what a preview, a pager and a pipe show alike.
//!
//! Turns, options and a width in, lines out. Knows no files, no clock and no terminal: tones are
//! names for what a text is, and whoever draws gives them colours. Everything from disk is made
//! safe here, and no line is wider than asked for.

mod calls;
mod card;
mod flow;
mod ledger;
mod line;
mod markdown;
mod options;
mod table;

pub use card::{Facts, card};
pub use flow::wrap;
pub use ledger::render;
pub use line::{Line, Place, Span, Speaker, Tone, picture};
pub use options::{Fold, Level, Options, Thinking};
