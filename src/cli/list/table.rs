//! The table for people: aligned columns that fit the terminal.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Printed, place};
use crate::cli::surroundings::Ink;
use crate::list::Row;
use crate::store::Status;
use crate::text::{age, pad, sanitize, size, truncate, width};

/// Widest useful project and branch columns: what is longer is cut, the title needs the room.
const PROJECT: usize = 20;
const BRANCH: usize = 24;
/// The least that a title needs. Narrower terminals lose columns instead, the least telling first.
const TITLE: usize = 24;
/// Enough of an id to name a session in practice; the whole one is in the other formats.
const ID: usize = 8;
const GAP: &str = "  ";

/// One row, ready to print.
struct Cells {
    mark: &'static str,
    age: String,
    title: String,
    project: String,
    branch: String,
    size: String,
    id: String,
}

/// Column widths; zero for a column that found no room.
struct Layout {
    age: usize,
    title: usize,
    project: usize,
    branch: usize,
    size: usize,
    id: usize,
}

pub fn print(
    out: &mut impl Write,
    printed: &Printed<'_>,
    columns: usize,
    ink: Ink,
) -> io::Result<()> {
    let rows: Vec<Cells> = printed
        .selection
        .rows
        .iter()
        .map(|row| cells(row, printed))
        .collect();
    let layout = Layout::fit(&rows, columns);
    for row in &rows {
        writeln!(out, "{}", line(row, &layout, ink).trim_end())?;
    }
    Ok(())
}

fn cells(row: &Row, printed: &Printed<'_>) -> Cells {
    let session = &row.session;
    let meta = &session.meta;
    let now = printed.surroundings.now.timestamp_millis();
    let mark = match printed.live.of(session).map(|live| live.status) {
        Some(Status::Busy | Status::Shell) => "●",
        Some(Status::Waiting) => "◐",
        Some(Status::Idle | Status::Unknown) => "○",
        None => " ",
    };
    let mut title = match meta.title() {
        Some((_, title)) => sanitize(title).into_owned(),
        None => session
            .hidden
            .map_or("(no prompt in sight)".to_owned(), |hidden| {
                format!("({})", hidden.label())
            }),
    };
    if let Some(tag) = &meta.tag {
        let _ = write!(title, " #{}", sanitize(tag));
    }
    if let Some(pr) = &meta.pr {
        let _ = write!(title, " PR #{}", pr.number);
    }
    if !row.copies.is_empty() {
        let noun = if row.copies.len() == 1 {
            "copy"
        } else {
            "copies"
        };
        let _ = write!(title, " (+{} {noun})", row.copies.len());
    }
    let project = place(meta.cwd.as_deref(), &session.file.project.name);
    Cells {
        mark,
        age: match session.last_activity() {
            // A link that leads nowhere has no time.
            0 => String::new(),
            then => age(then, now),
        },
        title,
        project: sanitize(project).into_owned(),
        branch: sanitize(meta.git_branch.as_deref().unwrap_or_default()).into_owned(),
        size: size(session.file.size),
        id: sanitize(&session.file.id).chars().take(ID).collect(),
    }
}

impl Layout {
    fn fit(rows: &[Cells], columns: usize) -> Self {
        let widest = |cell: fn(&Cells) -> &str, most: usize| {
            let widest = rows.iter().map(|row| width(cell(row))).max().unwrap_or(0);
            widest.min(most)
        };
        let mut layout = Self {
            age: widest(|row| &row.age, 4),
            title: 0,
            project: widest(|row| &row.project, PROJECT),
            branch: widest(|row| &row.branch, BRANCH),
            size: widest(|row| &row.size, 7),
            id: ID,
        };
        let mut dropped = 0;
        while layout.fixed() + TITLE > columns && dropped < 4 {
            match dropped {
                0 => layout.branch = 0,
                1 => layout.size = 0,
                2 => layout.project = 0,
                _ => layout.id = 0,
            }
            dropped += 1;
        }
        let room = columns.saturating_sub(layout.fixed());
        layout.title = room.min(widest(|row| &row.title, room));
        layout
    }

    /// Everything but the title, gaps included.
    fn fixed(&self) -> usize {
        let mark_and_age = 2 + self.age + GAP.len();
        let others = [self.project, self.branch, self.size, self.id];
        let used = others.iter().filter(|width| **width > 0);
        mark_and_age + used.map(|width| width + GAP.len()).sum::<usize>()
    }
}

fn line(row: &Cells, layout: &Layout, ink: Ink) -> String {
    let dim = |text: String| match ink {
        Ink::Colours => format!("\u{1b}[2m{text}\u{1b}[22m"),
        Ink::Plain => text,
    };
    let mut line = format!("{} ", row.mark);
    line.push_str(&dim(right(&row.age, layout.age)));
    line.push_str(GAP);
    line.push_str(&pad(&row.title, layout.title));
    for (cell, width) in [
        (pad(&row.project, layout.project), layout.project),
        (dim(pad(&row.branch, layout.branch)), layout.branch),
        (dim(right(&row.size, layout.size)), layout.size),
        (dim(pad(&row.id, layout.id)), layout.id),
    ] {
        if width > 0 {
            line.push_str(GAP);
            line.push_str(&cell);
        }
    }
    line
}

fn right(text: &str, columns: usize) -> String {
    let text = truncate(text, columns);
    let missing = columns.saturating_sub(width(&text));
    format!("{}{text}", " ".repeat(missing))
}
