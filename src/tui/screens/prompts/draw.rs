//! Draws the prompt history: prompts on one line each, deleted sessions on two.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{EnterMode, PastRow, PastSpan, PendingPrompt, Prompts};
use crate::search::{ConversationFate, Field, PromptHit, Tier, View, highlight, project_label};
use crate::text::{age, pad, width};
use crate::tui::context::Context;
use crate::tui::dates::moment;
use crate::tui::host::Env;
use crate::tui::keymap::{Action, Binding, KeyLayer, layers};
use crate::tui::layout::{Focus, Layout};
use crate::tui::theme::{Glyphs, Theme};
use crate::tui::widgets::{
    Footer, ListPart, clean, draw_heading, draw_rules, line_of, marked, matches, number, plural,
    put, say, width_of,
};

/// Columns for an age, and for a project where there is room.
const AGE: usize = 4;
const PROJECT: usize = 10;
/// Columns that the footer keeps for keys.
const KEYS: usize = 32;
/// Narrower lists show no project.
const ROOMY: u16 = 44;

impl Prompts {
    /// Draws everything but the footer. Returns the position of the caret.
    pub fn draw(&self, env: Env<'_>, buffer: &mut Buffer) -> Option<Position> {
        let theme = env.context.theme();
        let layout = env.context.layout(self.focus);
        draw_rules(&layout, self.list.above(), theme, buffer);
        self.draw_list(&layout, env, buffer);
        let find = self.draw_page(layout.preview, env, buffer);
        let label = match self.view {
            View::Prompts => "history ",
            View::Deleted => "deleted ",
        };
        let scope = format!("[{}]", self.scope.words());
        let least = vec![Span::styled(scope, theme.strong())];
        let counts = self.counts(theme);
        let full = [self.scope_status(env), counts.clone()].concat();
        let brief = [&least[..], &[Span::raw("   ")], &counts].concat();
        let statuses = [full, brief, least];
        let query = self
            .query
            .draw(label, statuses, theme, layout.query, buffer);
        match self.focus {
            Focus::List => query,
            Focus::Preview => find,
        }
    }

    fn draw_list(&self, layout: &Layout, env: Env<'_>, buffer: &mut Buffer) {
        let theme = env.context.theme();
        let pane = self.pane(env.context);
        let area = layout.list;
        if area.is_empty() {
            return;
        }
        if pane.lines < area.height {
            self.draw_banner(area, env, buffer);
        }
        let area = Rect {
            y: area.y + area.height - pane.lines,
            height: pane.lines,
            ..area
        };
        let visible = self.list.visible(pane);
        if visible.is_empty() {
            return say(&self.reasons(env), theme, area, buffer);
        }
        for placed in visible {
            match placed.item {
                ListPart::Heading(heading) => {
                    draw_heading(heading, theme, line_of(area, placed.line), buffer);
                }
                ListPart::Row(position) => {
                    if let Some(hit) = self.list.items().get(position) {
                        let row = PromptRow {
                            screen: self,
                            context: env.context,
                            theme,
                            hit: *hit,
                            is_cursor: position == self.list.position(),
                        };
                        row.draw(area, placed.line, buffer);
                    }
                }
            }
        }
    }

    /// What deleted sessions are, and how long the others have.
    fn draw_banner(&self, area: Rect, env: Env<'_>, buffer: &mut Buffer) {
        let theme = env.context.theme();
        let room = usize::from(area.width.saturating_sub(2));
        let retention = env.context.setting.retention;
        let expiring = self.progress.expiring.map(|count| match count {
            0 => "no session expires within 7 days".to_owned(),
            1 => "1 session expires within 7 days".to_owned(),
            count => format!("{} sessions expire within 7 days", number(count)),
        });
        let texts = [
            (self.what_is_left(room), theme.attention()),
            (format!("cleanupPeriodDays {retention}"), theme.dim()),
            (expiring.unwrap_or_default(), theme.dim()),
        ];
        for (line, (text, style)) in (0..).zip(texts) {
            let spans = vec![Span::raw(" "), Span::styled(clean(&text, room), style)];
            put(buffer, line_of(area, line), &Line::from(spans));
        }
    }

