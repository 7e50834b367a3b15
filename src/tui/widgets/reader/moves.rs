//! Moving in a conversation, expanding folds, and taking messages out of it.

use super::{Direction, Hold, PendingMove, Reader, ReaderPane};
use crate::preview::{Around, Coverage, Fold, Level, PageLine, Speaker, TurnPos, message};
use crate::reader::{Searched, Target};
use crate::text::sanitize_lines;
use crate::tui::host::Host;
use crate::tui::message::{Effect, Opener};

/// Lines above a match, to show what it answers.
const BEFORE_MATCH: usize = 2;

/// A move in a list or a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motion {
    Lines(isize),
    Pages(isize),
    First,
    Last,
}

/// What to do with the message under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    Copy,
    Open(Opener),
}

/// The first visible line after a move in a text of `last + page` lines.
pub fn scrolled(top: usize, motion: Motion, page: usize, last: usize) -> usize {
    // Of a page one line stays in sight.
    let step = isize::try_from(page.saturating_sub(1).max(1)).unwrap_or(1);
    let wanted = match motion {
        Motion::Lines(by) => top.saturating_add_signed(by),
        Motion::Pages(by) => top.saturating_add_signed(by * step),
        Motion::First => 0,
        Motion::Last => last,
    };
    wanted.min(last)
}

impl Reader {
    /// Moves the cursor and the viewport together, as far as there is anything to scroll.
    pub fn go(&mut self, motion: Motion, pane: ReaderPane) {
        match motion {
            Motion::First => return self.go_to_edge(Hold::Beginning, pane),
            Motion::Last => return self.go_to_edge(Hold::End, pane),
            Motion::Lines(_) | Motion::Pages(_) => {}
        }
        let rows = self.rows(pane.area);
        let length = self.length();
        self.cursor = scrolled(self.cursor, motion, rows, length.saturating_sub(1));
        self.top = scrolled(self.top, motion, rows, length.saturating_sub(rows));
        self.hold(self.cursor, pane);
    }

    /// Scrolls the viewport. The cursor only stays in sight.
    pub fn scroll(&mut self, motion: Motion, pane: ReaderPane) {
        let rows = self.rows(pane.area);
        self.top = scrolled(self.top, motion, rows, self.length().saturating_sub(rows));
        self.hold(self.top.saturating_add(rows - 1), pane);
    }

    /// After a move that has reached a line: what is in sight stays there, and the end is followed.
    fn hold(&mut self, reached: usize, pane: ReaderPane) {
        self.clamp(pane);
        let is_last = self.page().is_none_or(|page| page.behind == 0);
        let at_end = reached + 1 >= self.length();
        self.hold = if at_end && is_last {
            Hold::End
        } else {
            Hold::Here
        };
        self.pending = None;
    }

    /// Keeps the viewport inside the text, and the cursor inside the viewport.
    pub fn clamp(&mut self, pane: ReaderPane) {
        let rows = self.rows(pane.area);
        let length = self.length();
        self.top = self.top.min(length.saturating_sub(rows));
        let last = (self.top + rows).min(length).saturating_sub(1);
        self.cursor = self.cursor.clamp(self.top.min(last), last);
    }

    /// After the pane got another size: the cursor stays in sight, or the end does.
    pub fn fit(&mut self, pane: ReaderPane) {
        if pane.focused {
            self.top = self.top_around_cursor(self.top, pane);
        }
        if self.hold == Hold::End {
            self.top = usize::MAX;
        }
        self.clamp(pane);
    }

    /// After the keys went to the other pane. The reader grows and shrinks at its top, so its lines
    /// stay where they are on the screen. `bottom` is the line below the last visible one before.
    pub fn refocus(&mut self, bottom: usize, pane: ReaderPane) {
        let top = bottom.saturating_sub(self.rows(pane.area));
        self.top = if pane.focused {
            top
        } else {
            self.top_around_cursor(top, pane)
        };
        self.clamp(pane);
    }

    fn top_around_cursor(&self, top: usize, pane: ReaderPane) -> usize {
        let least = (self.cursor + 1).saturating_sub(self.rows(pane.area));
        top.clamp(least, self.cursor.max(least))
    }

