//! The operators that can be typed, and the words that some of them know. Completion, errors and what
//! the prompt history refuses come from here.

/// The names that operators look into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facet {
    Project,
    Branch,
    Tag,
    Model,
    Pr,
    Id,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Name(Facet),
    Is,
    Since,
    Before,
    Role,
    Tool,
    File,
    Has,
}

impl Operator {
    /// Every operator as it is typed, with what it asks for.
    pub const ALL: [(Self, &'static str, &'static str); 13] = [
        (
            Self::Name(Facet::Project),
            "project:",
            "part of the directory",
        ),
        (Self::Name(Facet::Branch), "branch:", "part of the branch"),
        (Self::Name(Facet::Tag), "tag:", "part of the tag"),
        (Self::Is, "is:", "running, interrupted, forked, …"),
        (Self::Since, "since:", "active at or after a time"),
        (Self::Before, "before:", "last active before a time"),
        (
            Self::Name(Facet::Model),
            "model:",
            "part of the model's name",
        ),
        (Self::Name(Facet::Pr), "pr:", "number of the pull request"),
        (Self::Name(Facet::Id), "id:", "beginning of the id"),
        (Self::Role, "role:", "said by user, claude or tool"),
        (Self::Tool, "tool:", "part of the tool's name, or a glob"),
        (
            Self::File,
            "file:",
            "part of a path read or changed, or a glob",
        ),
        (Self::Has, "has:", "error, thinking, image, agent"),
    ];

    /// Other names that are understood, but not offered.
    const ALIASES: [(&'static str, Self); 1] = [("after:", Self::Since)];

    /// Names that other programs have and that mean more than one thing here, with what to type
    /// instead.
    const OTHERS: [(&'static str, &'static str); 2] = [
        (
            "path:",
            "use project: for the directory of a session, file: for a file that was read or changed",
        ),
        ("title:", "plain words look into titles, too"),
    ];

    /// As it is typed, with the colon.
    pub fn typed(self) -> &'static str {
        let found = Self::ALL.iter().find(|(operator, ..)| *operator == self);
        found.map_or("", |(_, typed, _)| typed)
    }

    /// Does it ask for something in the text of a conversation? It takes no minus then.
    pub fn is_of_content(self) -> bool {
        matches!(self, Self::Role | Self::Tool | Self::File | Self::Has)
    }

    /// Can only sessions be asked for it? The prompts of the history have a project, a time and an id.
    fn is_of_sessions(self) -> bool {
        !matches!(
            self,
            Self::Name(Facet::Project | Facet::Id) | Self::Since | Self::Before
        )
    }

    /// The operators that only sessions can be asked for, as they are typed.
    pub fn of_sessions() -> impl Iterator<Item = &'static str> {
        let all = Self::ALL.into_iter();
        all.filter(|(operator, ..)| operator.is_of_sessions())
            .map(|(_, typed, _)| typed)
    }

    /// The operator that a text begins with, and its length with the colon.
    pub fn at_start(text: &str) -> Option<(Self, usize)> {
        let known = Self::ALL
            .iter()
            .map(|(operator, typed, _)| (*operator, *typed));
        let aliases = Self::ALIASES.iter().map(|(typed, own)| (*own, *typed));
        let found = known
            .chain(aliases)
            .find(|(_, typed)| begins_with(text, typed));
        found.map(|(operator, typed)| (operator, typed.len()))
    }

    /// What to type instead of a word that begins like an operator of other programs.
    pub fn instead(word: &str) -> Option<String> {
        let has_value = |name: &str| word.len() > name.len() && begins_with(word, name);
        let found = Self::OTHERS.iter().find(|(name, _)| has_value(name));
        found.map(|(name, instead)| format!("{name} does not exist: {instead}"))
    }
}

fn begins_with(text: &str, name: &str) -> bool {
    let start = text.get(..name.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Whose text `role:` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    User,
    Claude,
    Tool,
    Peer,
}

impl Role {
    /// Every role, with its word after `role:` and what that asks for.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::User, "user", "what you wrote"),
        (Self::Claude, "claude", "what Claude wrote"),
        (Self::Tool, "tool", "what tools got and printed"),
        (Self::Peer, "peer", "what other sessions sent"),
    ];

    /// Words that are understood, but not offered.
    pub const ALIASES: [(Self, &'static str); 1] = [(Self::Claude, "assistant")];
}

/// Something in a conversation that `has:` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentTrait {
    Error,
    Thinking,
    Image,
    Agent,
}

impl ContentTrait {
    /// Every trait, with its word after `has:` and what that asks for.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Error, "error", "a call of a tool failed"),
        (Self::Thinking, "thinking", "Claude thought aloud"),
        (Self::Image, "image", "an image was shown"),
        (Self::Agent, "agent", "a sub-agent worked"),
    ];
}
