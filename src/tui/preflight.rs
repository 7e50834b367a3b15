//! The card over the panes when a finding has to be decided before a session is resumed.
//!
//! A plain value: the finding, the choice under the cursor, a directory that is being typed. What it
//! says comes from `resume`; `update::preflight` handles its keys, `view::preflight` draws it.

mod batch;

use std::path::PathBuf;

use crate::resume::{
    Answer, Answers, Consent, Decision, Finding, Fresh, Intent, Program, Situation, Staying,
};
use crate::search::Generation;
use crate::text::{sanitize, width};

use super::input::Input;
use super::message;

pub use batch::{BatchCard, BatchLine};

/// One finding at a time about one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub title: String,
    pub intent: Intent,
    pub answers: Answers,
    /// What was decided before without asking.
    pub decided: Vec<Decision>,
    pub finding: Finding,
    /// How many findings may follow, each of which can change the command.
    pub more: usize,
    /// What needs no decision, on the last card.
    pub notes: Vec<Finding>,
    pub cursor: usize,
    /// Lines scrolled away from the position that follows the cursor.
    pub scrolled: isize,
    /// A choice that takes two keys has had the first.
    pub armed: bool,
    pub entry: Option<Entry>,
}

/// A directory that is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    pub input: Input,
    /// The completions of the typed text.
    pub offers: Vec<String>,
    pub mistake: Option<&'static str>,
}

/// The facts about the sessions.
#[derive(Debug)]
pub struct Probed {
    pub generation: Generation,
    pub situations: Vec<(String, Situation)>,
    pub left: Vec<Staying>,
}

/// The new session, and the program that would run it.
#[derive(Debug)]
pub struct Beginning {
    pub generation: Generation,
    pub fresh: Fresh,
    pub program: Program,
}

/// The reply, with the typed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathReply {
    Offers {
        typed: String,
        offers: Vec<String>,
    },
    /// It is a directory without directories in it.
    Childless {
        typed: String,
    },
    Enter {
        typed: String,
        path: Option<PathBuf>,
    },
}

impl Card {
    /// The card for what is about to run; `None` if nothing has to be decided.
    pub fn new(title: String, intent: impl Into<Intent>, answers: Answers) -> Option<Self> {
        let intent = intent.into();
        let mut findings = intent.findings(&answers).into_iter();
        let finding = findings.next()?;
        let more = findings.len();
        let notes = match more {
            0 => intent.plan(&answers).notes,
            _ => Vec::new(),
        };
        Some(Self {
            more,
            notes,
            title,
            intent,
            answers,
            decided: Vec::new(),
            finding,
            cursor: 0,
            scrolled: 0,
            armed: false,
            entry: None,
        })
    }

    /// Puts the cursor on a choice.
    pub fn point(&mut self, at: usize) {
        let at = at.min(self.finding.choices.len().saturating_sub(1));
        self.armed = false;
        // At the first or the last one, the viewport is already there.
        if at != self.cursor {
            self.cursor = at;
            self.scrolled = 0;
        }
    }

    /// Moves to the next or previous choice, after the hidden lines of this one were scrolled into
    /// view; before the first choice, to the top of the card.
    pub fn step(&mut self, way: Way, by: Stride, view: &CardView) {
        let lines = match by {
            Stride::Line => 1,
            Stride::Page => view.page.max(1),
        };
        let unseen = match way {
            Way::Down => view.hidden.after,
            Way::Up if self.cursor == 0 => view.above,
            Way::Up => view.hidden.before,
        };
        let lines = isize::try_from(lines.min(unseen)).unwrap_or(0);
        if lines > 0 && view.page > 0 && self.entry.is_none() {
            self.armed = false;
            self.scrolled += match way {
                Way::Down => lines,
                Way::Up => -lines,
            };
            return;
        }
        self.point(match (way, by) {
            (Way::Down, Stride::Line) => self.cursor + 1,
            (Way::Up, Stride::Line) => self.cursor.saturating_sub(1),
            (Way::Down, Stride::Page) => usize::MAX,
            (Way::Up, Stride::Page) => 0,
        });
    }

    /// Takes the choice under the cursor.
    pub fn choose(mut self) -> Answered {
        let Some(choice) = self.finding.choices.get(self.cursor) else {
            return Answered::Card(Box::new(self));
        };
        match &choice.answer {
            Answer::ReadOnly => Answered::Read,
            Answer::AskPath => {
                self.entry = Some(Entry::default());
                Answered::Card(Box::new(self))
            }
            _ if choice.consent == Consent::Twice && !self.armed => {
                self.armed = true;
                // It has to be visible.
                self.scrolled = 0;
                Answered::Card(Box::new(self))
            }
            answer => {
                let answer = answer.clone();
                self.answer(answer)
            }
        }
    }

    /// Takes an answer: to the next finding, or to the plan.
    pub fn answer(self, answer: Answer) -> Answered {
        let answers = self.answers.with(self.finding.topic, answer);
        let plan = self.intent.plan(&answers);
        match Self::new(self.title.clone(), self.intent, answers) {
            Some(card) => Answered::Card(Box::new(Self {
                decided: self.decided,
                ..card
            })),
            None => Answered::Leave(Box::new(message::Chosen {
                title: self.title,
                plan,
                decided: self.decided,
                open: Vec::new(),
            })),
        }
    }
}

/// What an answer leads to.
#[derive(Debug)]
pub enum Answered {
    /// More has to be decided.
    Card(Box<Card>),
    /// Nothing is left to decide.
    Leave(Box<message::Chosen>),
    Read,
}

