//! The matches in a conversation, turn by turn, also in turns that are not laid out.
//!
//! A match is known by its message and its line there, so that it is found again in any window.
//! The matches of a turn are valid until the query or the folds of the turn change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::sieve::LetterFilter;
use super::strands::places;
use super::unseen::{Unseen, unseen};
use crate::preview::{
    Fold, Level, LongText, Options, PageLine, TurnPos, Visibility, hidden_texts, long_text,
};
use crate::search::{Field, Query, Tier, highlight};
use crate::transcript::{StepKind, ToolCall, Turn};
use crate::tui::request::PageSpec;

/// Maximum number of matches.
const MOST: usize = 100_000;

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

    /// The first line of a message.
    pub fn first_of(place: TurnPos) -> Self {
        Self { place, offset: 0 }
    }
}

/// What is known of the matches of a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matches {
    /// In their order.
    pub marks: Arc<Vec<MatchPos>>,
    /// The one to show first.
    pub landing: Option<MatchPos>,
    pub searched: Searched,
    /// The text of the find bar.
    pub phrase: Option<String>,
    /// Marks that stand for several matches, and how many more there are up to each of them.
    more: Arc<Vec<(MatchPos, usize)>>,
    /// Where else it is, in what is not shown at all.
    pub unseen: BTreeSet<Unseen>,
}

impl Matches {
    /// How many matches there are, each in a closed fold counted for itself.
    pub fn count(&self) -> usize {
        self.marks.len() + self.more.last().map_or(0, |(_, more)| *more)
    }

    /// How many of them are at a line or before it. A closed fold there counts once.
    pub fn count_until(&self, here: MatchPos) -> usize {
        let before = self.more.partition_point(|(mark, _)| *mark < here);
        let before = before.checked_sub(1).and_then(|at| self.more.get(at));
        let more = before.map_or(0, |(_, more)| *more);
        self.marks.partition_point(|mark| *mark <= here) + more
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

impl Searched {
    /// Will nothing more be found?
    pub fn is_over(self) -> bool {
        self != Self::Partly
    }
}

/// What to find, and the layout of the lines to find it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindTarget {
    query: Query,
    /// The text of the find bar.
    phrase: Option<String>,
    sieve: LetterFilter,
    columns: usize,
    pub(super) options: (Level, Visibility, Visibility),
}

impl FindTarget {
    /// What is wanted to be found on a page, if anything.
    pub fn of(spec: &PageSpec) -> Option<Self> {
        let query = match spec.find.as_deref() {
            Some(phrase) => Query::phrase(phrase),
            None => spec.query.clone(),
        };
        let options = &spec.options;
        // Conditions alone only choose sessions.
        (!query.words().is_empty()).then_some(Self {
            query,
            sieve: LetterFilter::of(spec.find.as_deref()),
            phrase: spec.find.clone(),
            columns: spec.columns,
            options: (options.level, options.thinking, options.noise),
        })
    }

    /// Is every match of this a match of the other one?
    fn narrows(&self, before: &Self) -> bool {
        let is_longer = match (&self.phrase, &before.phrase) {
            // A combining mark would change the letter before it.
            (Some(now), Some(before)) => now
                .strip_prefix(before.as_str())
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii())),
            _ => false,
        };
        is_longer && (self.columns, self.options) == (before.columns, before.options)
    }

    /// How many lines of these texts match?
    pub fn lines_in<T: AsRef<str>>(&self, texts: &[T]) -> usize {
        let lines = texts.iter().flat_map(|text| text.as_ref().lines());
        lines.filter(|line| self.is_in(line)).count()
    }

    /// How many lines of what can be expanded at a place match?
    pub fn lines_hidden(&self, turn: &Turn, place: TurnPos, cwd: Option<&str>) -> usize {
        let wants = |text: &str| self.sieve.lets_through(text);
        self.lines_in(&hidden_texts(turn, place, cwd, &wants))
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.sieve.lets_through(text)
            && !highlight(text, Field::LastPrompt, &self.query, Tier::Substring).is_empty()
    }

    /// The matches in lines without folds. The one to show first is where all words of the query
    /// were met; words that are not there do not count.
    pub fn in_lines(&self, lines: &[PageLine]) -> Matches {
        let every: Vec<&PageLine> = lines.iter().collect();
        let found = places(&every, self.columns, &self.query, &self.sieve);
        let matching: BTreeSet<usize> = found.iter().filter_map(|it| Some(it.first()?.0)).collect();
        let mark = |at: usize| {
            let place = lines[at].place;
            let start = lines.partition_point(|line| line.place < place);
            let offset = at - start;
            MatchPos { place, offset }
        };
        let mut landing = matching.first().copied();
        let mut words = BTreeSet::new();
        for at in matching.iter().filter(|_| !self.is_phrase()) {
            let known = words.len();
            words.extend(begun_words(self, &lines[*at].text()));
            if words.len() > known {
                landing = Some(*at);
            }
        }
        Matches {
            marks: Arc::new(matching.iter().map(|at| mark(*at)).collect()),
            landing: landing.map(mark),
            phrase: self.phrase.clone(),
            ..Matches::default()
        }
    }

    /// Was it typed in the find bar? Then closed folds are searched, too.
    pub fn is_phrase(&self) -> bool {
        self.phrase.is_some()
    }
}

