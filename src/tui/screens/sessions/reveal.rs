//! Scrolls to where a prompt was asked.
//!
//! The branch that resume takes comes first. A prompt that is not there may be before a compaction,
//! or on a rewound branch: one after the other is opened until it is found. Of equal prompts the one
//! of that time counts, and another one only where there is none.

use super::{Pending, Sessions};
use crate::preview::{Around, Coverage, LedgerHead, TurnPos};
use crate::reader::Page;
use crate::search::RowId;
use crate::transcript::{Branch, Turn, TurnOpening};
use crate::tui::host::Host;

/// Characters of a prompt that tell it from others.
const TELLING: usize = 80;
/// A turn that opened within so many milliseconds of a prompt is that prompt's, if it says the same.
const NEAR: u64 = 10_000;
/// Branches that are opened: each is read from the file.
const MOST_BRANCHES: usize = 12;

/// A prompt to scroll to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevealTarget {
    pub row: RowId,
    pub text: String,
    /// Milliseconds since the epoch.
    pub timestamp: i64,
    /// The leaves of the branches that were searched; `None` is the one that resume takes.
    tried: Vec<Option<String>>,
    /// Is a turn with the same words at another time good enough? Nothing better was found.
    takes_words: bool,
}

impl RevealTarget {
    pub fn new(row: RowId, text: String, timestamp: i64) -> Self {
        Self {
            row,
            text,
            timestamp,
            tried: Vec::new(),
            takes_words: false,
        }
    }
}

/// A part of a conversation that can be opened.
enum Part {
    /// What is before its first compaction.
    Earlier,
    /// The branch with this leaf.
    Branch(String),
}

impl Sessions {
    /// The conversation is here: scrolls to the prompt.
    pub(super) fn reveal(&mut self, host: &mut Host<'_>) {
        let Some(Pending::Reveal(target)) = &self.pending else {
            return;
        };
        let Some(page) = self.reader.page() else {
            return;
        };
        // A page that is older than the last request says nothing of the prompt.
        let is_answered = self.reader.answered == Some(self.reader.generation);
        if Some(target.row) != self.reader.row || !is_answered {
            return;
        }
        let there = Around::Moment(target.timestamp);
        // `around` is for the next request: showing this page may have changed it.
        let asked = self.reader.asked.as_ref().map(|asked| asked.around);
        let is_all = page.known == Coverage::Whole && page.before + page.behind == 0;
        let is_right = is_all || asked == Some(there);
        match turn_of(target, page) {
            Some((turn, true)) => self.arrive(turn, host),
            Some((turn, false)) if is_right && self.takes_words(target) => self.arrive(turn, host),
            // Only the end was read so far.
            _ if page.known == Coverage::Newest => {}
            // The prompt is outside of the window.
            _ if !is_right => self.reader.around = there,
            _ => self.look_elsewhere(host),
        }
    }

    /// Scrolls to a turn, and says where that is if resume does not lead there.
    fn arrive(&mut self, turn: i64, host: &mut Host<'_>) {
        let Some(page) = self.reader.page() else {
            return;
        };
        let line = page.scroll.lines_of(TurnPos { turn, step: None }).start;
        self.pending = None;
        self.reader.around = Around::Turn(turn);
        self.reader.go_to_top(line, self.reader_pane(host.context));
        // Turns before a compaction have negative numbers.
        if self.reader.leaf.is_some() {
            host.add("this branch was rewound. Resume uses another one");
        } else if turn < 0 {
            host.add("this is before a compaction: resume brings back a summary of it");
        }
    }

    /// Are equal words enough? Not as long as the prompt itself may be somewhere else.
    fn takes_words(&self, target: &RevealTarget) -> bool {
        let is_last = self.reader.leaf.is_none() && self.next_part(target).is_none();
        target.takes_words || target.timestamp == 0 || is_last
    }