    /// What the rows have in common, shorter if it does not fit.
    fn what_is_left(&self, room: usize) -> String {
        let answer = self.answer.as_ref();
        let (deleted, missing) = answer.map_or((0, 0), |it| (it.deleted, it.missing));
        let (long, short) = match (deleted, missing) {
            (0, 1..) => return "no conversation left, prompts only".to_owned(),
            (_, 0) => (
                "conversation deleted by cleanup, prompts only".to_owned(),
                "deleted by cleanup, prompts only".to_owned(),
            ),
            (_, _) => {
                let (deleted, missing) = (number(deleted), number(missing));
                (
                    format!(
                        "prompts only: {deleted} deleted by cleanup, {missing} missing for another reason"
                    ),
                    format!("{deleted} deleted, {missing} missing"),
                )
            }
        };
        if width(&long) <= room { long } else { short }
    }

    /// Why there are no rows, and what to do about it.
    fn reasons(&self, env: Env<'_>) -> Vec<String> {
        let progress = self.progress;
        let query = &self.query.query;
        let Some(answer) = self.answer.as_ref().filter(|_| !self.query.is_searching()) else {
            return Vec::new();
        };
        if !progress.over && query.is_empty() {
            return Vec::new();
        }
        let what = match self.view {
            View::Deleted => "deleted sessions",
            View::Prompts => "prompts",
        };
        let of_sessions = query.of_sessions();
        let mut lines = Vec::new();
        if progress.read == 0 && progress.over && progress.unreadable == 0 {
            let line = "No prompt history yet: Claude Code adds each prompt that you enter.";
            lines.push(line.to_owned());
        } else if !of_sessions.is_empty() {
            let verb = if of_sessions.len() == 1 { "does" } else { "do" };
            let named = of_sessions.join(" ");
            lines.push(format!("{named} {verb} not apply to prompts."));
            lines.push("Prompts have project: since: before: id:".to_owned());
        } else if query.is_empty() {
            lines.push(format!("No {what} here."));
        } else if self.view == View::Deleted {
            lines.push(format!("No match in {what}."));
        } else if answer.tier == Tier::Substring {
            lines.push("No prompt has these words. Still looking for loose matches.".to_owned());
        } else {
            lines.push(format!("No match in {} {what}.", number(answer.prompts)));
        }
        let key = env.context.key(Action::PromptScope);
        if answer.counts.elsewhere > 0 && self.view == View::Prompts && !key.is_empty() {
            let count = if query.is_empty() {
                plural(answer.counts.elsewhere, "prompt")
            } else {
                matches(answer.counts.elsewhere)
            };
            lines.push(format!("{key}  widen the scope: {count}"));
        }
        if self.unsearched().is_some() {
            let prompts = plural(progress.unsearched, "prompt");
            lines.push(format!("The pastes of {prompts} were not searched."));
        }
        if !progress.over {
            lines.push("Still reading.".to_owned());
        }
        lines
    }

    /// The pastes that no search finds, if something is searched for.
    fn unsearched(&self) -> Option<String> {
        match self.progress.unsearched {
            0 => None,
            _ if self.query.query.is_empty() => None,
            count => Some(format!(
                "pastes of {} not searched",
                plural(count, "prompt")
            )),
        }
    }

    /// All scopes, the current one in brackets.
    fn scope_status(&self, env: Env<'_>) -> Vec<Span<'static>> {
        let theme = env.context.theme();
        let session = self.session_meant(env.context);
        let mut spans = Vec::new();
        for scope in Self::scopes(session.as_deref(), env.data) {
            if !spans.is_empty() {
                spans.push(Span::styled(theme.signs().dot, theme.dim()));
            }
            spans.push(if scope == self.scope {
                Span::styled(format!("[{}]", scope.words()), theme.strong())
            } else {
                Span::styled(scope.words(), theme.dim())
            });
        }
        let key = env.context.key(Action::PromptScope);
        if !key.is_empty() {
            spans.push(Span::styled(format!(" ({key})"), theme.dim()));
        }
        spans.push(Span::raw("   "));
        spans
    }

    fn counts(&self, theme: Theme) -> Vec<Span<'static>> {
        let shown = self.list.items().len();
        let answer = self.answer.as_ref();
        let (all, deleted) = answer.map_or((0, 0), |it| (it.prompts, it.deleted));
        let text = match (self.view, self.query.query.is_empty()) {
            (View::Deleted, _) => plural(shown, "session"),
            (View::Prompts, true) => plural(shown, "prompt"),
            (View::Prompts, false) => {
                // Loose matches come later.
                let more = if self.is_complete() { "" } else { "+" };
                let all = plural(all, "prompt");
                format!("{}{more} of {all}", number(shown))
            }
        };
        let mut spans = vec![Span::styled(text, theme.text())];
        if self.view == View::Prompts && deleted > 0 {
            let text = format!("{}{} deleted", theme.signs().dot, number(deleted));
            spans.push(Span::styled(text, theme.dim()));
        }
        spans
    }

