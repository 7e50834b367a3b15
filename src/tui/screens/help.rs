//! The help screen: every key of the table under its heading, what can be typed, the signs.

use ratatui::Frame;
use ratatui::text::Line;

use super::{Flow, motion};
use crate::text::{pad, wrap};
use crate::tui::context::Context;
use crate::tui::host::Host;
use crate::tui::keymap::{Action, HelpGroup, Keymap};
use crate::tui::widgets::{Motion, line_of, put, scrolled};

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

enum HelpLine {
    Title(&'static str),
    /// A key, or the rest of its text below it.
    Key {
        keys: String,
        help: String,
    },
    Text(String),
    Blank,
}

impl Help {
    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match (action, motion(action)) {
            (_, Some(motion)) => self.go(motion, host.context),
            (Action::Back | Action::Help, _) => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    pub fn go(&mut self, motion: Motion, context: &Context) {
        let page = usize::from(context.area.height.saturating_sub(2)).max(1);
        let lines = lines(&context.setting.keymap, context.area.width.into());
        let last = lines.len().saturating_sub(page);
        self.top = scrolled(self.top, motion, page, last);
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let area = frame.area();
        let theme = context.theme();
        let signs = theme.signs();
        let buffer = frame.buffer_mut();
        let columns = usize::from(area.width);
        let lines = lines(&context.setting.keymap, columns);
        let page = usize::from(area.height.saturating_sub(2));
        let top = self.top.min(lines.len().saturating_sub(page));
        let rows = 0..area.height.saturating_sub(1);
        for (row, line) in rows.zip(lines.iter().skip(top)) {
            let line = match line {
                HelpLine::Title(title) => Line::styled(format!(" {title}"), theme.strong()),
                HelpLine::Key { keys, help } => {
                    let keys = format!("   {}", pad(keys, key_columns(columns)));
                    let keys = ratatui::text::Span::styled(keys, theme.you());
                    Line::from(vec![keys, format!(" {help}").into()])
                }
                HelpLine::Text(text) => Line::from(format!("   {text}")),
                HelpLine::Blank => Line::default(),
            };
            put(buffer, line_of(area, row), &line);
        }
        let more = if top + page + 1 < lines.len() {
            format!(" {} more{}", signs.below, signs.dot)
        } else {
            " ".to_owned()
        };
        let footer = Line::styled(format!("{more}Esc back"), theme.dim());
        put(
            buffer,
            line_of(area, area.height.saturating_sub(1)),
            &footer,
        );
    }
}

fn key_columns(columns: usize) -> usize {
    if columns < WIDE { FIRST_KEY } else { KEYS }
}

fn lines(keymap: &Keymap, columns: usize) -> Vec<HelpLine> {
    let mut lines = Vec::new();
    let room = columns.saturating_sub(key_columns(columns) + 5).max(1);
    for group in HelpGroup::ALL {
        lines.push(HelpLine::Title(group.title()));
        for (binding, chords) in keymap.lines() {
            if binding.group != group || chords.is_empty() {
                continue;
            }
            let all = if columns < WIDE { 1 } else { chords.len() };
            let keys: Vec<String> = chords[..all].iter().map(ToString::to_string).collect();
            let mut keys = keys.join("  ");
            for help in wrap(binding.help, room) {
                let keys = std::mem::take(&mut keys);
                lines.push(HelpLine::Key { keys, help });
            }
        }
        lines.push(HelpLine::Blank);
    }
    for (title, texts) in [("What you can type", QUERIES), ("Signs", SIGNS)] {
        lines.push(HelpLine::Title(title));
        for text in texts {
            if columns >= WIDE {
                // Their own columns stay as they are.
                lines.push(HelpLine::Text((*text).to_owned()));
            } else {
                let words: Vec<&str> = text.split_whitespace().collect();
                let parts = wrap(&words.join(" "), columns.saturating_sub(4).max(1));
                lines.extend(parts.into_iter().map(HelpLine::Text));
            }
        }
        lines.push(HelpLine::Blank);
    }
    lines.pop();
    lines
}
