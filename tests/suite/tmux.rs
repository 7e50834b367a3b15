//! Sessions in tmux: a real server on a socket of its own. Where there is no tmux, this is skipped.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::counter::{Fingerprint, fingerprint};
use crate::desk::{Desk, PATIENCE, Pty};
use crate::support::id;

/// A desk with a tmux server, which ends with it.
pub struct Server {
    desk: Desk,
    sockets: PathBuf,
    calls: PathBuf,
    /// The config directory, which nothing may change.
    before: Fingerprint,
}

impl Server {
    /// A server with a shell in its only window, on a terminal.
    pub fn start() -> Option<(Self, Pty)> {
        Self::start_with(&[])
    }

    /// The same, with this in the environment of the server.
    fn start_with(environment: &[(&str, &str)]) -> Option<(Self, Pty)> {
        let tmux = Command::new("tmux").arg("-V").output();
        if !tmux.is_ok_and(|output| output.status.success()) {
            crate::support::skip("no tmux here");
            return None;
        }
        let desk = Desk::new();
        // A socket's path may not be long.
        let sockets = tempfile::Builder::new()
            .prefix("t")
            .tempdir()
            .expect("a folder")
            .keep();
        let calls = desk.store.outside("calls");
        let claude = desk.store.outside("bin").join("claude");
        // Each call in a file of its own; then it stays, as Claude Code would.
        let script = format!(
            "#!/bin/sh\n{{ pwd; echo \"$CLAUDE_CONFIG_DIR$CLAUDE_CODE_CHILD_SESSION\"; for word; do echo \"$word\"; done; }} > '{0}/.new.'$$\nmv '{0}/.new.'$$ '{0}/call.'$$\nexec sleep 60\n",
            calls.display()
        );
        fs::write(&claude, script).expect("written");
        fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).expect("set");
        let before = fingerprint(&desk.store.root());
        let server = Self {
            desk,
            sockets,
            calls,
            before,
        };
        let mut command = server.desk.command("tmux");
        let own = Path::new(env!("CARGO_BIN_EXE_claude-resume"))
            .parent()
            .expect("a folder");
        let path = command
            .get_env("PATH")
            .map(|path| path.to_string_lossy().into_owned());
        command.env(
            "PATH",
            format!("{}:{}", own.display(), path.unwrap_or_default()),
        );
        command.env("TMUX_TMPDIR", &server.sockets);
        for (name, value) in environment {
            command.env(name, value);
        }
        command.args([
            "-L",
            "private",
            "-f",
            "/dev/null",
            "new-session",
            "-s",
            "work",
            "/bin/sh",
        ]);
        let mut pty = Pty::start(command, 110, 30);
        pty.wait_for("[work]");
        Some((server, pty))
    }

    pub fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .env("TMUX_TMPDIR", &self.sockets)
            .env_remove("TMUX")
            .args(["-L", "private"])
            .args(arguments)
            .output()
            .expect("tmux runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// So many calls of `claude`, once there are as many, sorted by session.
    fn calls(&self, count: usize) -> Vec<Vec<String>> {
        let start = Instant::now();
        loop {
            let files = fs::read_dir(&self.calls).expect("listed").flatten();
            let mut calls: Vec<Vec<String>> = files
                .filter(|file| file.file_name().to_string_lossy().starts_with("call."))
                .map(|file| fs::read_to_string(file.path()).expect("read"))
                .map(|text| text.lines().map(str::to_owned).collect())
                .collect();
            if calls.len() >= count {
                calls.sort_by_key(|call| call.last().cloned());
                return calls;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{calls:?}\n{}",
                self.tmux(&["list-panes", "-a"])
            );
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(
                start.elapsed() < PATIENCE,
                "{what}: {}",
                self.tmux(&["list-panes", "-a"])
            );
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
        let _ = fs::remove_dir_all(&self.sockets);
        if !thread::panicking() {
            assert_eq!(self.before, fingerprint(&self.desk.store.root()));
        }
    }
}

#[test]
fn a_session_opens_in_a_window_beside_and_in_a_popup() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    let shop = server.desk.shop.to_string_lossy().into_owned();
    let root = server.desk.store.root().to_string_lossy().into_owned();
    for (n, place) in [(1, "window"), (2, "split"), (3, "popup")] {
        if place == "split" {
            server.tmux(&["select-window", "-t", "work:0"]);
        }
        server.tmux(&[
            "send-keys",
            "-t",
            "work:0.0",
            &format!("claude-resume --tmux {place} {} -- --model 'a b'", id(n)),
            "Enter",
        ]);
        let calls = server.calls(n as usize);
        let expected = [shop.as_str(), &root, "--resume", &id(n), "--model", "a b"];
        assert!(
            calls.iter().any(|call| *call == expected),
            "{place}: {calls:?}"
        );
        match place {
            "window" => {
                let windows =
                    server.tmux(&["list-windows", "-F", "#{window_name} #{pane_current_path}"]);
                assert!(
                    windows.contains(&format!("Rotate the keys {shop}")),
                    "{windows}"
                );
            }
            "split" => {
                let panes = server.tmux(&["list-panes", "-t", "work:0", "-F", "#{pane_id}"]);
                assert_eq!(panes.lines().count(), 2, "{panes}");
            }
            _ => {}
        }
    }
    pty.take(b"");
}