    pub(super) fn go_to_end(&mut self, pane: ReaderPane) {
        self.top = usize::MAX;
        self.cursor = usize::MAX;
        self.clamp(pane);
    }

    /// Shows a line so many lines below the top, and puts the cursor on it.
    pub(super) fn go_to_line(&mut self, line: usize, below_top: usize, pane: ReaderPane) {
        let below_top = below_top.min(self.rows(pane.area) - 1);
        self.cursor = line;
        self.top = line.saturating_sub(below_top);
        self.clamp(pane);
    }

    /// Shows a line at the top, and holds it there.
    pub fn go_to_top(&mut self, line: usize, pane: ReaderPane) {
        self.go_to_line(line, 0, pane);
        self.hold = Hold::Here;
    }

    /// Shows a match with what it answers.
    pub(super) fn go_to_match(&mut self, line: usize, pane: ReaderPane) {
        self.go_to_line(line, BEFORE_MATCH, pane);
    }

    /// Goes to the first match, or to the end of the conversation.
    pub(super) fn go_to_first_sight(&mut self, pane: ReaderPane) {
        let Some(page) = self.page() else {
            return;
        };
        if let Some(landing) = page.landing.clone() {
            let line = page.line_of(landing.line);
            self.adopt(landing);
            match line {
                // A prompt is what comes first.
                Some(line) if matches!(self.target, Some(Target::Prompt(_))) => {
                    self.go_to_line(line, 0, pane);
                }
                Some(line) => self.go_to_match(line, pane),
                None => {}
            }
            return;
        }
        let is_known = page.known == Coverage::Whole && page.found.searched != Searched::Partly;
        if let Some(mark) = page.found.landing.filter(|_| is_known) {
            match page.line_of(mark) {
                Some(line) => self.go_to_match(line, pane),
                None => self.around = Around::Turn(mark.place.turn),
            }
            return;
        }
        if page.behind > 0 && is_known {
            self.around = Around::End;
        }
        self.go_to_end(pane);
    }

    /// The closed fold that a line is the title of.
    pub(super) fn closed_fold(&self, line: usize) -> Option<Fold> {
        let fold = self.line(line)?.fold?;
        let is_text = !matches!(fold, Fold::Earlier | Fold::Before(_));
        (is_text && !self.options.is_open(fold)).then_some(fold)
    }

    /// Goes to the next or previous prompt.
    pub fn next_prompt(&mut self, direction: Direction, pane: ReaderPane, host: &mut Host<'_>) {
        let Some(page) = self.page() else {
            return;
        };
        let at = self.cursor;
        let is_first = |at: &usize| {
            let line = page.scroll.get(*at);
            let before = at.checked_sub(1).and_then(|at| page.scroll.get(at));
            line.is_some_and(|line| {
                let begins = line.speaker == Speaker::You && !line.margin.is_empty();
                begins
                    && before.is_none_or(|it| it.place != line.place || it.speaker != line.speaker)
            })
        };
        let found = match direction {
            Direction::Forward => (at + 1..page.scroll.len()).find(is_first),
            Direction::Back => (0..at.min(page.scroll.len())).rfind(is_first),
        };
        let edge = match direction {
            Direction::Forward if page.behind > 0 => Some(page.shown.end - 1),
            Direction::Back if page.before > 0 => Some(page.shown.start),
            Direction::Forward | Direction::Back => None,
        };
        match (found, edge) {
            (Some(line), _) => self.go_to_top(line, pane),
            // The turns beyond it are requested, to go on to a prompt there.
            (None, Some(edge)) => {
                self.around = Around::Turn(edge);
                self.hold = Hold::Here;
                self.pending = Some(PendingMove::Prompt(direction));
            }
            (None, None) if direction == Direction::Back && page.known == Coverage::Newest => {
                host.tell("still reading what comes before");
            }
            (None, None) => host.tell("no other prompt in this direction"),
        }
    }

