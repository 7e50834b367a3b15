//! What a query asks of the text of a conversation.

use super::extract::MARKS;
use super::table::Entry;
use crate::search::{ContentTrait, Needle, Pattern, Query, Role, Sign, Test};
use crate::transcript::{Traits, Voice};

/// What must be in a conversation, and in which of its passages.
#[derive(Debug, Default)]
pub struct Wanted {
    /// All of them, the longest first.
    pub texts: Vec<TextTerm>,
    /// None of them.
    pub unwanted: Vec<TextTerm>,
    /// The words as typed, one after the other, if there are several.
    pub phrase: Option<TextTerm>,
    roles: Vec<Role>,
    tools: Vec<Needle>,
    pub traits: Traits,
}

/// A text to look for.
#[derive(Debug)]
pub enum TextTerm {
    /// By side: what is said is stored without marks of Markdown.
    Needle(Box<[Option<Needle>; 2]>),
    Regex(Pattern),
    /// In the path of a file.
    Path(Box<Needle>),
}

impl TextTerm {
    fn of(needle: &Needle) -> Self {
        let is_mark = |c: char| u8::try_from(c).is_ok_and(|c| MARKS.contains(&c));
        let said = if needle.text().contains(is_mark) {
            Needle::new(&needle.text().replace(is_mark, ""))
        } else {
            Some(needle.clone())
        };
        Self::Needle(Box::new([said, Some(needle.clone())]))
    }

    fn length(&self) -> usize {
        match self {
            Self::Needle(needles) => {
                let [_, whole] = needles.as_ref();
                whole.as_ref().map_or(0, |needle| needle.text().len())
            }
            Self::Path(needle) => needle.text().len(),
            // Slow, so the others come first.
            Self::Regex(_) => 0,
        }
    }
}

impl Wanted {
    /// Nothing, if a query asks nothing of the text.
    pub fn new(query: &Query) -> Option<Self> {
        let mut wanted = Self::default();
        let mut words = Vec::new();
        for term in query.terms() {
            let text = match &term.test {
                Test::Word(needle) | Test::Phrase(needle) => {
                    if term.sign == Sign::Wanted {
                        words.push(needle.text());
                    }
                    TextTerm::of(needle)
                }
                Test::Regex(pattern) => TextTerm::Regex(pattern.clone()),
                Test::File(needle) => TextTerm::Path(Box::new(needle.clone())),
                Test::Role(role) => {
                    wanted.roles.push(*role);
                    continue;
                }
                Test::Tool(needle) => {
                    wanted.tools.push(needle.clone());
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
        if words.len() > 1 {
            wanted.phrase = Needle::new(&words.join(" ")).map(|needle| TextTerm::of(&needle));
        }
        wanted
            .texts
            .sort_by_key(|term| std::cmp::Reverse(term.length()));
        let asks = !wanted.texts.is_empty()
            || !wanted.tools.is_empty()
            || wanted.traits != Traits::default();
        asks.then_some(wanted)
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
            Role::Claude => matches!(entry.voice, Voice::Claude | Voice::Thinking),
            Role::Tool => entry.voice.is_tool(),
        };
        let tool = entry.tool.and_then(|tool| tools.get(tool));
        let is_tool =
            |wanted: &Needle| tool.is_some_and(|tool| tool.to_lowercase().contains(wanted.text()));
        (self.roles.is_empty() || self.roles.iter().any(is_role))
            && (self.tools.is_empty() || self.tools.iter().any(is_tool))
    }
}