/// tmux reads `#(…)` as a command wherever it expects a format.
#[test]
fn a_directory_with_a_format_in_its_name_is_a_directory() {
    let Some((mut server, _pty)) = Server::start() else {
        return;
    };
    let odd = server.desk.store.outside("a #(touch pwned) #{pid} b");
    let content = crate::support::conversation("#(touch pwned)", odd.to_str().expect("UTF-8"));
    server.desk.store.session("-odd", &id(9), 9, content);
    server.before = fingerprint(&server.desk.store.root());
    for place in ["window", "popup"] {
        let line = format!("claude-resume --tmux {place} {}", id(9));
        server.tmux(&["send-keys", "-t", "work:0.0", &line, "Enter"]);
        let calls = server.calls(if place == "window" { 1 } else { 2 });
        assert!(
            calls.iter().all(|call| call[0] == odd.to_string_lossy()),
            "{calls:?}"
        );
        server.tmux(&["select-window", "-t", "work:0"]);
    }
    for folder in [&server.desk.shop, &odd] {
        assert!(!folder.join("pwned").exists());
    }
}

/// Marks all sessions of an open picker and resumes them.
fn resume_all(pty: &mut Pty) {
    mark_all(pty);
    pty.answer("\r");
}

/// Marks all sessions of an open picker. Three are where they were; the directory of the fourth is
/// gone, and the card says so.
fn mark_all(pty: &mut Pty) {
    pty.wait_for("4 sessions");
    pty.type_text("\x1bx\x1bx\x1bx\x1bx");
    pty.wait_for("4 marked");
    pty.type_text("\r");
    pty.wait_for("Resume 3 marked sessions");
    pty.wait_for("In a lost place");
}

#[test]
fn marked_sessions_come_back_each_in_its_own_window() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    pty.type_text("claude-resume --all\r");
    resume_all(&mut pty);
    let calls = server.calls(3);
    let resumed: Vec<&str> = calls
        .iter()
        .filter_map(|call| call.last().map(String::as_str))
        .collect();
    assert_eq!(resumed, [id(1), id(2), id(3)]);
    pty.wait_for("opened 3 tmux windows");
    let windows = server.tmux(&["list-windows", "-F", "#{window_name}"]);
    let mut names: Vec<&str> = windows.lines().collect();
    names.sort_unstable();
    assert_eq!(names.len(), 4, "{windows}");
    assert!(names.contains(&"Fix the login page"), "{windows}");
}

