//! The state of the preview: what is shown of a conversation, from where, and what is looked for.
//!
//! A plain value, as all of the picker's state. Lines are numbered in the page that is shown;
//! what has to outlive a page is remembered by its place in the conversation.

use super::input::Input;
use super::message::Page;
use super::seek::MatchPos;
use crate::preview::{Around, Fold, Known, Line, Options, TurnPos};
use crate::search::{Generation, Query, RowId};

/// Turns that are laid out at first: more than anybody reads back without a reason.
pub const FIRST_TURNS: usize = 100;

/// A preview that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub row: RowId,
    pub columns: usize,
    /// What to look for in it.
    pub query: Query,
    pub options: Options,
    pub around: Around,
    pub turns: usize,
    pub leaf: Option<String>,
    pub find: Option<String>,
}

/// The preview of the row under the cursor.
#[derive(Debug)]
pub struct Preview {
    pub asked: Option<Wanted>,
    /// What of a conversation is open. What was opened one by one is of one conversation.
    pub options: Options,
    /// The row that is shown although it has changed, until it was read again.
    pub stale: Option<RowId>,
    pub generation: Generation,
    /// The newest request that was answered.
    pub answered: Option<Generation>,
    pub content: Content,
    /// The first line in sight.
    pub top: usize,
    /// The line that keys act on while the preview has them.
    pub cursor: usize,
    pub hold: Hold,
    /// Lines that the cursor has still to go, up or down, once there are lines.
    pub owed: isize,
    /// What part of the conversation is laid out, and how many turns at most.
    pub around: Around,
    pub turns: usize,
    /// The entry that the shown branch ends in, where it is not the one that resuming takes.
    pub leaf: Option<String>,
    pub warned: Warned,
    pub find: Option<Find>,
    /// A match that is to be gone to, once it is found and the page with it is here.
    pub seeking: Option<Seek>,
    /// A prompt that is to be gone to, once the page with it is here.
    pub striding: Option<Direction>,
    /// A fold that was opened, until what is in it is here.
    pub unfolding: Option<Fold>,
}

impl Default for Preview {
    fn default() -> Self {
        Self {
            asked: None,
            options: Options::default(),
            stale: None,
            generation: Generation::default(),
            answered: None,
            content: Content::default(),
            top: 0,
            cursor: 0,
            hold: Hold::default(),
            owed: 0,
            around: Around::End,
            turns: FIRST_TURNS,
            leaf: None,
            warned: Warned::No,
            find: None,
            seeking: None,
            striding: None,
            unfolding: None,
        }
    }
}

/// What stays in sight when the lines change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hold {
    /// Nobody has moved yet: the first match, or else the end.
    #[default]
    Untouched,
    /// The end, also if it moves on.
    End,
    /// The message that was looked at.
    Here,
    /// The beginning, once that is laid out.
    Beginning,
}

/// Does the person know that resuming takes another branch than the one that is shown?
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Warned {
    #[default]
    No,
    /// They were told, and have done nothing else since.
    Yes,
}

#[derive(Debug, Default)]
pub enum Content {
    #[default]
    Loading,
    Page(Box<Page>),
    Failed(String),
}

/// Something that is looked for in this conversation.
#[derive(Debug, Default)]
pub struct Find {
    pub input: Input,
    pub stage: Stage,
    /// The message from which it is looked for.
    pub from: Option<TurnPos>,
}

impl Find {
    /// What is typed, if anything.
    pub fn sought(&self) -> Option<&str> {
        let text = self.input.text();
        (!text.trim().is_empty()).then_some(text)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Back,
}

/// A match that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seek {
    /// The first one from there on, or the last one before.
    pub from: MatchPos,
    pub direction: Direction,
    pub then: Then,
}

/// What to do where a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    Look,
    /// Open the fold that hides it.
    Open,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    #[default]
    Typing,
    /// Keys are for the conversation again.
    Typed,
}

/// A line by what it belongs to, so that it is found again among other lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    pub place: TurnPos,
    /// Its number among the lines of that place, how many they are, and how wide.
    pub offset: usize,
    pub lines: usize,
    pub columns: usize,
    /// Its distance from the top of the screen.
    pub row: usize,
}

impl Preview {
    /// The conversation, once it was read.
    pub fn page(&self) -> Option<&Page> {
        match &self.content {
            Content::Page(page) => Some(page),
            Content::Loading | Content::Failed(_) => None,
        }
    }

    /// Where in the conversation there is what is looked for.
    pub fn marks(&self) -> &[MatchPos] {
        self.page().map_or(&[], |page| &page.found.marks)
    }

    /// Is everything known that there is of what is looked for? A page may be older than what was
    /// typed last.
    pub fn is_looked_through(&self) -> bool {
        let is_through = |page: &Page| {
            let found = &page.found;
            let is_of_this = found.phrase.as_deref() == self.sought();
            is_of_this && page.known == Known::Whole && found.searched.is_over()
        };
        self.page().is_none_or(is_through)
    }

    /// How many lines the conversation has.
    pub fn length(&self) -> usize {
        self.page().map_or(0, |page| page.scroll.len())
    }

    pub fn line(&self, at: usize) -> Option<&Line> {
        self.page()?.scroll.get(at)
    }

    /// What belongs to one conversation only, as at its first sight.
    pub fn forget(&mut self) {
        self.options.toggled.clear();
        self.options.earlier = 0;
        self.around = Around::End;
        self.turns = FIRST_TURNS;
        self.leaf = None;
        self.warned = Warned::No;
        self.find = None;
        self.seeking = None;
        self.striding = None;
        self.unfolding = None;
        self.hold = Hold::Untouched;
        self.owed = 0;
    }

    /// What is looked for here, if anything.
    pub fn sought(&self) -> Option<&str> {
        self.find.as_ref()?.sought()
    }

    /// Remembers a line by its place.
    pub fn anchor(&self, line: usize) -> Option<Anchor> {
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

    /// The line that an anchor stands for among the lines that are here now.
    pub fn line_of(&self, anchor: Anchor) -> Option<usize> {
        let page = self.page()?;
        let lines = page.scroll.lines_of(anchor.place);
        let last = lines.end.checked_sub(1)?;
        // Of another width, what was in the middle of a message is in its middle still.
        let offset = if anchor.columns == page.columns {
            anchor.offset
        } else {
            anchor.offset * lines.len() / anchor.lines.max(1)
        };
        Some((lines.start + offset).min(last))
    }

    /// Which of the matches the cursor is at or behind, counted from one, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        let Some(page) = self.page() else {
            return (0, 0);
        };
        let here = page.mark_of(self.cursor);
        let passed = here.map_or(0, |here| page.found.count_until(here));
        (passed, page.found.count())
    }
}
