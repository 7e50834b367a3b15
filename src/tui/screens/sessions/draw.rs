//! Draws the picker of sessions.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Span;

use super::{Sessions, row};
use crate::content::Progress;
use crate::list::Sort;
use crate::tui::widgets::{Footer, draw_list, draw_rules, draw_scopes, matches, number, plural};
use crate::tui::{Action, Binding, Env, Focus, HereKind, KeyLayer, Scan, Switch, layers};

impl Sessions {
    /// Draws everything but the footer. Returns the position of the caret.
    pub fn draw(&self, env: Env<'_>, buffer: &mut Buffer) -> Option<Position> {
        let theme = env.context.theme();
        let layout = env.context.layout(self.focus);
        draw_rules(&layout, self.list.above(), theme, buffer);
        let pane = self.pane(env.context);
        let density = layout.density(env.context.panes);
        let reasons = || self.reasons(env);
        let draw = |at, area, buffer: &mut Buffer| row::draw(self, at, density, env, area, buffer);
        draw_list(&self.list, pane, reasons, theme, layout.list, buffer, draw);
        let find = self.cursor_row(env.data).and_then(|row| {
            let pane = self.reader_pane(env.context);
            self.reader.draw(row, env, pane, buffer)
        });
        let statuses = self.statuses(env);
        let query = self.query.draw("", statuses, theme, layout.query, buffer);
        match self.focus {
            Focus::List => query,
            Focus::Preview => find,
        }
    }

    /// Why there are no rows, and what to do about it.
    fn reasons(&self, env: Env<'_>) -> Vec<String> {
        let counts = self.counts;
        let is_over = env.data.is_scanned();
        if (!is_over && counts.searched == 0) || (is_over && self.query.is_searching()) {
            return Vec::new();
        }
        if counts.searched == 0 {
            return no_sessions(env);
        }
        let is_empty = self.query.query.is_empty();
        let mut lines = vec![self.searched()];
        if let Some(progress) = self.reading() {
            let searched = number(progress.searched);
            let total = plural(progress.total, "conversation");
            lines.push(format!("Still reading: {searched} of {total} searched."));
        }
        let mut offer = |action, text: String| {
            let key = env.context.key(action);
            if !key.is_empty() {
                lines.push(format!("{key}  {text}"));
            }
        };
        let (elsewhere, hidden) = self.matches_beyond();
        if let Some(text) = self.suggested() {
            offer(Action::TakeSuggestion, text);
        }
        if self.is_here() && elsewhere > 0 {
            let count = if is_empty {
                plural(elsewhere, "session")
            } else {
                matches(elsewhere)
            };
            offer(Action::Scope, format!("search all projects: {count}"));
        }
        if self.hidden_kinds == Switch::Off && hidden > 0 {
            offer(Action::Hidden, format!("show {} hidden", number(hidden)));
        }
        if !is_empty {
            if let Some(text) = self.in_history() {
                offer(Action::Prompts, text);
            }
            offer(Action::Back, "clear the query".to_owned());
        }
        lines.extend(self.unreadable(env).map(|text| format!("{text}.")));
        let reply = self.inside_reply();
        let omissions = reply.map_or_else(Vec::new, |reply| reply.progress.omissions());
        lines.extend(
            omissions
                .iter()
                .map(|what| format!("Not searched: {what}.")),
        );
        if !is_over {
            lines.push("Still looking.".to_owned());
        }
        lines
    }

    /// What was searched, where nothing was found.
    fn searched(&self) -> String {
        let query = &self.query.query;
        let place = if self.is_here() { " here" } else { "" };
        let shown = self.counts.shown;
        if query.is_empty() {
            return format!("No sessions{place}.");
        }
        if query.about_rows().is_none() {
            let sessions = plural(shown, "session");
            return format!("No match in {sessions}{place}.");
        }
        let is_in_titles = !query.is_of_content();
        let searched = self.inside_reply().map_or(0, |reply| reply.searched);
        let conversations = plural(searched, "conversation");
        match (is_in_titles, self.awaits_inside()) {
            (true, true) => format!("No match in titles and prompts{place}."),
            (true, false) => format!("No match in titles, prompts and {conversations}{place}."),
            (false, true) => format!("No match yet{place}."),
            (false, false) => format!("No match in {conversations}{place}."),
        }
    }

