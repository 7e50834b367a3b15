//! The walls of the house: which room may use which.
//!
//! Reads `src/` as text. A rule that stands in the way of a good change is changed here and in
//! docs/ARCHITECTURE.md together, with the reason in the commit.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A source file: its path under `src/`, and its code without comments.
struct Source {
    path: String,
    code: String,
    lines: usize,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(found.len() > 20, "src/ was found");
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).expect("listed");
    for path in entries.map(|entry| entry.expect("listed").path()) {
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("read");
            found.push(Source {
                path: relative(root, &path),
                lines: text.lines().count(),
                code: spelled_out(&text),
            });
        }
    }
}

/// The code without comments, with `use std::{fs, io};` spelled out as `std::fs std::io`.
fn spelled_out(text: &str) -> String {
    let mut code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut groups = String::new();
    for path in code.split("use ").skip(1) {
        let path = path.split(';').next().unwrap_or_default();
        if let Some((outer, inner)) = path.split_once("::{") {
            for name in inner.trim_end_matches('}').split(',') {
                groups += &[" ", outer, "::", name.trim()].concat();
            }
        }
    }
    code += &groups;
    code
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).expect("below src");
    inside.to_string_lossy().replace('\\', "/")
}

fn is_test(path: &str) -> bool {
    path.ends_with("_tests.rs")
}

/// The files of a room: `store.rs` and everything in `store/`.
fn room<'a>(sources: &'a [Source], name: &str) -> Vec<&'a Source> {
    let (file, folder) = (format!("{name}.rs"), format!("{name}/"));
    let files: Vec<&Source> = sources
        .iter()
        .filter(|source| !is_test(&source.path))
        .filter(|source| source.path == file || source.path.starts_with(&folder))
        .collect();
    assert!(!files.is_empty(), "there is a room called {name}");
    files
}

/// What each room may not mention beside other rooms. The last column of the table in
/// docs/ARCHITECTURE.md.
const WALLS: &[(&str, &[&str])] = &[
    (
        "text",
        &[
            "std::fs",
            "std::env",
            "std::io",
            "SystemTime",
            "Local::now",
            "Utc::now",
            "std::thread",
        ],
    ),
    (
        "paths",
        &[
            "std::fs",
            "std::env",
            "std::io",
            "SystemTime",
            "std::thread",
            ".exists()",
            ".is_dir()",
        ],
    ),
    ("json", &["std::fs", "std::env", "std::io", "std::thread"]),
    (
        "record",
        &["std::fs", "std::env", "std::io", "Local::now", "Utc::now"],
    ),
    (
        "store",
        &[
            "tokio",
            "ratatui",
            "crossterm",
            "std::env",
            "fs::write",
            "OpenOptions",
            "create_dir",
            "remove_file",
            "rename(",
            "File::create",
            "fs::copy",
            "hard_link",
            "remove_dir",
            "set_permissions",
            "set_len",
            "set_modified",
        ],
    ),
    (
        "transcript",
        &[
            "std::env",
            "thread::Builder",
            "thread::spawn",
            "ratatui",
            "SystemTime",
            "fs::write",
            "File::create",
            "OpenOptions",
        ],
    ),
    (
        "history",
        &[
            "std::env",
            "std::thread",
            "SystemTime",
            "ratatui",
            "fs::write",
            "OpenOptions",
            "File::options",
            "File::create",
            "create_dir",
            "remove_file",
            "rename(",
            "set_modified",
            "set_times",
        ],
    ),
    ("edit", &["std::env", "ratatui", "crossterm", "tokio"]),
    (
        "cache",
        &[
            "std::env",
            "std::thread",
            "ratatui",
            "crossterm",
            "tokio",
            "Local::now",
            "Utc::now",
            "SystemTime",
        ],
    ),
    (
        "preview",
        &[
            "std::fs",
            "fs::",
            "std::env",
            "std::io",
            "tokio",
            "ratatui",
            "crossterm",
            "SystemTime",
            "Local",
        ],
    ),
    (
        "reader",
        &[
            "std::env",
            "std::thread",
            "tokio",
            "ratatui",
            "crossterm",
            "fs::write",
            "File::create",
            "OpenOptions",
        ],
    ),
    (
        "list",
        &[
            "std::fs",
            "fs::",
            "std::env",
            "std::io",
            "std::thread",
            "tokio",
            "ratatui",
            "crossterm",
            "SystemTime",
            "Local::now",
        ],
    ),
    (
        "search",
        &[
            "std::fs",
            "fs::",
            "std::env",
            "tokio",
            "ratatui",
            "crossterm",
            "SystemTime",
            "Instant",
            "Local::now",
            "Utc::now",
        ],
    ),
    (
        "content",
        &[
            "std::env",
            "tokio",
            "ratatui",
            "crossterm",
            "SystemTime",
            "fs::write",
            "OpenOptions",
            "create_dir",
            "remove_file",
            "rename(",
            "File::create",
        ],
    ),
    (
        "resume",
        &[
            "std::env",
            "std::thread",
            "ratatui",
            "crossterm",
            "sh -c",
            "fs::write",
            "File::create",
            "create_dir",
            "remove_file",
            "rename(",
        ],
    ),
    (
        "demo",
        &[
            "std::fs",
            "std::env",
            "std::io",
            "SystemTime",
            "Local::now",
            "Utc::now",
        ],
    ),
    (
        "config",
        &["std::fs", "std::env", "std::io", "std::thread", "crossterm"],
    ),
    (
        "tui",
        &[
            "std::env",
            "fs::write",
            "File::create",
            "create_dir",
            "remove_file",
            "rename(",
        ],
    ),
];

