//! A file of the cache: a header that tells damage, and a body.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use tempfile::NamedTempFile;

use crate::edit::temporary_in;
use crate::files;

const MAGIC: [u8; 8] = *b"clresume";
/// The bytes before the body: magic, version, checksum and length of the body.
pub const HEADER: usize = 24;

fn header(version: u32, checksum: u32, length: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&version.to_le_bytes());
    header[12..16].copy_from_slice(&checksum.to_le_bytes());
    header[16..].copy_from_slice(&length.to_le_bytes());
    header
}

/// The body of a file. `None` if it is damaged or of another version.
pub fn read(mut file: File, version: u32) -> io::Result<Option<Vec<u8>>> {
    let Some(length) = file.metadata()?.len().checked_sub(HEADER as u64) else {
        return Ok(None);
    };
    let mut found = [0; HEADER];
    file.read_exact(&mut found)?;
    // The checksum is not known yet.
    let expected = header(version, 0, length);
    if found[..12] != expected[..12] || found[16..] != expected[16..] {
        return Ok(None);
    }
    let mut body = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(length).read_to_end(&mut body)?;
    let is_whole = header(version, crc32fast::hash(&body), body.len() as u64) == found;
    Ok(is_whole.then_some(body))
}

/// Parts of the body of a file. Their checksums are for the reader.
#[derive(Debug)]
pub struct FileParts {
    file: File,
    length: usize,
}

impl FileParts {
    /// `None` if the file is cut or of another version.
    pub fn new(file: File, version: u32) -> io::Result<Option<Self>> {
        let Some(length) = file.metadata()?.len().checked_sub(HEADER as u64) else {
            return Ok(None);
        };
        let mut found = [0; HEADER];
        files::read_exact_at(&file, &mut found, 0)?;
        let expected = header(version, 0, length);
        let is_it = found[..12] == expected[..12] && found[16..] == expected[16..];
        let length = usize::try_from(length).ok().filter(|_| is_it);
        Ok(length.map(|length| Self { file, length }))
    }

    /// How long the body is.
    pub fn length(&self) -> usize {
        self.length
    }

    /// A part of the body. `None` if it is not all there.
    pub fn read(&self, at: usize, length: usize) -> Option<Vec<u8>> {
        if at.checked_add(length)? > self.length {
            return None;
        }
        let mut bytes = vec![0; length];
        files::read_exact_at(&self.file, &mut bytes, HEADER + at).ok()?;
        Some(bytes)
    }
}

/// A file that is being written. It vanishes unless it is finished.
#[derive(Debug)]
pub struct CacheFile {
    file: BufWriter<NamedTempFile>,
    folder: PathBuf,
    version: u32,
    checksum: Hasher,
    length: u64,
}

impl CacheFile {
    pub(super) fn create(folder: &Path, version: u32) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(64 * 1024, temporary_in(folder)?);
        file.write_all(&[0; HEADER])?;
        Ok(Self {
            file,
            folder: folder.to_owned(),
            version,
            checksum: Hasher::new(),
            length: 0,
        })
    }

    /// How long the body is so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.checksum.update(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Gives the file a name that no other has, and returns it.
    pub fn finish_as(self, prefix: &str) -> io::Result<String> {
        let unique = self.file.get_ref().path().file_stem().unwrap_or_default();
        let name = format!("{prefix}{}", unique.to_string_lossy());
        self.finish(&name)?;
        Ok(name)
    }

    /// Gives the file its name, in place of one that has it. Does not wait for the disk: a file
    /// that a loss of power cuts is told by its checksum.
    pub fn finish(self, name: &str) -> io::Result<()> {
        let header = header(self.version, self.checksum.finalize(), self.length);
        let mut file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        file.write_all(&header)?;
        file.persist(self.folder.join(name))?;
        Ok(())
    }
}

impl Write for CacheFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
