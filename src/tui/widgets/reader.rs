//! The reader: what is shown of a conversation, from where, and what is searched for in it.
//!
//! Lines are numbered in the page that is shown. What has to outlive a page is remembered by its
//! position in the conversation.

mod draw;
mod find;
mod moves;
mod window;

use std::sync::Arc;

use ratatui::layout::Rect;

use super::FindBar;
use crate::preview::{Around, Coverage, Fold, Options, PageLine, TurnPos};
use crate::reader::{Find, Landing, Mark, MatchPos, Page, PageSpec, Searched, Target};
use crate::search::{Generation, Query, RowId};
use crate::tui::host::Host;
use crate::tui::layout::preview_header;
use crate::tui::message::Previewed;

pub use moves::{Motion, Take, scrolled};

/// Turns that are laid out at first: more than is usually read back.
const FIRST_TURNS: usize = 100;

/// The reader of the row under the cursor.
#[derive(Debug, Default)]
pub struct Reader {
    /// The row that is shown or being read.
    pub row: Option<RowId>,
    /// The page of it that was asked for last; `None` if its file has changed since.
    pub asked: Option<PageSpec>,
    /// What is expanded. Single folds are those of one conversation.
    pub options: Options,
    pub generation: Generation,
    /// The newest request that was answered.
    pub answered: Option<Generation>,
    pub content: Content,
    /// The first visible line.
    pub top: usize,
    /// The line that keys act on.
    pub cursor: usize,
    pub hold: Hold,
    /// Which part of the conversation is laid out, and how many turns if they are more than at
    /// first.
    pub around: Around,
    pub turns: usize,
    /// The last entry of the shown branch, where resume takes another one.
    pub leaf: Option<String>,
    pub find: Option<FindBar>,
    /// The passage in which the search of all conversations found something.
    pub target: Option<Target>,
    /// Where it is, and what is opened for it. It stays in sight until the reader is moved.
    pub landing: Option<Arc<Landing>>,
    /// A move that is finished when more of the conversation is here.
    pub pending: Option<PendingMove>,
}

/// A move that waits for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingMove {
    /// To the next or previous prompt.
    Prompt(Direction),
    /// To a match.
    Match(MatchMove),
    /// Scroll what this fold contains into sight.
    Unfold(Fold),
}

/// To the first match from a line on, or to the last one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchMove {
    from: MatchPos,
    direction: Direction,
    /// Expand the fold that hides it.
    expand: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Back,
}

/// What stays in sight when the lines change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hold {
    /// The first match, or else the end.
    #[default]
    Untouched,
    /// The end, also when it grows.
    End,
    /// The message under the cursor.
    Here,
    /// The beginning, once it is laid out.
    Beginning,
}

#[derive(Debug, Default)]
pub enum Content {
    #[default]
    Loading,
    Page(Box<Page>),
    Failed(String),
}

/// The area of the reader, and whether it has the keys.
#[derive(Debug, Clone, Copy)]
pub struct ReaderPane {
    pub area: Rect,
    pub focused: bool,
}

impl Reader {
    /// The conversation, once it was read.
    pub fn page(&self) -> Option<&Page> {
        match &self.content {
            Content::Page(page) => Some(page),
            Content::Loading | Content::Failed(_) => None,
        }
    }

    /// The lines that match.
    pub fn marks(&self) -> &[Mark] {
        self.page().map_or(&[], |page| &page.found.marks)
    }

    /// Are these the matches of what was asked for last?
    fn has_found(&self, page: &Page) -> bool {
        let asked = self.asked.as_ref();
        asked.is_some_and(|asked| asked.find == page.found.find)
    }

    /// Is every match known?
    pub fn is_searched(&self) -> bool {
        self.page().is_none_or(|page| {
            let is_over = page.found.searched != Searched::Partly;
            is_over && page.known == Coverage::Whole && self.has_found(page)
        })
    }

    /// How many lines are laid out.
    pub fn length(&self) -> usize {
        self.page().map_or(0, |page| page.scroll.len())
    }

