//! The stack of screens. There is always one.

use super::Screen;

#[derive(Debug)]
pub struct Stack {
    /// It has panes.
    first: Screen,
    above: Vec<Screen>,
}

impl Stack {
    pub fn new(first: Screen) -> Self {
        Self {
            first,
            above: Vec::new(),
        }
    }

    pub fn first(&self) -> &Screen {
        &self.first
    }

    /// The screen that has the keys.
    pub fn top(&self) -> &Screen {
        self.above.last().unwrap_or(&self.first)
    }

    pub fn top_mut(&mut self) -> &mut Screen {
        self.above.last_mut().unwrap_or(&mut self.first)
    }

    /// The screen below the top one.
    pub fn below(&self) -> Option<&Screen> {
        let below = self.above.len().checked_sub(2);
        match below.map(|at| &self.above[at]) {
            None if self.above.len() == 1 => Some(&self.first),
            below => below,
        }
    }

    /// Where the topmost screen with panes is: cards are drawn over it.
    pub fn base_index(&self) -> usize {
        let above = self.above.iter().rposition(Screen::has_panes);
        above.map_or(0, |at| at + 1)
    }

    pub fn base(&self) -> &Screen {
        match self.base_index() {
            0 => &self.first,
            at => &self.above[at - 1],
        }
    }

    pub fn base_mut(&mut self) -> &mut Screen {
        match self.base_index() {
            0 => &mut self.first,
            at => &mut self.above[at - 1],
        }
    }

    pub fn push(&mut self, screen: Screen) {
        self.above.push(screen);
    }

    /// Takes the top screen away, unless it is the last one.
    pub fn pop(&mut self) -> Option<Screen> {
        self.above.pop()
    }

    /// From the bottom up.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Screen> {
        std::iter::once(&self.first).chain(&self.above)
    }

    /// From the bottom up.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Screen> {
        std::iter::once(&mut self.first).chain(&mut self.above)
    }
}
