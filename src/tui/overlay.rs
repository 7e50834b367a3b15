//! What lies over the panes and has the keys while it is there.
//!
//! At most one at a time. Each has its own place in the table of keys; what its keys do stands in
//! `update`, how it looks in `view`.

use super::keymap::Place;
use super::preflight::{BatchCard, Card};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    Help {
        /// The first line in sight.
        top: usize,
    },
    /// The branches of the conversation in the preview.
    Branches {
        /// The branch that Enter would preview.
        cursor: usize,
    },
    /// Something has to be decided before a session is resumed.
    Preflight(Box<Card>),
    /// Several sessions are about to be resumed.
    Batch(Box<BatchCard>),
}

impl Overlay {
    /// Where a key goes while it is open.
    pub fn place(&self) -> Place {
        match self {
            Self::Help { .. } => Place::Help,
            Self::Branches { .. } => Place::Branches,
            Self::Preflight(card) if card.entry.is_some() => Place::Entry,
            Self::Preflight(_) | Self::Batch(_) => Place::Card,
        }
    }
}
