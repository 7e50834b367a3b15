//! What was found: as text for people, as lines or JSON for programs.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::SearchCommand;
use super::find::{Finder, FoundRow};
use crate::cli::list::rfc3339;
use crate::cli::messages::{self, SaidText, Times, described, place, role, speaker};
use crate::cli::pager::page;
use crate::cli::surroundings::{Ink, Stdout, Surroundings};
use crate::cli::what::one_line;
use crate::content::{Closeness, Excerpt, Rank};
use crate::list::Row;
use crate::search::{Field, Query, Tier, highlight, is_left_out, project_label};
use crate::text::{age, escape_json, sanitize};
use crate::transcript::{Standing, Standings};

/// As grep marks what it found, and dims what is not from the text.
const MATCH: &str = "1;31";
const DIM: &str = "2";
const TITLE: &str = "1;36";
/// Enough of an id to name a session in practice.
const SHORT_ID: usize = 8;
/// Characters before the first match on a terminal.
const LEAD: usize = 30;

/// A passage with what belongs to it.
struct Shown {
    excerpt: Excerpt,
    standing: Option<Standing>,
    /// The messages around it, itself included.
    context: Vec<SaidText>,
}

/// The passages of a session that are printed.
struct Group<'a> {
    row: &'a Row,
    closeness: Option<Closeness>,
    shown: Vec<Shown>,
    /// All that match.
    total: usize,
}

impl SearchCommand {
    /// Prints what was found, and returns how many sessions that were.
    pub(super) fn print(
        &self,
        surroundings: &Surroundings,
        finder: &mut Finder<'_>,
        found: &[FoundRow],
    ) -> anyhow::Result<usize> {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.ids {
            for row in found.iter().filter_map(|found| finder.row(*found)) {
                writeln!(out, "{}", sanitize(&row.session.file.id))?;
            }
            out.flush()?;
            return Ok(found.len());
        }
        finder.look_into_titled(found);
        let mut count = 0;
        let stdout = surroundings.stdout;
        if let (false, Stdout::Terminal { columns, ink }) = (self.json, stdout) {
            drop(out);
            let now = surroundings.now.timestamp_millis();
            page(&mut |out| {
                for &row in found {
                    if let Some(group) = self.group(finder, row) {
                        print_group(out, &group, finder, now, (columns, ink))?;
                        count += 1;
                    }
                }
                Ok(())
            })?;
            return Ok(count);
        }
        for &row in found {
            let Some(group) = self.group(finder, row) else {
                continue;
            };
            count += 1;
            if self.json {
                for object in objects(&group, finder) {
                    writeln!(out, "{}", escape_json(&object.to_string()))?;
                }
            } else {
                print_fields(&mut out, &group, finder)?;
            }
        }
        out.flush()?;
        Ok(count)
    }

    /// Reads what is printed of a session.
    fn group<'a>(&self, finder: &mut Finder<'a>, found: FoundRow) -> Option<Group<'a>> {
        let row = finder.row(found)?;
        let most = if self.max_count == 0 {
            usize::MAX
        } else {
            self.max_count
        };
        let mut places: HashMap<PathBuf, Option<Standings>> = HashMap::new();
        let mut shown = Vec::new();
        let (excerpts, total) = finder.passages(found, most);
        for excerpt in excerpts {
            let path = excerpt.path.clone();
            let places = places.entry(path.clone());
            let places = places.or_insert_with(|| Standings::load(&path).ok());
            let uuid = excerpt.uuid.zip(places.as_ref());
            let standing = uuid.and_then(|(uuid, places)| places.of(uuid));
            let mut context = Vec::new();
            if let Some((uuid, places)) = uuid.filter(|_| self.context > 0) {
                let links = places.around(uuid, self.context);
                context = messages::read(&path, &links, None).unwrap_or_default();
            }
            shown.push(Shown {
                excerpt,
                standing,
                context,
            });
        }
        // It has changed since it was stored, and does not match any more.
        if total == 0 && !found.is_titled {
            return None;
        }
        Some(Group {
            row,
            closeness: finder.rank(found).map(Rank::closeness),
            shown,
            total,
        })
    }
}

