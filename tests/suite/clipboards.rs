//! Copying with the real binary on a real terminal: programs that stand in for those of a desktop.
//! No program of this machine is found, and no display.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, kill_process_group};

use crate::desk::{Desk, PATIENCE, Pty};
use crate::support::id;

pub const COPY_ID: &str = "\x1bi";

/// Writes down what it gets, whole or not at all.
const RECORDS: &str = "/bin/cat > \"$here/part\"; /bin/mv \"$here/part\" \"$here/got\"";
/// Writes down its process group, and never ends.
const HANGS: &str = "echo $$ > \"$here/hung\"; /bin/sleep 600; true";

/// A folder with these programs and nothing else.
pub fn programs(desk: &Desk, scripts: &[(&str, &str)]) -> PathBuf {
    let folder = desk.store.outside("programs");
    for (name, script) in scripts {
        let text = format!("#!/bin/sh\nhere='{}'\n{script}\n", folder.display());
        let path = folder.join(name);
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
    }
    folder
}

/// The picker, with these variables, where only these programs are.
pub fn command(desk: &Desk, folder: &Path, set: &[(&str, &str)]) -> CommandBuilder {
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    let bin = desk.store.outside("bin");
    command.env("PATH", format!("{}:{}", bin.display(), folder.display()));
    for (name, value) in set {
        command.env(name, value);
    }
    command
}

/// A picker with the cursor on the first session.
pub fn open(command: CommandBuilder) -> Pty {
    let mut pty = Pty::start(command, 110, 30);
    pty.wait_for("3 sessions");
    pty.type_text("keys");
    pty.wait_for("1 of 3");
    pty
}

