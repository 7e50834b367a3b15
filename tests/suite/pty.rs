//! The real binary on a real terminal.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::desk::{Desk, PATIENCE, Pty, is_cooked, modes_left_on};
use crate::support::{conversation, id, lines, user};

#[test]
fn a_mode_that_is_left_on_would_be_noticed() {
    assert_eq!(modes_left_on(b"\x1b[?1049h\x1b[?25l\x1b[?1049l"), ["25l"]);
    assert_eq!(modes_left_on(b"\x1b[?1006;2004hx\x1b[?1006l"), ["2004h"]);
    assert_eq!(modes_left_on(b"\x1b[>1u"), ["1 keyboards"]);
    assert_eq!(modes_left_on(b"\x1b[?2026h\x1b[0mx\x1b[?2026l").len(), 0);
}

#[test]
fn type_navigate_and_enter_resumes_in_the_right_place() {
    let desk = Desk::new();
    let mut pty = desk.open(&["--", "--model", "opus"]);
    pty.wait_for("Rotate the keys");
    pty.wait_for("3 sessions");
    pty.type_text("login");
    pty.wait_for("1 of 3");
    pty.type_text("\x7f\x7f\x7f\x7f\x7f");
    pty.wait_for("3 sessions");
    pty.type_text("\x1b[B");
    pty.wait("the second row", |screen| {
        screen.contents().contains("▌ Fix the login page")
    });
    pty.type_text("\r");
    assert_eq!(pty.end(), 0);
    pty.assert_restored();
    let recorded = desk.recorded();
    let root = desk.store.root();
    assert_eq!(recorded[0], desk.shop.to_string_lossy());
    assert_eq!(recorded[1], root.to_string_lossy());
    assert_eq!(recorded[2..6], ["--resume", &id(2), "--model", "opus"]);
    assert!(is_cooked(&recorded[6..]), "{recorded:?}");
}

