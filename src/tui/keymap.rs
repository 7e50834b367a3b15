//! The keys, as one table of data: what they do, in which layer they count, what the help says.
//!
//! The lookup of a key press, the help screen, the footer and the configuration all read this
//! table, so none of them can promise what another does not do. Screens decide what an action does.

mod chord;
mod table;

use std::collections::BTreeMap;

use crossterm::event::KeyEvent;

use super::widgets::{Edit, Motion};

pub use chord::Chord;
pub use table::{Binding, HelpGroup, TABLE};

/// A group of keys that count together. A screen names its layers from the top down, and the first
/// one that has a key decides what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyLayer {
    /// Everywhere.
    Global,
    /// Moving in a list or a text.
    Move,
    /// Moving with letters, where nothing is typed.
    Letters,
    /// `?`, where nothing is typed.
    Hint,
    /// Editing a line.
    Edit,
    /// A list beside a preview.
    Panes,
    /// The picker of sessions, in the list and in the preview.
    Sessions,
    /// Its list.
    SessionList,
    /// Its preview.
    Conversation,
    /// The prompt history, in the list and in the preview.
    Prompts,
    /// Its preview.
    Prompt,
    /// Any text with messages: a conversation or a prompt.
    Text,
    /// The find bar, while it is typed in.
    Find,
    Branches,
    /// A card with choices.
    Card,
    /// A directory that is typed on a card.
    Entry,
}

/// The layers of each situation, from the top down.
pub mod layers {
    use super::KeyLayer::{
        self, Branches, Card, Conversation, Edit, Entry, Find, Global, Hint, Letters, Move, Panes,
        Prompt, Prompts, SessionList, Sessions, Text,
    };

    pub const SESSION_LIST: &[KeyLayer] = &[SessionList, Sessions, Panes, Edit, Move, Global];
    pub const EMPTY_SESSION_LIST: &[KeyLayer] =
        &[SessionList, Sessions, Panes, Edit, Move, Hint, Global];
    pub const CONVERSATION: &[KeyLayer] = &[
        Conversation,
        Text,
        Sessions,
        Panes,
        Letters,
        Move,
        Hint,
        Global,
    ];
    pub const FIND: &[KeyLayer] = &[Find, Edit, Move, Global];
    pub const PROMPT_LIST: &[KeyLayer] = &[Prompts, Panes, Edit, Move, Global];
    pub const EMPTY_PROMPT_LIST: &[KeyLayer] = &[Prompts, Panes, Edit, Move, Hint, Global];
    pub const PROMPT: &[KeyLayer] = &[Prompt, Text, Prompts, Panes, Letters, Move, Hint, Global];
    pub const BRANCHES: &[KeyLayer] = &[Branches, Letters, Move, Global];
    pub const HELP: &[KeyLayer] = &[Letters, Move, Hint, Global];
    pub const CARD: &[KeyLayer] = &[Card, Letters, Move, Global];
    pub const ENTRY: &[KeyLayer] = &[Entry, Card, Edit, Global];

    pub const ALL: &[&[KeyLayer]] = &[
        EMPTY_SESSION_LIST,
        SESSION_LIST,
        CONVERSATION,
        FIND,
        EMPTY_PROMPT_LIST,
        PROMPT_LIST,
        PROMPT,
        BRANCHES,
        HELP,
        CARD,
        ENTRY,
    ];
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Resume,
    Fork,
    Choose,
    Complete,
    Move(Motion),
    SwitchPane,
    NextMatch,
    PreviousMatch,
    NextPrompt,
    PreviousPrompt,
    Folds,
    Thinking,
    Noise,
    Toggle,
    Find,
    FindDone,
    Branches,
    ShowBranch,
    CopyMessage,
    OpenMessage,
    EditMessage,
    /// Scroll the preview from the list.
    ScrollPreview(Motion),
    Scope,
    Prompts,
    PromptScope,
    Deleted,
    GoToSession,
    ResumePrompt,
    CopyPrompt,
    NewSession,
    Sort,
    Hidden,
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
    TakeSuggestion,
    Help,
    Back,
    Interrupt,
    Suspend,
    /// Something of the line editor.
    Edit(Edit),
}

impl Action {
    /// Does it do something with what is under the cursor?
    pub fn is_on_row(self) -> bool {
        matches!(
            self,
            Self::Resume
                | Self::Fork
                | Self::Toggle
                | Self::Mark
                | Self::CopyId
                | Self::CopyCommand
                | Self::CopyPath
                | Self::GoToSession
                | Self::ResumePrompt
                | Self::NewSession
                | Self::CopyPrompt
        )
    }
}

/// An unknown action or key in the configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("unknown action '{0}': `claude-resume config` lists them")]
    UnknownAction(String),
    #[error("unknown key '{0}': write it like ctrl-t, alt-h, f5, enter or ?")]
    UnknownKey(String),
}

/// The table with the configured keys in place of the defaults.
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
    /// The defaults with these keys instead. A configured key is taken away from the actions that
    /// had it; an action with an empty list has no key.
    pub fn with(overrides: &BTreeMap<String, Vec<String>>) -> Result<Self, KeyError> {
        let mut keymap = Self::default();
        for (name, keys) in overrides {
            let at = TABLE
                .iter()
                .position(|binding| binding.name == name)
                .ok_or_else(|| KeyError::UnknownAction(name.clone()))?;
            let unknown = |key: &String| KeyError::UnknownKey(key.clone());
            let chord = |key: &String| Chord::parse(key).ok_or_else(|| unknown(key));
            let chords: Vec<Chord> = keys.iter().map(chord).collect::<Result<_, _>>()?;
            for (other, taken) in keymap.chords.iter_mut().enumerate() {
                if meet(TABLE[other].layer, TABLE[at].layer) {
                    taken.retain(|chord| !chords.contains(chord));
                }
            }
            keymap.chords[at] = chords;
        }
        Ok(keymap)
    }

    /// What a key press asks for, by the first of these layers that has the key.
    pub fn action(&self, layers: &[KeyLayer], key: KeyEvent) -> Option<Action> {
        let chord = Chord::of(key);
        layers.iter().find_map(|layer| {
            let is_it = |(binding, chords): &(&Binding, &[Chord])| {
                binding.layer == *layer && chords.contains(&chord)
            };
            self.lines().find(is_it).map(|(binding, _)| binding.action)
        })
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

/// Do two layers ever count at the same time?
fn meet(a: KeyLayer, b: KeyLayer) -> bool {
    let has_both = |stack: &&[KeyLayer]| stack.contains(&a) && stack.contains(&b);
    layers::ALL.iter().any(has_both)
}

#[cfg(test)]
#[path = "keymap_tests.rs"]
mod tests;
