//! Finds a program as a shell does.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::files;
use crate::resume::launch::Launch;
use crate::resume::situation::Program;

/// Finds the program of a launch. Claude Code may be where its own installer puts it, which only an
/// alias of the shell names: then the launch runs it by its path.
pub fn locate(launch: &mut Launch) -> Program {
    let search_path = launch.search_path.as_deref();
    let found = program(launch.program(), search_path, launch.here.as_deref());
    let (Program::Missing, true, Some(root)) =
        (&found, launch.command.is_empty(), &launch.default_root)
    else {
        return found;
    };
    let path = root.join("local").join("claude");
    let Some(name) = path.to_str() else {
        return found;
    };
    let local = program(name, search_path, None);
    if let Program::Found(path) = &local {
        launch.installed = Some(path.to_string_lossy().into_owned());
    }
    local
}

/// A program on the search path, or at the path that a name with a separator is.
pub fn program(name: &str, search_path: Option<&OsStr>, here: Option<&Path>) -> Program {
    let is_path = name.contains(std::path::is_separator);
    let candidates: Vec<PathBuf> = if is_path {
        let path = Path::new(name);
        vec![here.map_or_else(|| path.to_owned(), |here| here.join(path))]
    } else {
        folders(search_path)
            .map(|folder| folder.join(name))
            .collect()
    };
    let mut refused = None;
    for path in candidates.into_iter().flat_map(with_extensions) {
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
            Ok(found) if found.is_file() || is_path => refused = Some(path),
            _ => {}
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
    let is_missing = interpreter.ends_with("/env") && !folders(search_path).any(is_there);
    is_missing.then(|| name.to_owned())
}

/// The folders of a search path; an empty one is the current directory.
fn folders(search_path: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let text = search_path.unwrap_or_default().to_string_lossy();
    let separator = if cfg!(windows) { ';' } else { ':' };
    let folders = text.split(separator).map(|folder| match folder {
        "" => PathBuf::from("."),
        folder => PathBuf::from(folder),
    });
    folders.collect::<Vec<_>>().into_iter()
}

/// Windows runs nothing without an extension: npm puts a script for another shell there, beside the
/// right one.
fn with_extensions(path: PathBuf) -> Vec<PathBuf> {
    let extension = path.extension().and_then(|ending| ending.to_str());
    if cfg!(not(windows)) || matches!(extension, Some("exe" | "com" | "cmd" | "bat")) {
        return vec![path];
    }
    let with = |ending| PathBuf::from(format!("{}.{ending}", path.to_string_lossy()));
    ["exe", "com", "cmd", "bat"].map(with).to_vec()
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
