//! What to find in a conversation, and the matches so far.
//!
//! A match is known by its message and its line there, so that it is found again in any window.
//! The matches of a turn are valid until the query or the folds of the turn change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::matches::TextMatcher;
use super::page::PageSpec;
use crate::preview::{Fold, Level, Options, PageLine, TurnPos, Visibility};
use crate::search::{Field, Query, Tier, highlight};

/// Maximum number of matches.
const MOST: usize = 100_000;

/// What to find in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Find {
    /// The words of a query, in what is shown.
    Words(Query),
    /// The same, also in closed folds: a search of all conversations found them here.
    Everywhere(Query),
    /// The text of the find bar, also in closed folds.
    Phrase(String),
}

impl Default for Find {
    fn default() -> Self {
        Self::Words(Query::default())
    }
}

impl Find {
    /// `None` if there is nothing to find: conditions alone only choose sessions.
    pub fn matcher(&self) -> Option<TextMatcher> {
        let matcher = match self {
            Self::Words(query) | Self::Everywhere(query) => TextMatcher::words(query),
            Self::Phrase(text) => TextMatcher::phrase(text),
        };
        Some(matcher).filter(|matcher| !matcher.query().words().is_empty())
    }
}

/// A matching line: its message, and its index among the lines of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchPos {
    pub place: TurnPos,
    pub offset: usize,
}

impl MatchPos {
    /// After all lines of any conversation.
    pub const END: Self = Self {
        place: TurnPos {
            turn: i64::MAX,
            step: None,
        },
        offset: usize::MAX,
    };
}

/// A line to stop at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub at: MatchPos,
    /// How many matches it stands for: the title of a closed fold has those inside, too.
    pub count: usize,
}

/// Where something matches that is not shown at all. It cannot be gone to, but "no match" alone
/// would be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// In an answer or its tools, while only prompts are shown.
    Answers,
    Thinking,
    /// In a note of the program.
    Notes,
}

/// What is known of the matches of a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matches {
    /// What they match.
    pub find: Find,
    /// In their order.
    pub marks: Arc<Vec<Mark>>,
    /// The one to show first.
    pub landing: Option<MatchPos>,
    pub searched: Searched,
    pub unseen: BTreeSet<Unseen>,
}

impl Matches {
    /// How many matches there are, each in a closed fold counted for itself.
    pub fn count(&self) -> usize {
        self.marks.iter().map(|mark| mark.count).sum()
    }

    /// How many of them are at a line or before it. A closed fold there counts once.
    pub fn count_until(&self, here: MatchPos) -> usize {
        let marks = self.marks.iter().take_while(|mark| mark.at <= here);
        let count = |mark: &Mark| if mark.at == here { 1 } else { mark.count };
        marks.map(count).sum()
    }
}

/// How much was searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Searched {
    #[default]
    Everything,
    /// It is going on.
    Partly,
    /// Not everything: the maximum number of matches is reached.
    Enough,
}

/// What to find, and the layout of the lines to find it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindTarget {
    find: Find,
    pub matcher: TextMatcher,
    pub words: Vec<Query>,
    columns: usize,
    options: (Level, Visibility, Visibility),
}

impl FindTarget {
    /// What a page is to find, if anything.
    pub fn of(spec: &PageSpec) -> Option<Self> {
        let matcher = spec.find.matcher()?;
        Some(Self::with(spec, matcher))
    }

    pub fn with(spec: &PageSpec, matcher: TextMatcher) -> Self {
        let options = &spec.options;
        Self {
            find: spec.find.clone(),
            words: matcher.query().words(),
            matcher,
            columns: spec.columns,
            options: (options.level, options.thinking, options.noise),
        }
    }

    /// The matches in lines without folds. The one to show first is where all words of the query
    /// were met; words that are not there do not count.
    pub fn in_lines(&self, lines: &[PageLine]) -> Matches {
        let every: Vec<&PageLine> = lines.iter().collect();
        let found = self.matcher.matches(&every, self.columns);
        let matching: BTreeSet<usize> = found.iter().filter_map(|it| Some(it.first()?.0)).collect();
        let pos = |at: usize| {
            let place = lines[at].place;
            let start = lines.partition_point(|line| line.place < place);
            let offset = at - start;
            MatchPos { place, offset }
        };
        let mut landing = matching.first().copied();
        let mut words = BTreeSet::new();
        for at in matching.iter().filter(|_| !self.searches_folds()) {
            let known = words.len();
            words.extend(self.begun_words(&lines[*at].text()));
            if words.len() > known {
                landing = Some(*at);
            }
        }
        let mark = |at: &usize| Mark {
            at: pos(*at),
            count: 1,
        };
        Matches {
            marks: Arc::new(matching.iter().map(mark).collect()),
            landing: landing.map(pos),
            ..Matches::default()
        }
    }

