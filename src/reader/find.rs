//! Finding in a conversation, turn by turn, also in turns that no page holds: each is read,
//! searched and dropped.
//!
//! From the window on to the end, then from the window back to the beginning: the next match in
//! either direction is found before any other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::files::{Files, OpenFiles, agent_calls, cancelled};
use super::findings::{FindTarget, InTurn, Mark, MatchPos, Unseen};
use super::open::OpenConversation;
use crate::preview::{
    Agent, AgentWork, Agents, Fold, Level, Library, LongText, Manner, PageLine, TurnPos,
    Visibility, agent_texts, hidden_texts, long_text,
};
use crate::transcript::{NoteOrigin, StepKind, ToolCall, Turn, TurnStep};

/// The lines of a turn, in pieces.
pub type Pieces = Vec<Arc<Vec<PageLine>>>;

/// What to find, and how the turns are laid out for it.
#[derive(Clone, Copy)]
pub struct TurnSearch<'a> {
    pub target: &'a FindTarget,
    pub manner: Manner<'a>,
    pub go_on: &'a dyn Fn() -> bool,
}

/// What the closed folds of a turn hide.
struct Hidden<'a> {
    search: TurnSearch<'a>,
    turn: &'a Turn,
    files: &'a Files,
    agents: &'a Agents,
    /// The matches in the work of agents, by their calls.
    counts: &'a mut HashMap<String, usize>,
}

impl TurnSearch<'_> {
    /// Searches the turns that are held for a page, until it is cancelled.
    pub fn in_window(self, opened: &mut OpenConversation, held: Range<i64>) {
        for (number, turn) in held.clone().zip(opened.book.turns(held)) {
            if self.in_turn(opened, number, &turn).is_err() {
                return;
            }
        }
    }

    /// Searches all other turns, and reports after each stretch.
    pub fn elsewhere(
        self,
        opened: &mut OpenConversation,
        held: Range<i64>,
        tell: &mut dyn FnMut(&OpenConversation),
    ) -> io::Result<()> {
        let all = opened.book.numbers();
        for number in (held.end..all.end).chain((all.start..held.start).rev()) {
            if opened.findings.is_plenty() {
                return Ok(());
            }
            if opened.findings.has(number, self.manner.options) {
                continue;
            }
            let mut files = self.files(&mut opened.files, all.start);
            let Some((first, turns)) = files.stretch(number) else {
                return Err(files.error.unwrap_or_else(cancelled));
            };
            for (number, turn) in (first..).zip(&turns) {
                if !held.contains(&number) {
                    self.in_turn(opened, number, turn)?;
                }
            }
            let held = opened.book.turns(held.clone());
            opened.files.keep_agents(&held, &mut opened.book.agents);
            tell(opened);
        }
        Ok(())
    }

    fn files<'a>(&'a self, files: &'a mut Files, first: i64) -> OpenFiles<'a> {
        OpenFiles {
            files,
            first,
            options: self.manner.options,
            go_on: self.go_on,
            error: None,
        }
    }

    /// Searches a turn, unless its matches are known: its lines, and what its closed folds hide. Fails
    /// if it was cancelled: the matches so far are not all.
    fn in_turn(self, opened: &mut OpenConversation, number: i64, turn: &Turn) -> io::Result<()> {
        let options = self.manner.options;
        if opened.findings.has(number, options) {
            return Ok(());
        }
        let (pieces, counts) = self.lines_of(opened, number, turn)?;
        let lines: Vec<&PageLine> = pieces.iter().flat_map(|lines| lines.iter()).collect();
        let mut found = InTurn {
            toggled: options.of_turn(number).toggled,
            ..InTurn::default()
        };
        if self.target.searches_folds() {
            found.unseen = self.unseen(turn);
        }
        self.place(&lines, &counts, &mut found);
        opened.findings.put(number, found);
        Ok(())
    }

    /// The lines of a turn, with the number of matches in those that have any. Fails if it was
    /// cancelled.
    pub fn lines_of(
        self,
        opened: &mut OpenConversation,
        number: i64,
        turn: &Turn,
    ) -> io::Result<(Pieces, BTreeMap<usize, usize>)> {
        let options = self.manner.options;
        let OpenConversation {
            files,
            book,
            findings,
            ..
        } = opened;
        let mut open = self.files(files, book.numbers().start);
        open.agents_of(number, turn, &mut book.agents);
        if self.target.searches_folds() && !agent_calls(number, turn).is_empty() {
            files.list_agents(&mut book.agents);
        }
        let pieces = book.lines_of(number, turn, self.manner);
        let lines: Vec<&PageLine> = pieces.iter().flat_map(|lines| lines.iter()).collect();
        // A match belongs to the line that it begins in. A line counts once.
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for place in self.target.matcher.matches(&lines, self.manner.columns) {
            counts.extend(place.first().map(|(line, _)| (*line, 1)));
        }
        if self.target.searches_folds() {
            let mut hidden = Hidden {
                search: self,
                turn,
                files,
                agents: &book.agents,
                counts: &mut findings.agents,
            };
            let mut last = None;
            for (at, line) in lines.iter().enumerate() {
                // A title of two lines is one fold.
                let fold = line.fold.filter(|_| line.fold != last);
                last = line.fold;
                let count = match fold {
                    Some(fold) if !options.is_open(fold) => hidden.count(fold),
                    _ => 0,
                };
                if count > 0 {
                    *counts.entry(at).or_default() += count;
                }
            }
        }
        if !(self.go_on)() {
            return Err(cancelled());
        }
        Ok((pieces, counts))
    }

    /// Places the matches in their messages.
    fn place(&self, lines: &[&PageLine], counts: &BTreeMap<usize, usize>, found: &mut InTurn) {
        let mut start = 0;
        for message in lines.chunk_by(|one, next| one.place == next.place) {
            let mut words: BTreeSet<usize> = BTreeSet::new();
            let mut first = None;
            for (offset, line) in message.iter().enumerate() {
                let Some(count) = counts.get(&(start + offset)) else {
                    continue;
                };
                let place = line.place;
                let at = MatchPos { place, offset };
                found.marks.push(Mark { at, count: *count });
                let begun = self.target.begun_words(&line.text());
                if !begun.is_empty() {
                    words.extend(begun);
                    let first = *first.get_or_insert(at);
                    found.any.get_or_insert(first);
                    if words.len() == self.target.words.len() {
                        found.all.get_or_insert(first);
                    }
                }
            }
            start += message.len();
        }
    }

    /// How many lines of what can be expanded at a place match?
    fn in_part(&self, turn: &Turn, place: TurnPos) -> usize {
        let matcher = &self.target.matcher;
        let wants = |text: &str| matcher.may_match(text);
        matcher.count_lines(&hidden_texts(turn, place, self.manner.cwd, &wants))
    }

    /// How many lines match of what is left out of a long text?
    fn in_rest(&self, turn: &Turn, place: TurnPos) -> usize {
        let LongText { shown, whole } = long_text(turn, place, self.manner.cwd);
        let matcher = &self.target.matcher;
        matcher
            .count_lines(&whole)
            .saturating_sub(matcher.count_lines(&shown))
    }

    /// Where what is not shown at all matches.
    fn unseen(&self, turn: &Turn) -> BTreeSet<Unseen> {
        let options = self.manner.options;
        let has = |text: &String| self.target.matcher.count_lines(&[text]) > 0;
        let shows_prompts = options.level == Level::Prompts;
        let of_step = |(at, step): (usize, &TurnStep)| match &step.what {
            StepKind::Thinking(text) => {
                let is_hidden = options.thinking == Visibility::Hidden;
                (is_hidden && has(text)).then_some(Unseen::Thinking)
            }
            StepKind::Text(text) => (shows_prompts && has(text)).then_some(Unseen::Answers),
            StepKind::Tool(_) | StepKind::Output { .. } => {
                let has = || self.in_part(turn, TurnPos::step(0, at)) > 0;
                (shows_prompts && has()).then_some(Unseen::Answers)
            }
            _ => None,
        };
        let mut unseen: BTreeSet<Unseen> =
            turn.steps.iter().enumerate().filter_map(of_step).collect();
        let notes = turn.noise.iter();
        let mut notes = notes.filter(|note| note.whose == NoteOrigin::Program);
        if options.noise == Visibility::Hidden && notes.any(|note| has(&note.text)) {
            unseen.insert(Unseen::Notes);
        }
        unseen
    }
}