fn print_group(
    out: &mut dyn Write,
    group: &Group<'_>,
    finder: &Finder<'_>,
    now: i64,
    (columns, ink): (usize, Ink),
) -> anyhow::Result<()> {
    let session = &group.row.session;
    let meta = &session.meta;
    let title = found_title(group, finder.query());
    let marks = highlight(&title, Field::Title, finder.query(), Tier::Substring);
    let folder = &*session.file.project.name;
    let project = meta.cwd.as_deref().map_or(folder, project_label);
    let id: String = session.file.id.chars().take(SHORT_ID).collect();
    let branch = meta.git_branch.as_deref().unwrap_or_default();
    let age_of = |at: i64| age(at, now);
    let facts = [project, branch, &age_of(session.last_activity()), &id]
        .map(|fact| sanitize(fact).into_owned());
    let facts: Vec<String> = facts.into_iter().filter(|it| !it.is_empty()).collect();
    let title = painted(&title, &marks, ink, TITLE);
    writeln!(out, "{title}  {}", ink.paint(DIM, &facts.join(" · ")))?;
    for shown in &group.shown {
        let excerpt = &shown.excerpt;
        let mut head = speaker(excerpt.voice, excerpt.tool.as_deref());
        if let Some(at) = excerpt.at {
            head = format!("{head}, {}", age_of(at));
        }
        if let Some(standing) = shown.standing.filter(|it| *it != Standing::Resumed) {
            head = format!("{head}, {}", described(standing));
        }
        if shown.context.is_empty() {
            let (text, marks) = window(excerpt, columns.saturating_mul(2));
            let text = painted(&text, &marks, ink, "");
            writeln!(out, "  {} {text}", ink.paint(DIM, &format!("{head}:")))?;
        } else {
            writeln!(out, "  {}", ink.paint(DIM, &format!("{head}:")))?;
            for said in &shown.context {
                said.print(out, ink, Times::Ages(now))?;
            }
        }
    }
    if group.total > group.shown.len() {
        let more = format!("  +{} more", group.total - group.shown.len());
        writeln!(out, "{}", ink.paint(DIM, &more))?;
    }
    writeln!(out)?;
    Ok(())
}

fn title(row: &Row) -> String {
    match row.session.meta.headline() {
        Some(title) => one_line(&title),
        None => "(no prompt found)".to_owned(),
    }
}

/// The title, or the stored one if only that has what is looked for and no passage shows it.
fn found_title(group: &Group<'_>, query: &Query) -> String {
    let shown = title(group.row);
    match group.row.session.meta.raw_title() {
        Some((_, stored)) if group.shown.is_empty() => {
            let stored = one_line(stored);
            let is_left_out = is_left_out(&shown, &stored, Field::Title, query);
            if is_left_out { stored } else { shown }
        }
        _ => shown,
    }
}

/// The text with its matches marked, and the rest in another color.
fn painted(text: &str, marks: &[Range<usize>], ink: Ink, rest: &str) -> String {
    let paint = |text: &str| match rest {
        "" => text.to_owned(),
        code if text.is_empty() => code[..0].to_owned(),
        code => ink.paint(code, text),
    };
    let mut painted = String::new();
    let mut at = 0;
    for mark in marks {
        painted += &paint(&text[at..mark.start]);
        painted += &ink.paint(MATCH, &text[mark.clone()]);
        at = mark.end;
    }
    painted + &paint(&text[at..])
}

/// The part of an excerpt that fits, with its first match in sight.
fn window(excerpt: &Excerpt, most: usize) -> (String, Vec<Range<usize>>) {
    let text = &excerpt.text;
    let first = excerpt.matches.first().map_or(0, |place| place.start);
    let before = text[..first].char_indices().rev().nth(LEAD);
    // In a narrow terminal a match is worth more than a line.
    let most = most.max(4 * LEAD);
    let start = match before {
        // Nothing is gained by leaving out what would fit anyway.
        Some((at, _)) if text.chars().count() > most => at,
        _ => 0,
    };
    let end = text[start..].char_indices().nth(most);
    let end = end.map_or(text.len(), |(at, _)| start + at);
    let lead = if start > 0 || excerpt.is_cut {
        "…"
    } else {
        ""
    };
    let inside = excerpt.matches.iter();
    let inside = inside.filter(|place| place.start >= start && place.end <= end);
    let moved =
        inside.map(|place| place.start - start + lead.len()..place.end - start + lead.len());
    let marks = moved.collect();
    let tail = if end < text.len() { "…" } else { "" };
    (format!("{lead}{}{tail}", &text[start..end]), marks)
}

