//! Files that only their owner may read: mode 0600, in directories with mode 0700.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

/// Options for a file that only its owner may read, should it be made.
pub fn options() -> OpenOptions {
    #[allow(unused_mut, reason = "modes are a thing of Unix")]
    let mut options = File::options();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Makes a folder and those around it.
pub fn folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.recursive(true).create(path)
}

/// How files begin and end that are not written to their end: no other program's do.
const BEGUN: (&str, &str) = (".claude-resume-", ".tmp");
/// A temporary file that is older was left by a process that died.
const STALE: Duration = Duration::from_secs(60 * 60);

/// Begins a file with mode 0600, which is gone again if it does not get a name.
pub fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(BEGUN.0)
        .suffix(BEGUN.1)
        .tempfile_in(folder)
}

/// Writes a file in one step: a reader sees all of it or what was there before.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = temporary_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Takes files away that a process of ours began in this folder and never finished.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(BEGUN.0) || !name.ends_with(BEGUN.1) {
            continue;
        }
        let written = entry.metadata().and_then(|found| found.modified());
        let age = written.ok().and_then(|then| then.elapsed().ok());
        if age.is_some_and(|age| age > STALE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
