//! The prompts of the history list, read again from their files.

use std::sync::Arc;

use crate::history::{Prompt, PromptPos, Reread};
use crate::search::{Archive, RowId, View};
use crate::tui::screens::{PastRow, PastSpan};

/// The prompts of rows, with the first and last prompt of deleted sessions.
pub fn rows(
    archive: &Archive,
    reread: &mut Reread,
    wanted: impl Iterator<Item = RowId>,
    view: View,
) -> Vec<(RowId, Arc<PastRow>)> {
    let mut found = Vec::new();
    for row in wanted {
        let Some(spot) = archive.spot(row) else {
            continue;
        };
        let prompt = read(reread, spot);
        let session = archive.session(row).filter(|_| view == View::Deleted);
        let span = session.map(|session| PastSpan {
            first: read(reread, session.first.1),
            last: read(reread, session.last.1),
        });
        found.push((row, Arc::new(PastRow { prompt, span })));
    }
    found
}

/// The entry at a spot; empty if it cannot be read any more.
pub fn read(reread: &mut Reread, spot: PromptPos) -> Prompt {
    reread.read(spot).ok().flatten().unwrap_or_default()
}
