//! What was found, for people: a heading for each session, and its passages in whole words.

use std::io::Write;
use std::ops::Range;

use super::context::{GroupLine, groups};
use super::print::{Group, LEAD, Shown, found_title, window};
use crate::cli::messages::{described, speaker};
use crate::cli::surroundings::Ink;
use crate::search::{Field, Query, Tier, highlight, project_label};
use crate::text::{age, sanitize, width, wrap_ranges};
use crate::transcript::Standing;

/// As grep marks what it found, and dims what is not from the text.
const MATCH: &str = "1;31";
const DIM: &str = "2";
const TITLE: &str = "1;36";
/// Enough of an id to name a session in practice.
const SHORT_ID: usize = 8;
/// Columns of the id and what follows it: titles are below each other.
const ID_COLUMNS: usize = SHORT_ID + 2;
/// Columns before the lines of a text.
const INDENT: usize = 4;
/// Lines of a passage.
const LINES: usize = 2;
/// Narrower than this, lines are as long as they are, and the terminal breaks them.
const NARROW: usize = 40;

pub fn print_group(
    out: &mut dyn Write,
    group: &Group<'_>,
    query: &Query,
    now: i64,
    (columns, ink): (usize, Ink),
) -> anyhow::Result<()> {
    let columns = if columns < NARROW {
        usize::MAX
    } else {
        columns
    };
    print_heading(out, group, query, now, (columns, ink))?;
    let has_context = group.shown.iter().any(|shown| !shown.around.is_empty());
    if has_context {
        for (number, messages) in groups(&group.shown).into_iter().enumerate() {
            if number > 0 {
                writeln!(out, "  {}", ink.paint(DIM, "--"))?;
            }
            for line in messages.lines {
                print_message(out, &line, group, now, (columns, ink))?;
            }
        }
    } else {
        for shown in &group.shown {
            let head = format!("{}: ", head(shown, Some(now)));
            let most = columns.saturating_sub(INDENT).saturating_mul(LINES);
            let most = most.saturating_sub(width(&head)).max(4 * LEAD);
            let text = window(&shown.excerpt, most, width);
            write!(out, "  {}", ink.paint(DIM, &head))?;
            let used = 2 + width(&head);
            print_text(out, (&text.0, &text.1), (used, INDENT), (columns, ink))?;
        }
    }
    if group.total > group.shown.len() {
        let more = format!("  +{} more", group.total - group.shown.len());
        writeln!(out, "{}", ink.paint(DIM, &more))?;
    }
    writeln!(out)?;
    Ok(())
}

/// A message of a group: who, when and which, and the text below that. A sign is before those that
/// have a match.
fn print_message(
    out: &mut dyn Write,
    line: &GroupLine,
    group: &Group<'_>,
    now: i64,
    (columns, ink): (usize, Ink),
) -> anyhow::Result<()> {
    let (sign, who, at, uuid) = match line {
        GroupLine::Passage(at) => {
            let excerpt = &group.shown[*at].excerpt;
            let who = head(&group.shown[*at], None);
            (">", who, excerpt.at, excerpt.uuid)
        }
        GroupLine::Around(said) => (
            " ",
            speaker(said.voice, said.tool.as_deref()),
            said.at,
            said.uuid,
        ),
    };
    let at = at.map_or_else(String::new, |at| age(at, now));
    let uuid = uuid.map_or_else(String::new, |uuid| uuid.to_string());
    let head = format!("{who} · {at} · {uuid}");
    writeln!(out, "{sign} {}", ink.paint(DIM, &head))?;
    let look = (columns, ink);
    match line {
        GroupLine::Passage(at) => {
            let text = window(&group.shown[*at].excerpt, usize::MAX, str::len);
            print_text(out, (&text.0, &text.1), (INDENT, INDENT), look)?;
        }
        GroupLine::Around(said) => {
            for line in said.text.lines() {
                print_text(out, (line, &[]), (INDENT, INDENT), look)?;
            }
            if said.is_cut {
                writeln!(out, "{:INDENT$}…", "")?;
            }
        }
    }
    Ok(())
}

