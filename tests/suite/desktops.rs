//! Copying where the real programs are: tmux, GNU screen, an X server, a Wayland compositor. What is not
//! installed is skipped, and counted.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::clipboards::{COPY_ID, command, leave, open, programs};
use crate::desk::{Desk, PATIENCE, Pty};
use crate::support::{conversation, id, skip};
use crate::tmux::Server;

/// The id of the first session, as OSC 52 has it.
const ID_IN_BASE64: &str = "MDAwMDAwMDEtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAw";
/// Longer than a pipe holds, with lines, tabs and signs of every length.
const LINE: &str = "Größe\tof  日本語 💡 and a line that is not short; ";

/// A program of this machine. Says that the test is skipped if it is not there.
fn installed(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        skip(&format!("no {name} here"));
    }
    found
}

/// A server that ends with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server, and its display.
fn x_server() -> Option<(Serving, String)> {
    installed("Xvfb")?;
    let mut child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "640x480x24"])
        .args(["-nolisten", "tcp", "-ac"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut number = String::new();
    let stdout = child.stdout.take().expect("a pipe");
    let serving = Serving(child);
    BufReader::new(stdout).read_line(&mut number).expect("read");
    if number.is_empty() {
        skip("the X server does not start here");
        return None;
    }
    Some((serving, format!(":{}", number.trim())))
}

/// What a program prints.
fn printed(program: &str, arguments: &[&str], set: &[(&str, &str)]) -> String {
    let mut command = Command::new("timeout");
    command.arg("30").arg(program).args(arguments);
    let output = command.envs(set.iter().copied()).output();
    let out = output.expect("runs").stdout;
    String::from_utf8(out).expect("UTF-8")
}

/// A desk with a session whose prompt is long, newest of all.
fn desk() -> (Desk, String) {
    let desk = Desk::new();
    let text = LINE.repeat(1_500).trim_end().to_owned();
    let cwd = desk.shop.to_str().expect("UTF-8").to_owned();
    desk.store
        .session("-shop", &id(9), 9, conversation(&text, &cwd));
    (desk, text)
}

/// Copies an id and a long message. The clipboard has them as long as the picker runs, and after.
fn copies(
    desk: &Desk,
    text: &str,
    program: &str,
    set: &[(&str, &str)],
    paste: &dyn Fn() -> String,
) {
    let folder = programs(desk, &[]);
    let path = installed(program).expect("asked before");
    symlink(path, folder.join(program)).expect("linked");
    let mut pty = Pty::start(command(desk, &folder, set), 110, 30);
    pty.wait_for("4 sessions");
    pty.type_text(COPY_ID);
    pty.wait_for(&format!("copied the id ({program})"));
    has(&id(9), paste);
    pty.type_text("\t");
    pty.wait_for("Tab list");
    pty.type_text("g");
    pty.wait_for("You ▌ Größe");
    pty.type_text("y");
    pty.wait_for(&format!("copied the message ({program})"));
    leave(pty);
    has(text, paste);
}

/// Waits until the clipboard has a text: a program may end before it owns the clipboard.
fn has(text: &str, paste: &dyn Fn() -> String) {
    let start = Instant::now();
    loop {
        let pasted = paste();
        if pasted == text {
            return;
        }
        let shown: String = pasted.chars().take(80).collect();
        assert!(
            start.elapsed() < PATIENCE,
            "{} bytes: {shown}",
            pasted.len()
        );
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_copied_is_on_the_clipboard_of_an_x_server() {
    for (program, paste) in [
        ("xclip", ["-o", "-selection", "clipboard"].as_slice()),
        ("xsel", &["-b", "-o"]),
    ] {
        let Some((_server, display)) = installed(program).and_then(|_| x_server()) else {
            continue;
        };
        let (desk, text) = desk();
        let set = [("DISPLAY", display.as_str())];
        copies(&desk, &text, program, &set, &|| {
            printed(program, paste, &set)
        });
    }
}

/// A compositor in a window of an X server: without one it has no seat, and so no clipboard.
fn compositor(display: &str, folder: &Path) -> Option<Serving> {
    installed("weston")?;
    let child = Command::new("weston")
        .args(["--backend=x11-backend.so", "--use-pixman", "--no-config"])
        .args(["--socket=wayland-test", "--idle-time=0"])
        .env("DISPLAY", display)
        .env("XDG_RUNTIME_DIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut serving = Serving(child);
    let start = Instant::now();
    loop {
        // It has a seat some time after it has a socket.
        let mut probe = Command::new("wl-copy");
        probe.arg("probe").env("WAYLAND_DISPLAY", "wayland-test");
        probe.env("XDG_RUNTIME_DIR", folder).stdin(Stdio::null());
        probe.stdout(Stdio::null()).stderr(Stdio::null());
        if probe.status().is_ok_and(|status| status.success()) {
            return Some(serving);
        }
        if serving.0.try_wait().expect("is ours").is_some() || start.elapsed() > PATIENCE {
            skip("the Wayland compositor does not start here");
            return None;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_copied_is_on_the_clipboard_of_a_wayland_compositor() {
    if installed("wl-copy").is_none() {
        return;
    }
    let Some((_server, display)) = x_server() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("set");
    let Some(_compositor) = compositor(&display, folder.path()) else {
        return;
    };
    let (desk, text) = desk();
    let runtime = folder.path().to_string_lossy().into_owned();
    let bin = desk.store.outside("bin");
    let path = std::env::var("PATH").unwrap_or_default();
    // It runs `cat`.
    let path = format!("{}:{path}", bin.display());
    let set = [
        ("PATH", path.as_str()),
        ("WAYLAND_DISPLAY", "wayland-test"),
        ("XDG_RUNTIME_DIR", runtime.as_str()),
    ];
    copies(&desk, &text, "wl-copy", &set, &|| {
        printed("wl-paste", &["--no-newline"], &set)
    });
}

/// An X server that is gone, as after `ssh -X` or in an old tmux.
#[test]
fn a_display_that_is_gone_leaves_it_to_the_terminal() {
    let Some(path) = installed("xclip") else {
        return;
    };
    let desk = Desk::new();
    let folder = programs(&desk, &[]);
    symlink(path, folder.join("xclip")).expect("linked");
    let set = [("DISPLAY", ":4711"), ("SSH_TTY", "/dev/pts/9")];
    let mut pty = open(command(&desk, &folder, &set));
    pty.type_text(COPY_ID);
    pty.wait_for("sent the id to the terminal");
    leave(pty);
}

#[test]
fn a_tmux_with_its_defaults_has_the_text_and_so_has_its_terminal() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    let options = server.tmux(&["show-options", "-s", "set-clipboard"]);
    assert_eq!(options.trim(), "set-clipboard external");
    pty.type_text("claude-resume --all keys\r");
    pty.wait_for("1 of 4");
    pty.type_text(COPY_ID);
    pty.wait_for("sent the id to tmux's buffer");
    assert_eq!(server.tmux(&["show-buffer"]), id(1));
    let buffers = server.tmux(&["list-buffers"]);
    assert_eq!(buffers.lines().count(), 1, "not twice: {buffers}");
    pty.wait_for("and to the terminal");
    let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert_eq!(sent.matches(ID_IN_BASE64).count(), 1, "OSC 52 of tmux");
    assert!(sent.contains("\x1b]52;"));
    pty.type_text("\x03");
}

#[test]
fn screen_passes_a_long_text_on_to_its_terminal() {
    let Some(screen) = installed("screen") else {
        return;
    };
    let (desk, text) = desk();
    // As much as a terminal gets.
    let text: String = text.chars().take(2_000).collect();
    let cwd = desk.shop.to_str().expect("UTF-8").to_owned();
    desk.store
        .session("-shop", &id(10), 10, conversation(&text, &cwd));
    let sockets = tempfile::Builder::new().prefix("s").tempdir();
    let sockets = sockets.expect("a folder");
    fs::set_permissions(sockets.path(), fs::Permissions::from_mode(0o700)).expect("set");
    let mut command = desk.command(&screen.to_string_lossy());
    command.env("SCREENDIR", sockets.path());
    command.args(["-c", "/dev/null", "-U"]);
    command.args([env!("CARGO_BIN_EXE_claude-resume"), "--all"]);
    let mut pty = Pty::start(command, 110, 30);
    pty.wait_for("6 sessions");
    pty.type_text(COPY_ID);
    pty.wait_for("sent the id to the terminal");
    pty.type_text("\t");
    pty.wait_for("Tab list");
    pty.type_text("g");
    pty.wait_for("You ▌ Größe");
    pty.type_text("y");
    pty.wait_for("sent the message to the terminal");
    pty.settle(Duration::from_millis(100));
    let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
    let copies: Vec<&str> = sent.split("\x1b]52;c;").skip(1).collect();
    let lengths: Vec<usize> = copies
        .iter()
        .map(|copy| copy.split('\x07').next().unwrap_or_default().len())
        .collect();
    let in_base64 = |bytes: usize| bytes.div_ceil(3) * 4;
    assert_eq!(lengths, [id(10).len(), text.len()].map(in_base64));
    pty.type_text("\x03");
    pty.end();
}
