//! Draws the prompt history: prompts on one line each, deleted sessions on two.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{EnterMode, PastRow, PendingPrompt, Prompts, fate_words};
use crate::search::{ConversationFate, Field, PromptHit, View, highlight, project_label};
use crate::text::{age, beginning, pad, truncate_with, width};
use crate::tui::dates::moment;
use crate::tui::host::Env;
use crate::tui::keymap::{Action, Binding, KeyLayer, layers};
use crate::tui::layout::Focus;
use crate::tui::theme::{Glyphs, Theme};
use crate::tui::widgets::{
    Footer, clean, draw_list, draw_rules, draw_scopes, line_of, marked, matches, number, plural,
    put, width_of,
};

/// Columns for an age, and for a project where there is room.
const AGE: usize = 4;
const PROJECT: usize = 10;
/// Narrower lists show no project.
const ROOMY: u16 = 44;

impl Prompts {
    /// Draws everything but the footer. Returns the position of the caret.
    pub fn draw(&self, env: Env<'_>, buffer: &mut Buffer) -> Option<Position> {
        let theme = env.context.theme();
        let layout = env.context.layout(self.focus);
        draw_rules(&layout, self.list.above(), theme, buffer);
        let pane = self.pane(env.context);
        let mut area = layout.list;
        let banner = area.height - pane.lines;
        if banner > 0 {
            self.draw_banner(area, env, buffer);
        }
        area.y += banner;
        area.height -= banner;
        let reasons = || self.reasons(env);
        draw_list(
            &self.list,
            pane,
            reasons,
            theme,
            area,
            buffer,
            |at, area, buffer| {
                self.draw_row(at, env, area, buffer);
            },
        );
        let find = self.draw_page(layout.preview, env, buffer);
        let label = match self.view {
            View::Prompts => "history ",
            View::Deleted => "deleted ",
        };
        let scope = Span::styled(format!("[{}]", self.scope.words()), theme.strong());
        let session = self.session_meant(env.context);
        let scopes = Self::scopes(session.as_deref(), env.data).into_iter();
        let scopes = scopes.map(|scope| (scope.words(), scope == self.scope));
        let key = env.context.key(Action::PromptScope);
        let counts = self.counts(theme);
        let gap = || vec![Span::raw("   ")];
        let statuses = [
            [draw_scopes(scopes, &key, theme), gap(), counts.clone()].concat(),
            [vec![scope.clone()], gap(), counts].concat(),
            vec![scope],
        ];
        let query = self
            .query
            .draw(label, statuses, theme, layout.query, buffer);
        match self.focus {
            Focus::List => query,
            Focus::Preview => find,
        }
    }

    /// What deleted sessions are, and how long the others have.
    fn draw_banner(&self, area: Rect, env: Env<'_>, buffer: &mut Buffer) {
        let theme = env.context.theme();
        let room = usize::from(area.width.saturating_sub(2));
        let answer = self.answer.as_ref();
        let left = match answer.map_or((0, 0), |it| (it.deleted, it.missing)) {
            (_, 0) => fate_words(ConversationFate::Deleted).1.to_owned(),
            (0, _) => fate_words(ConversationFate::Missing).1.to_owned(),
            (deleted, missing) => format!(
                "prompts only: {} deleted, {} missing",
                number(deleted),
                number(missing)
            ),
        };
        let expiring = self.progress.expiring.map(|count| match count {
            1 => "1 session expires within 7 days".to_owned(),
            count => format!("{} expire within 7 days", plural(count, "session")),
        });
        let retention = env.context.setting.retention;
        let texts = [
            (left, theme.attention()),
            (format!("cleanupPeriodDays {retention}"), theme.dim()),
            (expiring.unwrap_or_default(), theme.dim()),
        ];
        for (line, (text, style)) in (0..).zip(texts) {
            let spans = vec![
                Span::raw(" "),
                Span::styled(clean(&text, room, theme), style),
            ];
            put(buffer, line_of(area, line), &Line::from(spans));
        }
    }

