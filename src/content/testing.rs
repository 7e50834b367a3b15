//! Libraries made of a few words, for the tests of this room.

use super::extract::{Extent, PartWriter, Reading};
use super::library::{FileKey, Library};
use crate::store::FileVersion;
use crate::transcript::{Passage, Voice};

/// A passage of a test: who says it, with which tool, what.
pub type Said<'a> = (Voice, Option<&'a str>, &'a str);

/// The text of a file. Its passages have ten bytes each.
pub fn add(library: &mut Library, key: FileKey, said: &[Said<'_>]) {
    let mut writers = [PartWriter::default(), PartWriter::default()];
    for (at, (voice, tool, text)) in (0_u64..).zip(said) {
        writers[usize::from(voice.is_tool())].push(&Passage {
            voice: *voice,
            tool: *tool,
            uuid: None,
            part: 0,
            at: Some(at.cast_signed()),
            lines: at * 10..at * 10 + 9,
            is_error: false,
            cut: 0,
            text,
        });
    }
    library.begin(key, key, Reading::Whole).expect("begun");
    library.add(key, &writers.each_mut().map(PartWriter::take));
    let version = FileVersion {
        nanos: key.0.cast_signed(),
        ..FileVersion::default()
    };
    library.finish(
        key,
        Extent {
            version,
            ..Extent::default()
        },
    );
}
