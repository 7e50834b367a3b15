//! Finds a program as a shell does.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::files;
use crate::resume::situation::Program;

/// A program on the search path, or at the path that a name with a separator is.
pub fn program(name: &str, search_path: Option<&OsStr>, here: Option<&Path>) -> Program {
    let mut refused = None;
    let candidates: Vec<PathBuf> = if name.contains(std::path::is_separator) {
        let path = Path::new(name);
        vec![here.map_or_else(|| path.to_owned(), |here| here.join(path))]
    } else {
        let folders = search_path.unwrap_or_default();
        split(folders).map(|folder| folder.join(name)).collect()
    };
    for path in candidates {
        for path in with_extensions(path) {
            match fs::metadata(&path) {
                Ok(found) if found.is_file() && is_executable(&found) => {
                    return match missing_interpreter(&path, search_path) {
                        Some(interpreter) => Program::NoInterpreter {
                            script: path,
                            interpreter,
                        },
                        None => Program::Found(path),
                    };
                }
                // On the search path a folder of this name is skipped, as shells do.
                Ok(found) if found.is_file() || name.contains(std::path::is_separator) => {
                    refused = Some(path);
                }
                _ => {}
            }
        }
    }
    refused.map_or(Program::Missing, Program::NotExecutable)
}

/// The kernel reads no more than this to find an interpreter.
const FIRST_LINE: u64 = 256;

/// The interpreter that the first line of a script names, if it is missing: the system would say "not
/// found" of the script, which exists. `env` looks for it on the search path.
fn missing_interpreter(script: &Path, search_path: Option<&OsStr>) -> Option<String> {
    if cfg!(windows) {
        return None;
    }
    let mut beginning = Vec::new();
    let file = files::open(script).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut beginning).ok()?;
    let text = String::from_utf8_lossy(&beginning);
    let mut words = text.lines().next()?.strip_prefix("#!")?.split_whitespace();
    let interpreter = words.next()?;
    if !Path::new(interpreter).exists() {
        return Some(interpreter.to_owned());
    }
    // Anything but a plain name is an option or a variable.
    let is_name = |word: &&str| !word.starts_with('-') && !word.contains(['=', '/']);
    let name = words.next().filter(is_name)?;
    let is_there = |folder: PathBuf| folder.join(name).is_file();
    let is_missing =
        interpreter.ends_with("/env") && !split(search_path.unwrap_or_default()).any(is_there);
    is_missing.then(|| name.to_owned())
}

#[cfg(unix)]
fn split(folders: &OsStr) -> impl Iterator<Item = PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let parts: Vec<PathBuf> = folders
        .as_bytes()
        .split(|b| *b == b':')
        .map(|part| match part {
            b"" => PathBuf::from("."),
            part => PathBuf::from(OsStr::from_bytes(part)),
        })
        .collect();
    parts.into_iter()
}

#[cfg(not(unix))]
fn split(folders: &OsStr) -> impl Iterator<Item = PathBuf> {
    let text = folders.to_string_lossy().into_owned();
    let parts: Vec<PathBuf> = text.split(';').map(PathBuf::from).collect();
    parts.into_iter()
}

#[cfg(unix)]
fn with_extensions(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    std::iter::once(path)
}

/// Windows runs nothing without an extension: npm puts a script for another shell there, beside the
/// right one.
#[cfg(not(unix))]
fn with_extensions(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    let endings: &[&str] = match path.extension().and_then(|ending| ending.to_str()) {
        Some("exe" | "com" | "cmd" | "bat") => &[""],
        _ => &[".exe", ".com", ".cmd", ".bat"],
    };
    let names = endings.iter().map(move |ending| {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    });
    names.collect::<Vec<_>>().into_iter()
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}
