//! What of a conversation is shown open, and what folded.

use std::collections::BTreeSet;

use super::line::TurnPos;

/// How much is shown by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum Level {
    /// What the user asked.
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

/// Something that can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fold {
    /// What begins at this place: a run of tools, a thought, an output, a summary.
    Part(TurnPos),
    /// The conversation of the agent that a call started, by the call's number in its run.
    Agent(TurnPos, usize),
    /// What begins at a place of that conversation, which is the last of the two.
    Inside(TurnPos, usize, TurnPos),
    /// What is left out at the end of a long text, or of what a call gave back.
    Rest(TurnPos),
    /// The same in the conversation of an agent.
    RestInside(TurnPos, usize, TurnPos),
    /// What the transcript has of a step, unchanged. Opened only for a match that is not shown
    /// otherwise.
    Raw(TurnPos),
    /// The same in the conversation of an agent.
    RawInside(TurnPos, usize, TurnPos),
    /// What was said before the conversation begins.
    Earlier,
    /// What was said before so many compactions, once it is shown.
    Before(usize),
}

impl Fold {
    /// The same fold in the conversation of an agent. Agents that an agent started have none.
    pub(super) fn inside(self, place: TurnPos, call: usize) -> Option<Self> {
        match self {
            Self::Part(at) => Some(Self::Inside(place, call, at)),
            Self::Rest(at) => Some(Self::RestInside(place, call, at)),
            Self::Raw(at) => Some(Self::RawInside(place, call, at)),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Options {
    pub level: Level,
    /// Folds that are not as the level has them.
    pub toggled: BTreeSet<Fold>,
    /// Is thinking shown at all?
    pub thinking: Visibility,
    pub noise: Visibility,
    /// How many compactions back the conversation is shown.
    pub earlier: usize,
}

/// Is something shown that is of interest now and then: thinking, notes of the program?
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    #[default]
    Hidden,
    Shown,
}

impl Visibility {
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
        match fold {
            Fold::Part(_) | Fold::Agent(..) | Fold::Inside(..) => {
                (self.level == Level::Full) != self.toggled.contains(&fold)
            }
            // No level opens the rest of every long text.
            Fold::Rest(_) | Fold::RestInside(..) | Fold::Raw(_) | Fold::RawInside(..) => {
                self.toggled.contains(&fold)
            }
            Fold::Earlier => false,
            Fold::Before(depth) => depth <= self.earlier,
        }
    }

    /// Opens what is closed and closes what is open. Twice is nothing. What lies before the
    /// conversation is one compaction more each time.
    pub fn toggle(&mut self, fold: Fold) {
        match fold {
            Fold::Earlier => self.earlier += 1,
            // What lies before it can only be shown together with it.
            Fold::Before(depth) => self.earlier = self.earlier.min(depth.saturating_sub(1)),
            _ if self.toggled.remove(&fold) => {}
            _ => {
                self.toggled.insert(fold);
            }
        }
    }

    /// How the conversation of an agent is shown: with its answers at least.
    #[must_use]
    pub fn of_agent(&self, place: TurnPos, call: usize) -> Self {
        let inner = self.toggled.iter().filter_map(|fold| match fold {
            Fold::Inside(at, number, inner) if (*at, *number) == (place, call) => {
                Some(Fold::Part(*inner))
            }
            Fold::RestInside(at, number, inner) if (*at, *number) == (place, call) => {
                Some(Fold::Rest(*inner))
            }
            Fold::RawInside(at, number, inner) if (*at, *number) == (place, call) => {
                Some(Fold::Raw(*inner))
            }
            _ => None,
        });
        Self {
            level: self.level.max(Level::Summary),
            toggled: inner.collect(),
            thinking: self.thinking,
            ..Self::default()
        }
    }

    /// What of these options concerns one turn: the rest does not change how it looks.
    #[must_use]
    pub fn of_turn(&self, turn: i64) -> Self {
        let (from, to) = (TurnPos::opening(turn), TurnPos::opening(turn + 1));
        let toggled = self.toggled.iter().copied().filter(|fold| match fold {
            Fold::Part(place)
            | Fold::Rest(place)
            | Fold::Raw(place)
            | Fold::Agent(place, _)
            | Fold::Inside(place, ..)
            | Fold::RestInside(place, ..)
            | Fold::RawInside(place, ..) => (from..to).contains(place),
            Fold::Earlier | Fold::Before(_) => false,
        });
        Self {
            toggled: toggled.collect(),
            earlier: 0,
            ..*self
        }
    }

    /// The next level, with everything as it has it.
    pub fn next_level(&mut self) {
        self.level = self.level.next();
        self.toggled.clear();
    }
}