    /// What is shown right of the query: all of it, and less and less for narrow screens.
    fn statuses(&self, env: Env<'_>) -> [Vec<Span<'static>>; 5] {
        let theme = env.context.theme();
        let dot = theme.signs().dot;
        let said = |text: String, style| vec![Span::styled(text, style)];
        let order = match self.order {
            Sort::Activity => Vec::new(),
            Sort::Created => said("by start".to_owned(), theme.dim()),
            Sort::Size => said("by size".to_owned(), theme.dim()),
            Sort::Title => said("by title".to_owned(), theme.dim()),
        };
        let marked = match self.marked.len() {
            0 => Vec::new(),
            marked => said(format!("{} marked", number(marked)), theme.attention()),
        };
        let found = self.found.len();
        let counts = match (&env.data.scan, self.query.query.is_empty()) {
            (Scan::Listing, _) => String::new(),
            (_, true) => plural(found, "session"),
            (_, false) => format!("{} of {}", number(found), number(self.counts.shown)),
        };
        let counts = said(counts, theme.text());
        let hidden = match (self.hidden_kinds, self.matches_beyond().1) {
            (Switch::On, _) => said(format!("{dot}hidden included"), theme.attention()),
            (Switch::Off, 0) => Vec::new(),
            (Switch::Off, count) => said(format!("{dot}{} hidden", number(count)), theme.dim()),
        };
        let all = [&counts[..], &hidden].concat();
        let status = |parts: [&[Span<'static>]; 2]| {
            let parts = [&order[..], &marked, parts[0], parts[1]].into_iter();
            let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
            parts.join(&Span::raw("   "))
        };
        [
            status([&self.scope(&env.context.key(Action::Scope), env), &all]),
            status([&self.scope("", env), &all]),
            status([&[], &all]),
            status([&[], &counts]),
            status([&[], &[]]),
        ]
    }

    /// Both scopes, and the key for the other one.
    fn scope(&self, key: &str, env: Env<'_>) -> Vec<Span<'static>> {
        let theme = env.context.theme();
        let Some(here) = env.data.here_words() else {
            return vec![Span::styled("all projects", theme.text())];
        };
        let scopes = [(here, self.is_here()), ("all", !self.is_here())];
        draw_scopes(scopes.into_iter(), key, theme)
    }

    pub fn footer(&self, layers: &'static [KeyLayer], env: Env<'_>, draw: impl FnOnce(Footer<'_>)) {
        let problem = self.query.query.problems().first();
        let is_typing = layers == layers::SESSION_LIST;
        draw(Footer {
            layers,
            word: &|binding| self.word(binding, layers, env),
            completion: self.query.completion.as_ref().filter(|_| is_typing),
            problem: problem.map(|problem| problem.message.as_str()),
            progress: self.progress(env),
        });
    }

    /// The word for a key; none for a key that would do nothing now.
    fn word(
        &self,
        binding: &Binding,
        layers: &'static [KeyLayer],
        env: Env<'_>,
    ) -> Option<Cow<'static, str>> {
        let is_list = layers == layers::SESSION_LIST || layers == layers::EMPTY_SESSION_LIST;
        let has_marks = is_list && !self.marked.is_empty();
        let reads = self.reader.fold_here().is_some() || self.reader.is_on_files();
        match (binding.action, binding.layer) {
            (Action::Resume, _) => return self.word_of_enter(env.context),
            (Action::Toggle, _) if !reads => return self.word_of_enter(env.context),
            (Action::Mark, _) if has_marks && self.is_cursor_marked() => {
                return Some("unmark".into());
            }
            (Action::Mark, _) if has_marks => return Some("mark".into()),
            // What is typed goes first.
            (Action::Back, KeyLayer::Global) if has_marks && self.query.input.is_empty() => {
                return Some("unmark all".into());
            }
            _ => {}
        }
        let word = binding.footer?;
        let page = self.reader.page();
        let has_text = self.reader.length() > 0;
        let is_useful = match binding.action {
            Action::SwitchPane => self.list.cursor().is_some(),
            Action::Toggle => !self.reader.is_on_files(),
            Action::Find | Action::CopyMessage | Action::Folds => has_text,
            Action::Branches => page.is_some_and(|page| page.branches.len() > 1),
            Action::NextMatch => !self.reader.marks().is_empty(),
            Action::Scope => {
                let here = env.data.here.as_ref().map(|here| here.kind);
                self.focus == Focus::List
                    && here != Some(HereKind::Nowhere)
                    && self.counts.searched > 0
            }
            _ => true,
        };
        let word = match binding.action {
            Action::Scope if !self.is_here() => env.data.here_words().unwrap_or("this repo"),
            Action::SwitchPane if self.focus == Focus::Preview => "list",
            Action::Toggle => match self.reader.fold_here() {
                Some(fold) if self.reader.options.is_open(fold) => "collapse",
                _ => "expand",
            },
            _ => word,
        };
        is_useful.then_some(word.into())
    }

    /// How far conversations were searched, while they are.
    fn reading(&self) -> Option<&Progress> {
        let reply = self.inside_reply().filter(|reply| !reply.is_complete)?;
        Some(&reply.progress)
    }

    /// How many conversations could not be searched for this query.
    fn failures(&self) -> usize {
        let reply = self.inside_reply();
        reply.map_or(0, |reply| reply.progress.failed.len())
    }

    /// Marks that cannot be seen, and how far the work is.
    fn progress(&self, env: Env<'_>) -> Vec<Span<'static>> {
        let theme = env.context.theme();
        let unlisted = match self.unlisted_marks() {
            0 => Vec::new(),
            count => {
                let text = format!("{} not listed", plural(count, "mark"));
                vec![Span::styled(text, theme.attention())]
            }
        };
        let parts = [unlisted, self.work(env)].into_iter();
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(&Span::styled(theme.signs().dot, theme.dim()))
    }

    fn work(&self, env: Env<'_>) -> Vec<Span<'static>> {
        let theme = env.context.theme();
        let dim = |text: String| vec![Span::styled(text, theme.dim())];
        if self.is_waiting() {
            return dim("checking".to_owned());
        }
        if let (Scan::Over(_), Some(progress)) = (&env.data.scan, self.reading()) {
            return dim(format!(
                "searched {} of {}",
                number(progress.searched),
                plural(progress.total, "conversation")
            ));
        }
        match &env.data.scan {
            Scan::Listing => dim("looking for sessions".to_owned()),
            Scan::Reading { read, total } => {
                // Turns with the work, not with the clock.
                let spinner = theme.signs().spinner;
                let sign = spinner[(read / 400) % spinner.len()];
                dim(format!(
                    "scanning {}/{} {sign}",
                    number(*read),
                    number(*total)
                ))
            }
            Scan::Over(trouble) if !trouble.folders.is_empty() => {
                let folders = plural(trouble.folders.len(), "folder");
                let text = format!("{folders} cannot be read");
                vec![Span::styled(text, theme.broken())]
            }
            Scan::Over(trouble) if !trouble.unread.is_empty() => {
                let sessions = plural(trouble.unread.len(), "session");
                let text = format!("{sessions} not read: too many open files");
                vec![Span::styled(text, theme.broken())]
            }
            Scan::Over(_) if self.failures() > 0 => {
                let text = plural(self.failures(), "conversation");
                vec![Span::styled(
                    format!("{text} cannot be read"),
                    theme.broken(),
                )]
            }
            Scan::Over(_) if env.context.mouse == Switch::Off => dim("mouse off".to_owned()),
            Scan::Over(_) => Vec::new(),
        }
    }
}

/// Why there are no sessions at all.
fn no_sessions(env: Env<'_>) -> Vec<String> {
    let closed = match &env.data.scan {
        Scan::Over(trouble) => trouble.folders.as_slice(),
        Scan::Listing | Scan::Reading { .. } => &[],
    };
    if closed.is_empty() {
        let places = env.context.setting.places.join(", ");
        return vec![
            format!("No Claude Code sessions yet under {places}."),
            "Start one with `claude`, or try `claude-resume --demo`.".to_owned(),
        ];
    }
    let unreadable = closed.iter().map(|(folder, reason)| {
        let folder = env.context.tilde(&folder.to_string_lossy());
        format!("{folder} cannot be read: {reason}.")
    });
    unreadable.collect()
}