/// The matches of one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InTurn {
    marks: Vec<MatchPos>,
    /// The first message with all of the words, and the first with any of them.
    all: Option<MatchPos>,
    any: Option<MatchPos>,
    /// The folds that are not at the default of the level.
    toggled: BTreeSet<Fold>,
    /// How many further matches the title of a closed fold stands for.
    more: Vec<(MatchPos, usize)>,
    unseen: BTreeSet<Unseen>,
}

/// All matches so far.
#[derive(Debug, Default)]
pub struct Findings {
    sought: Option<FindTarget>,
    turns: BTreeMap<i64, InTurn>,
    /// Matches in the work of agents, by the calls that started them: a turn may have hundreds, each
    /// with a file of megabytes.
    agents: HashMap<String, usize>,
    count: usize,
}

impl Findings {
    /// Changes what to find.
    pub fn look_for(&mut self, sought: Option<&FindTarget>) {
        if self.sought.as_ref() == sought {
            return;
        }
        // A longer phrase has no match where the shorter one had none.
        match (&self.sought, sought) {
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
        self.sought = sought.cloned();
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

    /// The matches in the work of an agent, if they are known.
    pub fn count_in_agent(&self, call: &str) -> Option<usize> {
        self.agents.get(call).copied()
    }

    pub fn put_agent(&mut self, call: &str, count: usize) {
        self.agents.insert(call.to_owned(), count);
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
        let Some(sought) = &self.sought else {
            return Matches::default();
        };
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
            phrase: sought.phrase.clone(),
            more: {
                let mut sum = 0;
                let more = turns().flat_map(|found| &found.more);
                let more = more.map(|(mark, more)| {
                    sum += more;
                    (*mark, sum)
                });
                Arc::new(more.collect())
            },
            unseen: turns().flat_map(|found| &found.unseen).copied().collect(),
        }
    }
}

/// The number of matches in the work of the agent of a call.
pub type InAgent<'a> = &'a mut dyn FnMut(&str, OfAgent) -> usize;

/// A part of the work of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfAgent {
    All,
    /// What can be expanded at a place there.
    Part(TurnPos),
    /// What is left out at a place there.
    Rest(TurnPos),
}

