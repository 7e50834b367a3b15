//! Where the text of a root is stored: in its folder of the cache, or in a file without a name that
//! ends with the process.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::library::Library;
use super::manifest;
use super::segment::{OpenSegment, SegmentFile};
use super::shelf::SealedSegment;
use crate::cache::{CacheDir, HEADER};

const MANIFEST: &str = "text";
/// Files of segments begin with this.
const SEGMENT: &str = "text-";
/// Maximum number of bytes of text that are stored; the tool texts of the oldest conversations go
/// first.
const LARGEST: usize = 2 * 1024 * 1024 * 1024;
/// So many small segments are worth joining.
const MANY: usize = 12;
/// A segment with less text is small.
const SMALL: usize = 8 * 1024 * 1024;
/// Files of segments that are open at a time: a full cache has 128, and a process may have few.
const OPEN_FILES: usize = 8;

/// The folder of a cache, and the segments in it that are open.
#[derive(Debug)]
pub struct SegmentFiles {
    dir: CacheDir,
    /// The one that was used last is at the end.
    open: Mutex<Vec<(Arc<str>, Arc<File>)>>,
    /// Files that were written and that no manifest names yet.
    unsaved: Mutex<Vec<Arc<str>>>,
}

impl Drop for SegmentFiles {
    /// What could not be saved is of no use to anybody.
    fn drop(&mut self) {
        let unsaved = self.unsaved.get_mut();
        for name in unsaved.unwrap_or_else(PoisonError::into_inner) {
            self.dir.remove(name);
        }
    }
}

impl SegmentFiles {
    /// The open file of a segment.
    pub fn open(&self, name: &Arc<str>) -> io::Result<Arc<File>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let known = open.iter().position(|(known, _)| known == name);
        let file = if let Some(at) = known {
            open.remove(at).1
        } else {
            if open.len() == OPEN_FILES {
                open.remove(0);
            }
            Arc::new(self.dir.file(name)?)
        };
        open.push((Arc::clone(name), Arc::clone(&file)));
        Ok(file)
    }
}

#[cfg(test)]
impl SegmentFiles {
    pub fn count_open(&self) -> usize {
        self.open.lock().map_or(0, |open| open.len())
    }
}

#[derive(Debug)]
pub enum TextStore {
    Cache(Arc<SegmentFiles>),
    /// The file without a name, once there is one.
    Unnamed(Mutex<Option<Arc<File>>>),
}

impl Default for TextStore {
    fn default() -> Self {
        Self::Unnamed(Mutex::default())
    }
}

impl TextStore {
    /// The store of a root under `base`, or one without a name.
    pub fn open(base: Option<&Path>, root: &Path) -> io::Result<Self> {
        Ok(match base {
            Some(base) => Self::Cache(Arc::new(SegmentFiles {
                dir: CacheDir::open(base, root)?,
                open: Mutex::default(),
                unsaved: Mutex::default(),
            })),
            None => Self::default(),
        })
    }

    /// What is stored; what is damaged is not there. An error if that cannot be known now.
    pub fn load(&self) -> io::Result<Library> {
        let Self::Cache(files) = self else {
            return Ok(Library::default());
        };
        let stored = match files.dir.read(MANIFEST, manifest::VERSION) {
            Err(error) if crate::files::is_exhausted(&error) => return Err(error),
            stored => stored.ok().flatten(),
        };
        let segment = |name: &str| {
            SealedSegment::unopened(SegmentFile::Named(Arc::clone(files), name.into()))
        };
        let library = stored.and_then(|bytes| manifest::decode(&bytes, segment));
        let library = library.unwrap_or_default();
        files.dir.remove_stale(SEGMENT, &library.names());
        Ok(library)
    }

    /// Writes a segment to a file.
    pub fn seal(&self, segment: &OpenSegment) -> io::Result<SealedSegment> {
        match self {
            Self::Cache(files) => {
                let mut file = files.dir.create(manifest::VERSION)?;
                segment.write(&mut file)?;
                let end = HEADER + usize::try_from(file.length()).unwrap_or(usize::MAX);
                let name: Arc<str> = file.finish_as(SEGMENT)?.into();
                let mut unsaved = files.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
                unsaved.push(Arc::clone(&name));
                let file = SegmentFile::Named(Arc::clone(files), name);
                SealedSegment::written(file, HEADER..end)
            }
            Self::Unnamed(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let file = match &*file {
                    Some(file) => Arc::clone(file),
                    None => Arc::clone(file.insert(Arc::new(tempfile::tempfile()?))),
                };
                let start = (&*file).seek(SeekFrom::End(0))?;
                let mut writer = BufWriter::new(&*file);
                let written = segment.write(&mut writer).and_then(|()| writer.flush());
                drop(writer);
                if let Err(error) = written {
                    // Half a segment is of no use.
                    let _ = file.set_len(start);
                    return Err(error);
                }
                let end = (&*file).stream_position()?;
                let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                SealedSegment::written(SegmentFile::Unnamed(file), place(start)..place(end))
            }
        }
    }

    /// Stores a library that has changed. Segments that turn out to be damaged are left out; the
    /// library knows them after this.
    pub fn save(&self, library: &mut Library) -> io::Result<()> {
        let Self::Cache(files) = self else {
            return Ok(());
        };
        if !library.has_changed {
            return Ok(());
        }
        library.limit(LARGEST);
        for segment in library.worth_rewriting(MANY, SMALL) {
            library.rewrite(segment, self)?;
        }
        library.drop_damaged();
        library.seal(self, true)?;
        files
            .dir
            .write(MANIFEST, manifest::VERSION, &manifest::encode(library))?;
        library.has_changed = false;
        let mut unsaved = files.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
        unsaved.clear();
        // Another process that still knows one of them reads its transcripts again.
        for name in library.take_dropped() {
            files.dir.remove(&name);
        }
        files.dir.remove_stale(SEGMENT, &library.names());
        Ok(())
    }
}
