//! The `type` of a line.

/// The entry types that this program reads something from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryType {
    User,
    Assistant,
    System,
    Attachment,
    /// In the chain of versions before 2.1.82, and a third of all their lines.
    Progress,
    CustomTitle,
    AiTitle,
    LastPrompt,
    Summary,
    Tag,
    PrLink,
    /// The session goes on in another directory.
    Relocated,
    /// The session goes on under another id.
    ContinuedIn,
    /// Metadata, noise (`api-request*`, snapshots) and whatever comes next.
    Other,
}

impl EntryType {
    pub fn from_name(name: &[u8]) -> Self {
        match name {
            b"user" => Self::User,
            b"assistant" => Self::Assistant,
            b"system" => Self::System,
            b"attachment" => Self::Attachment,
            b"progress" => Self::Progress,
            b"custom-title" => Self::CustomTitle,
            b"ai-title" => Self::AiTitle,
            b"last-prompt" => Self::LastPrompt,
            b"summary" => Self::Summary,
            b"tag" => Self::Tag,
            b"pr-link" => Self::PrLink,
            b"relocated" => Self::Relocated,
            b"continued-in" => Self::ContinuedIn,
            _ => Self::Other,
        }
    }

    /// Does it hang in the tree of entries, with an id and a parent?
    pub fn is_chain(self) -> bool {
        matches!(
            self,
            Self::User | Self::Assistant | Self::System | Self::Attachment | Self::Progress
        )
    }

    /// Did the user or the model say this? Only these count as activity.
    pub fn is_message(self) -> bool {
        matches!(self, Self::User | Self::Assistant)
    }
}
