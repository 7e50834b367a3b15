//! The reader: what is shown of a conversation, from where, and what is searched for in it.
//!
//! Lines are numbered in the page that is shown. What has to outlive a page is remembered by its
//! position in the conversation.

mod draw;
mod find;
mod moves;
mod window;

use ratatui::layout::Rect;

use super::FindBar;
use crate::preview::{Around, Coverage, Fold, Options, PageLine, TurnPos};
use crate::reader::{Find, Mark, MatchPos, Page, PageSpec, Searched};
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
    /// The page that was asked for last.
    pub asked: Option<(RowId, PageSpec)>,
    /// What is expanded. Single folds are those of one conversation.
    pub options: Options,
    /// The row that is shown although its file changed, until that was read again.
    pub stale: Option<RowId>,
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

/// A line by the message it belongs to, to find it again on another page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    place: TurnPos,
    /// Its number among the lines of that message, their count, and their width.
    offset: usize,
    lines: usize,
    columns: usize,
    /// Its distance from the top of the viewport.
    row: usize,
}

impl Reader {
    /// The conversation, once it was read.
    pub fn page(&self) -> Option<&Page> {
        match &self.content {
            Content::Page(page) => Some(page),
            Content::Loading | Content::Failed(_) => None,
        }
    }

    /// The row that is shown or being read.
    pub fn row(&self) -> Option<RowId> {
        self.asked.as_ref().map(|(row, _)| *row)
    }

    /// The lines that match.
    pub fn marks(&self) -> &[Mark] {
        self.page().map_or(&[], |page| &page.found.marks)
    }

    /// Are these the matches of what was asked for last?
    fn has_found(&self, page: &Page) -> bool {
        let asked = self.asked.as_ref();
        asked.is_some_and(|(_, spec)| spec.find == page.found.find)
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
        query: &Query,
        host: &mut Host<'_>,
    ) -> Option<PageSpec> {
        let is_same = self.is_of(row);
        if !is_same {
            self.forget();
        }
        let spec = self.spec(columns, query);
        if self.asked.as_ref() == Some(&(row, spec.clone())) {
            return None;
        }
        self.stale = None;
        self.asked = Some((row, spec.clone()));
        self.generation = host.next_generation();
        if !is_same {
            self.content = Content::Loading;
            self.top = 0;
            self.cursor = 0;
        }
        Some(spec)
    }

    /// Is this row shown, or being read?
    pub fn is_of(&self, row: RowId) -> bool {
        self.row().or(self.stale) == Some(row)
    }

    /// Another screen may have replaced the request of this one: the page is asked for again.
    pub fn ask_again(&mut self) {
        if let Some((row, _)) = self.asked.take() {
            self.stale = Some(row);
        }
    }

    fn spec(&self, columns: usize, query: &Query) -> PageSpec {
        PageSpec {
            columns,
            options: self.options.clone(),
            around: self.around,
            turns: self.turns.max(FIRST_TURNS),
            leaf: self.leaf.clone(),
            find: match self.find_text() {
                Some(text) => Find::Phrase(text.to_owned()),
                None => Find::Words(query.clone()),
            },
        }
    }

    /// Shows a page, and keeps in sight what was.
    pub fn show(&mut self, previewed: Previewed, pane: ReaderPane, host: &mut Host<'_>) {
        if self.answered != Some(previewed.generation) {
            host.answered();
        }
        self.answered = Some(previewed.generation);
        let line = if pane.focused { self.cursor } else { self.top };
        let mut anchor = self.anchor(line);
        if let (Ok(page), Some(found)) = (&previewed.result, anchor) {
            if self.is_elsewhere(page, found.place.turn) {
                return;
            }
            anchor = Some(self.among_all_steps(page, found));
        }
        let was_loading = matches!(self.content, Content::Loading);
        self.content = match previewed.result {
            Ok(page) => Content::Page(Box::new(page)),
            Err(reason) => Content::Failed(reason),
        };
        match (self.hold, anchor) {
            (Hold::Untouched, _) => self.go_to_first_sight(pane),
            (Hold::End, _) => self.go_to_end(pane),
            (Hold::Beginning, _) => self.go_to_line(0, 0, pane),
            (Hold::Here, Some(anchor)) => self.back_to(anchor, pane),
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

    fn anchor(&self, line: usize) -> Option<Anchor> {
        let page = self.page()?;
        let place = page.scroll.get(line)?.place;
        let lines = page.scroll.lines_of(place);
        Some(Anchor {
            place,
            offset: line - lines.start.min(line),
            lines: lines.len(),
            columns: page.columns,
            row: line.saturating_sub(self.top),
        })
    }

    /// The line of an anchor on the page that is here now.
    fn line_of(&self, anchor: Anchor) -> Option<usize> {
        let page = self.page()?;
        let lines = page.scroll.lines_of(anchor.place);
        let last = lines.end.checked_sub(1)?;
        // At another width, the middle of a message is still its middle.
        let offset = if anchor.columns == page.columns {
            anchor.offset
        } else {
            anchor.offset * lines.len() / anchor.lines.max(1)
        };
        Some((lines.start + offset).min(last))
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