    pub fn footer(&self, layers: &'static [KeyLayer], env: Env<'_>, draw: impl FnOnce(Footer<'_>)) {
        let problem = self.query.query.problems().first();
        let is_typing = layers == layers::PROMPT_LIST;
        draw(Footer {
            layers,
            word: &|binding| self.word(binding),
            completion: self.query.completion.as_ref().filter(|_| is_typing),
            problem: problem.map(|problem| problem.message.as_str()),
            progress: self.progress_status(env),
        });
    }

    /// The word for a key; none for a key that would do nothing now.
    fn word(&self, binding: &Binding) -> Option<&'static str> {
        let word = binding.footer?;
        let hit = self.cursor();
        let prints = self.choice == EnterMode::Print;
        let leads = hit.is_some_and(|hit| hit.leads_somewhere());
        let goes = self.view == View::Prompts && !prints;
        let is_useful = match binding.action {
            Action::NextMatch => self.reader.find.is_some() && !self.reader.marks().is_empty(),
            Action::ResumePrompt => !prints && leads,
            Action::GoToSession if goes => leads,
            Action::NewSession => hit.is_some() && goes,
            Action::SwitchPane | Action::GoToSession | Action::CopyPrompt | Action::Find => {
                hit.is_some()
            }
            _ => true,
        };
        is_useful.then_some(match binding.action {
            Action::GoToSession if self.view == View::Deleted => "its prompts",
            Action::GoToSession if prints => "choose",
            Action::SwitchPane if self.focus == Focus::Preview => "list",
            _ => word,
        })
    }

    /// How far the history is read.
    fn progress_status(&self, env: Env<'_>) -> Vec<Span<'static>> {
        let theme = env.context.theme();
        let progress = self.progress;
        let (text, style) = if self.pending.is_some_and(is_probe) {
            ("checking".to_owned(), theme.dim())
        } else if !progress.over {
            let spinner = theme.signs().spinner;
            let sign = spinner[(progress.read / 4000) % spinner.len()];
            let text = format!("reading {} {sign}", number(progress.read));
            (text, theme.dim())
        } else if progress.unreadable > 0 {
            let text = match progress.unreadable {
                1 => "the history cannot be read".to_owned(),
                count => format!("{count} histories cannot be read"),
            };
            (text, theme.broken())
        } else if let Some(text) = self.unsearched() {
            let is_long = width(&text) + KEYS > usize::from(env.context.area.width);
            let short = "pastes not searched".to_owned();
            (if is_long { short } else { text }, theme.attention())
        } else {
            match (progress.passed.malformed, progress.passed.blank) {
                (0, 0) => return Vec::new(),
                (0, blank) => (format!("{} empty", number(blank)), theme.dim()),
                (bad, _) => (plural(bad, "bad line"), theme.attention()),
            }
        };
        vec![Span::styled(text, style)]
    }
}

fn is_probe(pending: PendingPrompt) -> bool {
    matches!(pending, PendingPrompt::Probe(_))
}

struct PromptRow<'a> {
    screen: &'a Prompts,
    context: &'a Context,
    theme: Theme,
    hit: PromptHit,
    is_cursor: bool,
}

