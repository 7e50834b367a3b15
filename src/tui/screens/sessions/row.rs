//! One row: title, marks and age; project, branch and the like; where it was left off.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Sessions;
use crate::list::Row;
use crate::search::{Field, SearchHit, highlight, project_label};
use crate::store::{LastState, Status, TitleSource};
use crate::text::{age, is_blank, size, width};
use crate::tui::families::Kin;
use crate::tui::host::Env;
use crate::tui::layout::{Density, Focus};
use crate::tui::theme::Theme;
use crate::tui::widgets::{clean, clean_end, columns, line_of, marked, put, width_of};

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
    let selected = position == screen.list.position();
    let cell = Cell {
        screen,
        env,
        theme: env.context.theme(),
        hit,
        row,
        selected,
    };
    let lines = match density {
        Density::One => 1,
        Density::Two => 2,
        Density::Three | Density::Auto => 3,
    };
    if selected {
        for line in 0..lines {
            let bar = Span::styled(cell.theme.signs().bar, cell.bar_style());
            let area = line_of(area, line);
            put(
                buffer,
                Rect {
                    x: area.x + 1,
                    width: area.width.saturating_sub(1),
                    ..area
                },
                &Line::from(bar),
            );
        }
    }
    let inner = |line: u16, indent: u16| {
        let area = line_of(area, line);
        Rect {
            x: area.x + indent.min(area.width),
            width: area.width.saturating_sub(indent + 1),
            ..area
        }
    };
    match density {
        Density::One => cell.title_line(inner(0, 3), Extra::Place, buffer),
        Density::Two => {
            cell.title_line(inner(0, 3), Extra::Nothing, buffer);
            cell.facts_line(inner(1, 5), Extra::LeftOff, buffer);
        }
        Density::Three | Density::Auto => {
            cell.title_line(inner(0, 3), Extra::Nothing, buffer);
            cell.facts_line(inner(1, 5), Extra::Nothing, buffer);
            let area = inner(2, 5);
            let spans = cell.left_off(usize::from(area.width));
            put(buffer, area, &Line::from(spans));
        }
    }
}

/// What a line shows in addition, if there is room.
#[derive(Clone, Copy)]
enum Extra {
    Nothing,
    /// Project and branch, after the title.
    Place,
    /// Where it was left off, after the facts.
    LeftOff,
}

struct Cell<'a> {
    screen: &'a Sessions,
    env: Env<'a>,
    theme: Theme,
    hit: SearchHit,
    row: &'a Row,
    selected: bool,
}

