//! Files that nobody else may read: made with mode 0600, in folders with mode 0700.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

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

/// Writes a file in one step: whoever reads it sees all of it or what was there before.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = (|| {
        let mut file = options()
            .create(true)
            .truncate(true)
            .write(true)
            .open(&beside)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    written.inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}