impl PromptRow<'_> {
    fn draw(&self, area: Rect, line: u16, buffer: &mut Buffer) {
        let row = self.screen.row(self.hit.row).map(|row| &**row);
        let span = row.and_then(|row| row.span.as_ref());
        let text = match (self.screen.view, row, span) {
            (View::Prompts, row, _) => row.map_or("", |row| &row.prompt.display),
            (View::Deleted, _, Some(span)) => &span.first.display,
            (View::Deleted, _, None) => return,
        };
        let first = self.line(row, text, area.width);
        put(buffer, line_of(area, line), &Line::from(first));
        if let Some(span) = span.filter(|_| line + 1 < area.height) {
            let last = self.last(span, area.width);
            put(buffer, line_of(area, line + 1), &Line::from(last));
        }
    }

    /// The notes at the end of a row.
    fn notes(&self, row: Option<&PastRow>) -> String {
        let is_deleted = self.screen.view == View::Deleted;
        let count = match self.hit.count as usize {
            count if is_deleted => plural(count, "prompt"),
            0 | 1 => String::new(),
            count => match self.theme.glyphs {
                Glyphs::Unicode => format!("×{count}"),
                Glyphs::Ascii => format!("x{count}"),
            },
        };
        let date = match row {
            Some(row) if row.prompt.timestamp == 0 && !is_deleted => "no date",
            _ => "",
        };
        // A conversation that can be opened matters more than the fate of this one.
        let other = self.hit.elsewhere().and_then(|row| self.screen.row(row));
        let other = other.map(|other| format!("also {}", other.since(self.context.millis())));
        let fate = other.unwrap_or_else(|| {
            let fate = match self.hit.fate {
                ConversationFate::Deleted if !is_deleted => "deleted",
                ConversationFate::Missing => "not on disk",
                ConversationFate::Empty => "empty",
                ConversationFate::Deleted | ConversationFate::There | ConversationFate::Unknown => {
                    ""
                }
            };
            fate.to_owned()
        });
        let notes = [count.as_str(), date, fate.as_str()];
        let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
        notes.join(" ")
    }

    fn line(&self, row: Option<&PastRow>, text: &str, columns: u16) -> Vec<Span<'static>> {
        let theme = self.theme;
        let when = row.map_or(String::new(), |row| match row.prompt.timestamp {
            0 => String::new(),
            then => age(then, self.context.millis()),
        });
        let mut spans = vec![
            self.bar(),
            Span::styled(format!("{} ", pad(&when, AGE)), theme.dim()),
        ];
        if columns >= ROOMY {
            let project = row.map_or("", |row| project_label(&row.prompt.project));
            let shown = clean(project, PROJECT);
            let rest = PROJECT.saturating_sub(width(&shown)) + 1;
            spans.extend(self.marked(&shown, Field::Project, theme.dim()));
            spans.push(Span::raw(" ".repeat(rest)));
        }
        let notes = self.notes(row);
        let used = width_of(&spans) + width(&notes) + 2;
        let room = usize::from(columns).saturating_sub(used);
        let shown = clean(text, room);
        let rest = room.saturating_sub(width(&shown)) + 1;
        let base = if self.is_cursor {
            theme.strong()
        } else {
            theme.text()
        };
        spans.extend(self.marked(&shown, Field::Title, base));
        spans.push(Span::raw(" ".repeat(rest)));
        spans.push(Span::styled(notes, theme.dim()));
        spans
    }

    /// The second line of a session: its id, its dates, and its last prompt.
    fn last(&self, span: &PastSpan, columns: u16) -> Vec<Span<'static>> {
        let id = span.last.session.as_deref().unwrap_or_default();
        let id = clean(crate::text::beginning(id, 8), 8);
        let zone = *self.context.now.offset();
        let from = moment(span.first.timestamp, zone, "%Y-%m-%d");
        let to = moment(span.last.timestamp, zone, "%Y-%m-%d");
        let dates = if from == to {
            to
        } else {
            format!("{from} to {to}")
        };
        let dot = self.theme.signs().dot;
        let last = if span.first == span.last {
            String::new()
        } else {
            format!("{dot}last: {}", clean(&span.last.display, 200))
        };
        let text = format!("     {id}{dot}{dates}{last}");
        let text = crate::text::truncate(&text, usize::from(columns).saturating_sub(3));
        vec![self.bar(), Span::styled(text, self.theme.dim())]
    }

    fn bar(&self) -> Span<'static> {
        let bar = self.theme.signs().bar;
        if self.is_cursor {
            Span::styled(format!("{bar} "), self.theme.you())
        } else {
            Span::raw(" ".repeat(width(bar) + 1))
        }
    }

    fn marked(&self, shown: &str, field: Field, base: Style) -> Vec<Span<'static>> {
        let query = &self.screen.query.query;
        if query.is_empty() {
            return vec![Span::styled(shown.to_owned(), base)];
        }
        let matches = highlight(shown, field, query, self.hit.tier);
        marked(shown, &matches, base, self.theme)
    }
}