impl Cell<'_> {
    fn kin(&self) -> Option<Kin> {
        self.screen.kin(self.hit.row, self.env.data)
    }

    fn bar_style(&self) -> Style {
        match self.screen.focus {
            Focus::List => self.theme.you(),
            Focus::Preview => self.theme.dim(),
        }
    }

    fn title_line(&self, area: Rect, extra: Extra, buffer: &mut Buffer) {
        let theme = self.theme;
        let total = usize::from(area.width);
        let mut right = self.marks();
        if let Extra::Place = extra {
            // No second line says it in words.
            right.splice(0..0, self.state_signs());
        }
        let now = self.env.context.millis();
        let age = match self.row.session.last_activity() {
            // A broken link has no time.
            0 => String::new(),
            then => age(then, now),
        };
        // Ages have a column of their own.
        right.push(Span::styled(format!("{age:>4}"), theme.dim()));
        if let Extra::Place = extra {
            let room = total.saturating_sub(width_of(&right) + 2 + 3 * TITLE);
            let mut place = self.place(room.min(32));
            if !place.is_empty() {
                place.push(Span::raw("  "));
                place.extend(right);
                right = place;
            }
        }
        let right_width = width_of(&right);
        let room = match total.saturating_sub(right_width + 2) {
            // Too narrow for both: the title wins.
            room if room < TITLE => {
                right.clear();
                total
            }
            room => room,
        };
        let base = if self.selected {
            theme.strong()
        } else {
            theme.text()
        };
        let title = if let Some((_, title)) = self.row.session.meta.title() {
            let mut spans = Vec::new();
            if self.screen.marked.contains(&self.hit.row) {
                spans.push(Span::styled(theme.signs().marked, theme.you()));
            }
            if let Some(Kin::Fork | Kin::Copy) = self.kin() {
                spans.push(Span::styled(theme.signs().relative, theme.dim()));
            }
            let room = room.saturating_sub(width_of(&spans));
            spans.extend(self.text(title, Field::Title, room, base));
            spans
        } else {
            let kind = self.row.session.hidden;
            let text = kind.map_or("(no prompt found)".to_owned(), |kind| {
                format!("({})", kind.label())
            });
            vec![Span::styled(clean(&text, room), theme.dim())]
        };
        put(buffer, area, &Line::from(title));
        if !right.is_empty() {
            let x = area.right().saturating_sub(columns(width_of(&right)));
            put(
                buffer,
                Rect {
                    x,
                    width: area.right() - x,
                    ..area
                },
                &Line::from(right),
            );
        }
    }

    fn facts_line(&self, area: Rect, extra: Extra, buffer: &mut Buffer) {
        let theme = self.theme;
        let total = usize::from(area.width);
        let facts_room = match extra {
            // Where it was left off says most; the facts get the rest of the line.
            Extra::LeftOff => {
                let left_off = width_of(&self.left_off(total)) + width(theme.signs().dot);
                total.saturating_sub(left_off).max(total * 2 / 5)
            }
            Extra::Nothing | Extra::Place => total,
        };
        let mut spans = self.facts(facts_room);
        if let Extra::LeftOff = extra {
            let dot = theme.signs().dot;
            let between = if spans.is_empty() { "" } else { dot };
            let room = total.saturating_sub(width_of(&spans) + width(between));
            let left_off = self.left_off(room);
            if room >= 16 && !left_off.is_empty() {
                spans.push(Span::styled(between, theme.dim()));
                spans.extend(left_off);
            }
        }
        put(buffer, area, &Line::from(spans));
    }

    /// Project, branch, PR, tag and so on, in this order. If not all fit, the most needed stay.
    fn facts(&self, room: usize) -> Vec<Span<'static>> {
        let theme = self.theme;
        let session = &self.row.session;
        let meta = &session.meta;
        let dim = theme.dim();
        let said = |text: String, style| vec![Span::styled(text, style)];
        let mut parts: Vec<(Need, Vec<Span<'static>>)> = Vec::new();
        if self.kin() == Some(Kin::Copy) {
            let folder = self
                .env
                .context
                .tilde(&session.file.project.dir.to_string_lossy());
            let label = "copy in ";
            let folder = clean_end(&folder, room.saturating_sub(label.len()));
            parts.push((Need::Most, said(format!("{label}{folder}"), dim)));
        } else if self.screen.shows_projects(self.env.data) || !self.row.copies.is_empty() {
            // The newest of several files may belong to another project.
            parts.push((Need::More, self.project(room)));
        }
        let branch = meta.git_branch.as_deref();
        if let Some(branch) = branch.filter(|branch| !is_blank(branch)) {
            let spans = self.text(branch, Field::Branch, room.min(28), dim);
            parts.push((Need::Some, spans));
        }
        if let Some(pr) = &meta.pr {
            parts.push((Need::Some, said(format!("PR #{}", pr.number), dim)));
        }
        if let Some(tag) = meta.tag.as_deref() {
            let spans = self.text(&format!("#{tag}"), Field::Tag, room.min(21), dim);
            parts.push((Need::Some, spans));
        }
        if let (Some(kind), Some(_)) = (session.hidden, meta.title()) {
            let text = kind.label().to_owned();
            parts.push((Need::Most, said(text, theme.attention())));
        }
        let live = self.env.data.running.of(session).is_some();
        if matches!(meta.left, Some(LastState::Asked | LastState::AtWork)) && !live {
            let text = "interrupted".to_owned();
            parts.push((Need::Most, said(text, theme.attention())));
        }
        // The last line of a running session may be half written.
        if meta.torn_end && !live {
            parts.push((Need::Most, said("damaged".to_owned(), theme.broken())));
        }
        parts.push((Need::Least, said(size(session.file.size), dim)));
        match self.row.copies.len() {
            0 => {}
            1 => parts.push((Need::More, said("1 copy".to_owned(), dim))),
            copies => parts.push((Need::More, said(format!("{copies} copies"), dim))),
        }
        if meta.origin.forked_from.is_some() {
            parts.push((Need::Least, said("fork".to_owned(), dim)));
        }
        joined(parts, theme.signs().dot, dim, room)
    }

    /// Project and branch only.
    fn place(&self, room: usize) -> Vec<Span<'static>> {
        let theme = self.theme;
        let session = &self.row.session;
        let mut parts = Vec::new();
        if let (Some(kind), Some(_)) = (session.hidden, session.meta.title()) {
            let label = Span::styled(kind.label(), theme.attention());
            parts.push((Need::Most, vec![label]));
        }
        if self.screen.shows_projects(self.env.data) {
            parts.push((Need::More, self.project(room)));
        }
        let branch = session.meta.git_branch.as_deref();
        if let Some(branch) = branch.filter(|branch| !is_blank(branch)) {
            let spans = self.text(branch, Field::Branch, room.min(20), theme.dim());
            parts.push((Need::Some, spans));
        }
        joined(parts, theme.signs().dot, theme.dim(), room)
    }

    fn project(&self, room: usize) -> Vec<Span<'static>> {
        let session = &self.row.session;
        let directory = session.meta.cwd.as_deref();
        let folder = session.file.project.name.as_str();
        let name = directory.map_or(folder, project_label);
        self.text(name, Field::Project, room.min(24), self.theme.dim())
    }

    /// `left off: "…"`, or how it began if nothing else is known beside the title.
    fn left_off(&self, room: usize) -> Vec<Span<'static>> {
        let theme = self.theme;
        let meta = &self.row.session.meta;
        let title = meta.title().map(|(_, title)| title);
        let other =
            |text: Option<&str>| text.filter(|text| Some(*text) != title).map(str::to_owned);
        let (label, field, text) = if let Some(text) = other(meta.last_prompt()) {
            ("left off: ", Field::LastPrompt, text)
        } else if let Some(text) = other(meta.first_prompt.as_deref()) {
            ("began: ", Field::FirstPrompt, text)
        } else {
            return match meta.title() {
                Some((TitleSource::LastPrompt | TitleSource::FirstPrompt, _)) => {
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
        spans.extend(self.text(&text, field, quoted, theme.text()));
        spans.push(Span::styled("\"", theme.dim()));
        spans
    }

    /// Interrupted and damaged, as signs.
    fn state_signs(&self) -> Vec<Span<'static>> {
        let theme = self.theme;
        let session = &self.row.session;
        let mut spans = Vec::new();
        if self.env.data.running.of(session).is_some() {
            return spans;
        }
        if session.meta.torn_end {
            spans.push(Span::styled(theme.signs().damaged, theme.broken()));
        }
        if matches!(
            session.meta.left,
            Some(LastState::Asked | LastState::AtWork)
        ) {
            spans.push(Span::styled(theme.signs().interrupted, theme.attention()));
        }
        spans
    }

    /// Running, and about to be deleted.
    fn marks(&self) -> Vec<Span<'static>> {
        let theme = self.theme;
        let signs = theme.signs();
        let mut spans = Vec::new();
        if let Some(Kin::Head { forks, open }) = self.kin() {
            let opened = if open { signs.opened } else { "" };
            let count = match forks {
                0 => String::new(),
                forks => format!("{}{}", signs.forks, forks + 1),
            };
            let text = format!("{opened}{count}");
            if !text.is_empty() {
                spans.push(Span::styled(format!("{text} "), theme.dim()));
            }
        }
        if let Some(days) = self.env.expires_in(self.row) {
            let text = format!("{}{days}d ", signs.expires);
            spans.push(Span::styled(text, theme.attention()));
        }
        let live = self.env.data.running.of(&self.row.session);
        let (sign, style) = match live.map(|live| live.status) {
            Some(Status::Busy | Status::Shell) => (signs.busy, theme.live()),
            Some(Status::Waiting) => (signs.waiting, theme.attention()),
            Some(Status::Idle | Status::Unknown) => (signs.idle, theme.live()),
            None => return spans,
        };
        spans.push(Span::styled(sign, style));
        spans
    }

    /// Stored text, safe, cut, and marked where the query found it.
    fn text(&self, text: &str, field: Field, room: usize, base: Style) -> Vec<Span<'static>> {
        let shown = clean(text, room);
        let query = &self.screen.query.query;
        if query.is_empty() {
            return vec![Span::styled(shown, base)];
        }
        let matches = highlight(&shown, field, query, self.hit.tier);
        marked(&shown, &matches, base, self.theme)
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

/// Parts with a dot between them, in their own order: as many as fit, the most needed first.
fn joined(
    parts: Vec<(Need, Vec<Span<'static>>)>,
    dot: &'static str,
    style: Style,
    room: usize,
) -> Vec<Span<'static>> {
    let mut places: Vec<usize> = (0..parts.len()).collect();
    places.sort_by_key(|at| parts[*at].0);
    let mut taken = vec![false; parts.len()];
    let mut used = 0;
    for at in places {
        let between = if used == 0 { 0 } else { width(dot) };
        let needed = between + width_of(&parts[at].1);
        if used + needed <= room {
            used += needed;
            taken[at] = true;
        }
    }
    let mut spans: Vec<Span<'static>> = Vec::new();
    for ((_, part), _) in parts.into_iter().zip(taken).filter(|(_, taken)| *taken) {
        if !spans.is_empty() {
            spans.push(Span::styled(dot, style));
        }
        spans.extend(part);
    }
    spans
}