/// Searches the lines of a turn, and what its closed folds hide.
pub fn in_turn(
    sought: &FindTarget,
    (number, turn): (i64, &Turn),
    pieces: &[Arc<Vec<PageLine>>],
    (options, cwd): (&Options, Option<&str>),
    agent: InAgent<'_>,
) -> InTurn {
    let lines: Vec<&PageLine> = pieces.iter().flat_map(|lines| lines.iter()).collect();
    let found = places(&lines, sought.columns, &sought.query, &sought.sieve).into_iter();
    // A match belongs to the line that it begins in.
    let found = found.filter_map(|found| found.first().map(|(line, _)| *line));
    let mut matches: BTreeSet<usize> = found.collect();
    let mut more: BTreeMap<usize, usize> = BTreeMap::new();
    if sought.is_phrase() {
        let mut last_fold = None;
        for (at, line) in lines.iter().enumerate() {
            // A title of two lines is one fold.
            let is_first = line.fold != last_fold;
            last_fold = line.fold;
            let closed = line.fold.filter(|fold| is_first && !options.is_open(*fold));
            let hidden = closed.map_or(0, |fold| hidden_in(sought, turn, fold, cwd, agent));
            // The first of them is the match of the title, unless the title itself matches.
            if hidden > 0 && matches.insert(at) {
                more.insert(at, hidden - 1);
            } else if hidden > 0 {
                more.insert(at, hidden);
            }
        }
    }
    let mut found = InTurn {
        toggled: options.of_turn(number).toggled,
        ..InTurn::default()
    };
    let mut words: BTreeSet<usize> = BTreeSet::new();
    let mut first_here = None;
    let mut message: Option<(TurnPos, usize)> = None;
    for (at, line) in lines.iter().enumerate() {
        let start = match message {
            Some((place, start)) if place == line.place => start,
            _ => {
                words.clear();
                first_here = None;
                at
            }
        };
        message = Some((line.place, start));
        if !matches.contains(&at) {
            continue;
        }
        let mark = MatchPos {
            place: line.place,
            offset: at - start,
        };
        found.marks.push(mark);
        let behind = more.get(&at).filter(|more| **more > 0);
        found.more.extend(behind.map(|more| (mark, *more)));
        let begun = begun_words(sought, &line.text());
        if !begun.is_empty() {
            words.extend(begun);
            let first = *first_here.get_or_insert(mark);
            found.any.get_or_insert(first);
            if words.len() == sought.query.words().len() {
                found.all.get_or_insert(first);
            }
        }
    }
    if sought.is_phrase() {
        found.any = found.marks.first().copied();
        found.unseen = unseen(sought, turn, cwd);
    }
    found
}

/// Which words of the query match at the beginning of a word. A match inside of a word is no reason
/// to show that line first.
fn begun_words(sought: &FindTarget, text: &str) -> Vec<usize> {
    let begins = |word: &Query| {
        let found = highlight(text, Field::LastPrompt, word, Tier::Substring);
        let before = |range: &Range<usize>| text.get(..range.start)?.chars().next_back();
        let is_first = |range| !before(range).is_some_and(char::is_alphanumeric);
        found.iter().any(is_first)
    };
    let words = sought.query.words();
    let begun = words.iter().enumerate().filter(|(_, word)| begins(word));
    begun.map(|(n, _)| n).collect()
}

/// The number of matches that a closed fold hides.
fn hidden_in(
    sought: &FindTarget,
    turn: &Turn,
    fold: Fold,
    cwd: Option<&str>,
    agent: InAgent<'_>,
) -> usize {
    let mut of_call = |place: TurnPos, at: usize, part: OfAgent| {
        let call = calls_from(turn, place).nth(at);
        call.map_or(0, |call| agent(&call.id, part))
    };
    match fold {
        Fold::Part(place) => {
            let own = sought.lines_hidden(turn, place, cwd);
            let agents = calls_from(turn, place).map(|call| agent(&call.id, OfAgent::All));
            own + agents.sum::<usize>()
        }
        Fold::Agent(place, at) => of_call(place, at, OfAgent::All),
        Fold::Inside(place, at, inner) => of_call(place, at, OfAgent::Part(inner)),
        Fold::RestInside(place, at, inner) => of_call(place, at, OfAgent::Rest(inner)),
        Fold::Rest(place) => left_out(sought, &long_text(turn, place, cwd)),
        Fold::Earlier | Fold::Before(_) => 0,
    }
}

/// The number of matches in the omitted part of a text.
pub fn left_out(sought: &FindTarget, text: &LongText) -> usize {
    let shown = sought.lines_in(&text.shown);
    sought.lines_in(&text.whole).saturating_sub(shown)
}

/// The calls of the run that begins at a place.
fn calls_from(turn: &Turn, place: TurnPos) -> impl Iterator<Item = &ToolCall> {
    let steps = place.step.and_then(|step| turn.steps.get(step..));
    let steps = steps.unwrap_or_default().iter();
    steps.map_while(|step| match &step.what {
        StepKind::Tool(call) => Some(&**call),
        _ => None,
    })
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
