//! One row: title, marks and age; project, branch and the like; where it was left off.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Sessions;
use crate::list::Row;
use crate::search::{Field, SearchHit, Tier, highlight, is_left_out, project_label};
use crate::store::{LastState, ShownPrompt, Status, TitleSource};
use crate::text::{age, is_blank, size, width};
use crate::transcript::Voice;
use crate::tui::widgets::{
    clean, clean_end, in_sight, line_of, marked, number, put, put_right, width_of,
};
use crate::tui::{Density, Env, Focus, Kin, Theme};

/// So much of a text is looked at for matches, in columns.
const LONGEST: usize = 4096;
/// Columns that a title keeps at least.
const TITLE: usize = 12;

/// Draws the row at a position of the list at the top of `area`.
pub fn draw(
    screen: &Sessions,
    position: usize,
    density: Density,
    env: Env<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let hit = screen.list.items().get(position).copied();
    let Some((hit, row)) = hit.and_then(|hit| Some((hit, screen.row(hit.row, env.data)?))) else {
        return;
    };
    let theme = env.context.theme();
    let (style, bar) = match screen.focus {
        _ if position != screen.list.position() => (theme.text(), None),
        Focus::List => (theme.strong(), Some(theme.you())),
        Focus::Preview => (theme.strong(), Some(theme.dim())),
    };
    let cell = Cell {
        screen,
        env,
        theme,
        hit,
        row,
        style,
    };
    let inner = |line: u16, indent: u16| {
        let area = line_of(area, line);
        Rect {
            x: area.x + indent.min(area.width),
            width: area.width.saturating_sub(indent + 1),
            ..area
        }
    };
    let lines = match density {
        Density::One => 1,
        Density::Two => 2,
        Density::Three | Density::Auto => 3,
    };
    for line in 0..lines {
        if let Some(bar) = bar {
            let bar = Line::styled(theme.signs().bar, bar);
            put(buffer, inner(line, 1), &bar);
        }
        let area = inner(line, if line == 0 { 3 } else { 5 });
        let room = usize::from(area.width);
        let spans = match (line, lines) {
            (0, _) => cell.title_line(lines == 1, area, buffer),
            (1, 2) => cell.facts_and_left_off(room),
            (1, _) => cell.facts(room, false),
            _ => cell.left_off(room),
        };
        put(buffer, area, &Line::from(spans));
    }
}

struct Cell<'a> {
    screen: &'a Sessions,
    env: Env<'a>,
    theme: Theme,
    hit: SearchHit,
    row: &'a Row,
    /// The style of the title.
    style: Style,
}