impl Hidden<'_> {
    /// The number of matches in a closed fold.
    fn count(&mut self, fold: Fold) -> usize {
        let (search, turn) = (self.search, self.turn);
        match fold {
            Fold::Part(place) => {
                let agents = calls_from(turn, place).map(|call| self.in_agent(call));
                agents.sum::<usize>() + search.in_part(turn, place)
            }
            Fold::Rest(place) => search.in_rest(turn, place),
            Fold::Agent(place, at) => {
                let call = calls_from(turn, place).nth(at);
                call.map_or(0, |call| self.in_agent(call))
            }
            Fold::Inside(place, at, inner) => {
                self.inside(place, at, inner, |turn| search.in_part(turn, inner))
            }
            Fold::RestInside(place, at, inner) => {
                self.inside(place, at, inner, |turn| search.in_rest(turn, inner))
            }
            // What is closed of these has no line.
            Fold::Raw(_) | Fold::RawInside(..) | Fold::Earlier | Fold::Before(_) => 0,
        }
    }

    /// The number of matches in everything that the agent of a call did.
    fn in_agent(&mut self, call: &ToolCall) -> usize {
        if let Some(count) = self.counts.get(&call.id) {
            return *count;
        }
        let Some(work) = self.work_of(call) else {
            return 0;
        };
        let texts = agent_texts(&Agent { kind: None, work }, self.search.manner);
        let count = self.search.target.matcher.count_lines(&texts);
        self.counts.insert(call.id.clone(), count);
        count
    }

    /// The number of matches in a turn of an agent.
    fn inside(
        &self,
        place: TurnPos,
        at: usize,
        inner: TurnPos,
        count: impl Fn(&Turn) -> usize,
    ) -> usize {
        let mut calls = calls_from(self.turn, place);
        let work = calls.nth(at).and_then(|call| self.work_of(call));
        let number = usize::try_from(inner.turn).unwrap_or(usize::MAX);
        match work {
            Some(AgentWork::Read(turns)) => turns.get(number).map_or(0, count),
            _ => 0,
        }
    }

    /// What the agent of a call did. `None` if the call started none, or it was cancelled.
    fn work_of(&self, call: &ToolCall) -> Option<AgentWork> {
        if !(self.search.go_on)() {
            return None;
        }
        let known = self.agents.started_by(&call.id).map(|agent| &agent.work);
        if let Some(AgentWork::Read(turns)) = known {
            return Some(AgentWork::Read(Arc::clone(turns)));
        }
        let read = self.files.work_of(&call.id, self.search.go_on);
        read.ok()?.map(|(work, _)| work)
    }
}

/// The calls of the run that begins at a place.
fn calls_from(turn: &Turn, place: TurnPos) -> impl Iterator<Item = &ToolCall> {
    let steps = place.step.and_then(|step| turn.steps.get(step..));
    steps.unwrap_or_default().iter().map_while(TurnStep::call)
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
