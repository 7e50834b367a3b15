//! Tables that fit: columns give way, and cells become several lines.

use pulldown_cmark::Alignment;

use super::flow::flow;
use super::line::{Span, Tone, width_of};

/// Narrowest column that is still worth reading.
const NARROWEST: usize = 6;

/// Where a line ends inside a cell. It is never printed.
pub fn cell_break() -> Span {
    Span {
        text: "\n".to_owned(),
        tone: Tone::Plain,
    }
}

/// The lines that a cell was written in.
fn written(cell: &[Span]) -> impl Iterator<Item = &[Span]> {
    cell.split(|span| span.text == "\n")
}

/// Lays out rows of cells, the first row being the heading, in at most `columns`.
pub fn table(rows: &[Vec<Vec<Span>>], alignments: &[Alignment], columns: usize) -> Vec<Vec<Span>> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    if count == 0 {
        return Vec::new();
    }
    let widths = widths(rows, count, columns);
    let mut lines = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        lines.extend(lay_out(row, &widths, alignments, columns));
        if n == 0 {
            let rule: Vec<String> = widths.iter().map(|wide| "─".repeat(*wide)).collect();
            lines.push(cut(&[Span::new(&rule.join("─┼─"), Tone::Dim)], columns));
        }
    }
    lines
}

/// The natural width of each column; where they do not fit, the widest give way first.
fn widths(rows: &[Vec<Vec<Span>>], count: usize, columns: usize) -> Vec<usize> {
    let natural = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let lines = cells.flat_map(|cell| written(cell));
        lines.map(width_of).max().unwrap_or_default()
    };
    let mut widths: Vec<usize> = (0..count).map(|column| natural(column).max(1)).collect();
    let room = columns.saturating_sub(3 * (count - 1));
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max() else {
            break;
        };
        if *widest <= NARROWEST {
            break;
        }
        *widest -= 1;
    }
    widths
}

fn lay_out(
    row: &[Vec<Span>],
    widths: &[usize],
    alignments: &[Alignment],
    columns: usize,
) -> Vec<Vec<Span>> {
    let empty = Vec::new();
    let cells: Vec<Vec<Vec<Span>>> = widths
        .iter()
        .enumerate()
        .map(|(column, wide)| {
            let cell = row.get(column).unwrap_or(&empty);
            let lines = written(cell).flat_map(|line| flow(line, &[], &[], *wide));
            lines.collect()
        })
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    (0..height)
        .map(|n| {
            let mut line = Vec::new();
            for (column, (cell, wide)) in cells.iter().zip(widths).enumerate() {
                if column > 0 {
                    line.push(Span::new(" │ ", Tone::Dim));
                }
                let spans = cell.get(n).cloned().unwrap_or_default();
                let missing = wide.saturating_sub(width_of(&spans));
                let before = match alignments.get(column) {
                    Some(Alignment::Right) => missing,
                    Some(Alignment::Center) => missing / 2,
                    Some(Alignment::Left | Alignment::None) | None => 0,
                };
                let space = |line: &mut Vec<Span>, wide: usize| {
                    if wide > 0 {
                        line.push(Span::new(&" ".repeat(wide), Tone::Plain));
                    }
                };
                space(&mut line, before);
                line.extend(spans);
                if column + 1 < widths.len() {
                    space(&mut line, missing - before);
                }
            }
            cut(&line, columns)
        })
        .collect()
}

/// A table with too many columns is cut at the edge.
fn cut(line: &[Span], columns: usize) -> Vec<Span> {
    super::flow::hard(line, &[], columns)
        .into_iter()
        .next()
        .unwrap_or_default()
}
