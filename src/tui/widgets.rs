//! The parts that screens are made of. Each exists once and serves every screen that needs it.

mod card;
mod find_bar;
mod footer;
mod input;
mod list;
mod mouse_state;
mod panes;
mod query_line;
mod reader;
mod spans;

pub use card::{
    Card, CardChoice, body as card_area, draw_lines as draw_card, draw_scrolled,
    headline as card_headline, indented, room as card_room, scroll as scroll_card, wrapped,
};
pub use find_bar::{FindBar, Stage};
pub use footer::{Footer, draw as draw_footer};
pub use input::{Edit, Input};
pub use list::{Heading, Keyed, List, ListPart, Pane, Placed};
pub use mouse_state::{MouseState, Press};
pub use panes::{draw_list, draw_rules, draw_scopes, line_of, put, put_right};
pub use query_line::{Correction, Offer, QueryLine, window};
pub use reader::{Content, Direction, Hold, Motion, Reader, ReaderPane, Take, scrolled};
pub use spans::{
    clean, clean_end, columns, in_sight, marked, matches, number, plural, split_matches, width_of,
};
