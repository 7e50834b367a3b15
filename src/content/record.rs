//! What is known of a file, small: a large store has a hundred thousand of them in memory.

use std::ops::{Deref, DerefMut};

use super::extract::{Extent, LeftOut};
use super::library::FileKey;
use super::prefix::Prefix;
use super::segment::Chunk;
use crate::store::FileVersion;
use crate::transcript::{Checkpoint, Traits};

/// The two parts of a text, in the order in which they are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    Talk,
    Tools,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Talk, Self::Tools];
}

/// Where some text of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    segment: u32,
    pub chunk: Chunk,
}

impl Place {
    /// `None` beyond the largest number of a segment.
    pub fn new(segment: usize, chunk: Chunk) -> Option<Self> {
        let segment = u32::try_from(segment).ok()?;
        Some(Self { segment, chunk })
    }

    /// The number of the segment.
    pub fn segment(&self) -> usize {
        self.segment as usize
    }
}

/// Where the text of a side is, in the order of the file. Most have one place.
#[derive(Debug, Clone, Default)]
pub enum Places {
    #[default]
    None,
    One(Place),
    // A `Vec` of its own would take as much as the place of most.
    #[allow(clippy::box_collection)]
    Many(Box<Vec<Place>>),
}

impl Places {
    pub fn push(&mut self, place: Place) {
        *self = match std::mem::take(self) {
            Self::None => Self::One(place),
            Self::One(first) => Self::Many(Box::new(vec![first, place])),
            Self::Many(mut places) => {
                places.push(place);
                Self::Many(places)
            }
        };
    }

    pub fn extend(&mut self, place: Option<Place>) {
        if let Some(place) = place {
            self.push(place);
        }
    }

    pub fn pop(&mut self) -> Option<Place> {
        match std::mem::take(self) {
            Self::None => None,
            Self::One(place) => Some(place),
            Self::Many(mut places) => {
                let last = places.pop();
                *self = Self::Many(places);
                last
            }
        }
    }
}

impl Deref for Places {
    type Target = [Place];

    fn deref(&self) -> &[Place] {
        match self {
            Self::None => &[],
            Self::One(place) => std::slice::from_ref(place),
            Self::Many(places) => places,
        }
    }
}

impl DerefMut for Places {
    fn deref_mut(&mut self) -> &mut [Place] {
        match self {
            Self::None => &mut [],
            Self::One(place) => std::slice::from_mut(place),
            Self::Many(places) => places,
        }
    }
}

impl PartialEq for Places {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Places {}

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileRecord {
    /// The transcript of its session: itself, or that of the session that an agent worked for.
    pub owner: FileKey,
    pub version: FileVersion,
    /// The offset of the checkpoint.
    pub offset: u64,
    /// The checksum of the last piece of the prefix.
    rest: u32,
    pub traits: Traits,
    /// The text of tools was left out, because all text together would be too large.
    pub lacks_tools: bool,
    /// By side.
    pub places: [Places; 2],
    rare: Option<Box<RareParts>>,
}

/// What few files have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct RareParts {
    open_calls: Vec<(String, String)>,
    damaged: u32,
    pieces: Vec<u32>,
    left_out: LeftOut,
}

impl FileRecord {
    /// The chunks of both sides.
    pub fn all_places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().flat_map(|places| places.iter())
    }

    pub fn left_out(&self) -> LeftOut {
        let rare = self.rare.as_ref();
        rare.map_or_else(LeftOut::default, |rare| rare.left_out)
    }

    pub fn extent(&self) -> Extent {
        let rare = self.rare.as_deref().cloned().unwrap_or_default();
        Extent {
            version: self.version,
            checkpoint: Checkpoint {
                offset: self.offset,
                open_calls: rare.open_calls,
                traits: self.traits,
                damaged: rare.damaged,
            },
            prefix: Prefix {
                pieces: rare.pieces,
                rest: self.rest,
            },
            left_out: rare.left_out,
        }
    }

    pub fn set_extent(&mut self, extent: Extent) {
        let Extent {
            version,
            checkpoint,
            prefix,
            left_out,
        } = extent;
        self.version = version;
        self.offset = checkpoint.offset;
        self.rest = prefix.rest;
        self.traits = checkpoint.traits;
        let rare = RareParts {
            open_calls: checkpoint.open_calls,
            damaged: checkpoint.damaged,
            pieces: prefix.pieces,
            left_out,
        };
        self.rare = (rare != RareParts::default()).then(|| Box::new(rare));
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