#[test]
fn the_first_rows_wait_for_no_git_and_stay_when_it_has_answered() {
    let desk = Desk::new();
    crate::scopes::git(&desk.shop, &["init", "-q"]);
    let bin = desk.store.outside("bin");
    let [git, go_on, answered] = ["git", "go-on", "answered"].map(|name| bin.join(name));
    // Waits for a file to appear, then fails: what the files of the repository say must hold.
    let script = format!(
        "#!/bin/sh\nuntil [ -e '{}' ]; do sleep 0.02; done\n: > '{}'\nexit 1\n",
        go_on.display(),
        answered.display()
    );
    fs::write(&git, script).expect("written");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("set");
    let mut pty = desk.open(&[]);
    let near_rows = |screen: &vt100::Screen| {
        let text = screen.contents();
        assert!(!text.contains("In a lost place"), "{text}");
        text.contains("[this repo]") && text.contains("3 sessions")
    };
    pty.wait("the rows of this repository", near_rows);
    fs::write(&go_on, "").expect("written");
    let start = Instant::now();
    while !answered.exists() && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(20));
    }
    pty.settle(Duration::from_millis(300));
    pty.wait("the same rows", near_rows);
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn the_caret_stands_behind_what_was_typed() {
    let desk = Desk::new();
    let mut pty = desk.open(&["login", "page"]);
    pty.wait_for("1 of 3");
    pty.wait("the caret", |screen| screen.cursor_position() == (0, 13));
    assert!(!pty.screen.screen().hide_cursor());
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn esc_goes_back_step_by_step_and_leaves_with_one() {
    let desk = Desk::new();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text("report");
    pty.wait_for("1 of 3");
    pty.type_text("\x1bOP");
    pty.wait_for("Esc back");
    pty.type_text("\x1b");
    pty.wait_for("1 of 3");
    pty.type_text("\x1b");
    pty.wait_for("3 sessions");
    pty.type_text("\x1b");
    assert_eq!(pty.end(), 1);
    pty.assert_restored();
    assert!(!desk.record.exists());
}

#[test]
fn what_is_printed_stands_alone_on_stdout() {
    let desk = Desk::new();
    for (flag, expected) in [
        ("--print", id(1)),
        (
            "--print-command",
            format!("cd {} && claude --resume {}", desk.shop.display(), id(1)),
        ),
    ] {
        let mut command = desk.command("/bin/sh");
        command.args([
            "-c",
            &format!(
                "x=$('{}' {flag} keys); echo; echo \"<$x>\"",
                env!("CARGO_BIN_EXE_claude-resume")
            ),
        ]);
        // Wide enough that the line does not wrap.
        let mut pty = Pty::start(command, 200, 30);
        pty.wait_for("1 of 3");
        pty.type_text("\r");
        pty.wait_for(&format!("<{expected}>"));
        pty.end();
        pty.assert_restored();
    }
}

#[test]
fn a_command_of_a_named_session_is_printed_when_it_is_decided() {
    let desk = Desk::new();
    let mut command = desk.command("/bin/sh");
    command.args([
        "-c",
        &format!(
            "x=$('{}' --print-command {}); echo; echo \"<$x>\"",
            env!("CARGO_BIN_EXE_claude-resume"),
            id(1)
        ),
    ]);
    command.env("CLAUDE_CODE_CHILD_SESSION", "1");
    let mut pty = Pty::start(command, 200, 30);
    pty.wait_for("CLAUDE_CODE_CHILD_SESSION");
    pty.type_text("\r");
    pty.wait_for("PERSISTENCE=1 claude --resume");
    pty.end();
    pty.assert_restored();
}

#[test]
fn a_directory_that_is_gone_is_told_and_nothing_is_run() {
    let desk = Desk::new();
    let mut pty = desk.open(&["--all", "lost"]);
    pty.wait_for("1 of 4");
    pty.type_text("\r");
    pty.wait_for("The session's directory is gone");
    pty.wait_for("/no/such/place");
    pty.type_text("\x1b");
    pty.wait("the list", |screen| !screen.contents().contains("is gone"));
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    assert!(!desk.record.exists());
}

#[test]
fn a_storm_of_resizes_ends_in_a_whole_screen() {
    let desk = Desk::new();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    for n in 0..60_u16 {
        pty.resize(1 + (n * 37) % 300, 1 + (n * 13) % 90);
    }
    for (columns, rows) in [(1, 1), (2, 2), (400, 100), (80, 24)] {
        pty.resize(columns, rows);
        thread::sleep(Duration::from_millis(30));
    }
    pty.type_text("login");
    pty.wait_for("1 of 3");
    pty.wait_for("Fix the login page");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn a_megabyte_of_paste_is_a_query_of_bounded_length() {
    let desk = Desk::new();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    // Written apart from reading: the terminal's buffer is smaller than this.
    let paste = format!("\x1b[200~{}\x1b[201~", "lorem ipsum\n".repeat(90_000));
    let mut input = std::mem::replace(&mut pty.input, Box::new(std::io::sink()));
    let writer = thread::spawn(move || {
        input.write_all(paste.as_bytes()).expect("pasted");
        input
    });
    pty.wait_for("0 of 3");
    pty.input = writer.join().expect("written");
    pty.type_text("\x15");
    pty.wait_for("3 sessions");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn signals_end_it_with_the_terminal_restored() {
    let desk = Desk::new();
    for (signal, code) in [("TERM", 143), ("HUP", 143), ("INT", 130)] {
        let mut pty = desk.open(&[]);
        pty.wait_for("3 sessions");
        let pid = pty.child.process_id().expect("a process");
        let killed = std::process::Command::new("kill")
            .args([&format!("-{signal}"), &pid.to_string()])
            .status();
        assert!(killed.expect("kill runs").success());
        assert_eq!(pty.end(), code, "{signal}");
        pty.assert_restored();
    }
}

/// The earliest moment: the first frame is there, and nothing else is.
#[test]
fn a_signal_at_the_first_frame_finds_the_terminal_restored() {
    let desk = Desk::new();
    for _ in 0..5 {
        let mut pty = desk.open(&[]);
        pty.wait_for("❯");
        let pid = pty.child.process_id().expect("a process").to_string();
        let killed = std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status();
        assert!(killed.expect("kill runs").success());
        assert_eq!(pty.end(), 143);
        pty.assert_restored();
    }
}

#[test]
fn what_follows_ctrl_c_is_not_for_the_picker() {
    let desk = Desk::new();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text("\x03\r");
    assert_eq!(pty.end(), 130);
    assert!(!desk.record.exists());
}

#[test]
fn suspended_it_gives_the_terminal_back_and_takes_it_again() {
    let desk = Desk::new();
    let bash = ["/bin/bash", "/usr/bin/bash"];
    let Some(bash) = bash
        .into_iter()
        .find(|path| fs::exists(path).unwrap_or(false))
    else {
        crate::support::skip("no shell with job control");
        return;
    };
    let mut command = desk.command(bash);
    command.args(["--norc", "--noprofile", "-i"]);
    command.env("PS1", "ready$ ");
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("ready$");
    pty.type_text(&format!("'{}'\n", env!("CARGO_BIN_EXE_claude-resume")));
    pty.wait_for("3 sessions");
    pty.type_text("login");
    pty.wait_for("1 of 3");
    pty.type_text("\x1a");
    pty.wait("the shell", |screen| {
        !screen.alternate_screen() && screen.contents().contains("Stopped")
    });
    pty.type_text("stty -a | tr '\\n' ' '; echo; fg\n");
    pty.wait("the picker", |screen| {
        screen.alternate_screen() && screen.contents().contains("1 of 3")
    });
    let text = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(text.contains(" icanon"), "cooked while stopped");
    pty.type_text("\x7f");
    pty.wait_for("logi ");
    pty.type_text("\x03");
    // What is typed before the shell asks for it may still go to the picker.
    pty.wait("the shell", |screen| {
        !screen.alternate_screen() && screen.contents().trim_end().ends_with("ready$")
    });
    pty.type_text("exit 0\n");
    pty.end();
    pty.assert_restored();
}

#[test]
fn hostile_titles_never_reach_the_terminal() {
    let desk = Desk::new();
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31mred\u{202e}txt\u{1b}[?1049l A\u{301} 👩‍👩‍👧 日本";
    let cwd = desk.shop.to_str().expect("UTF-8");
    let mut first = user(evil, cwd);
    first["gitBranch"] = json!(evil);
    desk.store.session(
        "-shop",
        &id(9),
        90,
        lines(&[
            first,
            json!({"type": "custom-title", "customTitle": evil}),
            json!({"type": "tag", "tag": evil}),
            json!({"type": "last-prompt", "lastPrompt": evil}),
        ]),
    );
    let mut pty = desk.open(&[]);
    pty.wait_for("4 sessions");
    pty.wait_for("日本");
    pty.type_text("\t");
    pty.wait_for("list");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    let bytes = String::from_utf8_lossy(&pty.bytes).into_owned();
    for evil in ["owned", "\x1b[2J", "\u{9b}", "\u{202e}", "\u{7}"] {
        assert!(!bytes.contains(evil), "{evil:?}");
    }
    pty.assert_restored();
}

#[test]
fn what_happens_on_disk_is_shown() {
    let desk = Desk::new();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    let cwd = desk.shop.to_str().expect("UTF-8");
    // Watching begins when the scan is over; what happens just then is found by the next change.
    let mut found = false;
    for attempt in 0..50 {
        let path = desk.store.session(
            "-shop",
            &id(8),
            50 + attempt,
            conversation("Appeared later", cwd),
        );
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(600) && !found {
            if let Ok(bytes) = pty.output.recv_timeout(Duration::from_millis(50)) {
                pty.take(&bytes);
            }
            found = pty.text().contains("Appeared later");
        }
        if found {
            fs::remove_file(path).expect("removed");
            break;
        }
    }
    assert!(found, "{}", pty.text());
    pty.wait_for("3 sessions");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}

#[test]
fn a_bad_configuration_is_told_and_the_defaults_are_used() {
    let desk = Desk::new();
    let folder = desk.store.outside("home/.config/claude-resume");
    fs::write(folder.join("config.toml"), "sort = \"size\"\nscoop = 1\n").expect("written");
    let mut pty = desk.open(&[]);
    pty.wait_for("line 2");
    pty.wait_for("scoop");
    pty.wait_for("3 sessions");
    pty.type_text("\x1bs");
    pty.wait_for("sorted by start");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    // The order is remembered for the next time.
    fs::write(folder.join("config.toml"), "").expect("written");
    let mut pty = desk.open(&[]);
    pty.wait_for("by start");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}

#[test]
fn copying_uses_the_terminals_own_clipboard() {
    let desk = Desk::new();
    let mut pty = desk.open(&["keys"]);
    pty.wait_for("1 of 3");
    pty.type_text("\x1bi");
    pty.wait_for("sent the id to the terminal");
    let bytes = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(
        bytes.contains("\x1b]52;c;MDAwMDAwMDEtMDAwMC00MDAw"),
        "base64 of the id"
    );
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}

#[test]
fn a_dumb_terminal_gets_a_list_and_is_asked_for_a_number() {
    let desk = Desk::new();
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.env("TERM", "dumb");
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("2. Fix the login page");
    pty.wait_for("number (1 to 3");
    pty.type_text("9\n");
    pty.wait_for("not a number from");
    pty.type_text("2\n");
    assert_eq!(pty.end(), 0);
    assert_eq!(desk.recorded()[2..4], ["--resume", &id(2)]);
    assert!(!pty.bytes.contains(&0x1b), "not one escape sequence");
}

#[test]
fn the_list_says_in_words_what_the_picker_says_with_signs() {
    let desk = Desk::new();
    let cwd = desk.shop.to_str().expect("UTF-8").to_owned();
    let waits = lines(&[user("Is anybody there?", &cwd)]);
    desk.store.session("-shop", &id(7), 0, waits);
    let own = conversation("Rotate the keys", &cwd);
    desk.store.session("-shop-copy", &id(1), 9, own);
    desk.store.session("-shop", &id(8), 3, "");
    let marks = desk.store.running(&id(2), "waiting", None).is_some();
    let mut pty = desk.open(&["--plain", "--all"]);
    pty.wait_for("number (1 to 5");
    let text = pty.text();
    let line = |words: &str| {
        let line = text.lines().find(|line| line.contains(words));
        line.expect("listed").to_owned()
    };
    assert!(line("anybody").ends_with("interrupted"), "{text}");
    assert!(line("Rotate").ends_with("1 copy"), "{text}");
    assert!(
        !marks || line("login").ends_with("waiting for you"),
        "{text}"
    );
    assert!(text.contains("1 hidden"), "{text}");
    pty.type_text("\n");
    assert_eq!(pty.end(), 1);
    // A filter that is none must not select everything.
    let mut pty = desk.open(&["--plain", "is:runnning"]);
    assert_eq!(pty.end(), 2);
    assert!(pty.text().contains("runnning"), "{}", pty.text());
}

#[test]
fn the_demo_shows_everything_explains_and_leaves_nothing_behind() {
    let desk = Desk::new();
    let temporary = desk.store.outside("temporary");
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.env("TMPDIR", &temporary);
    command.arg("--demo");
    let mut pty = Pty::start(command, 120, 40);
    pty.wait_for("12 sessions");
    pty.wait_for("waiting for you");
    pty.wait_for("日本語のエラーメッセージを直す");
    pty.wait_for("⑂2");
    assert_eq!(fs::read_dir(&temporary).expect("listed").count(), 1);
    pty.type_text("tag:limits");
    pty.wait_for("1 of 12");
    pty.type_text("\r");
    pty.wait_for("this is the demo; it would run: cd ");
    pty.wait_for("claude --resume");
    pty.type_text("\x1b");
    pty.wait_for("12 sessions");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
    assert_eq!(fs::read_dir(&temporary).expect("listed").count(), 0);
    assert!(!desk.record.exists());
}

#[test]
fn the_demo_as_a_list_leaves_nothing_behind_when_it_is_interrupted() {
    let desk = Desk::new();
    let temporary = desk.store.outside("temporary");
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.env("TMPDIR", &temporary);
    command.args(["--demo", "--plain"]);
    let mut pty = Pty::start(command, 120, 40);
    pty.wait_for("number (1 to 12");
    assert_eq!(fs::read_dir(&temporary).expect("listed").count(), 1);
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    assert_eq!(fs::read_dir(&temporary).expect("listed").count(), 0);
}

/// Set by the test below when it starts this program on a terminal.
const PANIC: &str = "CLAUDE_RESUME_TEST_PANIC";

/// Not a test of its own: the program that the next test runs.
#[test]
#[ignore = "started on a terminal by the test that needs it"]
fn a_program_that_panics_on_a_full_screen() {
    if std::env::var_os(PANIC).is_some() {
        let _screen = claude_resume::tui::Display::open(claude_resume::tui::Switch::On);
        panic!("on purpose");
    }
}

#[test]
fn a_panic_is_told_on_a_terminal_that_is_itself_again() {
    let desk = Desk::new();
    let this = std::env::current_exe().expect("a path");
    let mut command = desk.command("/bin/sh");
    command.env(PANIC, "1");
    let name = "pty::a_program_that_panics_on_a_full_screen";
    let run = format!(
        "'{}' --ignored --exact {name} --nocapture --test-threads=1; stty -a",
        this.display()
    );
    command.args(["-c", &run]);
    let mut pty = Pty::start(command, 120, 60);
    pty.wait_for("on purpose");
    pty.end();
    pty.assert_restored();
    let text = pty.text();
    assert!(
        text.contains("on purpose") && text.contains("panicked"),
        "{text}"
    );
    assert!(
        text.contains(" icanon") && text.contains(" echo "),
        "{text}"
    );
    let bytes = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(bytes.contains("\x1b[?1049h"), "the full screen was there");
}

/// A terminal without bracketed paste: the bytes come as keys, more than one read can hold.
#[test]
fn a_flood_of_keys_does_not_swallow_the_one_that_leaves() {
    let desk = Desk::new();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text(&"x".repeat(6000));
    pty.wait_for("xxxxxxxx");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}