#[test]
fn a_dry_run_of_marked_sessions_tells_of_windows_and_opens_none() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    let told = server.desk.store.outside("told").join("plans");
    let line = format!(
        "claude-resume --all --dry-run --json > '{}'; echo 'o''ver'\r",
        told.display()
    );
    pty.type_text(&line);
    resume_all(&mut pty);
    pty.wait_for("over");
    let plans = std::fs::read_to_string(told).expect("told");
    assert_eq!(plans.lines().count(), 3, "{plans}");
    for plan in plans.lines() {
        let plan: serde_json::Value = serde_json::from_str(plan).expect("an object");
        assert_eq!(plan["argv"][1], "new-window", "{plan}");
        assert_eq!(plan["questions"].as_array().map(Vec::len), Some(0));
    }
    let windows = server.tmux(&["list-windows", "-F", "#{window_name}"]);
    assert_eq!(windows.lines().count(), 1, "{windows}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_that_runs_in_tmux_is_gone_to() {
    let Some((mut server, mut pty)) = Server::start() else {
        return;
    };
    server.tmux(&["new-window", "-d", "-n", "there", "sleep 60"]);
    let pane = server.tmux(&[
        "list-panes",
        "-t",
        "work:there",
        "-F",
        "work:#{window_id}.#{pane_id}",
    ]);
    // This process stands in for the Claude Code in that pane.
    let store = &server.desk.store;
    let pid = store.running(&id(2), "idle", Some(pane.trim()));
    pid.expect("a process that can be told apart");
    server.before = fingerprint(&server.desk.store.root());
    pty.type_text(&format!("claude-resume {}\r", id(2)));
    pty.wait_for("This session is already open");
    pty.wait_for("Go to its tmux pane");
    pty.wait_for("tmux switch-client -t");
    pty.answer("\r");
    server.wait_until("the other window", || {
        server
            .tmux(&["display-message", "-p", "-t", "work", "#{window_name}"])
            .trim()
            == "there"
    });
}

#[test]
fn without_tmux_it_says_so() {
    let desk = Desk::new();
    let mut command = desk.store.command(&desk.shop);
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = desk.store.outside("bin");
    command.env("PATH", format!("{}:{path}", bin.display()));
    let output = command
        .args(["--tmux", "window", &id(1)])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--tmux only works inside tmux"), "{said}");
    assert!(!desk.record.exists());
}

/// A window gets the environment of the server, whatever ours is.
#[test]
fn what_the_server_was_started_with_does_not_count() {
    let inherited = [
        ("CLAUDE_CODE_CHILD_SESSION", "1"),
        ("CLAUDE_CONFIG_DIR", "/no/such/place"),
    ];
    let Some((server, _pty)) = Server::start_with(&inherited) else {
        return;
    };
    let root = server.desk.store.root().to_string_lossy().into_owned();
    // Without an answer to a question that does not arise.
    for (n, place) in [(1, "window"), (2, "split"), (3, "popup")] {
        server.tmux(&["select-window", "-t", "work:0"]);
        let line = format!(
            "CLAUDE_CONFIG_DIR='{root}' claude-resume --tmux {place} {}",
            id(n)
        );
        server.tmux(&["send-keys", "-t", "work:0.0", &line, "Enter"]);
        let calls = server.calls(n as usize);
        let call = calls.iter().find(|call| call.last() == Some(&id(n)));
        let call = call.expect("called");
        assert_eq!(call[1], root, "{place}: nothing of the server's");
    }
}

#[test]
fn the_code_of_a_popup_is_that_of_claude() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    let claude = server.desk.store.outside("bin").join("claude");
    fs::write(&claude, "#!/bin/sh\nexit 42\n").expect("written");
    let line = format!("claude-resume --tmux popup {}; echo \"co\"de:$?\r", id(1));
    pty.type_text(&line);
    pty.wait_for("code:42");
    // The popup took with it what the command had to say.
    pty.wait_for("Rotate the keys: the command exited with code 42 in tmux");
    // A signal is no code of its number.
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        fs::write(&claude, format!("#!/bin/sh\nkill -{signal} $$\n")).expect("written");
        pty.type_text(&format!("clear; {line}"));
        pty.wait_for(&format!("code:{code}"));
    }
}

/// Lets `claude` fail at once for this session.
fn fail_for(server: &Server, n: u32) {
    let claude = server.desk.store.outside("bin").join("claude");
    let stays = fs::read_to_string(&claude).expect("read");
    let fails = format!("#!/bin/sh\ncase \"$*\" in *{}*) exit 3;; esac\n", id(n));
    fs::write(&claude, stays.replace("#!/bin/sh\n", &fails)).expect("written");
}

