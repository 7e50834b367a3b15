//! The picture of the picker in the README: a screen as it is drawn, as SVG.
//!
//! `CLAUDE_RESUME_UPDATE_PICTURES=1 cargo test picture` draws it again.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use claude_resume::tui::Message;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::support::id;
use crate::world::{World, waiting};

/// Pixels of a cell.
const WIDTH: usize = 8;
const HEIGHT: usize = 19;
const MARGIN: usize = 16;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// How a cell looks: its colour, and whether it is bold and underlined.
fn look(cell: &Cell) -> (&'static str, bool, bool) {
    let dim = cell.modifier.contains(Modifier::DIM);
    let colour = match cell.fg {
        Color::Cyan => "#8abeb7",
        Color::Green => "#b5bd68",
        Color::Yellow => "#f0c674",
        Color::Red => "#cc6666",
        _ if dim => "#7c8082",
        _ => "#d7dadb",
    };
    (
        colour,
        cell.modifier.contains(Modifier::BOLD),
        cell.modifier.contains(Modifier::UNDERLINED),
    )
}

/// Every run of cells that look alike is one element, put where its first cell is.
fn draw(buffer: &Buffer) -> String {
    let area = buffer.area;
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let (width, height) = (columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13.3\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d1f21\"/>\n"
    );
    for y in 0..area.height {
        let mut x = 0;
        while x < area.width {
            let style = look(&buffer[(x, y)]);
            let start = x;
            let mut text = String::new();
            while x < area.width && look(&buffer[(x, y)]) == style {
                let symbol = buffer[(x, y)].symbol();
                text.push_str(symbol);
                let cells = claude_resume::text::width(symbol).max(1);
                x += u16::try_from(cells).expect("narrow");
            }
            if text.trim().is_empty() {
                continue;
            }
            let left = MARGIN + usize::from(start) * WIDTH;
            let length = usize::from(x - start) * WIDTH;
            let base = MARGIN + usize::from(y) * HEIGHT + 14;
            let (colour, bold, underlined) = style;
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            let line = if underlined {
                " text-decoration=\"underline\""
            } else {
                ""
            };
            writeln!(
                svg,
                "<text x=\"{left}\" y=\"{base}\" textLength=\"{length}\" fill=\"{colour}\"{weight}{line} xml:space=\"preserve\">{}</text>",
                escaped(&text)
            )
            .expect("strings can be written");
        }
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_of_the_picker_shows_what_is_drawn() {
    let mut world = World::full(116, 27);
    world.tell(Message::Running(waiting(&id(1))));
    world.press("ctrl-t");
    world.enter("token");
    let drawn = draw(&world.buffer());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/picker.svg");
    if std::env::var_os("CLAUDE_RESUME_UPDATE_PICTURES").is_some() {
        fs::write(&path, &drawn).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).expect("drawn before"), drawn);
}
