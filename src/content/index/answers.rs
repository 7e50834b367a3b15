//! What the conversations say to a query: which have it, how good they are, in which passages.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Index;
use crate::content::excerpt::{Excerpt, excerpt};
use crate::content::rank::Rank;
use crate::content::record::Side;
use crate::content::repeats::drop_repeats;
use crate::content::row_matcher::{FoundPassage, RowMatcher};
use crate::content::shelf::TextError;
use crate::content::wanted::Wanted;
use crate::search::RowId;

impl Index {
    /// Which of these conversations have what is wanted, in their order, until `found` has enough.
    /// It does not hear of those that were not read yet or could not be, nor of those whose text is
    /// damaged: `heal` after this, and search again.
    pub fn search(
        &mut self,
        wanted: &Wanted,
        rows: &[RowId],
        mut found: impl FnMut(RowId, bool) -> bool,
    ) {
        let mut matchers = self.matchers(wanted);
        // What cannot be told, or is damaged, is found out row by row.
        let candidates: Result<Option<Vec<_>>, _> = matchers
            .iter_mut()
            .map(RowMatcher::candidate_files)
            .collect();
        let candidates: Option<HashSet<RowId>> = candidates.ok().flatten().map(|files| {
            let owners = files.iter().flatten().map(|file| self.owners.get(file));
            owners.flatten().copied().collect()
        });
        let mut unavailable = Vec::new();
        for &row in rows {
            let Some(conversation) = self.rows.get(&row) else {
                continue;
            };
            let files = &self.roots[usize::from(conversation.root)].library.files;
            if !conversation.keys.iter().any(|key| files.contains_key(key)) {
                continue;
            }
            let is_candidate = candidates.as_ref().is_none_or(|rows| rows.contains(&row));
            let matched = if is_candidate {
                matchers[usize::from(conversation.root)].has_all(&conversation.keys)
            } else {
                Ok(false)
            };
            let goes_on = match matched {
                Ok(has) => {
                    unavailable.push((row, None));
                    found(row, has)
                }
                Err(TextError::Damaged) => true,
                Err(TextError::Unavailable(error)) => {
                    unavailable.push((row, Some(error.to_string())));
                    true
                }
            };
            if !goes_on {
                break;
            }
        }
        self.note_unavailable(unavailable);
    }

    /// How good these conversations are, which all have what is wanted, until `ranked` has enough.
    pub fn rank(
        &mut self,
        wanted: &Wanted,
        rows: &[RowId],
        mut ranked: impl FnMut(RowId, Rank) -> bool,
    ) {
        let mut matchers = self.matchers(wanted);
        for &row in rows {
            let conversation = self.rows.get(&row);
            let rank = conversation.map(|it| matchers[usize::from(it.root)].rank(&it.keys));
            // What cannot be read now, or is damaged, comes last.
            let rank = rank.and_then(Result::ok).unwrap_or(Rank::WORST);
            if !ranked(row, rank) {
                break;
            }
        }
    }

    fn matchers<'a>(&'a self, wanted: &'a Wanted) -> Vec<RowMatcher<'a>> {
        let libraries = self.roots.iter().map(|root| &root.library);
        libraries
            .map(|library| RowMatcher::new(library, wanted))
            .collect()
    }

    fn note_unavailable(&mut self, rows: Vec<(RowId, Option<String>)>) {
        for (row, reason) in rows {
            match reason {
                Some(reason) => self.unavailable.insert(row, reason),
                None => self.unavailable.remove(&row),
            };
        }
    }

    /// The passages of a conversation that have any of what is wanted, the best first, with the file
    /// of each. None while its text is damaged: `heal` after this.
    pub fn passages(&mut self, wanted: &Wanted, row: RowId) -> Vec<(PathBuf, FoundPassage)> {
        let Some(conversation) = self.rows.get(&row) else {
            return Vec::new();
        };
        let library = &self.roots[usize::from(conversation.root)].library;
        // Equals are always in the same order, whichever agent came first.
        let mut keys = conversation.keys.clone();
        keys.get_mut(1..).unwrap_or_default().sort_unstable();
        let found = RowMatcher::new(library, wanted).passages(&keys);
        let mut found = found.unwrap_or_default();
        drop_repeats(&mut found, |passage| {
            let (segment, range) = passage.stored.clone();
            library.text(segment, range).ok()
        });
        let paths = self.paths(conversation);
        let mut found: Vec<(PathBuf, FoundPassage)> = found
            .into_iter()
            .filter_map(|passage| Some((paths.get(&passage.file)?.clone(), passage)))
            .collect();
        found.sort_by_cached_key(|(_, passage)| passage.key());
        found
    }

    /// What is around the matches of a passage. `None` if it cannot be read. If the transcript has
    /// something else there, what is known of it is dropped: `heal` after this.
    pub fn excerpt(&mut self, row: RowId, path: &Path, found: &FoundPassage) -> Option<Excerpt> {
        let root = self.rows.get(&row)?.root;
        let library = &mut self.roots[usize::from(root)].library;
        let (segment, range) = found.stored.clone();
        let stored = library.text(segment, range).ok()?;
        let excerpt = excerpt(path, found, &stored).ok()?;
        if excerpt.is_none() {
            library.forget(found.file);
            self.again.insert(row);
        }
        excerpt
    }

    /// What was said in a conversation, folded, without what is damaged.
    pub fn talk(&self, row: RowId) -> Vec<Vec<u8>> {
        let Some(conversation) = self.rows.get(&row) else {
            return Vec::new();
        };
        let library = &self.roots[usize::from(conversation.root)].library;
        let records = conversation.keys.iter();
        let records = records.filter_map(|key| library.files.get(key));
        let places = records.flat_map(|record| record.places[Side::Talk as usize].iter());
        places
            .filter_map(|place| library.text(place.segment(), place.chunk.text()).ok())
            .collect()
    }
}
