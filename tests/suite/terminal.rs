//! `list` on a real terminal: a table that fits.

use std::io::Read;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::json;

use crate::support::{Store, conversation, id, lines, user};

/// What `list --all` prints on a terminal of this width.
pub fn printed(store: &Store, columns: u16, colour: bool) -> String {
    let size = PtySize {
        rows: 24,
        cols: columns,
        ..PtySize::default()
    };
    let pty = native_pty_system().openpty(size).expect("a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_claude-resume"));
    command.env_clear();
    command.cwd(store.root());
    command.env("HOME", store.root());
    command.env("CLAUDE_CONFIG_DIR", store.root());
    command.env("TERM", "xterm-256color");
    if !colour {
        command.env("NO_COLOR", "1");
    }
    command.args(["list", "--all"]);
    let mut reader = pty.master.try_clone_reader().expect("readable");
    let mut child = pty.slave.spawn_command(command).expect("starts");
    drop(pty.slave);
    let mut out = Vec::new();
    // Linux reports the end of a terminal as an error.
    let _ = reader.read_to_end(&mut out);
    assert!(child.wait().expect("ends").success());
    String::from_utf8(out).expect("UTF-8").replace("\r\n", "\n")
}

fn store() -> Store {
    let store = Store::new();
    let mut first = user("Rotate the keys", "/home/ada/gateway-with-a-very-long-name");
    first["gitBranch"] = json!("feature/rotate-the-signing-keys");
    let title = json!({"type": "custom-title", "customTitle": "\u{1b}[2JRotate 日本語 \u{202e}keys and a title that goes on and on until it is cut by the edge of the screen"});
    store.session(
        "-a",
        &id(1),
        0,
        lines(&[first, title, json!({"type": "tag", "tag": "auth"})]),
    );
    store.session("-b", &id(2), 1, conversation("Fix it", "/home/ada/shop"));
    store
}

#[test]
fn every_line_fits_and_nothing_stored_moves_the_cursor() {
    let store = store();
    for columns in [20, 40, 80, 120, 200] {
        let printed = printed(&store, columns, false);
        assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{printed:?}");
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(
            lines.len(),
            3,
            "two sessions and the closing line: {printed}"
        );
        for line in &lines[..2] {
            let width = claude_resume::text::width(line);
            assert!(width <= usize::from(columns), "{width} > {columns}: {line}");
        }
        assert!(lines[2].starts_with("shown 2 of 2"));
    }
}

#[test]
fn columns_are_aligned_and_colour_is_an_extra() {
    let store = store();
    let plain = printed(&store, 120, false);
    let ends: Vec<usize> = plain
        .lines()
        .take(2)
        .map(claude_resume::text::width)
        .collect();
    assert_eq!(ends[0], ends[1], "both end in an id: {plain}");
    let coloured = printed(&store, 120, true);
    assert!(coloured.contains("\u{1b}[2m"));
    let stripped = coloured.replace("\u{1b}[2m", "").replace("\u{1b}[0m", "");
    assert_eq!(stripped, plain);
}
