use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use proptest::prelude::*;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::{AmbiguousWidthRows, is_settled, placed};

const COLUMNS: u16 = 24;
const ROWS: u16 = 4;

#[derive(Clone, Default)]
struct WrittenBytes(Rc<RefCell<Vec<u8>>>);

impl io::Write for WrittenBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A terminal with an opinion of its own on how wide everything but plain letters is.
struct Opinionated {
    width: usize,
    cells: Vec<Vec<char>>,
    at: (usize, usize),
    wraps: bool,
}

impl Opinionated {
    fn new(width: usize) -> Self {
        Self {
            width,
            cells: vec![vec![' '; usize::from(COLUMNS)]; usize::from(ROWS)],
            at: (0, 0),
            wraps: true,
        }
    }

    fn take(&mut self, text: &str) {
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if c != '\u{1b}' {
                self.print(c);
                continue;
            }
            let sequence: String = rest.by_ref().take_while(|c| *c != '[').collect();
            assert_eq!(sequence, "");
            let mut parameters = String::new();
            let end = rest.by_ref().find(|c| {
                let is_end = c.is_ascii_alphabetic();
                parameters.extend((!is_end).then_some(*c));
                is_end
            });
            match (end, parameters.as_str()) {
                (Some('H'), place) => {
                    let (row, column) = place.split_once(';').expect("a place");
                    let number = |text: &str| text.parse::<usize>().expect("a number") - 1;
                    self.at = (number(row), number(column));
                }
                (Some('l'), "?7") => self.wraps = false,
                (Some('h'), "?7") => self.wraps = true,
                _ => {}
            }
        }
    }

    fn print(&mut self, c: char) {
        let columns = usize::from(COLUMNS);
        let width = if c.is_ascii() { 1 } else { self.width };
        let (mut row, mut column) = self.at;
        if column + width > columns {
            if self.wraps {
                (row, column) = ((row + 1).min(self.cells.len() - 1), 0);
            } else {
                column = columns - width;
            }
        }
        for at in column..column + width {
            // Of a character of which a part is overwritten nothing is left.
            let line = &mut self.cells[row];
            let mut after = at + 1;
            while after < columns && line[after] == '\0' {
                line[after] = ' ';
                after += 1;
            }
            line[at] = if at == column { c } else { '\0' };
        }
        self.at = (row, column + width);
    }
}

/// Draws frames one after the other, each a list of rows, and looks at the screen after each.
fn draw(frames: &[Vec<String>], width: usize) {
    let out = WrittenBytes::default();
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, COLUMNS, ROWS)),
    };
    let backend = CrosstermBackend::new(out.clone());
    let mut terminal = Terminal::with_options(backend, options).expect("opens");
    let mut ambiguous = AmbiguousWidthRows::new(out.clone());
    let mut screen = Opinionated::new(width);
    for rows in frames {
        let mut wanted = Vec::new();
        let drawn = terminal.try_draw(|frame| {
            let buffer = frame.buffer_mut();
            for (line, row) in (0..).zip(rows) {
                buffer.set_stringn(0, line, row, usize::from(COLUMNS), Style::default());
            }
            for row in buffer.content.chunks(usize::from(COLUMNS)) {
                let steady = placed(row).filter(|(_, cell)| is_settled(cell.symbol()));
                let steady = steady.map(|(column, cell)| (column, cell.symbol().to_owned()));
                wanted.push(steady.collect::<Vec<_>>());
            }
            ambiguous.write(buffer)
        });
        drawn.expect("draws");
        let bytes = std::mem::take(&mut *out.0.borrow_mut());
        screen.take(&String::from_utf8(bytes).expect("UTF-8"));
        for (line, (cells, wanted)) in screen.cells.iter().zip(&wanted).enumerate() {
            for (column, symbol) in wanted {
                let shown = cells[usize::from(*column)].to_string();
                assert_eq!(&shown, symbol, "row {line}, column {column}: {cells:?}");
            }
        }
        assert!(screen.wraps, "as everybody expects of it");
    }
}

#[test]
fn what_follows_is_neither_shifted_nor_left_behind() {
    let frames = [
        vec!["a \u{915}\u{93f} b", "", "plain"],
        vec![
            "a \u{915}\u{93f} c",
            "x \u{1f468}\u{200d}\u{1f469} y",
            "plain",
        ],
        vec!["shorter", "x \u{1f468}\u{200d}\u{1f469} z", "plain"],
        vec!["", "letters", "pl\u{e9}in"],
        vec!["to the very end of it \u{915}\u{93f}\u{915}", "letters", ""],
    ];
    let frames = frames.map(|rows| rows.into_iter().map(str::to_owned).collect());
    // Those that are steady have one column: there this terminal has no opinion of its own.
    draw(&frames[..3], 2);
    draw(&frames[..3], 3);
    draw(&frames, 1);
    // Two that do not fit before the last column.
    let near_the_end = format!("{}w\u{9b2}\u{9be} x", "a".repeat(20));
    draw(&[vec![near_the_end]], 3);
}

#[test]
fn a_row_that_stays_as_it_is_is_written_once() {
    let out = WrittenBytes::default();
    let mut ambiguous = AmbiguousWidthRows::new(out.clone());
    let mut buffer = ratatui::buffer::Buffer::with_lines(["\u{915}\u{93f} a"]);
    ambiguous.write(&mut buffer.clone()).expect("writes");
    assert!(!std::mem::take(&mut *out.0.borrow_mut()).is_empty());
    ambiguous.write(&mut buffer.clone()).expect("writes");
    assert!(out.0.borrow().is_empty());
    ambiguous.forget();
    ambiguous.write(&mut buffer).expect("writes");
    assert!(!out.0.borrow().is_empty());
}

#[test]
fn plain_rows_are_left_alone() {
    let out = WrittenBytes::default();
    let mut ambiguous = AmbiguousWidthRows::new(out.clone());
    let plain = ratatui::buffer::Buffer::with_lines(["a │ ▌ ❯ é ж ▸ 中文、 한국어"]);
    let mut buffer = plain.clone();
    ambiguous.write(&mut buffer).expect("writes");
    assert!(out.0.borrow().is_empty());
    assert_eq!(buffer, plain);
}

fn row() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        3 => "[a-z]{1,5}",
        2 => Just("\u{915}\u{94d}\u{937}\u{93f}".to_owned()),
        1 => Just("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}".to_owned()),
        1 => Just("\u{1f1e9}\u{1f1ea}".to_owned()),
        1 => Just("\u{9b2}\u{9be}".to_owned()),
        2 => Just(" ".to_owned()),
    ];
    prop::collection::vec(word, 0..8).prop_map(|words| words.concat())
}

proptest! {
    /// Whatever width a terminal gives such characters, everything else stands where it belongs.
    #[test]
    fn steady_cells_stand_where_they_belong(
        frames in prop::collection::vec(prop::collection::vec(row(), usize::from(ROWS)), 1..5),
        width in 0_usize..4,
    ) {
        draw(&frames, width);
    }
}
