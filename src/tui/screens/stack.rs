//! The stack of screens. There is always one, and the first one has panes.

use super::Screen;

#[derive(Debug)]
pub struct Stack(Vec<Screen>);

impl Stack {
    pub fn new(first: Screen) -> Self {
        Self(vec![first])
    }

    pub fn first(&self) -> &Screen {
        &self.0[0]
    }

    /// The screen that has the keys.
    pub fn top(&self) -> &Screen {
        &self.0[self.0.len() - 1]
    }

    pub fn top_mut(&mut self) -> &mut Screen {
        let top = self.0.len() - 1;
        &mut self.0[top]
    }

    /// The screen below the top one.
    pub fn below(&self) -> Option<&Screen> {
        self.iter().nth_back(1)
    }

    /// Where the topmost screen with panes is: cards are drawn over it.
    pub fn base_index(&self) -> usize {
        self.0.iter().rposition(Screen::has_panes).unwrap_or(0)
    }

    pub fn base(&self) -> &Screen {
        &self.0[self.base_index()]
    }

    pub fn base_mut(&mut self) -> &mut Screen {
        let base = self.base_index();
        &mut self.0[base]
    }

    pub fn push(&mut self, screen: Screen) {
        self.0.push(screen);
    }

    /// Takes the top screen away, unless it is the last one.
    pub fn pop(&mut self) -> Option<Screen> {
        self.below()?;
        self.0.pop()
    }

    /// From the bottom up.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Screen> {
        self.0.iter()
    }

    /// From the bottom up.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Screen> {
        self.0.iter_mut()
    }
}
