//! Rows with characters whose width differs between terminals: Indic scripts, marks, flags, pictures
//! that are joined of several.
//!
//! If such a character takes another width than expected, everything after it is shifted, and later
//! drawing over the row leaves parts of it. So these rows are not drawn cell by cell, but written
//! here whenever they change: each run of such characters at its own column, on blank cells, and what
//! follows it at its own column, too. A run that is too wide is cut off by what follows. Other rows
//! only cost a check.

use std::collections::HashMap;
use std::io::{self, Write};
use std::iter;

use crossterm::queue;
use crossterm::terminal::{DisableLineWrap, EnableLineWrap};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};

/// The widest that any terminal makes a character.
const WIDEST: u16 = 3;

/// Writes these rows, and remembers what it wrote.
#[derive(Debug)]
pub struct AmbiguousWidthRows<W: Write> {
    backend: CrosstermBackend<W>,
    /// The content on screen of each of them, by its line.
    rows: HashMap<u16, Vec<Cell>>,
}

impl<W: Write> AmbiguousWidthRows<W> {
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

    /// Writes those rows of a frame that changed, and removes all of them from the frame.
    pub fn write(&mut self, frame: &mut Buffer) -> io::Result<()> {
        let width = usize::from(frame.area.width).max(1);
        let mut is_wrapping = true;
        for (line, row) in (frame.area.y..).zip(frame.content.chunks_mut(width)) {
            let is_settled = row.iter().all(|cell| is_settled(cell.symbol()));
            // A row that no longer has such characters is written whole once more.
            if is_settled && !self.rows.contains_key(&line) {
                continue;
            }
            if self.rows.get(&line).is_none_or(|known| known != row) {
                if is_wrapping {
                    // A run that is too wide must not continue in the next row.
                    queue!(self.backend, DisableLineWrap)?;
                    is_wrapping = false;
                }
                self.write_row(line, row)?;
            }
            if is_settled {
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
        for segment in cells.chunk_by(|(_, a), (_, b)| alike(a, b)) {
            let (start, first) = segment[0];
            if is_settled(first.symbol()) {
                let cells = segment.iter().map(|(column, cell)| (*column, line, *cell));
                self.backend.draw(cells)?;
                continue;
            }
            let (last, cell) = segment[segment.len() - 1];
            let mut run = first.clone();
            run.set_symbol(" ");
            let blank = (start..last + width(cell)).map(|column| (column, line, &run));
            self.backend.draw(blank)?;
            let symbols: String = segment.iter().map(|(_, cell)| cell.symbol()).collect();
            run.set_symbol(&symbols);
            self.backend.draw(iter::once((start, line, &run)))?;
        }
        // Some terminals push back what does not fit at the end of a row, over the cells there.
        let end = u16::try_from(row.len()).unwrap_or(u16::MAX);
        let is_hit =
            |(column, cell): &&(u16, &Cell)| column + WIDEST >= end && is_settled(cell.symbol());
        let hit = cells.iter().filter(is_hit);
        self.backend
            .draw(hit.map(|(column, cell)| (*column, line, *cell)))
    }
}

/// The cells of a row with their columns, without those that the second half of a wide one covers.
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

/// Are two neighbors written together? Ambiguous ones must have the same style for that.
fn alike(a: &Cell, b: &Cell) -> bool {
    match (is_settled(a.symbol()), is_settled(b.symbol())) {
        (false, false) => a.style() == b.style(),
        (a, b) => a == b,
    }
}

/// Is its width the same in every terminal? Letters, signs, and the scripts of China, Japan and
/// Korea, each a single character.
fn is_settled(symbol: &str) -> bool {
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
#[path = "ambiguous_tests.rs"]
mod tests;