pub fn leave(mut pty: Pty) {
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

fn configure(desk: &Desk, text: &str) {
    let folder = desk.store.outside("home/.config/claude-resume");
    fs::write(folder.join("config.toml"), text).expect("written");
}

fn wait_for(path: &Path) -> String {
    let start = Instant::now();
    loop {
        match fs::read_to_string(path) {
            Ok(text) if !text.is_empty() => return text,
            _ => assert!(start.elapsed() < PATIENCE, "{}", path.display()),
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Is any process left in this process group?
#[cfg(target_os = "linux")]
fn is_alive(group: &str) -> bool {
    let entries = fs::read_dir("/proc").expect("listed").flatten();
    let mut stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.any(|stat| {
        let (_, fields) = stat.rsplit_once(')').expect("fields");
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // A dead one stays until the system takes note of it.
        fields[0] != "Z" && fields[2] == group.trim()
    })
}

#[test]
fn a_desktop_program_gets_the_text_and_is_named() {
    let desk = Desk::new();
    let folder = programs(&desk, &[("xclip", RECORDS)]);
    let mut pty = open(command(&desk, &folder, &[("DISPLAY", ":99")]));
    pty.type_text(COPY_ID);
    pty.wait_for(&format!("copied the id (xclip): {}", id(1)));
    assert_eq!(wait_for(&folder.join("got")), id(1));
    leave(pty);
}

#[test]
fn a_program_of_the_current_directory_gets_nothing() {
    let desk = Desk::new();
    let folder = programs(&desk, &[("xclip", RECORDS)]);
    let mut command = command(&desk, &folder, &[("DISPLAY", ":99")]);
    command.cwd(&folder);
    command.env(
        "PATH",
        format!(".::{}", desk.store.outside("bin").display()),
    );
    let mut pty = Pty::start(command, 110, 30);
    pty.wait_for("4 sessions");
    pty.type_text(COPY_ID);
    pty.wait_for("sent the id to the terminal");
    assert!(!folder.join("got").exists());
    leave(pty);
}

#[test]
fn what_a_tmux_does_not_take_is_shown_for_the_mouse() {
    let desk = Desk::new();
    let folder = programs(&desk, &[("tmux", "exit 1")]);
    let mut pty = open(command(&desk, &folder, &[("TMUX", "/no/such/socket,1,0")]));
    pty.type_text(COPY_ID);
    pty.wait_for("Not copied");
    pty.wait_for("tmux: ended with code 1");
    let screen = pty.screen.screen();
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    assert!(
        pty.text().contains(&format!("\n{}", id(1))),
        "{}",
        pty.text()
    );
    // The last hope, for a tmux that passes things on.
    let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(sent.contains("\x1bPtmux;\x1b\x1b]52;c;"), "through tmux");
    pty.type_text("\x1b");
    pty.wait("the list", |screen| {
        !screen.contents().contains("Not copied")
    });
    let mouse = pty.screen.screen().mouse_protocol_mode();
    assert_ne!(mouse, vt100::MouseProtocolMode::None);
    leave(pty);
}

#[test]
fn the_same_key_shows_what_the_terminal_does_not_confirm() {
    let desk = Desk::new();
    let folder = programs(&desk, &[]);
    let mut pty = open(command(&desk, &folder, &[]));
    pty.type_text(COPY_ID);
    pty.wait_for("Copy again to see it");
    pty.type_text(COPY_ID);
    pty.wait_for("Sent to the terminal");
    let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert_eq!(sent.matches("\x1b]52;").count(), 1);
    pty.type_text("q");
    pty.wait_for("Rotate the keys");
    leave(pty);
}

#[test]
fn a_configured_command_is_run_and_an_empty_one_leaves_it_to_the_terminal() {
    let desk = Desk::new();
    let scripts = [("my-copy", RECORDS), ("xclip", RECORDS)];
    let folder = programs(&desk, &scripts);
    let set = [("DISPLAY", ":99")];
    configure(&desk, "[clipboard]\ncommand = [\"my-copy\"]\n");
    let mut pty = open(command(&desk, &folder, &set));
    pty.type_text(COPY_ID);
    pty.wait_for("copied the id (my-copy)");
    assert_eq!(wait_for(&folder.join("got")), id(1));
    leave(pty);
    configure(&desk, "[clipboard]\ncommand = []\n");
    let mut pty = open(command(&desk, &folder, &set));
    pty.type_text(COPY_ID);
    pty.wait_for("sent the id to the terminal");
    leave(pty);
    configure(&desk, "[clipboard]\ncommand = [\"~/no-such-copy\"]\n");
    let mut pty = open(command(&desk, &folder, &set));
    pty.type_text(COPY_ID);
    pty.wait_for("copied the id (xclip)");
    pty.wait_for("no-such-copy: not found");
    leave(pty);
}

/// Both keys are read at once, and the second one leaves.
#[test]
fn leaving_right_after_a_copy_does_not_lose_it() {
    for (keys, code) in [("\x1bi\x03", 130), ("\x1bi\x1b", 1)] {
        let desk = Desk::new();
        let slow = format!("/bin/sleep 0.1; {RECORDS}");
        let folder = programs(&desk, &[("xclip", &slow)]);
        let mut pty = Pty::start(command(&desk, &folder, &[("DISPLAY", ":99")]), 110, 30);
        pty.wait_for("3 sessions");
        pty.type_at_once(keys);
        assert_eq!(pty.end(), code, "{}", pty.text());
        let got = fs::read_to_string(folder.join("got")).expect("it was done before the end");
        assert!(got.starts_with("0000000"), "{got}");
        let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
        assert!(sent.contains("\x1b]52;c;"), "and the terminal has it");
        pty.assert_restored();
    }
}

/// The process becomes Claude Code, which knows nothing of the children it has.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_hangs_does_not_outlive_the_picker() {
    let desk = Desk::new();
    let folder = programs(&desk, &[("xclip", HANGS), ("stty", "exit 0")]);
    let mut pty = open(command(&desk, &folder, &[("DISPLAY", ":99")]));
    pty.type_text(COPY_ID);
    let group = wait_for(&folder.join("hung"));
    pty.type_text("\r");
    assert_eq!(pty.end(), 0, "{}", pty.text());
    assert_eq!(desk.recorded()[2..4], ["--resume", &id(1)]);
    assert!(!is_alive(&group));
    pty.assert_restored();
}

#[test]
fn what_was_not_copied_is_said_after_the_end() {
    let desk = Desk::new();
    let slow = "/bin/sleep 0.1; exit 3";
    let folder = programs(&desk, &[("tmux", slow)]);
    let mut pty = open(command(&desk, &folder, &[("TMUX", "/no/such/socket,1,0")]));
    pty.type_at_once("\x1bi\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
    pty.wait_for("claude-resume: not copied: the id (tmux: ended with code 3");
}

/// A program that stays in the background, as xclip does, is not stopped with the picker.
#[cfg(target_os = "linux")]
#[test]
fn a_program_in_the_background_keeps_the_clipboard() {
    let desk = Desk::new();
    let stays = format!("{RECORDS}; echo $$ > \"$here/group\"; /bin/sleep 60 < /dev/null & exit 0");
    let folder = programs(&desk, &[("xclip", &stays)]);
    let mut pty = open(command(&desk, &folder, &[("DISPLAY", ":99")]));
    pty.type_text(COPY_ID);
    let group = wait_for(&folder.join("group"));
    pty.wait_for("copied the id (xclip)");
    leave(pty);
    assert!(is_alive(&group));
    let group = group.trim().parse().ok().and_then(Pid::from_raw);
    kill_process_group(group.expect("a number"), Signal::KILL).expect("ended");
}
