//! What was found: as text for people, as lines or JSON for programs.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::SearchCommand;
use super::context::{GroupLine, groups};
use super::find::{Finder, FoundRow};
use super::terminal::print_group;
use crate::cli::list::rfc3339;
use crate::cli::messages::{self, SaidText, place, role};
use crate::cli::pager::page;
use crate::cli::surroundings::{Stdout, Surroundings};
use crate::cli::what::one_line;
use crate::content::{Closeness, Excerpt, Rank};
use crate::list::Row;
use crate::search::{Field, Query, Tier, highlight, is_left_out};
use crate::text::{beginning, escape_json, sanitize};
use crate::transcript::{Link, Standing, Standings, Voice};

/// Stands for what is left out of a text.
const CUT: &str = "…";
/// Characters before the first match that are shown.
pub const LEAD: usize = 30;

/// A passage with what belongs to it.
pub struct Shown {
    pub excerpt: Excerpt,
    pub standing: Option<Standing>,
    /// The lines of the messages around it, itself included, in their order.
    pub around: Vec<Link>,
}

/// The passages of a session that are printed.
pub struct Group<'a> {
    pub row: &'a Row,
    pub closeness: Option<Closeness>,
    pub shown: Vec<Shown>,
    /// All that match.
    pub total: usize,
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
                        print_group(out, &group, finder.query(), now, (columns, ink))?;
                        count += 1;
                    }
                }
                Ok(())
            })?;
            return Ok(count);
        }
        let most = match self.max_bytes {
            0 => usize::MAX,
            most => most,
        };
        let mut needs_break = false;
        for &row in found {
            let Some(group) = self.group(finder, row) else {
                continue;
            };
            count += 1;
            if self.json {
                for object in objects(&group, finder) {
                    writeln!(out, "{}", escape_json(&object.to_string()))?;
                }
                continue;
            }
            let id = sanitize(&group.row.session.file.id);
            for lines in fields(&group, finder.query(), most) {
                if needs_break {
                    writeln!(out, "--")?;
                }
                needs_break = self.context > 0;
                for line in lines {
                    let fields: Vec<_> = line.iter().map(|field| sanitize(field)).collect();
                    writeln!(out, "{id}\t{}", fields.join("\t"))?;
                }
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
            let mut around = Vec::new();
            if let Some((uuid, places)) = uuid.filter(|_| self.context > 0) {
                let links = places.around(uuid, self.context).into_iter();
                around.extend(links.cloned());
            }
            shown.push(Shown {
                excerpt,
                standing,
                around,
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

fn title(row: &Row) -> String {
    match row.session.meta.headline() {
        Some(title) => one_line(&title),
        None => "(no prompt found)".to_owned(),
    }
}

/// The title, or the stored one if only that has what is looked for and no passage shows it.
pub fn found_title(group: &Group<'_>, query: &Query) -> String {
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

/// The part of an excerpt that fits, in whole words and with its first match in sight. `measure` says
/// how much of `most` a text takes.
pub fn window(
    excerpt: &Excerpt,
    most: usize,
    measure: impl Fn(&str) -> usize,
) -> (String, Vec<Range<usize>>) {
    let text = &excerpt.text;
    let fits = |text: &str, most: usize| {
        let mut left = most;
        let mut signs = text.char_indices();
        let end = signs.find(|(at, sign)| {
            let size = measure(&text[*at..at + sign.len_utf8()]);
            let is_over = size > left;
            left = left.saturating_sub(size);
            is_over
        });
        end.map_or(text.len(), |(at, _)| at)
    };
    // Both ends may have a sign for what is left out.
    let most = most.saturating_sub(2 * measure(CUT)).max(1);
    let first = excerpt.matches.first();
    let first = first.map_or(0..0, Clone::clone);
    let before = text[..first.start].char_indices().rev();
    let before = before.take(LEAD.min(most / 4)).last();
    let start = match before {
        // Nothing is gained by leaving out what would fit anyway.
        Some((at, _)) if at > 0 && fits(text, most) < text.len() => {
            let space = text[at..first.start].find(' ');
            space.map_or(at, |space| at + space + 1)
        }
        _ => 0,
    };
    let mut end = start + fits(&text[start..], most);
    if end < text.len()
        && !text[end..].starts_with(' ')
        && let Some(space) = text[first.end.clamp(start, end)..end].rfind(' ')
    {
        end = first.end.clamp(start, end) + space;
    }
    let lead = if start > 0 || excerpt.is_cut { CUT } else { "" };
    let tail = if end < text.len() { CUT } else { "" };
    let inside = excerpt.matches.iter();
    let inside = inside.filter(|place| place.start >= start && place.end <= end);
    let moved =
        inside.map(|place| place.start - start + lead.len()..place.end - start + lead.len());
    (
        format!("{lead}{}{tail}", &text[start..end]),
        moved.collect(),
    )
}

/// The beginning of a text on one line, as far as it fits.
fn shortened(text: &str, most: usize) -> String {
    let text = one_line(text);
    if text.len() <= most {
        return text;
    }
    let kept = beginning(&text, most.saturating_sub(CUT.len()));
    format!("{kept}{CUT}")
}

/// The fields of a line after the id. The help of `search` names them.
type Fields = Vec<String>;

/// The lines of a session, with at most so many bytes of text. With context those of messages that
/// follow each other are together.
fn fields(group: &Group<'_>, query: &Query, most: usize) -> Vec<Vec<Fields>> {
    let of_passage = |shown: &Shown| {
        let excerpt = &shown.excerpt;
        vec![
            excerpt.uuid.map_or_else(String::new, |it| it.to_string()),
            who(excerpt.voice, excerpt.tool.as_deref()),
            rfc3339(excerpt.at),
            shown.standing.map_or("", place).to_owned(),
            window(excerpt, most, str::len).0,
        ]
    };
    if group.shown.is_empty() {
        let active = group.row.session.last_activity();
        return vec![vec![vec![
            String::new(),
            "title".to_owned(),
            rfc3339(Some(active)),
            String::new(),
            shortened(&found_title(group, query), most),
        ]]];
    }
    let of_line = |line, standing: Option<Standing>| match line {
        GroupLine::Passage(at) => {
            let shown = &group.shown[at];
            let mut fields = of_passage(shown);
            fields.extend((!shown.around.is_empty()).then(|| "match".to_owned()));
            fields
        }
        GroupLine::Around(said) => vec![
            said.uuid.map_or_else(String::new, |it| it.to_string()),
            who(said.voice, said.tool.as_deref()),
            rfc3339(said.at),
            standing.map_or("", place).to_owned(),
            shortened(&said.text, most),
            "context".to_owned(),
        ],
    };
    let groups = groups(&group.shown).into_iter().map(|messages| {
        let standing = group.shown[messages.first].standing;
        let lines = messages.lines.into_iter();
        lines.map(|line| of_line(line, standing)).collect()
    });
    groups.collect()
}

fn who(voice: Voice, tool: Option<&str>) -> String {
    match tool {
        Some(tool) => format!("{}:{tool}", role(voice)),
        None => role(voice).to_owned(),
    }
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
        let around: Vec<&Link> = shown.around.iter().collect();
        let context = messages::read(&excerpt.path, &around, None).unwrap_or_default();
        object["context"] = context.iter().map(SaidText::json).collect();
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