    pub fn searches_folds(&self) -> bool {
        !matches!(self.find, Find::Words(_))
    }

    fn is_phrase(&self) -> bool {
        matches!(self.find, Find::Phrase(_))
    }

    /// Which words match at the beginning of a word. A match inside of a word is no reason to show
    /// that line first.
    pub fn begun_words(&self, text: &str) -> Vec<usize> {
        let begins = |word: &Query| {
            let found = highlight(text, Field::LastPrompt, word, Tier::Substring);
            let before = |range: &Range<usize>| text.get(..range.start)?.chars().next_back();
            let is_first = |range| !before(range).is_some_and(char::is_alphanumeric);
            found.iter().any(is_first)
        };
        let words = self.words.iter().enumerate();
        let begun = words.filter(|(_, word)| begins(word));
        begun.map(|(n, _)| n).collect()
    }

    /// Is every match of this a match of the other one?
    fn narrows(&self, before: &Self) -> bool {
        self.is_phrase()
            && before.is_phrase()
            && self.matcher.query().narrows(before.matcher.query())
            && (self.columns, self.options) == (before.columns, before.options)
    }
}

/// The matches of one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InTurn {
    pub marks: Vec<Mark>,
    /// The first message with all of the words, and the first with any of them.
    pub all: Option<MatchPos>,
    pub any: Option<MatchPos>,
    /// The folds that are not at the default of the level.
    pub toggled: BTreeSet<Fold>,
    pub unseen: BTreeSet<Unseen>,
}

/// All matches so far.
#[derive(Debug, Default)]
pub struct Findings {
    target: Option<FindTarget>,
    turns: BTreeMap<i64, InTurn>,
    /// Matches in the work of agents, by the calls that started them: a turn may have hundreds, each
    /// with a file of megabytes.
    pub agents: HashMap<String, usize>,
    count: usize,
}

impl Findings {
    /// Changes what to find.
    pub fn look_for(&mut self, target: Option<&FindTarget>) {
        if self.target.as_ref() == target {
            return;
        }
        // A longer phrase has no match where the shorter one had none.
        match (&self.target, target) {
            (Some(before), Some(now)) if now.narrows(before) => {
                let is_nowhere = |found: &InTurn| found.marks.is_empty() && found.unseen.is_empty();
                self.turns.retain(|_, found| is_nowhere(found));
                self.agents.retain(|_, count| *count == 0);
            }
            _ => {
                self.turns.clear();
                self.agents.clear();
            }
        }
        self.target = target.cloned();
        self.count = 0;
    }

    /// Are the matches of a turn with these folds known?
    pub fn has(&self, number: i64, options: &Options) -> bool {
        self.turns
            .get(&number)
            .is_some_and(|known| known.toggled == options.of_turn(number).toggled)
    }

    pub fn put(&mut self, number: i64, found: InTurn) {
        self.count += found.marks.len();
        if let Some(before) = self.turns.insert(number, found) {
            self.count -= before.marks.len();
        }
    }

    /// Is the maximum number of matches reached?
    pub fn is_plenty(&self) -> bool {
        self.count > MOST
    }

    /// Keeps the matches of these turns. Agents may have done more, so theirs are dropped.
    pub fn keep(&mut self, turns: &BTreeSet<i64>) {
        self.agents.clear();
        self.turns.retain(|number, _| turns.contains(number));
        self.count = self.turns.values().map(|found| found.marks.len()).sum();
    }

    /// The matches of a conversation whose turns have these numbers.
    pub fn found(&self, numbers: Range<i64>) -> Matches {
        if self.target.is_none() {
            return Matches::default();
        }
        let turns = || self.turns.range(numbers.clone()).map(|(_, found)| found);
        let is_whole = i64::try_from(turns().count()).ok() == Some(numbers.end - numbers.start);
        let first = |of: fn(&InTurn) -> Option<MatchPos>| turns().find_map(of);
        Matches {
            marks: Arc::new(turns().flat_map(|found| &found.marks).copied().collect()),
            landing: first(|found| found.all).or_else(|| first(|found| found.any)),
            searched: if is_whole {
                Searched::Everything
            } else if self.is_plenty() {
                Searched::Enough
            } else {
                Searched::Partly
            },
            unseen: turns().flat_map(|found| &found.unseen).copied().collect(),
            ..Matches::default()
        }
    }
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