impl Cell<'_> {
    fn kin(&self) -> Option<Kin> {
        self.screen.kin(self.hit.row, self.env.data)
    }

    fn status(&self) -> Option<Status> {
        let live = self.env.data.running.of(&self.row.session);
        live.map(|live| live.status)
    }

    /// The title. Draws what is right of it: if it is the only line, project and branch too.
    fn title_line(&self, is_alone: bool, area: Rect, buffer: &mut Buffer) -> Vec<Span<'static>> {
        let theme = self.theme;
        let signs = theme.signs();
        let total = usize::from(area.width);
        let mut right = Vec::new();
        if is_alone {
            let troubles = self.troubles().into_iter();
            right.extend(troubles.map(|(sign, _, style)| Span::styled(sign, style)));
        }
        right.extend(self.marks());
        let age = match self.row.session.last_activity() {
            // A broken link has no time.
            0 => String::new(),
            then => age(then, self.env.context.millis()),
        };
        // Ages have a column of their own.
        right.push(Span::styled(format!("{age:>4}"), theme.dim()));
        if is_alone {
            let room = total.saturating_sub(width_of(&right) + 2 + 3 * TITLE);
            let facts = self.facts(room.min(32), true);
            if width_of(&facts) > 0 {
                right.insert(0, Span::raw("  "));
                right.splice(0..0, facts);
            }
        }
        let mut room = total.saturating_sub(width_of(&right) + 2);
        // Too narrow for both: the title wins.
        if room < TITLE {
            right.clear();
            room = total;
        }
        let width = area.width + 1;
        put_right(buffer, Rect { width, ..area }, right);
        let mut spans = Vec::new();
        if self.screen.marked.contains(&self.hit.row) {
            spans.push(Span::styled(signs.marked, theme.you()));
        }
        if let Some(Kin::Fork | Kin::Copy) = self.kin() {
            spans.push(Span::styled(signs.relative, theme.dim()));
        }
        let room = room.saturating_sub(width_of(&spans));
        let meta = &self.row.session.meta;
        if let (Some(shown), Some((_, stored))) = (meta.headline(), meta.raw_title()) {
            let title = ShownPrompt { stored, shown };
            spans.extend(self.prompt(&title, Field::Title, room, self.style));
        } else {
            let kind = self.row.session.hidden;
            let text = format!("({})", kind.map_or("no prompt found", |kind| kind.label()));
            spans.push(Span::styled(clean(&text, room, theme), theme.dim()));
        }
        spans
    }

    fn facts_and_left_off(&self, total: usize) -> Vec<Span<'static>> {
        let dot = self.theme.signs().dot;
        // Where it was left off says most; the facts get the rest of the line.
        let wanted = width_of(&self.left_off(total)) + width(dot);
        let room = total.saturating_sub(wanted).max(total * 2 / 5);
        let mut spans = self.facts(room, false);
        if !spans.is_empty() {
            spans.push(Span::styled(dot, self.theme.dim()));
        }
        let room = total.saturating_sub(width_of(&spans));
        let left_off = self.left_off(room);
        if room >= 16 && !left_off.is_empty() {
            spans.extend(left_off);
        } else {
            spans.pop();
        }
        spans
    }

    /// Project, branch, PR, tag and so on, in this order. If not all fit, the most needed stay.
    fn facts(&self, room: usize, is_brief: bool) -> Vec<Span<'static>> {
        let theme = self.theme;
        let session = &self.row.session;
        let meta = &session.meta;
        let copies = self.row.copies.len();
        let dim = theme.dim();
        let said = |text: String, style| vec![Span::styled(text, style)];
        let mut parts: Vec<(Need, Vec<Span<'static>>)> = Vec::new();
        if self.kin() == Some(Kin::Copy) {
            let folder = session.file.project.dir.to_string_lossy();
            let folder = self.env.context.tilde(&folder);
            let label = "copy in ";
            let folder = clean_end(&folder, room.saturating_sub(label.len()), theme);
            parts.push((Need::Most, said(format!("{label}{folder}"), dim)));
        } else if self.screen.shows_projects(self.env.data) || copies > 0 {
            // The newest of several files may belong to another project.
            let folder = session.file.project.name.as_str();
            let name = meta.cwd.as_deref().map_or(folder, project_label);
            let spans = self.text(name, Field::Project, room.min(24), dim);
            parts.push((Need::More, spans));
        }
        let here = self.env.data.here.as_ref();
        if here.is_some_and(|here| here.scope.began_elsewhere(session)) && self.screen.is_here() {
            let began = meta.cwd.as_deref().map_or("", project_label);
            let began = clean_end(began, room.min(24), theme);
            parts.push((Need::Most, said(format!("began in {began}"), dim)));
        }
        let branch = meta.git_branch.as_deref();
        if let Some(branch) = branch.filter(|branch| !is_blank(branch)) {
            let room = room.min(if is_brief { 20 } else { 28 });
            let spans = self.text(branch, Field::Branch, room, dim);
            parts.push((Need::Some, spans));
        }
        if let (Some(kind), Some(_)) = (session.hidden, meta.raw_title()) {
            let text = kind.label().to_owned();
            parts.push((Need::Most, said(text, theme.attention())));
        }
        if is_brief {
            return joined(parts, theme, room);
        }
        if let Some(pr) = &meta.pr {
            parts.push((Need::Some, said(format!("PR #{}", pr.number), dim)));
        }
        if let Some(tag) = meta.tag.as_deref() {
            let spans = self.text(&format!("#{tag}"), Field::Tag, room.min(21), dim);
            parts.push((Need::Some, spans));
        }
        for (_, word, style) in self.troubles() {
            parts.push((Need::Most, said(word.to_owned(), style)));
        }
        parts.push((Need::Least, said(size(session.file.size), dim)));
        match copies {
            0 => {}
            1 => parts.push((Need::More, said("1 copy".to_owned(), dim))),
            copies => parts.push((Need::More, said(format!("{copies} copies"), dim))),
        }
        if meta.origin.forked_from.is_some() {
            parts.push((Need::Least, said("fork".to_owned(), dim)));
        }
        joined(parts, theme, room)
    }

    /// Interrupted and damaged: a sign, a word and a style for each.
    fn troubles(&self) -> Vec<(&'static str, &'static str, Style)> {
        let meta = &self.row.session.meta;
        let signs = self.theme.signs();
        let mut troubles = Vec::new();
        // The last line of a running session may be half written.
        if self.status().is_some() {
            return troubles;
        }
        if matches!(meta.left, Some(LastState::Asked | LastState::AtWork)) {
            troubles.push((signs.interrupted, "interrupted", self.theme.attention()));
        }
        if meta.torn_end {
            troubles.push((signs.damaged, "damaged", self.theme.broken()));
        }
        troubles
    }

    /// `left off: "…"`, or how it began if nothing else is known beside the title.
    fn left_off(&self, room: usize) -> Vec<Span<'static>> {
        let theme = self.theme;
        if self.hit.tier == Tier::Inside {
            return self.passage(room);
        }
        let meta = &self.row.session.meta;
        let title = meta.headline();
        let (last, first) = (meta.left_off(), meta.began());
        let prompts = [
            ("left off: ", Field::LastPrompt, &last),
            ("began: ", Field::FirstPrompt, &first),
        ];
        let other = prompts.into_iter().find_map(|(label, field, prompt)| {
            let prompt = prompt.as_ref()?;
            let is_other = !prompt.shown.is_empty() && title.as_ref() != Some(&prompt.shown);
            is_other.then_some((label, field, prompt))
        });
        let Some((label, field, prompt)) = other else {
            // What is left says nothing, or is the title.
            let mut asked = [last, first].into_iter().flatten();
            let one = asked.find(|prompt| !prompt.shown.is_empty());
            let is_one = one.is_some_and(|one| asked.all(|prompt| prompt == one));
            return match meta.raw_title() {
                Some((TitleSource::LastPrompt | TitleSource::FirstPrompt, _)) if is_one => {
                    vec![Span::styled("one prompt", theme.dim())]
                }
                _ => Vec::new(),
            };
        };
        let quoted = room.saturating_sub(label.len() + 2);
        if quoted < 8 {
            return Vec::new();
        }
        let mut spans = vec![
            Span::styled(label, theme.dim()),
            Span::styled("\"", theme.dim()),
        ];
        spans.extend(self.prompt(prompt, field, quoted, theme.text()));
        spans.push(Span::styled("\"", theme.dim()));
        spans
    }

    /// Running, and about to be deleted.
    fn marks(&self) -> Vec<Span<'static>> {
        let theme = self.theme;
        let signs = theme.signs();
        let mut spans = Vec::new();
        if let Some(Kin::Head { forks, open }) = self.kin() {
            let opened = if open { signs.opened } else { "" };
            let text = match forks {
                0 => opened.to_owned(),
                forks => format!("{opened}{}{}", signs.forks, forks + 1),
            };
            if !text.is_empty() {
                spans.push(Span::styled(format!("{text} "), theme.dim()));
            }
        }
        if let Some(days) = self.env.expires_in(self.row) {
            let text = format!("{}{days}d ", signs.expires);
            spans.push(Span::styled(text, theme.attention()));
        }
        let (sign, style) = match self.status() {
            Some(Status::Busy | Status::Shell) => (signs.busy, theme.live()),
            Some(Status::Waiting) => (signs.waiting, theme.attention()),
            Some(Status::Idle | Status::Unknown) => (signs.idle, theme.live()),
            None => return spans,
        };
        spans.push(Span::styled(sign, style));
        spans
    }

    /// A prompt as it is shown, or as it is stored if only that has what the query found.
    fn prompt(
        &self,
        prompt: &ShownPrompt<'_>,
        field: Field,
        room: usize,
        base: Style,
    ) -> Vec<Span<'static>> {
        let [shown, stored] = [&*prompt.shown, prompt.stored];
        let [safe, whole] = [shown, stored].map(|text| clean(text, LONGEST, self.theme));
        let is_left_out = self.hit.tier == Tier::Substring
            && is_left_out(&safe, &whole, field, &self.screen.query.query);
        self.text(if is_left_out { stored } else { shown }, field, room, base)
    }

    /// Stored text, safe, cut, and marked where the query found it.
    fn text(&self, text: &str, field: Field, room: usize, base: Style) -> Vec<Span<'static>> {
        let query = &self.screen.query.query;
        if query.is_empty() {
            return vec![Span::styled(clean(text, room, self.theme), base)];
        }
        let whole = clean(text, LONGEST, self.theme);
        let matches = highlight(&whole, field, query, self.hit.tier);
        let (shown, matches) = in_sight(&whole, &matches, room, self.theme);
        marked(&shown, &matches, base, self.theme)
    }

    /// Where the conversation has what is looked for: who said it, when, and how many more.
    fn passage(&self, room: usize) -> Vec<Span<'static>> {
        let theme = self.theme;
        let Some(found) = self.screen.inside.excerpt_to_show(self.hit.row) else {
            return Vec::new();
        };
        let excerpt = &found.excerpt;
        let who = match (excerpt.voice, &excerpt.tool) {
            (Voice::User, _) => "you",
            (Voice::Peer, _) => "peer",
            (Voice::Claude, _) => "Claude",
            (Voice::ToAgent, _) => "Claude, to a sub-agent",
            (Voice::Thinking, _) => "Claude, thinking",
            (Voice::Summary, _) => "summary",
            (_, Some(tool)) => tool,
            (Voice::ToolInput | Voice::ToolOutput | Voice::Path, None) => "tool",
        };
        let now = self.env.context.millis();
        let when = excerpt
            .at
            .map_or_else(String::new, |at| format!(", {}", age(at, now)));
        let label = clean(&format!("{who}{when}: "), room / 2, theme);
        let more = match found.more {
            0 => String::new(),
            more => format!("  +{} more", number(more)),
        };
        let room = room.saturating_sub(width(&label) + 1 + width(&more));
        let cut = if excerpt.is_cut {
            theme.signs().cut
        } else {
            ""
        };
        let text = format!("{cut}{}", excerpt.text);
        let moved = |range: &Range<usize>| range.start + cut.len()..range.end + cut.len();
        let matches: Vec<_> = excerpt.matches.iter().map(moved).collect();
        let (shown, matches) = in_sight(&text, &matches, room, theme);
        let mut spans = vec![Span::styled(format!("{label} "), theme.dim())];
        spans.extend(marked(&shown, &matches, theme.text(), theme));
        spans.push(Span::styled(more, theme.dim()));
        spans
    }
}

/// How much a part of a row is needed, the most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Most,
    More,
    Some,
    Least,
}

/// Parts with a dot between them: as many as fit, the most needed of them.
fn joined(
    mut parts: Vec<(Need, Vec<Span<'static>>)>,
    theme: Theme,
    room: usize,
) -> Vec<Span<'static>> {
    let dot = Span::styled(theme.signs().dot, theme.dim());
    loop {
        let texts: Vec<_> = parts.iter().map(|(_, spans)| spans.as_slice()).collect();
        let spans = texts.join(&dot);
        let least = (0..parts.len()).max_by_key(|at| parts[*at].0);
        match least {
            Some(least) if width_of(&spans) > room => parts.remove(least),
            _ => return spans,
        };
    }
}