/// A line of the card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardLine {
    Headline(String),
    About(String),
    /// The first line of a choice.
    Choice(usize, String),
    /// The rest of its label.
    Label(usize, String),
    /// The command of a choice, or a part of it.
    Command(usize, String),
    Entry,
    Offer(String),
    Mistake(String),
    Blank,
}

impl CardLine {
    /// The choice that it belongs to.
    pub fn choice(&self) -> Option<usize> {
        match self {
            Self::Choice(at, _) | Self::Label(at, _) | Self::Command(at, _) => Some(*at),
            _ => None,
        }
    }
}

/// The visible part of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardView {
    pub lines: Vec<CardLine>,
    /// Hidden lines before and after it.
    pub above: usize,
    pub below: usize,
    /// Lines that fit below the headline.
    page: usize,
    hidden: Hidden,
}

/// Hidden lines of the choice under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hidden {
    before: usize,
    after: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Up,
    Down,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    Line,
    Page,
}

/// Completions that are listed below a typed directory.
const MOST_OFFERS: usize = 8;
/// Columns before a command.
pub const INDENT: usize = 5;

impl Card {
    /// The card, wrapped. If it does not fit, only the choice under the cursor shows its command; if
    /// that does not fit either, the card scrolls.
    pub fn view(&self, columns: usize, room: usize) -> CardView {
        let all = self.laid_out(columns, |_| true);
        let mut lines = if all.len() <= room {
            all
        } else {
            self.laid_out(columns, |at| at == self.cursor)
        };
        // The headline stays visible, unless there is room for little more than a choice.
        let pinned = usize::from(room > 3).min(lines.len());
        let mut body = lines.split_off(pinned);
        let page = room.saturating_sub(pinned);
        let is_current = |line: &CardLine| match self.entry {
            Some(_) => matches!(
                line,
                CardLine::Entry | CardLine::Mistake(_) | CardLine::Offer(_)
            ),
            None => line.choice() == Some(self.cursor),
        };
        let first = body.iter().position(is_current).unwrap_or(0);
        let end = body.iter().rposition(is_current).map_or(0, |last| last + 1);
        // The choice itself matters more than the end of its command.
        let top = end.saturating_sub(page).min(first);
        let top = top.saturating_add_signed(self.scrolled);
        let top = top.min(body.len().saturating_sub(page));
        let below = body.len().saturating_sub(top + page);
        body.truncate(top + page);
        lines.extend(body.into_iter().skip(top));
        CardView {
            lines,
            above: top,
            below,
            page,
            hidden: Hidden {
                before: top.saturating_sub(first),
                after: end.saturating_sub(top + page),
            },
        }
    }

    fn laid_out(&self, columns: usize, shows_command: impl Fn(usize) -> bool) -> Vec<CardLine> {
        let mut lines = vec![CardLine::Headline(self.finding.headline.clone())];
        let notes = self.notes.iter().map(Finding::line);
        for line in self.finding.lines.iter().cloned().chain(notes) {
            let parts = broken(&line, columns.saturating_sub(INDENT));
            lines.extend(parts.into_iter().map(CardLine::About));
        }
        if self.more > 0 {
            let more = self.more;
            let text = format!("{more} more to decide after this; the command may change");
            let parts = broken(&text, columns.saturating_sub(INDENT));
            lines.extend(parts.into_iter().map(CardLine::About));
        }
        lines.push(CardLine::Blank);
        if let Some(entry) = &self.entry {
            lines.push(CardLine::Entry);
            if let Some(mistake) = entry.mistake {
                let parts = broken(mistake, columns.saturating_sub(INDENT));
                lines.extend(parts.into_iter().map(CardLine::Mistake));
            }
            let offers = entry.offers.iter().take(MOST_OFFERS).cloned();
            lines.extend(offers.map(CardLine::Offer));
            if entry.offers.len() > MOST_OFFERS {
                let more = entry.offers.len() - MOST_OFFERS;
                lines.push(CardLine::Offer(format!("and {more} more")));
            }
            return lines;
        }
        for (at, choice) in self.finding.choices.iter().enumerate() {
            let label = if self.armed && at == self.cursor {
                // First, where the edge of the screen does not cut it off.
                format!("again to confirm: {}", choice.label)
            } else {
                choice.label.clone()
            };
            let mut parts = broken(&label, columns.saturating_sub(INDENT)).into_iter();
            let first = parts.next().unwrap_or_default();
            lines.push(CardLine::Choice(at, first));
            lines.extend(parts.map(|part| CardLine::Label(at, part)));
            if shows_command(at) {
                let parts = broken(&choice.shows, columns.saturating_sub(INDENT));
                lines.extend(parts.into_iter().map(|part| CardLine::Command(at, part)));
            }
        }
        lines
    }
}

/// A text, safe to print, wrapped at spaces if there are any.
pub fn broken(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let safe = sanitize(text);
    let mut lines = vec![String::new()];
    for word in safe.split_inclusive(' ') {
        let mut word = word;
        loop {
            let line = lines.last_mut().map(|line| (width(line), line));
            let Some((used, line)) = line else { break };
            if used + width(word.trim_end()) <= columns {
                line.push_str(word);
                break;
            }
            if used > 0 {
                lines.push(String::new());
                continue;
            }
            // A word that is longer than a line is cut.
            let mut end = 0;
            for (at, c) in word.char_indices() {
                if width(&word[..at + c.len_utf8()]) > columns {
                    break;
                }
                end = at + c.len_utf8();
            }
            let (head, tail) = word.split_at(end.max(1).min(word.len()));
            line.push_str(head);
            word = tail;
            lines.push(String::new());
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
#[path = "preflight_tests.rs"]
mod tests;