#[test]
fn what_ends_at_once_in_a_window_or_beside_is_told() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    fail_for(&server, 1);
    for place in ["window", "split"] {
        let line = format!(
            "clear; claude-resume --tmux {place} {}; echo \"co\"de-{place}:$?\r",
            id(1)
        );
        pty.type_text(&line);
        pty.wait_for(&format!("code-{place}:2"));
        pty.wait_for("Rotate the keys: the command exited at once in tmux");
        // Nothing else is lost than the window.
        let said = pty.text().replace('\n', "");
        let by_hand = format!("run it here: cd {}", server.desk.shop.display());
        assert!(said.contains(&by_hand), "{said}");
        assert!(
            said.contains(&format!("claude --resume {}", id(1))),
            "{said}"
        );
    }
}

#[test]
fn a_window_that_stays_is_not_told_to_have_ended() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    let line = format!("claude-resume --tmux split {}; echo \"co\"de:$?\r", id(1));
    pty.type_text(&line);
    pty.wait_for("code:0");
    assert!(!pty.text().contains("ended"), "{}", pty.text());
    drop(server);
}

#[test]
fn of_several_windows_those_that_end_at_once_are_told() {
    let Some((server, mut pty)) = Server::start() else {
        return;
    };
    fail_for(&server, 2);
    pty.type_text("claude-resume --all; echo \"co\"de:$?\r");
    resume_all(&mut pty);
    pty.wait_for("opened 2 tmux windows");
    pty.wait_for("Fix the login page: the command exited at once in tmux");
    pty.wait_for("code:2");
    let said = pty.text();
    assert!(!said.contains("Port the report: the command"), "{said}");
}

/// The card has shown it, but Claude Code would not find it.
#[test]
fn a_session_that_goes_while_the_card_is_open_gets_no_window() {
    let Some((mut server, mut pty)) = Server::start() else {
        return;
    };
    pty.type_text("claude-resume --all; echo \"co\"de:$?\r");
    mark_all(&mut pty);
    let file = format!("{}.jsonl", id(2));
    let projects = fs::read_dir(server.desk.store.root().join("projects")).expect("read");
    let mut paths = projects.map(|folder| folder.expect("read").path().join(&file));
    let path = paths.find(|path| path.exists()).expect("a transcript");
    fs::remove_file(path).expect("removed");
    pty.answer("\r");
    pty.wait_for("Fix the login page: left out: its file was deleted or moved");
    pty.wait_for("opened 2 tmux windows");
    pty.wait_for("code:2");
    let calls = server.calls(2);
    let resumed: Vec<_> = calls.iter().filter_map(|call| call.last()).collect();
    assert_eq!(resumed, [&id(1), &id(3)]);
    server.before = fingerprint(&server.desk.store.root());
}

#[test]
fn a_tmux_that_was_killed_has_opened_nothing() {
    let desk = Desk::new();
    let tmux = desk.store.outside("bin").join("tmux");
    fs::write(&tmux, "#!/bin/sh\nkill -9 $$\n").expect("written");
    fs::set_permissions(&tmux, fs::Permissions::from_mode(0o755)).expect("set");
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.arg("--all");
    command.env("TMUX", "/no/such/socket,1,0");
    let mut pty = Pty::start(command, 100, 30);
    resume_all(&mut pty);
    assert_eq!(pty.end(), 2);
    pty.wait_for("opened 0 tmux windows");
}

#[test]
fn what_tmux_refuses_is_one_line_of_ours() {
    let desk = Desk::new();
    let bin = desk.store.outside("bin");
    let run = |path: &str, arguments: &[&str]| {
        let mut command = desk.store.command(&desk.shop);
        command.env("PATH", path).env("TMUX", "/no/such/socket,1,0");
        let output = command.args(arguments).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let arguments = ["--tmux", "window", &id(1)];
    // Only `claude` is there.
    let (code, said) = run(&bin.to_string_lossy(), &arguments);
    assert_eq!(code, Some(127), "{said}");
    assert!(
        said.contains("claude-resume: tmux: no such program"),
        "{said}"
    );
    if Command::new("tmux").arg("-V").output().is_err() {
        crate::support::skip("no tmux here");
        return;
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let (code, said) = run(&format!("{}:{path}", bin.display()), &arguments);
    assert_eq!(code, Some(2), "{said}");
    let last = said.lines().last().expect("a line");
    assert!(
        last.starts_with("claude-resume: tmux: error connecting to /no/such/socket")
            && last.contains("nothing was opened"),
        "{said}"
    );
    assert!(!desk.record.exists());
}