    /// The fold that Enter expands or collapses: under the cursor, or around it.
    pub fn fold_here(&self) -> Option<Fold> {
        let line = self.line(self.cursor)?;
        if line.fold.is_some() {
            return line.fold;
        }
        if line.within.is_some() {
            return line.within;
        }
        // The blank line at its end belongs to it, too.
        let page = self.page()?;
        let fold = Fold::Part(line.place);
        let above = page.scroll.lines_of(line.place).start..self.cursor;
        let mut above = above.filter_map(|at| page.scroll.get(at)?.fold);
        (self.options.is_open(fold) && above.any(|it| it == fold)).then_some(fold)
    }

    /// Is the line under the cursor about the files of the conversation?
    pub fn is_on_files(&self) -> bool {
        let line = self.line(self.cursor);
        line.is_some_and(|line| line.speaker == Speaker::Files)
    }

    /// Expands or collapses a fold. The cursor goes to its title: its line may be gone.
    pub fn toggle(&mut self, fold: Fold) {
        let mut lines = (0..=self.cursor).rev();
        let is_title = |at: &usize| self.line(*at).is_some_and(|line| line.fold == Some(fold));
        if let Some(title) = lines.find(is_title) {
            self.cursor = title;
            self.top = self.top.min(title);
        }
        let opens = !self.options.is_open(fold);
        self.pending = opens.then_some(PendingMove::Unfold(fold));
        self.options.toggle(fold);
        self.hold = Hold::Here;
    }

    /// Puts the cursor on a clicked line and expands or collapses its fold. A second click on the
    /// same cell undoes that, so nothing scrolls; except for earlier messages, which would stay out
    /// of sight above the title.
    pub fn click(&mut self, line: usize, pane: ReaderPane) {
        if self.line(line).is_none() {
            return;
        }
        self.cursor = line;
        self.clamp(pane);
        if let Some(fold) = self.line(line).and_then(|line| line.fold) {
            self.toggle(fold);
            if fold != Fold::Earlier {
                self.pending = None;
            }
        }
    }

    /// Scrolls the beginning of an expanded fold into sight: below its title, or above it for
    /// earlier messages.
    pub(super) fn unfold(&mut self, fold: Fold, pane: ReaderPane) {
        let rows = self.rows(pane.area);
        let title = self.cursor;
        if fold == Fold::Earlier {
            self.top = self.top.min(title.saturating_sub(rows / 2));
            return;
        }
        let is_inside = |line: &&PageLine| line.within == Some(fold) || line.fold == Some(fold);
        let lines = self.page().map_or(0, |page| {
            let below = page.scroll.from(title).take(rows / 2);
            below.take_while(is_inside).count()
        });
        self.top = self.top.max((title + lines).saturating_sub(rows));
    }

    pub fn next_level(&mut self, pane: ReaderPane) -> &'static str {
        self.options.next_level();
        self.hold_message(pane);
        match self.options.level {
            Level::Prompts => "your prompts only",
            Level::Summary => "prompts and answers",
            Level::Full => "everything open",
        }
    }

    /// A reader with the keys keeps its message in sight, another one its end.
    pub fn hold_message(&mut self, pane: ReaderPane) {
        if pane.focused {
            self.hold = Hold::Here;
        }
    }

    /// Copies or opens the message under the cursor.
    pub fn take_message(&self, take: Take, host: &mut Host<'_>) {
        let here = self.page().and_then(|page| {
            let line = page.scroll.get(self.cursor)?;
            Some((page, line, page.turn(line.place.turn)?))
        });
        let Some((page, line, turn)) = here else {
            return host.warn("the conversation is still loading: try again");
        };
        let of_agent = |place: TurnPos, call: usize, inner: TurnPos| {
            let agent = page.agents.work_of(turn.steps.get(place.step? + call)?)?;
            message(agent.get(usize::try_from(inner.turn).ok()?)?, inner)
        };
        let text = match (line.within, line.of_agent) {
            (Some(Fold::Agent(place, call) | Fold::Inside(place, call, _)), Some(inner)) => {
                of_agent(place, call, inner)
            }
            _ => message(turn, line.place),
        };
        match (text, take) {
            (Some(text), Take::Copy) => host.effect(Effect::Copy {
                what: "the message",
                text,
            }),
            (Some(text), Take::Open(opener)) => host.effect(Effect::Outside {
                opener,
                text: sanitize_lines(&text),
            }),
            (None, _) => host.warn("there is no message here"),
        }
    }
}