    /// Why there are no rows, and what to do about it.
    fn reasons(&self, env: Env<'_>) -> Vec<String> {
        let progress = self.progress;
        let query = &self.query.query;
        let answer = self.answer.as_ref().filter(|_| !self.query.is_searching());
        let Some(answer) = answer.filter(|_| progress.over || !query.is_empty()) else {
            return Vec::new();
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
        } else if !query.is_empty() {
            let prompts = plural(answer.prompts, "prompt");
            lines.push(format!("No match in {prompts}."));
        } else {
            lines.push(match self.view {
                View::Deleted => "No deleted sessions here.".to_owned(),
                View::Prompts => "No prompts here.".to_owned(),
            });
        }
        let key = env.context.key(Action::PromptScope);
        let elsewhere = answer.counts.elsewhere;
        if elsewhere > 0 && self.view == View::Prompts && !key.is_empty() {
            let count = if query.is_empty() {
                plural(elsewhere, "prompt")
            } else {
                matches(elsewhere)
            };
            lines.push(format!("{key}  widen the scope: {count}"));
        }
        if !self.is_complete() {
            lines.push("Still looking.".to_owned());
        }
        lines
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
        let progress = self.progress_status(env.context.theme());
        draw(Footer {
            layers,
            word: &|binding| self.word(binding).map(Cow::from),
            completion: self.query.completion.as_ref().filter(|_| is_typing),
            problem: problem.map(|problem| problem.message.as_str()),
            progress: Vec::from_iter(progress.map(|(text, style)| Span::styled(text, style))),
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

    /// How far the history is read, and what of it was not.
    fn progress_status(&self, theme: Theme) -> Option<(String, Style)> {
        let progress = self.progress;
        Some(if let Some(PendingPrompt::Probe(_)) = self.pending {
            ("checking".to_owned(), theme.dim())
        } else if !progress.over {
            let spinner = theme.signs().spinner;
            let sign = spinner[(progress.read / 4000) % spinner.len()];
            let text = format!("reading {} {sign}", number(progress.read));
            (text, theme.dim())
        } else if progress.unreadable > 0 {
            ("a history cannot be read".to_owned(), theme.broken())
        } else if progress.unsearched > 0 && !self.query.query.is_empty() {
            let prompts = plural(progress.unsearched, "prompt");
            (
                format!("pastes of {prompts} not searched"),
                theme.attention(),
            )
        } else if progress.passed.malformed > 0 {
            let lines = plural(progress.passed.malformed, "bad line");
            (lines, theme.attention())
        } else {
            return None;
        })
    }

    /// Draws the row at a position of the list at the top of an area.
    fn draw_row(&self, position: usize, env: Env<'_>, area: Rect, buffer: &mut Buffer) {
        let theme = env.context.theme();
        let is_cursor = position == self.list.position();
        let (bar, base) = if is_cursor {
            (theme.signs().bar, theme.strong())
        } else {
            (" ", theme.text())
        };
        let bar = Span::styled(format!("{bar} "), theme.you());
        let hit = self.list.items().get(position);
        let Some((hit, row)) = hit.and_then(|hit| Some((hit, self.row(hit.row)?))) else {
            return put(buffer, area, &Line::from(bar));
        };
        let when = match row.prompt.timestamp {
            0 => String::new(),
            then => age(then, env.context.millis()),
        };
        let when = Span::styled(format!("{} ", pad(&when, AGE)), theme.dim());
        let mut spans = vec![bar.clone(), when];
        if area.width >= ROOMY {
            let project = clean(project_label(&row.prompt.project), PROJECT, theme);
            spans.extend(self.marked(&project, PROJECT, (hit, Field::Project), theme.dim(), theme));
        }
        let notes = self.notes(hit, row, env);
        let used = width_of(&spans) + width(&notes) + 2;
        let room = usize::from(area.width).saturating_sub(used);
        let first = row.span.as_ref().map_or(&row.prompt, |span| &span.first);
        let text = clean(&first.display, room, theme);
        spans.extend(self.marked(&text, room, (hit, Field::Title), base, theme));
        spans.push(Span::styled(notes, theme.dim()));
        put(buffer, area, &Line::from(spans));
        let Some(span) = &row.span else {
            return;
        };
        // The second line of a session: its id, its dates, and its last prompt.
        let day = |at| moment(at, *env.context.now.offset(), "%Y-%m-%d");
        let (from, to) = (day(span.first.timestamp), day(span.last.timestamp));
        let id = span.last.session.as_deref().unwrap_or_default();
        let mut parts = vec![format!("     {}", clean(beginning(id, 8), 8, theme))];
        parts.push(if from == to {
            to
        } else {
            format!("{from} to {to}")
        });
        if span.first != span.last {
            parts.push(format!("last: {}", clean(&span.last.display, 200, theme)));
        }
        let text = parts.join(theme.signs().dot);
        let room = usize::from(area.width).saturating_sub(3);
        let text = truncate_with(&text, room, theme.signs().cut);
        let spans = vec![bar, Span::styled(text, theme.dim())];
        put(buffer, line_of(area, 1), &Line::from(spans));
    }

    /// The notes at the end of a row.
    fn notes(&self, hit: &PromptHit, row: &PastRow, env: Env<'_>) -> String {
        let is_deleted = self.view == View::Deleted;
        let mut notes = Vec::new();
        match (hit.count as usize, env.context.theme().glyphs) {
            (count, _) if is_deleted => notes.push(plural(count, "prompt")),
            (0 | 1, _) => {}
            (count, Glyphs::Unicode) => notes.push(format!("×{count}")),
            (count, Glyphs::Ascii) => notes.push(format!("x{count}")),
        }
        if row.prompt.timestamp == 0 && !is_deleted {
            notes.push("no date".to_owned());
        }
        // A conversation that can be opened matters more than the fate of this one.
        if let Some(other) = hit.elsewhere().and_then(|row| self.row(row)) {
            notes.push(format!("also {}", other.since(env.context.millis())));
        } else if !is_deleted || hit.fate != ConversationFate::Deleted {
            notes.push(fate_words(hit.fate).0.to_owned());
        }
        notes.retain(|note| !note.is_empty());
        notes.join(" ")
    }

    /// A text with a space after its column, marked where the query found it.
    fn marked(
        &self,
        text: &str,
        columns: usize,
        (hit, field): (&PromptHit, Field),
        base: Style,
        theme: Theme,
    ) -> Vec<Span<'static>> {
        let found = highlight(text, field, &self.query.query, hit.tier);
        let mut spans = marked(text, &found, base, theme);
        let rest = columns.saturating_sub(width(text)) + 1;
        spans.push(Span::raw(" ".repeat(rest)));
        spans
    }
}
