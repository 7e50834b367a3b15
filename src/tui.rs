//! The picker: a full screen in which one types, sees and presses Enter.
//!
//! `App` is a plain value: a stack of `screens` made of `widgets`, and the `data` they show. It
//! takes messages, and knows no terminal, no thread and no clock. `terminal`, `workers` and
//! `runtime` connect it with the world.

mod app;
mod clipboard;
mod context;
mod data;
mod dates;
mod families;
mod guard;
mod host;
mod keymap;
mod layout;
mod memory;
mod message;
mod outside;
mod pacer;
mod request;
mod runtime;
mod screens;
mod terminal;
mod theme;
mod widgets;
mod workers;

pub use app::App;
pub use clipboard::{
    Clip, ClipboardEnv, Copied, How, Multiplexer, System, TerminalCopy, VARIABLES,
};
pub use context::{Context, Ending, Outside, Printed, Setting};
pub use data::{Data, Here, HereKind, Names, Scan};
pub use dates::{Calendar, Day};
pub use families::{Families, Family, Kin};
pub use guard::{Guard, Sight, TooSoon};
pub use host::{Env, Host};
pub use keymap::{Action, Binding, Chord, HelpGroup, KeyError, KeyLayer, Keymap, TABLE, layers};
pub use layout::{Arrangement, Density, Focus, Layout, Panes, Switch};
pub use memory::{Memory, Reach};
pub use message::{Effect, Message, Notice, Opener, Outcome, Previewed};
pub use outside::Programs;
pub use pacer::{FrameCause, Pacer};
pub use request::{CheckRequest, HistoryRequest, PathRequest, ProbeRequest, Request};
pub use runtime::{ClockMode, Ended, PickerStart, run};
pub use screens::{
    BatchCard, Beginning, Branches, Chosen, ClipCard, Confirm, EnterMode, Flow, Help, HistoryNews,
    HistoryScope, LineEntry, PastRow, PastSpan, PastText, PathReply, Pending, Probed, Progress,
    Prompts, Question, RevealTarget, Screen, SelectionGuard, Sessions, Stack,
};
pub use terminal::{Display, is_there};
pub use theme::{Accents, Glyphs, Palette, Theme};
pub use widgets::{
    Card, Content, Direction, Edit, FindBar, Heading, Hold, Input, List, ListPart, Motion, Pane,
    Placed, QueryLine, Reader, Stage,
};
pub use workers::{FirstRows, Historian, NamedSession, Published, Sources, publish};