/// The files of the picker that touch the world. All others are state and drawing: they know no
/// files, no threads and no clock.
const TUI_OUTSIDE: &[&str] = &[
    "tui/outside.rs",
    "tui/runtime.rs",
    "tui/terminal.rs",
    "tui/terminal/",
    "tui/workers",
];

#[test]
fn the_state_of_the_picker_is_a_plain_value() {
    let sources = sources();
    for source in room(&sources, "tui") {
        if TUI_OUTSIDE
            .iter()
            .any(|outside| source.path.starts_with(outside))
        {
            continue;
        }
        for word in [
            "std::fs",
            "std::io",
            "std::thread",
            "tokio",
            "Local::now",
            "Utc::now",
            "Instant::now",
            "SystemTime",
            "rustix",
            "notify::",
        ] {
            assert!(
                !source.code.contains(word),
                "src/{} mentions {word}",
                source.path
            );
        }
        if source.path.starts_with("tui/view") {
            assert!(!source.code.contains("&mut App"), "src/{}", source.path);
        }
    }
}

/// What only these files of a room may mention, with the files in the folders of their names.
const RESERVED: &[(&str, &str, &[&str])] = &[
    ("preview", "std::thread", &["preview/syntax.rs"]),
    ("preview", "Instant", &["preview/syntax.rs"]),
    ("search", "nucleo", &["search/rank.rs"]),
    ("search", "regex::", &["search/pattern.rs"]),
    ("search", "std::thread", &["search/worker.rs"]),
    ("search", "std::io", &["search/worker.rs"]),
    ("content", "Instant", &["content/worker.rs"]),
    ("resume", "std::fs", &["resume/probe.rs"]),
    ("resume", "crate::files", &["resume/probe.rs"]),
    ("resume", "std::process", &["resume/start.rs"]),
    (
        "tui",
        "std::process",
        &["tui/outside.rs", "tui/workers/clipboard.rs"],
    ),
];

/// Files that open something themselves, and what that is. Everything else that is read may be a
/// pipe or have no end, and goes through `files`.
const OPENERS: &[(&str, &str)] = &[
    ("files.rs", "the one way"),
    (
        "cli/history/add.rs",
        "a pipe that a person names is waited for",
    ),
    ("edit/lock.rs", "a directory"),
    ("edit/private.rs", "options that are handed to `files`"),
    ("tui/terminal.rs", "the terminal"),
];

#[test]
fn files_are_opened_in_one_place() {
    for source in sources() {
        let is_known = |(path, _): &(&str, &str)| *path == source.path;
        if is_test(&source.path) || OPENERS.iter().any(is_known) {
            continue;
        }
        for word in [
            "File::open",
            "fs::read(",
            "fs::read_to_string",
            "OpenOptions",
        ] {
            assert!(
                !source.code.contains(word),
                "src/{} mentions {word}, which is for src/files.rs",
                source.path
            );
        }
    }
}

#[test]
fn no_room_reaches_through_a_wall() {
    let sources = sources();
    for (name, forbidden) in WALLS {
        for source in room(&sources, name) {
            for word in *forbidden {
                assert!(
                    !source.code.contains(word),
                    "src/{} mentions {word}",
                    source.path
                );
            }
        }
    }
}