    pub fn line(&self, at: usize) -> Option<&PageLine> {
        self.page()?.scroll.get(at)
    }

    /// The text in the find bar.
    pub fn find_text(&self) -> Option<&str> {
        self.find.as_ref()?.text()
    }

    /// Begins another conversation.
    pub fn forget(&mut self) {
        self.options.toggled.clear();
        self.options.earlier = 0;
        self.around = Around::End;
        self.turns = 0;
        self.leaf = None;
        self.take_off();
        self.find = None;
        self.pending = None;
        self.hold = Hold::Untouched;
    }

    /// How many lines of the conversation fit.
    pub fn rows(&self, area: Rect) -> usize {
        let find = u16::from(self.find.is_some());
        let taken = self.header(area) + find;
        usize::from(area.height.saturating_sub(taken)).max(1)
    }

    /// How many lines at the top say what the conversation is.
    pub fn header(&self, area: Rect) -> u16 {
        let lines = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        match self.page() {
            Some(page) if !page.has_margin() => 0,
            Some(page) => {
                let card = &page.card;
                preview_header(area, lines(card.lines.len()), lines(card.urgent))
            }
            None => preview_header(area, 3, 0),
        }
    }

    /// The page of a row that is wanted now, unless it was asked for already.
    pub fn next_page(
        &mut self,
        row: RowId,
        columns: usize,
        (query, target): (&Query, Option<Target>),
        focused: bool,
        host: &mut Host<'_>,
    ) -> Option<PageSpec> {
        let is_same = self.row == Some(row);
        if !is_same {
            self.forget();
            self.target = None;
        }
        self.lead_to(target, is_same && focused);
        let spec = self.spec(columns, query);
        if is_same && self.asked.as_ref() == Some(&spec) {
            return None;
        }
        self.row = Some(row);
        self.asked = Some(spec.clone());
        self.generation = host.next_generation();
        if !is_same {
            self.content = Content::Loading;
            self.top = 0;
            self.cursor = 0;
        }
        Some(spec)
    }

    /// Leads to a passage from now on, except away from what is being read.
    fn lead_to(&mut self, target: Option<Target>, focused: bool) {
        if self.target == target {
            return;
        }
        if focused && self.page().is_some() && self.hold == Hold::Untouched {
            self.hold = Hold::Here;
        }
        if self.hold == Hold::Untouched {
            self.take_off();
            // Nothing but the last passage has opened these.
            self.options.toggled.clear();
            self.options.earlier = 0;
            self.around = Around::End;
        }
        self.target = target;
    }

    /// Takes over what was chosen to show the passage.
    pub(super) fn adopt(&mut self, landing: Arc<Landing>) {
        self.leaf.clone_from(&landing.leaf);
        self.options = landing.options.clone();
        self.around = Around::Turn(landing.line.place.turn);
        self.landing = Some(landing);
    }

    /// Takes back what was chosen to show the last passage.
    fn take_off(&mut self) {
        let Some(landing) = self.landing.take() else {
            return;
        };
        if landing.leaf.is_some() && landing.leaf == self.leaf {
            self.leaf = None;
        }
        let shown = (self.options.level, self.options.thinking);
        if let Some(before) = landing.before
            && shown == (landing.options.level, landing.options.thinking)
        {
            (self.options.level, self.options.thinking) = before;
        }
    }

    /// The passage that the next page begins at.
    fn leads_to(&self) -> Option<&Target> {
        let target = self.target.as_ref();
        target.filter(|_| self.hold == Hold::Untouched && self.find_text().is_none())
    }

    fn spec(&self, columns: usize, query: &Query) -> PageSpec {
        let target = self.leads_to().cloned();
        let find = match self.find_text() {
            Some(text) => Find::Phrase(text.to_owned()),
            None if self.target.is_some() => Find::Everywhere(query.clone()),
            None => Find::Words(query.clone()),
        };
        let (mut options, mut leaf, mut around) =
            (self.options.clone(), self.leaf.clone(), self.around);
        // What is opened for a passage is chosen with each page anew.
        if target.is_some() {
            options.toggled.clear();
            options.earlier = 0;
            if let Some(before) = self.landing.as_ref().and_then(|landing| landing.before) {
                (options.level, options.thinking) = before;
            }
            (leaf, around) = (None, Around::End);
        }
        PageSpec {
            columns,
            options,
            around,
            turns: self.turns.max(FIRST_TURNS),
            leaf,
            find,
            target,
        }
    }

