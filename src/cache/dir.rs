//! The folder of a root in the cache: named by a hash of the root's path, which a file in it tells.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::file::{self, CacheFile};
use crate::edit::{private_folder, sweep};
use crate::files;

/// The file that tells the path of the root.
const ROOT: &str = "root";
const ROOT_VERSION: u32 = 1;
/// A file that nobody named for so long is not needed any more.
const STALE: Duration = Duration::from_secs(60 * 60);
/// The hex digits of the hash that name a folder.
const NAME_LENGTH: usize = 16;

/// The folder of one root.
#[derive(Debug)]
pub struct CacheDir {
    folder: PathBuf,
}

impl CacheDir {
    /// Opens the folder of a root, and makes it if it is not there.
    pub fn open(base: &Path, root: &Path) -> io::Result<Self> {
        if is_inside(base, root) {
            let reason = format!("{} is inside of {}", base.display(), root.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        let this = Self::of(base, root);
        private_folder(&this.folder)?;
        sweep(&this.folder);
        if !this.is_of(root)? {
            let path = root.as_os_str().as_encoded_bytes();
            this.write(ROOT, ROOT_VERSION, path)?;
        }
        Ok(this)
    }

    /// The folder of a root, if it is there. Writes nothing.
    pub fn find(base: &Path, root: &Path) -> Option<Self> {
        let this = Self::of(base, root);
        let is_of = this.is_of(root).ok()?;
        is_of.then_some(this)
    }

    fn of(base: &Path, root: &Path) -> Self {
        let path = root.as_os_str().as_encoded_bytes();
        let mut start = [0; 8];
        start.copy_from_slice(&Sha256::digest(path)[..8]);
        let name = format!("{:0NAME_LENGTH$x}", u64::from_be_bytes(start));
        let folder = base.join(name);
        Self { folder }
    }

    fn is_of(&self, root: &Path) -> io::Result<bool> {
        let path = root.as_os_str().as_encoded_bytes();
        Ok(self.read(ROOT, ROOT_VERSION)?.as_deref() == Some(path))
    }

    /// The folders of all roots. Makes none.
    pub fn all(base: &Path) -> io::Result<Vec<Self>> {
        let entries = match fs::read_dir(base) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let is_ours = |name: &str| {
            name.len() == NAME_LENGTH && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() && entry.file_name().to_str().is_some_and(is_ours) {
                let folder = entry.path();
                found.push(Self { folder });
            }
        }
        found.sort_unstable_by(|a, b| a.folder.cmp(&b.folder));
        Ok(found)
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The path of the root, if the folder tells it.
    pub fn root(&self) -> Option<String> {
        let path = self.read(ROOT, ROOT_VERSION).ok()??;
        Some(String::from_utf8_lossy(&path).into_owned())
    }

    /// The content of a file. `None` if it is missing, damaged or of another version.
    pub fn read(&self, name: &str, version: u32) -> io::Result<Option<Vec<u8>>> {
        match self.file(name) {
            Ok(file) => file::read(file, version),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces a file, or leaves it as it was.
    pub fn write(&self, name: &str, version: u32, body: &[u8]) -> io::Result<()> {
        let mut file = self.create(version)?;
        file.append(body)?;
        file.finish(name)
    }

    /// Begins a file, which has no name until it is finished.
    pub fn create(&self, version: u32) -> io::Result<CacheFile> {
        CacheFile::create(&self.folder, version)
    }

    /// Opens a file to read parts of it: its body follows after `HEADER` bytes. Checks nothing.
    pub fn file(&self, name: &str) -> io::Result<File> {
        files::open(&self.folder.join(name))
    }

    /// The files with their sizes, by name.
    pub fn info(&self) -> io::Result<Vec<(String, u64)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            match entry.metadata() {
                Ok(metadata) if metadata.is_file() => {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    found.push((name, metadata.len()));
                }
                // Replaced in the meantime.
                _ => {}
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Removes a file. One that stays is stale one day.
    pub fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }

    /// Removes files whose names begin so, except for some and for new ones: another process may
    /// have written those, and be about to name them.
    pub fn remove_stale(&self, prefix: &str, except: &HashSet<&str>) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|modified| modified.elapsed().ok());
            let is_old = age.is_some_and(|age| age >= STALE);
            if is_old && name.starts_with(prefix) && !except.contains(&*name) {
                // What stays is tried again next time.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes the folder with all its files.
    pub fn clear(self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            match fs::remove_file(entry?.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        match fs::remove_dir(&self.folder) {
            // Another process has just written to it.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            done => done,
        }
    }
}

/// Is a path inside of a root, by links or not? Nothing may be written there.
pub fn is_inside(path: &Path, root: &Path) -> bool {
    // What is not there yet is made in the nearest folder that is.
    let real = |path: &Path| {
        path.ancestors().find_map(|there| {
            let rest = path.strip_prefix(there).ok()?;
            Some(there.canonicalize().ok()?.join(rest))
        })
    };
    let real_path = real(path);
    path.starts_with(root)
        || real_path.is_some_and(|it| it.starts_with(real(root).as_deref().unwrap_or(root)))
}

#[cfg(test)]
#[path = "dir_tests.rs"]
mod tests;
