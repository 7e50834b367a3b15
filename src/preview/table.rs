//! Tables that fit: columns give way, and cells become several lines.

use super::flow::flow;
use super::line::{Span, Tone};

/// Narrowest column that is still worth reading.
const NARROWEST: usize = 6;

/// Lays out rows of cells, the first row being the heading, in at most `columns`.
pub fn table(rows: &[Vec<Vec<Span>>], columns: usize) -> Vec<Vec<Span>> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    if count == 0 {
        return Vec::new();
    }
    let widths = widths(rows, count, columns);
    let mut lines = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        lines.extend(lay_out(row, &widths, columns));
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
        cells.map(|cell| cell_width(cell)).max().unwrap_or_default()
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

fn cell_width(cell: &[Span]) -> usize {
    cell.iter().map(Span::width).sum()
}

fn lay_out(row: &[Vec<Span>], widths: &[usize], columns: usize) -> Vec<Vec<Span>> {
    let empty = Vec::new();
    let cells: Vec<Vec<Vec<Span>>> = widths
        .iter()
        .enumerate()
        .map(|(column, wide)| flow(row.get(column).unwrap_or(&empty), &[], &[], *wide))
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
                let missing = wide.saturating_sub(cell_width(&spans));
                line.extend(spans);
                if column + 1 < widths.len() && missing > 0 {
                    line.push(Span::new(&" ".repeat(missing), Tone::Plain));
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
