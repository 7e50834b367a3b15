//! The picker: a full screen in which one types, sees and presses Enter.
//!
//! `App` is a plain value, `update` changes it, `view` draws it; none of them knows a terminal, a
//! thread or a clock. `terminal`, `workers` and `runtime` connect them with the world.

mod app;
mod awaited;
mod copies;
mod dates;
mod help;
mod history;
mod input;
mod keymap;
mod kin;
mod layout;
mod listing;
mod memory;
mod message;
mod outside;
mod overlay;
mod pacer;
mod preflight;
mod reading;
mod request;
mod runtime;
mod seek;
mod terminal;
mod theme;
mod unread;
mod update;
mod view;
mod workers;

pub use app::{App, Ending, Goal, Outside, Printed, Scan, Setting};
pub use awaited::Awaited;
pub use dates::{Calendar, Day};
pub use history::{
    Choice, History, HistoryNews, HistoryScope, Origin, PastItem, PastPage, PastRow, PastSpan,
    Progress,
};
pub use input::{Edit, Input};
pub use keymap::{Action, Binding, Chord, Group, KeyError, Keymap, Place, TABLE};
pub use kin::{Families, Family, Kin};
pub use layout::{Arrangement, Density, Focus, Layout, Panes, Switch};
pub use listing::{Heading, Item, Listing, Pane, Placed};
pub use memory::{Memory, Reach};
pub use message::{
    Chosen, Effect, Here, HereKind, Message, Names, Notice, Opener, Outcome, Page, Previewed,
};
pub use outside::Programs;
pub use overlay::Overlay;
pub use pacer::{FrameCause, Pacer};
pub use preflight::{BatchCard, BatchLine, Beginning, Card, CardLine, Entry, PathReply, Probed};
pub use reading::{Content, Find, Hold, Preview, Stage, Wanted};
pub use request::{
    BeginRequest, HistoryRequest, PageOf, PathRequest, PreviewRequest, ProbeMode, ProbeRequest,
    Request,
};
pub use runtime::{ClockMode, Ended, PickerStart, run};
pub use seek::{FindTarget, Findings, MatchPos, Matches, Searched, in_turn};
pub use terminal::{Display, Multiplexer, is_there};
pub use theme::{Accents, Glyphs, Palette, Theme};
pub use update::{begin, update};
pub use view::draw;
pub use workers::{GoOn, Historian, NamedSession, PreviewReader, Sources};
