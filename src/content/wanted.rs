//! What a query asks of the text of a conversation.

use std::borrow::Cow;

use super::table::Entry;
use crate::search::{
    ContentTrait, FoldProfile, NamePattern, Needle, Pattern, Query, Role, Sign, Test,
};
use crate::transcript::{Traits, Voice};

/// What must be in a conversation, and in which of its passages.
#[derive(Debug, Default)]
pub struct Wanted {
    /// All of them, the longest first.
    pub texts: Vec<TextTerm>,
    /// None of them.
    pub unwanted: Vec<TextTerm>,
    /// Which of them count for the order of what is found, as they were typed.
    ranked: Vec<usize>,
    roles: Vec<Role>,
    tools: Vec<NamePattern>,
    pub traits: Traits,
    /// Do only calls that failed count?
    asks_failures: bool,
}

/// A text to look for.
#[derive(Debug)]
pub enum TextTerm {
    /// By side: what is said is stored without marks of Markdown.
    Needle(Box<[Option<Needle>; 2]>),
    Regex(Pattern),
    /// In the path of a file.
    Path(NamePattern),
}

impl TextTerm {
    fn of(needle: &Needle) -> Self {
        let said = match FoldProfile::Prose.kept(needle.text()) {
            Cow::Owned(bare) => Needle::new(&bare),
            Cow::Borrowed(_) => Some(needle.clone()),
        };
        Self::Needle(Box::new([said, Some(needle.clone())]))
    }

    fn length(&self) -> usize {
        match self {
            Self::Needle(needles) => {
                let [_, whole] = needles.as_ref();
                whole.as_ref().map_or(0, |needle| needle.text().len())
            }
            Self::Path(name) => name.literal().map_or(0, |needle| needle.text().len()),
            // Slow, so the others come first.
            Self::Regex(_) => 0,
        }
    }
}

impl Wanted {
    /// Nothing, if a query asks nothing of the text.
    pub fn new(query: &Query) -> Option<Self> {
        let mut wanted = Self {
            asks_failures: query.asks_failures(),
            ..Self::default()
        };
        for term in query.terms() {
            let text = match &term.test {
                Test::Word(needle) | Test::Phrase(needle) => TextTerm::of(needle),
                Test::Regex(pattern) => TextTerm::Regex(pattern.clone()),
                Test::File(name) => TextTerm::Path(name.clone()),
                Test::Role(role) => {
                    wanted.roles.push(*role);
                    continue;
                }
                Test::Tool(name) => {
                    wanted.tools.push(name.clone());
                    continue;
                }
                Test::Has(content) => {
                    wanted.traits |= match content {
                        ContentTrait::Error => Traits::ERROR,
                        ContentTrait::Thinking => Traits::THINKING,
                        ContentTrait::Image => Traits::IMAGE,
                        ContentTrait::Agent => Traits::AGENT,
                    };
                    continue;
                }
                Test::Name(..) | Test::Is(_) | Test::Since(_) | Test::Before(_) => continue,
            };
            match term.sign {
                Sign::Wanted => wanted.texts.push(text),
                Sign::Unwanted => wanted.unwanted.push(text),
            }
        }
        wanted.order();
        let asks = !wanted.texts.is_empty()
            || !wanted.tools.is_empty()
            || wanted.traits != Traits::default();
        asks.then_some(wanted)
    }

    /// The longest first: it is in the fewest conversations.
    fn order(&mut self) {
        let mut texts: Vec<(usize, TextTerm)> = self.texts.drain(..).enumerate().collect();
        texts.sort_by_key(|(_, term)| std::cmp::Reverse(term.length()));
        // The path of a file is never in one passage with the words.
        let is_path = |term: &TextTerm| matches!(term, TextTerm::Path(_));
        let are_paths = texts.iter().all(|(_, term)| is_path(term));
        let mut ranked: Vec<(usize, usize)> = (0..)
            .zip(&texts)
            .filter(|(_, (_, term))| are_paths || !is_path(term))
            .map(|(at, (typed, _))| (*typed, at))
            .collect();
        ranked.sort_unstable();
        self.ranked = ranked.into_iter().map(|(_, at)| at).collect();
        self.texts = texts.into_iter().map(|(_, term)| term).collect();
    }

    /// The texts that count for the order of what is found, as they were typed.
    pub fn ranked(&self) -> impl Iterator<Item = &TextTerm> {
        self.ranked.iter().filter_map(|at| self.texts.get(*at))
    }

    /// Do only some passages count?
    pub fn is_scoped(&self) -> bool {
        !self.roles.is_empty() || !self.tools.is_empty()
    }

    /// Does a passage count? `tools` are the names in its table.
    pub fn allows(&self, entry: &Entry, tools: &[&str]) -> bool {
        let is_role = |role: &Role| match role {
            Role::User => entry.voice == Voice::User,
            Role::Peer => entry.voice == Voice::Peer,
            Role::Claude => {
                matches!(
                    entry.voice,
                    Voice::Claude | Voice::Thinking | Voice::ToAgent
                )
            }
            Role::Tool => entry.voice.is_tool(),
        };
        let is_failure = entry.is_error && entry.voice.is_tool();
        let tool = entry.tool.and_then(|tool| tools.get(tool));
        let is_tool =
            |wanted: &NamePattern| tool.is_some_and(|tool| wanted.is_tool(&tool.to_lowercase()));
        (!self.asks_failures || is_failure)
            && (self.roles.is_empty() || self.roles.iter().any(is_role))
            && (self.tools.is_empty() || self.tools.iter().any(is_tool))
    }
}