/// Tab-separated lines. The help of `search` names the columns.
fn print_fields(out: &mut impl Write, group: &Group<'_>, finder: &Finder<'_>) -> io::Result<()> {
    let id = &*group.row.session.file.id;
    let mut line = |fields: [&str; 6]| writeln!(out, "{}", fields.map(sanitize).join("\t"));
    if group.shown.is_empty() {
        let active = rfc3339(Some(group.row.session.last_activity()));
        return line([
            id,
            "",
            "title",
            &active,
            "",
            &found_title(group, finder.query()),
        ]);
    }
    for Shown {
        excerpt,
        standing,
        context,
    } in &group.shown
    {
        let standing = standing.map_or("", place);
        let mut fields = |uuid: Option<uuid::Uuid>, voice, tool: Option<&str>, at, text: &str| {
            let uuid = uuid.map_or_else(String::new, |uuid| uuid.to_string());
            let who = match tool {
                Some(tool) => format!("{}:{tool}", role(voice)),
                None => role(voice).to_owned(),
            };
            line([id, &uuid, &who, &rfc3339(at), standing, text])
        };
        if context.is_empty() {
            let tool = excerpt.tool.as_deref();
            fields(excerpt.uuid, excerpt.voice, tool, excerpt.at, &excerpt.text)?;
        }
        for said in context {
            let text = one_line(&said.text);
            fields(said.uuid, said.voice, said.tool.as_deref(), said.at, &text)?;
        }
    }
    Ok(())
}

/// One object for each passage; for a session without one, an object with its title.
fn objects(group: &Group<'_>, finder: &Finder<'_>) -> Vec<Value> {
    let session = &group.row.session;
    let object = |path: &Path| {
        json!({
            "sessionId": &*session.file.id,
            "title": session.meta.raw_title().map(|_| title(group.row)),
            "cwd": session.meta.cwd.as_deref(),
            "path": path.to_string_lossy(),
            "closeness": group.closeness.map(closeness),
            "passages": group.total,
            "uuid": null,
            "role": "title",
            "tool": null,
            "timestamp": null,
            "place": null,
            "passage": "",
            "matches": [],
            "context": [],
        })
    };
    if group.shown.is_empty() {
        let text = found_title(group, finder.query());
        let marks = highlight(&text, Field::Title, finder.query(), Tier::Substring);
        let mut object = object(&session.file.path());
        object["matches"] = characters(&text, &marks);
        object["passage"] = json!(text);
        return vec![object];
    }
    let objects = group.shown.iter().map(|shown| {
        let excerpt = &shown.excerpt;
        let mut object = object(&excerpt.path);
        object["uuid"] = json!(excerpt.uuid.map(|uuid| uuid.to_string()));
        object["role"] = json!(role(excerpt.voice));
        object["tool"] = json!(excerpt.tool);
        object["timestamp"] = json!(excerpt.at.map(|at| rfc3339(Some(at))));
        object["place"] = json!(shown.standing.map(place));
        object["matches"] = characters(&excerpt.text, &excerpt.matches);
        object["passage"] = json!(excerpt.text);
        object["context"] = shown.context.iter().map(SaidText::json).collect();
        object
    });
    objects.collect()
}

fn closeness(closeness: Closeness) -> &'static str {
    match closeness {
        Closeness::Phrase => "phrase",
        Closeness::Passage => "passage",
        Closeness::Scattered => "scattered",
    }
}

/// Ranges of bytes as ranges of characters.
fn characters(text: &str, marks: &[Range<usize>]) -> Value {
    let count = |at: usize| text[..at].chars().count();
    let pairs = marks
        .iter()
        .map(|mark| json!([count(mark.start), count(mark.end)]));
    pairs.collect()
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod tests;
