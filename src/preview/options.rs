//! What of a conversation is shown open, and what folded.

use std::collections::BTreeSet;

use super::line::Place;

/// How much is shown where nobody opened or closed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum Level {
    /// What the person asked.
    Prompts,
    /// Questions and answers, with everything else folded to a line.
    #[default]
    Summary,
    /// Everything open.
    Full,
}

impl Level {
    /// The next one, from little to much and around.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Prompts => Self::Summary,
            Self::Summary => Self::Full,
            Self::Full => Self::Prompts,
        }
    }
}

/// Something that can be opened: it begins at this place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fold(pub Place);

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Options {
    pub level: Level,
    /// Folds that are not as the level has them.
    pub toggled: BTreeSet<Fold>,
    /// Is thinking shown at all?
    pub thinking: Thinking,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Thinking {
    #[default]
    Hidden,
    Shown,
}

impl Thinking {
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Hidden => Self::Shown,
            Self::Shown => Self::Hidden,
        }
    }
}

impl Options {
    pub fn is_open(&self, fold: Fold) -> bool {
        (self.level == Level::Full) != self.toggled.contains(&fold)
    }

    /// Opens what is closed and closes what is open. Twice is nothing.
    pub fn toggle(&mut self, fold: Fold) {
        if !self.toggled.remove(&fold) {
            self.toggled.insert(fold);
        }
    }

    /// The next level, with everything as it has it.
    pub fn next_level(&mut self) {
        self.level = self.level.next();
        self.toggled.clear();
    }
}
