//! The keys, as one table of data: what they do, where they count, what the help says.
//!
//! The table feeds three readers: the lookup of a key press, the help screen and the footer, so
//! none of them can promise what another does not hold. What an action does is not known here.

mod chord;
mod table;

use std::collections::BTreeMap;

use crossterm::event::KeyEvent;

use super::input::Edit;

pub use chord::Chord;
pub use table::{Binding, Group, TABLE};

/// Where a key was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the list, with something in the query line.
    Typing,
    /// In the list, with an empty query line.
    List,
    /// In the preview.
    Preview,
    /// In the preview, while something is typed that is looked for there.
    Finding,
    /// Over the branches of a conversation.
    Branches,
    /// On the help screen.
    Help,
    /// In the history, with an empty query line.
    History,
    /// There, with something in the query line.
    HistoryTyping,
    /// In the prompt beside it.
    HistoryPreview,
    /// There, while something is typed that is looked for in it.
    HistoryFinding,
    /// There, while it shows what was looked for.
    HistoryFound,
    /// On a card that asks something.
    Card,
    /// In a line of such a card.
    Entry,
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Resume,
    Fork,
    Choose,
    CompletePath,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    SwitchFocus,
    NextMatch,
    PreviousMatch,
    NextPrompt,
    PreviousPrompt,
    Folds,
    Thinking,
    Noise,
    Open,
    Find,
    Branches,
    CopyMessage,
    OpenMessage,
    EditMessage,
    PreviewUp,
    PreviewDown,
    PreviewPageUp,
    PreviewPageDown,
    Scope,
    History,
    HistoryScope,
    Deleted,
    GoToSession,
    ResumePast,
    CopyPrompt,
    NewSession,
    Sort,
    HiddenKinds,
    Forks,
    TogglePreview,
    Density,
    GrowPreview,
    ShrinkPreview,
    Mouse,
    Mark,
    CopyId,
    CopyCommand,
    CopyPath,
    Refresh,
    Help,
    Back,
    Interrupt,
    Suspend,
    /// Something of the line editor.
    Edit(Edit),
}

/// A name or a key in a configuration that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("'{0}' is no action: `claude-resume config` lists them")]
    UnknownAction(String),
    #[error("'{0}' is no key: write it like ctrl-t, alt-h, f5, enter or ?")]
    UnknownKey(String),
}

/// The table with the person's own keys laid over it.
#[derive(Debug, Clone)]
pub struct Keymap {
    /// The keys of each line of the table, in its order.
    chords: Vec<Vec<Chord>>,
}

impl Default for Keymap {
    fn default() -> Self {
        let chords = |binding: &Binding| binding.keys.split(' ').filter_map(Chord::parse).collect();
        Self {
            chords: TABLE.iter().map(chords).collect(),
        }
    }
}

impl Keymap {
    /// Lays the person's keys over the defaults. A key that is given away is taken from whatever
    /// had it before; an action with an empty list has no key.
    pub fn with(overrides: &BTreeMap<String, Vec<String>>) -> Result<Self, KeyError> {
        let mut keymap = Self::default();
        for (name, keys) in overrides {
            let at = TABLE
                .iter()
                .position(|binding| binding.name == name)
                .ok_or_else(|| KeyError::UnknownAction(name.clone()))?;
            let mut chords = Vec::new();
            for key in keys {
                let chord = Chord::parse(key).ok_or_else(|| KeyError::UnknownKey(key.clone()))?;
                chords.push(chord);
            }
            for (other, taken) in keymap.chords.iter_mut().enumerate() {
                if shares_a_place(&TABLE[other], &TABLE[at]) {
                    taken.retain(|chord| !chords.contains(chord));
                }
            }
            keymap.chords[at] = chords;
        }
        Ok(keymap)
    }

    /// What a key press asks for in this place, if anything.
    pub fn action(&self, place: Place, key: KeyEvent) -> Option<Action> {
        let chord = Chord::of(key);
        self.lines()
            .find(|(binding, chords)| binding.places.contains(&place) && chords.contains(&chord))
            .map(|(binding, _)| binding.action)
    }

    /// The lines of the table with their keys.
    pub fn lines(&self) -> impl Iterator<Item = (&'static Binding, &[Chord])> {
        TABLE.iter().zip(self.chords.iter().map(Vec::as_slice))
    }

    /// The first key of an action, as it is written on screen.
    pub fn name(&self, action: Action) -> Option<String> {
        let (_, chords) = self
            .lines()
            .find(|(binding, chords)| binding.action == action && !chords.is_empty())?;
        Some(chords.first()?.to_string())
    }
}

fn shares_a_place(a: &Binding, b: &Binding) -> bool {
    a.places.iter().any(|place| b.places.contains(place))
}

#[cfg(test)]
#[path = "keymap_tests.rs"]
mod tests;