/// The id in front, the title beside it, and the facts after that or below.
fn print_heading(
    out: &mut dyn Write,
    group: &Group<'_>,
    query: &Query,
    now: i64,
    (columns, ink): (usize, Ink),
) -> anyhow::Result<()> {
    let session = &group.row.session;
    let meta = &session.meta;
    let title = found_title(group, query);
    let marks = highlight(&title, Field::Title, query, Tier::Substring);
    let folder = &*session.file.project.name;
    let project = meta.cwd.as_deref().map_or(folder, project_label);
    let branch = meta.git_branch.as_deref().unwrap_or_default();
    let age = age(session.last_activity(), now);
    let facts = [project, branch, &age].map(|fact| sanitize(fact).into_owned());
    let facts: Vec<String> = facts.into_iter().filter(|it| !it.is_empty()).collect();
    let facts = facts.join(" · ");
    let id: String = sanitize(&session.file.id).chars().take(SHORT_ID).collect();
    write!(out, "{}  ", ink.paint(DIM, &id))?;
    let free = columns.saturating_sub(ID_COLUMNS);
    let lines = wrap_ranges(&title, 0, free);
    let mut last = 0;
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            write!(out, "\n{:ID_COLUMNS$}", "")?;
        }
        write!(out, "{}", painted(&title, line, &marks, ink, TITLE))?;
        last = width(&title[line.clone()]);
    }
    if last + 2 + width(&facts) <= free {
        writeln!(out, "  {}", ink.paint(DIM, &facts))?;
    } else {
        writeln!(out, "\n{:ID_COLUMNS$}{}", "", ink.paint(DIM, &facts))?;
    }
    Ok(())
}

fn head(shown: &Shown, now: Option<i64>) -> String {
    let excerpt = &shown.excerpt;
    let mut head = speaker(excerpt.voice, excerpt.tool.as_deref());
    if let Some((at, now)) = excerpt.at.zip(now) {
        head = format!("{head}, {}", age(at, now));
    }
    if let Some(standing) = shown.standing.filter(|it| *it != Standing::Resumed) {
        head = format!("{head}, {}", described(standing));
    }
    head
}

/// A text in lines, the first after `used` columns, the others indented.
fn print_text(
    out: &mut dyn Write,
    (text, marks): (&str, &[Range<usize>]),
    (used, indent): (usize, usize),
    (columns, ink): (usize, Ink),
) -> anyhow::Result<()> {
    let free = columns.saturating_sub(indent);
    let is_fresh = used == indent;
    for (number, line) in wrap_ranges(text, used.saturating_sub(indent), free)
        .into_iter()
        .enumerate()
    {
        if number > 0 {
            writeln!(out)?;
        }
        if number > 0 || is_fresh {
            write!(out, "{:indent$}", "")?;
        }
        write!(out, "{}", painted(text, &line, marks, ink, ""))?;
    }
    writeln!(out)?;
    Ok(())
}

/// A part of a text with its matches marked, and the rest in another color.
pub fn painted(
    text: &str,
    part: &Range<usize>,
    marks: &[Range<usize>],
    ink: Ink,
    rest: &str,
) -> String {
    let paint = |text: &str| {
        if rest.is_empty() || text.is_empty() {
            text.to_owned()
        } else {
            ink.paint(rest, text)
        }
    };
    let mut painted = String::new();
    let mut at = part.start;
    for mark in marks {
        let mark = mark.start.max(at)..mark.end.min(part.end);
        if mark.start < mark.end {
            painted += &paint(&text[at..mark.start]);
            painted += &ink.paint(MATCH, &text[mark.clone()]);
            at = mark.end;
        }
    }
    painted + &paint(&text[at..part.end])
}