#[test]
fn what_one_file_keeps_to_itself_stays_there() {
    let sources = sources();
    for (name, word, owners) in RESERVED {
        for source in room(&sources, name) {
            let is_owner = owners.iter().any(|owner| {
                let inside = owner.replace(".rs", "/");
                source.path == *owner || source.path.starts_with(&inside)
            });
            assert!(
                is_owner || !source.code.contains(word),
                "src/{} mentions {word}, which is for {owners:?}",
                source.path
            );
        }
    }
}

#[test]
fn no_room_is_left_through_the_back_door() {
    for source in sources() {
        // A file of tests is the child of the module that it tests.
        let depth = source.path.split('/').count() + usize::from(is_test(&source.path));
        let out = "super::".repeat(depth);
        assert!(
            !source.code.contains(&out),
            "src/{} climbs out of its room",
            source.path
        );
    }
}

#[test]
fn only_the_command_line_prints_reads_the_environment_and_exits() {
    for source in sources() {
        if source.path == "cli.rs" || source.path.starts_with("cli/") || is_test(&source.path) {
            continue;
        }
        for word in [
            "println!",
            "eprintln!",
            "print!(",
            "io::stdout",
            "io::stderr",
            "env::var",
            "process::exit",
            "ExitCode::",
        ] {
            assert!(
                !source.code.contains(word),
                "src/{} mentions {word}",
                source.path
            );
        }
    }
}

#[test]
fn files_are_small_and_say_what_they_are_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for source in sources() {
        let text = fs::read_to_string(root.join(&source.path)).expect("read");
        assert!(
            !source.path.ends_with("mod.rs"),
            "{}: modules are named by their file",
            source.path
        );
        if is_test(&source.path) {
            continue;
        }
        assert!(
            source.lines <= 500,
            "src/{} has {} lines",
            source.path,
            source.lines
        );
        assert!(
            text.starts_with("//! "),
            "src/{} does not say what it is for",
            source.path
        );
    }
    let main = sources()
        .into_iter()
        .find(|source| source.path == "main.rs")
        .expect("there");
    assert!(main.lines <= 60);
}

#[test]
fn the_top_level_holds_what_it_should() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let expected = [
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "assets",
        "docs",
        "fixtures",
        "src",
        "tests",
    ];
    let tracked = std::process::Command::new("git")
        .arg("-C")
        .arg(root)
        .arg("ls-files")
        .output();
    let tracked = match tracked {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => output.stdout,
        _ => {
            crate::support::skip("no git checkout");
            return;
        }
    };
    let found: Vec<String> = String::from_utf8_lossy(&tracked)
        .lines()
        .map(|path| path.split('/').next().unwrap_or_default().to_owned())
        .filter(|name| !name.starts_with('.'))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    assert_eq!(found, expected);
}

/// The rooms in the table of docs/ARCHITECTURE.md, each with what its third column names in
/// backticks: the rooms that it may use, and crates and files, which are not for here.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).expect("read");
    let quoted = |cell: &str| -> BTreeSet<String> {
        let parts = cell.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let name = cells[1].trim().trim_matches('`').to_owned();
        (name, quoted(cells[3]))
    })
    .collect()
}

#[test]
fn the_table_has_a_row_for_every_room() {
    let rows: BTreeSet<String> = table().into_iter().map(|(name, _)| name).collect();
    let top = |source: &Source| {
        let name = source.path.split(['/', '.']).next();
        name.unwrap_or_default().to_owned()
    };
    let mut rooms: BTreeSet<String> = sources()
        .iter()
        .filter(|source| !is_test(&source.path))
        .map(top)
        .collect();
    rooms.remove("main");
    rooms.remove("lib");
    assert_eq!(rows, rooms);
}

/// Neither may a room use another one that the table does not give it, nor the table promise one
/// that is not used.
#[test]
fn each_room_uses_the_rooms_that_the_table_names() {
    let sources = sources();
    let table = table();
    let names: BTreeSet<&String> = table.iter().map(|(name, _)| name).collect();
    // The commands may use everything.
    for (name, given) in table.iter().filter(|(name, _)| name != "cli") {
        let given: BTreeSet<&str> = given
            .iter()
            .filter(|word| names.contains(word))
            .map(String::as_str)
            .collect();
        let mut used = BTreeSet::new();
        for source in room(&sources, name) {
            for rest in source.code.split("crate::").skip(1) {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let word = &rest[..end.unwrap_or(rest.len())];
                // A group is spelled out, so nothing stands before its brace.
                if !word.is_empty() && word != name {
                    used.insert(word);
                }
            }
        }
        assert_eq!(used, given, "what `{name}` uses, and what the table says");
    }
}
