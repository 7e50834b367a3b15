//! Rows with characters of which terminals do not agree how wide they are: Indic scripts, marks,
//! flags, pictures that are joined of several.
//!
//! Where such a character takes another width than was thought, whatever is drawn behind it is
//! shifted, and what is later drawn over the row leaves parts of it behind. So these rows are left
//! out of what is drawn cell by cell and written here whenever they change: each run of such
//! characters at a place of its own, on blank cells, and what follows it at its own place, too. A
//! run that is too wide is cut off by what follows. Rows without them cost no more than a look.

use std::collections::HashMap;
use std::io::{self, Write};
use std::iter;

use crossterm::queue;
use crossterm::terminal::{DisableLineWrap, EnableLineWrap};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};

/// The widest that any terminal makes a character.
const WIDEST: u16 = 3;

/// Writes these rows, and knows what it has written.
#[derive(Debug)]
pub struct Unsteady<W: Write> {
    backend: CrosstermBackend<W>,
    /// What stands on the screen in each of them, by its line.
    rows: HashMap<u16, Vec<Cell>>,
}

impl<W: Write> Unsteady<W> {
    pub fn new(out: W) -> Self {
        Self {
            backend: CrosstermBackend::new(out),
            rows: HashMap::new(),
        }
    }

    /// The screen was cleared.
    pub fn forget(&mut self) {
        self.rows.clear();
    }

    /// Writes those rows of a frame that changed, and has all of them left out of it.
    pub fn write(&mut self, frame: &mut Buffer) -> io::Result<()> {
        let width = usize::from(frame.area.width).max(1);
        let mut is_wrapping = true;
        for (line, row) in (frame.area.y..).zip(frame.content.chunks_mut(width)) {
            let is_steady = row.iter().all(|cell| is_steady(cell.symbol()));
            // A row that has become a steady one is written whole once more.
            if is_steady && !self.rows.contains_key(&line) {
                continue;
            }
            if self.rows.get(&line).is_none_or(|known| known != row) {
                if is_wrapping {
                    // What is too wide must not go on in the next row.
                    queue!(self.backend, DisableLineWrap)?;
                    is_wrapping = false;
                }
                self.write_row(line, row)?;
            }
            if is_steady {
                self.rows.remove(&line);
            } else {
                self.rows.insert(line, row.to_vec());
            }
            for cell in row {
                cell.set_diff_option(CellDiffOption::Skip);
            }
        }
        if !is_wrapping {
            queue!(self.backend, EnableLineWrap)?;
        }
        Ok(())
    }

    fn write_row(&mut self, line: u16, row: &[Cell]) -> io::Result<()> {
        let cells: Vec<(u16, &Cell)> = placed(row).collect();
        let segments: Vec<&[(u16, &Cell)]> = cells.chunk_by(|(_, a), (_, b)| alike(a, b)).collect();
        for segment in &segments {
            self.write_segment(line, segment)?;
        }
        // What does not fit at the end of a row is pushed back by some terminals, onto what stands
        // there already.
        let end = u16::try_from(row.len()).unwrap_or(u16::MAX);
        let is_hit =
            |(column, cell): &&(u16, &Cell)| column + WIDEST >= end && is_steady(cell.symbol());
        let hit = cells.iter().filter(is_hit);
        self.backend
            .draw(hit.map(|(column, cell)| (*column, line, *cell)))
    }

    fn write_segment(&mut self, line: u16, segment: &[(u16, &Cell)]) -> io::Result<()> {
        let [(start, first), ..] = segment else {
            return Ok(());
        };
        if is_steady(first.symbol()) {
            let cells = segment.iter().map(|(column, cell)| (*column, line, *cell));
            return self.backend.draw(cells);
        }
        let end = segment
            .last()
            .map_or(*start, |(column, cell)| column + width(cell));
        let mut run = Cell::clone(first);
        run.set_symbol(" ");
        self.backend
            .draw((*start..end).map(|column| (column, line, &run)))?;
        let symbols: String = segment.iter().map(|(_, cell)| cell.symbol()).collect();
        run.set_symbol(&symbols);
        self.backend.draw(iter::once((*start, line, &run)))
    }
}

/// The cells of a row with their columns, without those that lie below the second half of another.
fn placed(row: &[Cell]) -> impl Iterator<Item = (u16, &Cell)> {
    let mut free = 0;
    (0..).zip(row).filter(move |(column, cell)| {
        let is_free = *column >= free;
        if is_free {
            free = column + width(cell);
        }
        is_free
    })
}

fn width(cell: &Cell) -> u16 {
    cell.cell_width().max(1)
}

/// Are two neighbours written together? Unsteady ones must look the same for that.
fn alike(a: &Cell, b: &Cell) -> bool {
    match (is_steady(a.symbol()), is_steady(b.symbol())) {
        (false, false) => a.style() == b.style(),
        (a, b) => a == b,
    }
}

/// Does every terminal give it the same width? Letters, signs, and the scripts of China, Japan and
/// Korea, each a single character.
fn is_steady(symbol: &str) -> bool {
    if symbol.len() == 1 {
        return true;
    }
    let mut chars = symbol.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else {
        return false;
    };
    matches!(c,
        '\u{a0}'..='\u{2ff}' // Latin
        | '\u{370}'..='\u{482}' | '\u{48a}'..='\u{52f}' // Greek, Cyrillic
        | '\u{1e00}'..='\u{1fff}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' // punctuation
        | '\u{2070}'..='\u{20cf}' | '\u{2100}'..='\u{2bff}' // numbers, arrows, lines, boxes
        | '\u{3000}'..='\u{3029}' | '\u{3030}'..='\u{3098}' | '\u{309b}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ffee}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
#[path = "unsteady_tests.rs"]
mod tests;
