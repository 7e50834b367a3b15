//! Tells the file of an agent that only warms up a cache: what such a one says is nobody's text.

use super::content::{RawMessage, blocks};
use crate::record::EntryType;
use crate::transcript::parts::Parts;
use crate::transcript::subagents::WARM_UP;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    /// No message was read.
    Unknown,
    /// So far everything belongs to it.
    All,
    None,
}

impl WarmUp {
    /// What is known where reading begins: nothing is handed out of such a file, so that it is
    /// always read from its beginning.
    pub fn at(offset: u64) -> Self {
        match offset {
            0 => Self::Unknown,
            _ => Self::None,
        }
    }

    pub fn is_all(self) -> bool {
        self == Self::All
    }

    /// Takes the next line, and says if it belongs to such an agent. The first message decides, and
    /// the first one that is no agent's ends it.
    pub fn takes(&mut self, parts: &Parts<'_>) -> bool {
        if *self != Self::None
            && matches!(parts.entry, Some(EntryType::User | EntryType::Assistant))
        {
            let asks = || {
                let content = RawMessage::of(parts.message, true).content;
                let first = content.into_iter().flat_map(blocks).next();
                first.and_then(|block| block.text) == Some(WARM_UP.as_bytes())
            };
            let goes_on = parts.is_sidechain && (self.is_all() || asks());
            *self = if goes_on { Self::All } else { Self::None };
        }
        self.is_all()
    }
}
