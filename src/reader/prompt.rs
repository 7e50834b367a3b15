//! Finds a prompt of the history in its conversation, on whatever branch and before any compaction.

use std::io;
use std::path::Path;

use super::files::{CancellableFile, stamp};
use super::open::of_file;
use super::target::PassageTarget;
use crate::text::sanitize;
use crate::transcript::{Chain, LeafRule, LoadExtent, Tree, Voice, asked_prompts, load_from};

/// Characters of a prompt that tell it from others.
const TELLING: usize = 80;
/// A prompt is sent within so many milliseconds of its time in the history.
const NEAR: u64 = 10_000;

/// A prompt to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTarget {
    pub text: String,
    /// Milliseconds since the epoch.
    pub timestamp: i64,
}

impl PromptTarget {
    /// Its passage. Of equal prompts the one of that time counts, and where there is none, the
    /// nearest of those that resuming knows of.
    pub fn find(&self, path: &Path, go_on: &dyn Fn() -> bool) -> io::Result<Option<PassageTarget>> {
        let wanted = beginning(&self.text);
        if wanted.is_empty() {
            return Ok(None);
        }
        let (size, ..) = stamp(path)?;
        let mut file = CancellableFile::new(path, go_on)?;
        let index = of_file(path, load_from(&mut file, size, LoadExtent::Everything)?);
        let prompts = asked_prompts(&mut file, &index)?;
        let alike = prompts.into_iter().filter_map(|(entry, at, prompt)| {
            let said = beginning(&prompt.text);
            let distance = at.map_or(u64::MAX, |at| at.abs_diff(self.timestamp));
            let is_far = distance > NEAR;
            let is_equal = said == wanted;
            // A prompt may have grown by what was queued after it. At any other time a longer one
            // is another one.
            let is_it = is_equal || (!is_far && said.starts_with(&wanted));
            is_it.then_some(((is_far, !is_equal, distance), entry, at))
        });
        let mut alike: Vec<_> = alike.collect();
        alike.sort_unstable_by_key(|(rank, ..)| *rank);
        if alike.first().is_some_and(|((is_far, ..), ..)| *is_far) {
            let tree = Tree::new(&index, &Chain::build(&index, LeafRule::Resume));
            let reached = tree.reached();
            let is_reached = |at: usize| reached.get(at) == Some(&true);
            alike.retain(|(_, entry, _)| index.position(*entry).is_some_and(is_reached));
        }
        Ok(alike.first().map(|(_, entry, at)| PassageTarget {
            path: path.to_owned(),
            uuid: Some(entry.uuid()),
            voice: Voice::User,
            at: *at,
        }))
    }
}

/// The beginning of a prompt, however it is broken into lines.
fn beginning(text: &str) -> String {
    let safe = sanitize(crate::text::beginning(text, 8 * TELLING));
    let letters = safe.chars().filter(|c| !c.is_whitespace());
    letters.take(TELLING).collect()
}
