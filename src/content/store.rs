//! Where the text of a root is stored: in its folder of the cache, or in files without a name that
//! end with the process.

use std::io::{self, Seek, Write};
use std::path::Path;

use super::library::Library;
use super::manifest;
use super::segment::{OpenSegment, Segment};
use crate::cache::{CacheDir, HEADER};

const MANIFEST: &str = "text";
/// Files of segments begin with this.
const SEGMENT: &str = "text-";
/// So much text is stored at most, in bytes; the tool texts of the oldest conversations go first.
const LARGEST: usize = 2 * 1024 * 1024 * 1024;
/// So many small segments are worth joining.
const MANY: usize = 12;
/// A segment with less text is small.
const SMALL: usize = 8 * 1024 * 1024;

#[derive(Debug)]
pub enum TextStore {
    Cache(CacheDir),
    Unnamed,
}

impl TextStore {
    /// The store of a root under `base`, or one without a name.
    pub fn open(base: Option<&Path>, root: &Path) -> io::Result<Self> {
        Ok(match base {
            Some(base) => Self::Cache(CacheDir::open(base, root)?),
            None => Self::Unnamed,
        })
    }

    /// What is stored; what cannot be read is not there.
    pub fn load(&self) -> Library {
        let Self::Cache(dir) = self else {
            return Library::default();
        };
        let stored = dir.read(MANIFEST, manifest::VERSION).ok().flatten();
        let open = |name: &str| Segment::open(dir.file(name)?, HEADER);
        stored
            .and_then(|bytes| manifest::decode(&bytes, open))
            .unwrap_or_default()
    }

    /// Writes the file of a segment and opens it. With its name, if it has one.
    pub fn seal(&self, segment: &OpenSegment) -> io::Result<(Segment, Option<String>)> {
        match self {
            Self::Cache(dir) => {
                let mut file = dir.create(manifest::VERSION)?;
                segment.write(&mut file)?;
                let name = file.finish_as(SEGMENT)?;
                Ok((Segment::open(dir.file(&name)?, HEADER)?, Some(name)))
            }
            Self::Unnamed => {
                let mut file = tempfile::tempfile()?;
                segment.write(&mut file)?;
                file.flush()?;
                file.rewind()?;
                Ok((Segment::open(file, 0)?, None))
            }
        }
    }

    /// Stores a library that has changed.
    pub fn save(&self, library: &mut Library) -> io::Result<()> {
        let Self::Cache(dir) = self else {
            return Ok(());
        };
        if !library.has_changed {
            return Ok(());
        }
        library.limit(LARGEST);
        let segments = library.worth_rewriting(MANY, SMALL);
        library.rewrite(&segments)?;
        library.seal(self, true)?;
        dir.write(MANIFEST, manifest::VERSION, &manifest::encode(library))?;
        library.has_changed = false;
        dir.remove_stale(SEGMENT, &library.names());
        Ok(())
    }
}
