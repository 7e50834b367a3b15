//! The messages around passages, as grep groups lines: what overlaps is one group, and no message is
//! in two.

use std::collections::BTreeMap;
use std::path::Path;

use super::print::Shown;
use crate::cli::messages::{self, SaidText};
use crate::transcript::Link;

/// Messages that follow each other, with the passages among them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MessageGroup {
    /// The number of the best passage in it.
    pub first: usize,
    pub lines: Vec<GroupLine>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum GroupLine {
    /// The passage with this number.
    Passage(usize),
    Around(SaidText),
}

/// Groups the passages of a session, those with the best one first.
pub fn groups(shown: &[Shown]) -> Vec<MessageGroup> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (number, passage) in shown.iter().enumerate() {
        let mut part = Part::of(number, passage);
        let (same, others) = parts
            .into_iter()
            .partition::<Vec<_>, _>(|other| other.overlaps(&part));
        parts = others;
        for other in same {
            part.join(other);
        }
        parts.push(part);
    }
    parts.sort_by_key(|part| part.passages.first().copied());
    parts.into_iter().map(|part| part.read(shown)).collect()
}

/// Lines of a transcript, by their place in it.
struct Part<'a> {
    path: &'a Path,
    lines: BTreeMap<u64, &'a Link>,
    passages: Vec<usize>,
}

impl<'a> Part<'a> {
    fn of(number: usize, passage: &'a Shown) -> Self {
        let lines = passage.around.iter().map(|link| (link.offset, link));
        Self {
            path: &passage.excerpt.path,
            lines: lines.collect(),
            passages: vec![number],
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.path == other.path && other.lines.keys().any(|at| self.lines.contains_key(at))
    }

    fn join(&mut self, other: Self) {
        self.lines.extend(other.lines);
        self.passages.extend(other.passages);
        self.passages.sort_unstable();
    }

    fn read(self, shown: &[Shown]) -> MessageGroup {
        let links: Vec<&Link> = self.lines.into_values().collect();
        let said = if links.is_empty() {
            Vec::new()
        } else {
            messages::read(self.path, &links, None).unwrap_or_default()
        };
        let mut open = self.passages.clone();
        let lines = said.into_iter().map(|said| {
            let own = open.iter().position(|number| is_in(&shown[*number], &said));
            match own {
                Some(at) => GroupLine::Passage(open.remove(at)),
                None => GroupLine::Around(said),
            }
        });
        let mut lines: Vec<GroupLine> = lines.collect();
        // What is in no message, such as a prompt that was never sent, stands alone.
        lines.extend(open.into_iter().map(GroupLine::Passage));
        MessageGroup {
            first: self.passages.first().copied().unwrap_or_default(),
            lines,
        }
    }
}

/// Is a passage in this text? One message may have several texts of a voice.
fn is_in(passage: &Shown, said: &SaidText) -> bool {
    let excerpt = &passage.excerpt;
    (said.uuid, said.voice, said.part) == (excerpt.uuid, excerpt.voice, excerpt.part)
}
