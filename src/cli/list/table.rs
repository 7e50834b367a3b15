//! The table for terminals: aligned columns that fit the width.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::cli::surroundings::Ink;
use crate::list::{Row, Scope};
use crate::search::project_label;
use crate::store::{Registry, Status};
use crate::text::{age, pad, sanitize, size, truncate, width};

/// Enough of an id to name a session in practice; the other formats have all of it.
const ID: usize = 8;
const GAP: &str = "  ";

/// The columns are age, title, project, branch, size and id. The title gets the remaining width.
const TITLE: usize = 1;
/// The least width of the title. Narrower terminals lose other columns, in this order.
const LEAST_TITLE: usize = 24;
const DISPENSABLE: [usize; 4] = [3, 4, 2, 5];
/// The widest useful width of each column: longer text is cut.
const MOST: [usize; 6] = [4, usize::MAX, 20, 24, 7, ID];

pub fn print(
    out: &mut impl Write,
    rows: &[&Row],
    live: &Registry,
    now: i64,
    scope: &Scope,
    (columns, ink): (usize, Ink),
) -> io::Result<()> {
    let cells = rows.iter().map(|row| cells(row, now, scope));
    let cells: Vec<[String; 6]> = cells.collect();
    let widths = fit(&cells, columns);
    for (row, cells) in rows.iter().zip(&cells) {
        let mark = match live.of(&row.session).map(|live| live.status) {
            Some(Status::Busy | Status::Shell) => "● ",
            Some(Status::Waiting) => "◐ ",
            Some(Status::Idle | Status::Unknown) => "○ ",
            None => "  ",
        };
        let mut texts = Vec::new();
        for (at, (text, width)) in cells.iter().zip(widths).enumerate() {
            texts.push(match at {
                0 | 4 => ink.paint("2", &right(text, width)),
                3 | 5 => ink.paint("2", &pad(text, width)),
                _ => pad(text, width),
            });
            if width == 0 && at > TITLE {
                texts.pop();
            }
        }
        let line = texts.join(GAP);
        writeln!(out, "{mark}{}", line.trim_end())?;
    }
    Ok(())
}

fn cells(row: &Row, now: i64, scope: &Scope) -> [String; 6] {
    let session = &row.session;
    let meta = &session.meta;
    let mut title = match (meta.headline(), session.hidden) {
        (Some(title), _) => sanitize(&title).into_owned(),
        (None, Some(hidden)) => format!("({})", hidden.label()),
        (None, None) => "(no prompt found)".to_owned(),
    };
    if let Some(tag) = &meta.tag {
        let _ = write!(title, " #{}", sanitize(tag));
    }
    if let Some(pr) = &meta.pr {
        let _ = write!(title, " PR #{}", pr.number);
    }
    if scope.began_elsewhere(session) {
        title += " (began elsewhere)";
    }
    match row.copies.len() {
        0 => {}
        1 => title += " (+1 copy)",
        copies => {
            let _ = write!(title, " (+{copies} copies)");
        }
    }
    // Without a recorded directory, the name of the folder.
    let project = meta
        .cwd
        .as_deref()
        .map_or(&*session.file.project.name, project_label);
    let age = match session.last_activity() {
        // A broken link has no time.
        0 => String::new(),
        then => age(then, now),
    };
    [
        age,
        title,
        sanitize(project).into_owned(),
        sanitize(meta.git_branch.as_deref().unwrap_or_default()).into_owned(),
        size(session.file.size),
        sanitize(&session.file.id).chars().take(ID).collect(),
    ]
}

/// The widths of the columns; zero for a column without room.
fn fit(rows: &[[String; 6]], columns: usize) -> [usize; 6] {
    let mut widths: [usize; 6] = std::array::from_fn(|at| {
        let widest = rows.iter().map(|row| width(&row[at])).max();
        widest.unwrap_or(0).min(MOST[at])
    });
    let title = std::mem::take(&mut widths[TITLE]);
    // The mark and its space, the age, and the title without its text.
    let used = |widths: &[usize; 6]| {
        let others = widths.iter().skip(TITLE + 1).filter(|width| **width > 0);
        2 + widths[0] + GAP.len() + others.map(|width| width + GAP.len()).sum::<usize>()
    };
    for dispensable in DISPENSABLE {
        if used(&widths) + LEAST_TITLE <= columns {
            break;
        }
        widths[dispensable] = 0;
    }
    widths[TITLE] = title.min(columns.saturating_sub(used(&widths)));
    widths
}

fn right(text: &str, columns: usize) -> String {
    let text = truncate(text, columns);
    let missing = columns.saturating_sub(width(&text));
    format!("{}{text}", " ".repeat(missing))
}
