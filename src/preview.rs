//! A conversation as lines of a given width: what a preview, a pager and a pipe show alike.
//!
//! Turns, options and a width in, lines out. Knows no files, no clock and no terminal: tones are
//! names for what a text is, and a theme gives them colors. Everything from disk is made
//! safe here, and no line is wider than asked for.

mod agents;
mod book;
mod calls;
mod card;
mod flow;
mod hidden;
mod ledger;
mod line;
mod markdown;
mod message;
mod options;
mod recorded;
mod scroll;
mod syntax;
mod table;
mod window;

pub use agents::{Agent, AgentWork, Agents};
pub use book::{Book, Laid};
pub use card::{
    CardFacts, Coverage, Gist, SessionCard, card, damage, how_it_stopped, masthead, times,
};
pub use flow::wrap;
pub use hidden::{LongText, agent_texts, hidden_texts, long_text};
pub use ledger::{
    LedgerHead, Manner, WallClock, day_of, describe_sent_run, render, render_head, render_note,
    render_turn, why_left_out,
};
pub use line::{PageLine, Span, Speaker, Tone, TurnPos, picture};
pub use message::message;
pub use options::{Fold, Level, Options, Visibility};
pub use scroll::Scroll;
pub use syntax::{Painter, Syntaxes};
pub use window::{Around, Arrival, Budget, Library, TurnWindow};
