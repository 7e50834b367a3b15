//! Taking a message out of the preview, with the real binary on a real terminal: into a pager, an
//! editor and the clipboard.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::desk::{Desk, PATIENCE, Pty, is_cooked};

/// A program that writes down what it is shown and how the terminal is, and waits for a line.
fn reader(desk: &Desk, name: &str) -> (PathBuf, PathBuf) {
    let folder = desk.store.outside("programs");
    let (program, record) = (folder.join(name), folder.join("shown"));
    let script = format!(
        "#!/bin/sh\n{{ echo \"$0\" \"$1\"; for last; do :; done; cat \"$last\"; echo; stty -a; }} > {0}\nmv {0} {0}.done; read line\n",
        record.display()
    );
    let record = folder.join("shown.done");
    fs::write(&program, script).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
    (program, record)
}

/// Waits until the program has begun to read keys.
fn begun(pty: &mut Pty, record: &Path) {
    let start = Instant::now();
    while !record.exists() {
        assert!(start.elapsed() < PATIENCE, "{}", pty.text());
        pty.settle(Duration::from_millis(20));
    }
    pty.settle(Duration::from_millis(100));
}

fn reading(desk: &Desk, variables: &[(&str, String)]) -> Pty {
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    for (name, value) in variables {
        command.env(name, value);
    }
    command.args(["login"]);
    let mut pty = Pty::start(command, 110, 30);
    pty.wait_for("1 of 3");
    pty.wait_for("You │");
    pty.type_text("\t");
    pty.wait_for("Tab list");
    pty.type_text("g");
    pty
}

#[test]
fn the_pager_has_the_terminal_and_gives_it_back() {
    let desk = Desk::new();
    let (pager, record) = reader(&desk, "my pager");
    let words = format!("'{}' --flag", pager.display());
    let mut pty = reading(&desk, &[("PAGER", words)]);
    for round in 0..2 {
        pty.type_text("e");
        begun(&mut pty, &record);
        // What is typed now is for the pager, and so is Ctrl+C.
        pty.type_text(if round == 0 { "qqq\r" } else { "\x03" });
        pty.wait(&format!("the picker, round {round}"), |screen| {
            screen.contents().contains("Tab list")
        });
        assert!(!pty.text().contains("ended"), "{}", pty.text());
        let shown = fs::read_to_string(&record).expect("it was started");
        fs::remove_file(&record).expect("removed");
        let shown: Vec<String> = shown.lines().map(str::to_owned).collect();
        assert!(shown[0].ends_with("my pager --flag"), "{shown:?}");
        assert!(shown[1].contains("login"), "the message: {shown:?}");
        assert!(is_cooked(&shown[2..]), "{shown:?}");
    }
    // The keys are ours again.
    pty.type_text("q");
    pty.wait_for("Tab read");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn the_editor_stands_in_for_a_pager_that_only_prints() {
    let desk = Desk::new();
    let (editor, record) = reader(&desk, "editor");
    let editor = editor.display().to_string();
    let set = [("PAGER", "cat".to_owned()), ("EDITOR", editor)];
    let mut pty = reading(&desk, &set);
    for key in ["e", "E"] {
        pty.type_text(key);
        begun(&mut pty, &record);
        pty.type_text("\r");
        pty.wait("the picker", |screen| {
            screen.contents().contains("Tab list")
        });
        assert!(record.exists(), "{key}");
        fs::remove_file(&record).expect("removed");
    }
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let desk = Desk::new();
    let missing = "/no/such/pager".to_owned();
    let mut pty = reading(&desk, &[("PAGER", missing)]);
    pty.type_text("e");
    pty.wait_for("/no/such/pager: ");
    pty.wait_for("Fix the login page");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn a_program_that_fails_is_told() {
    let desk = Desk::new();
    let program = desk.store.outside("programs").join("broken");
    fs::write(&program, "#!/bin/sh\nexit 3\n").expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
    let program = program.display().to_string();
    let mut pty = reading(&desk, &[("PAGER", program.clone()), ("EDITOR", program)]);
    for key in ["e", "E"] {
        pty.type_text(key);
        pty.wait_for("broken: ended with code 3");
        pty.type_text("j");
        pty.wait("no notice", |screen| {
            !screen.contents().contains("ended with")
        });
    }
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn the_message_goes_to_the_clipboard_of_the_terminal() {
    let desk = Desk::new();
    let mut pty = reading(&desk, &[]);
    pty.type_text("y");
    pty.wait_for("sent the message to the terminal");
    let written = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(written.contains("\x1b]52;c;"), "OSC 52");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}
