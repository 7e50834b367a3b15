//! The help screen: every key of the table under its heading, what can be typed, the signs.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::Flow;
use crate::text::{pad, wrap};
use crate::tui::widgets::{Motion, line_of, put, scrolled};
use crate::tui::{Action, Context, HelpGroup, Host};

const QUERIES: &[&str] = &[
    "words          all of them, in any order; letters in order match too, further down",
    "\"a phrase\"     exactly this",
    "-word          without it",
    "/regex/        a regular expression, without regard to case; -/regex/ excludes",
    "project:shop   branch:main  tag:auth  model:opus  pr:412  id:8c1f",
    "is:running     is:waiting  is:interrupted  is:forked  is:damaged  is:named",
    "since:2d       before:2026-11-01",
    "role:user      role:claude  role:tool: who said the words",
    "tool:Bash      file:src/auth.rs: conversations that used it",
    "has:error      has:thinking  has:image  has:agent",
];

const SIGNS: &[&str] = &[
    "● busy   ◐ waiting for you   ○ idle: open in Claude Code",
    "⑂3       three sessions forked from one another, the newest on top",
    "⏳3d      Claude Code deletes it in three days, unless you resume it",
];

/// Columns for the keys of a line, where all of them fit.
const KEYS: usize = 30;
/// Columns for the first key alone.
const FIRST_KEY: usize = 12;
/// From this width on all keys fit.
const WIDE: usize = 80;

#[derive(Debug, Default)]
pub struct Help {
    /// The first visible line.
    pub top: usize,
}

impl Help {
    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match action {
            Action::Move(motion) => self.go(motion, host.context),
            Action::Back | Action::Help => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    fn go(&mut self, motion: Motion, context: &Context) {
        let page = usize::from(context.area.height.saturating_sub(2)).max(1);
        let last = lines(context).len().saturating_sub(page);
        self.top = scrolled(self.top, motion, page, last);
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let area = frame.area();
        let theme = context.theme();
        let buffer = frame.buffer_mut();
        let lines = lines(context);
        let page = usize::from(area.height.saturating_sub(2));
        let top = self.top.min(lines.len().saturating_sub(page));
        let bottom = area.height.saturating_sub(1);
        for (row, line) in (0..bottom).zip(lines.iter().skip(top)) {
            put(buffer, line_of(area, row), line);
        }
        let more = if top + page + 1 < lines.len() {
            format!(" {} more{}", theme.signs().below, theme.signs().dot)
        } else {
            " ".to_owned()
        };
        let footer = Line::styled(format!("{more}Esc back"), theme.dim());
        put(buffer, line_of(area, bottom), &footer);
    }
}

fn lines(context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme();
    let columns = usize::from(context.area.width);
    let is_wide = columns >= WIDE;
    let key_columns = if is_wide { KEYS } else { FIRST_KEY };
    let title = |title| Line::styled(format!(" {title}"), theme.strong());
    let mut lines = Vec::new();
    for group in HelpGroup::ALL {
        lines.push(title(group.title()));
        for (binding, chords) in context.setting.keymap.lines() {
            if binding.group != group || chords.is_empty() {
                continue;
            }
            let all = if is_wide { chords.len() } else { 1 };
            let keys: Vec<String> = chords[..all].iter().map(ToString::to_string).collect();
            let mut keys = keys.join("  ");
            for help in wrap(binding.help, columns.saturating_sub(key_columns + 5).max(1)) {
                let keys = format!("   {}", pad(&std::mem::take(&mut keys), key_columns));
                let keys = Span::styled(keys, theme.you());
                lines.push(Line::from(vec![keys, format!(" {help}").into()]));
            }
        }
        lines.push(Line::default());
    }
    for (heading, texts) in [("What you can type", QUERIES), ("Signs", SIGNS)] {
        lines.push(title(heading));
        for text in texts {
            // Wide screens keep the columns of the text.
            let parts = if is_wide {
                vec![(*text).to_owned()]
            } else {
                let words: Vec<&str> = text.split_whitespace().collect();
                wrap(&words.join(" "), columns.saturating_sub(4).max(1))
            };
            lines.extend(parts.iter().map(|part| Line::from(format!("   {part}"))));
        }
        lines.push(Line::default());
    }
    lines.pop();
    lines
}
