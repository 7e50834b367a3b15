//! The pictures of the picker in the README: screens of the real binary with its demo, as SVG.
//!
//! `assets/pictures` draws them again. A picture that does not show what is drawn fails.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use crate::desk::{PATIENCE, Pty};

/// Pixels of a cell.
const WIDTH: usize = 8;
const HEIGHT: usize = 19;
const MARGIN: usize = 16;

/// When the pictures are taken.
const NOW: &str = "2026-11-16T15:04:00Z";

/// The colours of a terminal.
struct Paper {
    background: &'static str,
    text: &'static str,
    dim: &'static str,
    /// Red, green, yellow, blue, magenta and cyan.
    accents: [&'static str; 6],
}

const DARK: Paper = Paper {
    background: "#1d1f21",
    text: "#d7dadb",
    dim: "#7c8082",
    accents: [
        "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7",
    ],
};

const LIGHT: Paper = Paper {
    background: "#fdfdfb",
    text: "#2b2b2b",
    dim: "#8c8c88",
    accents: [
        "#b02a2a", "#4c7a1e", "#96690a", "#2f5f9e", "#8a3f8f", "#1d7f86",
    ],
};

/// How a cell looks: its colour, and whether it is bold, italic and underlined.
#[derive(PartialEq)]
struct Look {
    colour: &'static str,
    bold: bool,
    italic: bool,
    underlined: bool,
}

fn look(cell: &vt100::Cell, paper: &Paper) -> Look {
    let colour = match cell.fgcolor() {
        vt100::Color::Idx(n @ 1..=6) => paper.accents[usize::from(n) - 1],
        _ if cell.dim() => paper.dim,
        _ => paper.text,
    };
    Look {
        colour,
        bold: cell.bold(),
        italic: cell.italic(),
        underlined: cell.underline(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Every run of cells that look alike is one element, put where its first cell is.
fn draw(screen: &vt100::Screen, paper: &Paper) -> String {
    let (rows, columns) = screen.size();
    let (wide, high) = (usize::from(columns.get()), usize::from(rows.get()));
    let (width, height) = (wide * WIDTH + 2 * MARGIN, high * HEIGHT + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13.3\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\"/>\n",
        paper.background
    );
    for y in 0..rows.get() {
        let cell = |x: u16| screen.cell(y, x).expect("on the screen");
        let mut x = 0;
        while x < columns.get() {
            let style = look(cell(x), paper);
            let start = x;
            let mut text = String::new();
            while x < columns.get() && look(cell(x), paper) == style {
                let cell = cell(x);
                text.push_str(if cell.has_contents() {
                    cell.contents()
                } else {
                    " "
                });
                x += if cell.is_wide() { 2 } else { 1 };
            }
            let seen = text.trim_end();
            if seen.is_empty() {
                continue;
            }
            let length = claude_resume::text::width(seen) * WIDTH;
            let left = MARGIN + usize::from(start) * WIDTH;
            let base = MARGIN + usize::from(y) * HEIGHT + 14;
            let mut style_of = String::new();
            for (is_so, attribute) in [
                (style.bold, " font-weight=\"bold\""),
                (style.italic, " font-style=\"italic\""),
                (style.underlined, " text-decoration=\"underline\""),
            ] {
                style_of += if is_so { attribute } else { "" };
            }
            writeln!(
                svg,
                "<text x=\"{left}\" y=\"{base}\" textLength=\"{length}\" fill=\"{}\"{style_of} xml:space=\"preserve\">{}</text>",
                style.colour,
                escaped(seen)
            )
            .expect("strings can be written");
        }
    }
    svg + "</svg>\n"
}

/// The demo on a terminal of this size, at a moment that is always the same.
fn demo(columns: u16, rows: u16) -> (Pty, tempfile::TempDir) {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_claude-resume"));
    command.env_clear();
    command.args(["--demo"]);
    command.cwd(home.path());
    command.env("HOME", home.path());
    command.env("PATH", std::env::var("PATH").unwrap_or_default());
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command.env("TZ", "UTC");
    command.env("CLAUDE_RESUME_NOW", NOW);
    let mut pty = Pty::start(command, columns, rows);
    pty.wait_for("12 sessions");
    (pty, home)
}

/// A picture: its name, its size and paper, and keys, each with what is to be seen after it.
type Picture = (
    &'static str,
    (u16, u16),
    &'static Paper,
    &'static [(&'static str, &'static str)],
);

const PICTURES: &[Picture] = &[
    (
        "picker",
        (118, 32),
        &DARK,
        &[("", "Shall I ask the auth team"), ("token", "of 12")],
    ),
    (
        "preview",
        (118, 32),
        &DARK,
        &[
            ("", "Shall I ask the auth team"),
            ("\t", "/ find"),
            ("/", "Enter done"),
            ("UTC", "1 of"),
            ("\r", "n next match"),
            ("n", "▾"),
        ],
    ),
    (
        "branches",
        (100, 10),
        &DARK,
        &[
            ("rotate", "2 of 12"),
            ("\x1br", "└ Rotate"),
            ("\x1b[B", "▌ └ Rotate"),
            ("", "There are two ways"),
            ("\t", "Tab list"),
            ("b", "left after turn"),
        ],
    ),
    (
        "history",
        (118, 18),
        &DARK,
        &[
            ("", "Shall I ask the auth team"),
            ("\x12", "8 deleted"),
            ("\x1b[F", "▌ 4mo"),
            ("\x1b[A", "GET https"),
        ],
    ),
    (
        "narrow",
        (44, 24),
        &DARK,
        &[("", "Fix JWT"), ("\t", "great, now open a PR")],
    ),
    (
        "light",
        (118, 32),
        &LIGHT,
        &[("", "Shall I ask the auth team")],
    ),
];

#[test]
fn the_pictures_of_the_picker_show_what_is_drawn() {
    for (name, (columns, rows), paper, keys) in PICTURES {
        let (mut pty, _home) = demo(*columns, *rows);
        for (key, seen) in *keys {
            pty.type_text(key);
            pty.wait_for(seen);
            pty.settle(Duration::from_millis(150));
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/{name}.svg"));
        if std::env::var_os("CLAUDE_RESUME_UPDATE_PICTURES").is_some() {
            // Colours of code come late.
            pty.settle(Duration::from_secs(3));
            fs::write(&path, draw(pty.screen.screen(), paper)).expect("written");
        }
        let known = fs::read_to_string(&path).unwrap_or_default();
        // A busy machine gets its time until the screen is as it was.
        let start = Instant::now();
        while draw(pty.screen.screen(), paper) != known {
            let is_late = start.elapsed() > PATIENCE;
            assert!(!is_late, "{name}.svg is out of date: run assets/pictures");
            pty.settle(Duration::from_millis(300));
        }
        pty.type_text("\x03");
        pty.end();
    }
}
