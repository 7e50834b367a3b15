//! The head of a printed conversation: the same as on the card of the preview.

use std::borrow::Cow;

use chrono::{DateTime, Local, NaiveDateTime};

use super::shown::Shown;
use crate::cli::surroundings::Surroundings;
use crate::files;
use crate::preview::{CardFacts, times};
use crate::store::{LastPrompt, LiteReader, SessionMeta};
use crate::text::size;

/// The facts about a session besides its conversation, as in the list.
pub fn facts(shown: &Shown, surroundings: &Surroundings) -> CardFacts {
    let bytes = std::fs::metadata(&shown.path).map_or(0, |it| it.len());
    let listed = files::open(&shown.path).and_then(|file| {
        let reading = LiteReader::default().read(&file, bytes, LastPrompt::Entry)?;
        Ok(reading.meta)
    });
    // The conversation was read a moment ago, so it is shown even if the file is gone now.
    let listed = listed.unwrap_or_else(|_| SessionMeta::default());
    // The conversation also knows a name next to the transcript or in its middle.
    let title = shown.digest.state.title.as_deref().map(Cow::Borrowed);
    let title = title.or_else(|| listed.headline());
    let last = listed.last_message.and_then(local);
    let links = shown.index.links().iter();
    CardFacts {
        title: title.map_or_else(|| shown.session_id(), Cow::into_owned),
        project: shown.cwd().map(|cwd| surroundings.tilde(cwd.as_ref())),
        branch: listed.git_branch.as_deref().map(str::to_owned),
        times: last.map(|last| times(listed.created.and_then(local), last)),
        file_size: Some(size(bytes)),
        compactions: links.filter(|link| link.boundary.is_some()).count(),
        ..CardFacts::default()
    }
}

/// A time as the clock on the wall shows it.
pub fn local(at: i64) -> Option<NaiveDateTime> {
    let time = DateTime::from_timestamp_millis(at)?;
    Some(time.with_timezone(&Local).naive_local())
}