    /// Shows a page, and keeps in sight what was.
    pub fn show(&mut self, previewed: Previewed, pane: ReaderPane, host: &mut Host<'_>) {
        if self.answered != Some(previewed.generation) {
            host.answered();
        }
        self.answered = Some(previewed.generation);
        let line = self.line_in_sight(pane);
        let row = line - self.top.min(line);
        let mut same = None;
        if let Ok(page) = &previewed.result {
            if self.is_elsewhere(page, pane) {
                return;
            }
            same = self.line_on(page, line);
        }
        let was_loading = matches!(self.content, Content::Loading);
        self.content = match previewed.result {
            Ok(page) => Content::Page(Box::new(page)),
            Err(reason) => Content::Failed(reason),
        };
        match (self.hold, same) {
            (Hold::Untouched, _) => self.go_to_first_sight(pane),
            (Hold::End, _) => self.go_to_end(pane),
            (Hold::Beginning, _) => self.go_to_line(0, 0, pane),
            (Hold::Here, Some(line)) => {
                self.top = line.saturating_sub(row.min(self.rows(pane.area) - 1));
                if pane.focused {
                    self.cursor = line;
                }
            }
            (Hold::Here, None) if was_loading => self.go_to_first_sight(pane),
            (Hold::Here, None) => {}
        }
        if let Some(PendingMove::Unfold(fold)) = self.pending {
            self.pending = None;
            self.unfold(fold, pane);
        }
        self.clamp(pane);
        match self.pending {
            Some(PendingMove::Match(wanted)) => self.seek(wanted, pane, host),
            Some(PendingMove::Prompt(direction)) => {
                self.pending = None;
                self.next_prompt(direction, pane, host);
            }
            _ => {}
        }
    }

    /// The line that stays in sight.
    fn line_in_sight(&self, pane: ReaderPane) -> usize {
        if pane.focused { self.cursor } else { self.top }
    }

    /// The line of another page that shows the same as one of this page.
    fn line_on(&self, page: &Page, line: usize) -> Option<usize> {
        let own = self.page()?;
        let place = own.scroll.get(line)?.place;
        let from = own.scroll.lines_of(place);
        let step = same_step(own, page, place).or(place.step);
        let to = page.scroll.lines_of(TurnPos { step, ..place });
        let mut offset = line - from.start.min(line);
        // At another width, the middle of a message is still its middle.
        if own.columns != page.columns {
            offset = offset * to.len() / from.len().max(1);
        }
        Some((to.start + offset).min(to.end.checked_sub(1)?))
    }

    /// The number of the match at or before the cursor, counted from one, and the number of all.
    pub fn match_count(&self) -> (usize, usize) {
        let Some(page) = self.page() else {
            return (0, 0);
        };
        let here = page.mark_of(self.cursor);
        let passed = here.map_or(0, |here| page.found.count_until(here));
        (passed, page.found.count())
    }
}

/// The number that a step has on another page. Where only the end of its turn was known, steps have
/// other numbers than in the whole.
fn same_step(own: &Page, page: &Page, place: TurnPos) -> Option<usize> {
    let was = own.turn(place.turn)?;
    let is = page.turn(place.turn)?;
    let (known, rest) = was.steps.split_at_checked(place.step?)?;
    let uuid = &rest.first()?.uuid;
    // One entry may be several steps.
    let before = known.iter().filter(|step| step.uuid == *uuid).count();
    let steps = is.steps.iter().enumerate();
    let mut same = steps.filter(|(_, step)| step.uuid == *uuid);
    same.nth(before).map(|(at, _)| at)
}