    /// What to open next for a prompt that is in nothing that was opened so far.
    fn next_part(&self, target: &RevealTarget) -> Option<Part> {
        let page = self.reader.page()?;
        let first = page.turns.first().and_then(|turn| turn.at);
        let is_before = first.is_none_or(|first| target.timestamp < first);
        if page.head == LedgerHead::Compacted && page.before == 0 && is_before {
            return Some(Part::Earlier);
        }
        if target.tried.len() >= MOST_BRANCHES {
            return None;
        }
        let is_new = |branch: &&Branch| {
            let leaf = Some(branch.leaf.clone());
            leaf != self.reader.leaf && !target.tried.contains(&leaf)
        };
        // A branch goes on after what was asked on it, and the one that ends first has least else.
        let ends_later = |branch: &&Branch| {
            let end = branch.at.unwrap_or(i64::MAX);
            !branch.is_resumed && end.saturating_add_unsigned(NEAR) >= target.timestamp
        };
        let branches = page.branches.iter().filter(ends_later).filter(is_new);
        let next = branches.min_by_key(|branch| (branch.at, branch.leaf.as_str()))?;
        Some(Part::Branch(next.leaf.clone()))
    }

    /// Opens what the prompt may be in, or says that it is nowhere.
    fn look_elsewhere(&mut self, host: &mut Host<'_>) {
        let Some(Pending::Reveal(target)) = &self.pending else {
            return;
        };
        let part = self.next_part(target);
        let there = Around::Moment(target.timestamp);
        let here = self.reader.leaf.clone();
        let Some(Pending::Reveal(target)) = &mut self.pending else {
            return;
        };
        match part {
            Some(Part::Earlier) => self.reader.options.earlier += 1,
            Some(Part::Branch(leaf)) => {
                target.tried.push(here);
                self.reader.forget();
                self.reader.leaf = Some(leaf);
            }
            None if here.is_some() => {
                target.tried.push(here);
                target.takes_words = true;
                self.reader.forget();
            }
            None => {
                self.pending = None;
                // What was opened on the way closes again.
                if self.reader.options.earlier > 0 {
                    self.reader.forget();
                }
                return host.add("this prompt was not found in the conversation");
            }
        }
        self.reader.around = there;
    }
}

/// The turn that a prompt opened, or one that says the same, and whether it is also of that time.
fn turn_of(target: &RevealTarget, page: &Page) -> Option<(i64, bool)> {
    let wanted = beginning(&target.text);
    if wanted.is_empty() {
        return None;
    }
    let rank = |turn: &Turn| {
        let said = beginning(&opening(turn));
        let distance = turn.at.map(|at| at.abs_diff(target.timestamp));
        let is_near = distance.is_some_and(|distance| distance <= NEAR);
        let is_equal = said == wanted;
        // A prompt may have grown by what was queued after it. At any other time a longer one is
        // another one.
        let is_it = is_equal || (is_near && said.starts_with(&wanted));
        is_it.then_some((!is_near, !is_equal, distance.unwrap_or(u64::MAX)))
    };
    let turns = (page.first..).zip(&page.turns);
    let found = turns.filter_map(|(number, turn)| Some((rank(turn)?, number)));
    let ((is_far, ..), number) = found.min()?;
    Some((number, !is_far))
}

/// The text that opened a turn.
fn opening(turn: &Turn) -> String {
    match &turn.opening {
        TurnOpening::Prompt { text, .. } => text.clone(),
        TurnOpening::Command { name, arguments } => format!("{name} {arguments}"),
        TurnOpening::Shell(command) => format!("! {command}"),
        _ => String::new(),
    }
}

/// The beginning of a prompt, however it is broken into lines.
fn beginning(text: &str) -> String {
    let safe = crate::text::sanitize(crate::text::beginning(text, 8 * TELLING));
    let letters = safe.chars().filter(|c| !c.is_whitespace());
    letters.take(TELLING).collect()
}
