//! The branches of a conversation: where each left, how long it is, and how it ended.

use std::borrow::Cow;
use std::sync::Arc;

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::{Flow, Returned};
use crate::text::{age, pad, width};
use crate::transcript::Branch;
use crate::tui::widgets::{
    Footer, Motion, clean, draw_footer, line_of, plural, put, scrolled, width_of,
};
use crate::tui::{Action, Context, Host, layers};

/// Columns for where a branch left.
const PLACE: usize = 22;
/// Narrower screens show no lengths and ages.
const NARROW: usize = 60;
/// Lines above the branches, and below them.
const MARGIN: u16 = 2;

#[derive(Debug)]
pub struct Branches {
    title: String,
    all: Arc<Vec<Branch>>,
    /// The one in the reader.
    shown: usize,
    pub cursor: usize,
}

impl Branches {
    /// The branches of a conversation; the reader shows the one with this leaf, or the one that
    /// resume takes.
    pub fn new(title: &str, branches: Arc<Vec<Branch>>, leaf: Option<&str>) -> Self {
        let is_shown = |branch: &Branch| match leaf {
            Some(leaf) => branch.leaf == leaf,
            None => branch.is_resumed,
        };
        let shown = branches.iter().position(is_shown).unwrap_or(0);
        Self {
            title: title.to_owned(),
            all: branches,
            shown,
            cursor: shown,
        }
    }

    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match action {
            Action::Move(motion) => self.go(motion, host.context),
            Action::ShowBranch => return self.choose(self.cursor),
            Action::Back | Action::Help => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    fn go(&mut self, motion: Motion, context: &Context) {
        let last = self.all.len().saturating_sub(1);
        self.cursor = scrolled(self.cursor, motion, rows(context), last);
    }

    /// A click on a branch shows it, another one goes back.
    pub fn click(&self, line: u16, context: &Context) -> Flow {
        let line = line.checked_sub(MARGIN).map(usize::from);
        match line.filter(|line| *line < rows(context)) {
            Some(line) => self.choose(self.top(context) + line),
            None => Flow::Pop,
        }
    }

    fn choose(&self, at: usize) -> Flow {
        match self.all.get(at) {
            Some(branch) => {
                let leaf = (!branch.is_resumed).then(|| branch.leaf.clone());
                Flow::Return(Returned::Branch(leaf))
            }
            None => Flow::Pop,
        }
    }

    /// The first visible branch.
    fn top(&self, context: &Context) -> usize {
        self.cursor.saturating_sub(rows(context) - 1)
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let area = frame.area();
        let theme = context.theme();
        let signs = theme.signs();
        let buffer = frame.buffer_mut();
        let room = usize::from(area.width.saturating_sub(2));
        let title = format!("branches of \"{}\"", self.title);
        let title = Line::from(vec![
            Span::styled(format!(" {} ", signs.forks), theme.you()),
            Span::styled(clean(&title, room.saturating_sub(2), theme), theme.strong()),
        ]);
        put(buffer, line_of(area, 0), &title);
        let last = self.all.len().saturating_sub(1);
        let lines = MARGIN..area.height.saturating_sub(MARGIN);
        let shown = self.all.iter().enumerate().skip(self.top(context));
        for (line, (at, branch)) in lines.zip(shown) {
            let is_here = at == self.cursor;
            let (bar, style) = if is_here {
                (signs.bar, theme.strong())
            } else {
                (" ", theme.text())
            };
            let twig = match at {
                0 => "",
                _ if at == last => signs.last_twig,
                _ => signs.twig,
            };
            let (place, place_style) = match &branch.left_at {
                _ if branch.is_resumed => {
                    (format!("{} resume takes this", signs.busy), theme.live())
                }
                Some(_) => (format!("left after turn {}", branch.shared_turns), style),
                None if branch.is_cut_off => ("cut off by damage".to_owned(), style),
                None => ("started over".to_owned(), style),
            };
            let place = pad(&place, PLACE.saturating_sub(width(twig)));
            let mut spans = vec![
                Span::styled(format!(" {bar} "), theme.you()),
                Span::styled(twig, theme.dim()),
                Span::styled(place, place_style),
            ];
            // The prompt is what tells branches apart.
            if room >= NARROW {
                let turns = plural(branch.turns, "turn");
                let when = branch.at.map(|at| age(at, context.millis()));
                let measures = format!("{turns:>9} {:>5}  ", when.unwrap_or_default());
                spans.push(Span::styled(measures, theme.dim()));
            }
            let prompt = branch.last_prompt.as_deref().unwrap_or_default();
            let mark = if at == self.shown { "  (shown)" } else { "" };
            let left = room.saturating_sub(width_of(&spans) + mark.len() + 2);
            spans.push(Span::styled(
                format!("\"{}\"", clean(prompt, left, theme)),
                style,
            ));
            spans.push(Span::styled(mark, theme.dim()));
            put(buffer, line_of(area, line), &Line::from(spans));
        }
        let footer = Footer {
            layers: layers::BRANCHES,
            word: &|binding| binding.footer.map(Cow::from),
            completion: None,
            problem: None,
            progress: Vec::new(),
        };
        let last = line_of(area, area.height.saturating_sub(1));
        draw_footer(footer, None, context, last, buffer);
    }
}

/// Branches that fit on the screen.
fn rows(context: &Context) -> usize {
    let rows = context.area.height.saturating_sub(2 * MARGIN);
    usize::from(rows.max(1))
}
