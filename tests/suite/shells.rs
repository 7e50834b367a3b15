//! Lines to paste and shell integration, read by the shells themselves. One that is not here is
//! skipped, and says so.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use crate::counter::fingerprint;
use crate::desk::{Desk, Pty, Untouched};
use crate::support::{Store, conversation, id};

const BINARY: &str = env!("CARGO_BIN_EXE_claude-resume");

/// Names that shells have trouble with.
const NASTY: &[&str] = &[
    "two words",
    "it's",
    "''",
    "say \"hi\"",
    "$HOME and `id` $(id)",
    "back\\slash\\",
    "new\nline",
    "ends in one\n",
    "bang! 100% *?[x] {a,b} ~ #c =d",
    "日本語 ü é 👩‍👩‍👧",
    "\u{1b}]0;evil\u{7}!%\\'",
    "-dash",
    "\u{2018}typographic\u{2019} \u{201c}quotes\u{201d}",
];

fn shell(name: &str) -> Option<PathBuf> {
    let usual = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = usual
        .into_iter()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|path| path.exists());
    if found.is_none() {
        crate::support::skip(&format!("no {name} here"));
    }
    found
}

/// A `claude` that writes down its directory and its arguments, whatever they hold.
fn recording_claude(store: &Store) -> PathBuf {
    let bin = store.outside("bin");
    let record = bin.join("record");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\0' \"$PWD\" \"$CLAUDE_CONFIG_DIR\" \"$@\" > '{}'\nexit 7\n",
        record.display()
    );
    let claude = bin.join("claude");
    fs::write(&claude, script).expect("written");
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).expect("set");
    record
}

fn run(store: &Store, program: &Path, arguments: &[&str]) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let own = Path::new(BINARY).parent().expect("a folder");
    let path = format!(
        "{}:{}:{path}",
        store.outside("bin").display(),
        own.display()
    );
    let before = fingerprint(&store.root());
    let output = Command::new(program)
        .args(arguments)
        .current_dir(store.outside("start"))
        .env_clear()
        .env("PATH", path)
        .env("HOME", store.outside("home"))
        .env("LANG", "C.UTF-8")
        .env("TMPDIR", store.outside("temporary"))
        .env("CLAUDE_CONFIG_DIR", store.root())
        .output()
        .expect("runs");
    assert_eq!(
        before,
        fingerprint(&store.root()),
        "the config directory is untouched"
    );
    output
}

/// Shells that lines are printed for, and what `--shell` calls them.
const PASTING: [(&str, &str); 5] = [
    ("sh", "sh"),
    ("bash", "bash"),
    ("zsh", "zsh"),
    ("fish", "fish"),
    ("pwsh", "powershell"),
];

/// Lets a shell read a line as if it was pasted, and then another one; it ends as the first did.
fn paste(store: &Store, name: &str, shell: &Path, line: &str, then: &str) -> Output {
    match name {
        // It makes one of every other code.
        "pwsh" => {
            let script = format!("{line}; $code=$LASTEXITCODE; {then}; exit $code");
            run(
                store,
                shell,
                &["-NoProfile", "-NonInteractive", "-Command", &script],
            )
        }
        "fish" => {
            let script = format!("{line}; set code $status; {then}; exit $code");
            run(store, shell, &["-c", &script])
        }
        _ => {
            let script = format!("{line}\ncode=$?; {then}; exit $code");
            run(store, shell, &["-c", &script])
        }
    }
}

#[test]
fn a_printed_line_survives_every_shell() {
    for (name, flag) in PASTING {
        let Some(shell) = shell(name) else { continue };
        let store = Store::new();
        let record = recording_claude(&store);
        for (n, nasty) in (1..).zip(NASTY) {
            let directory = store.outside(&format!("work/{nasty}"));
            let cwd = directory.to_str().expect("UTF-8");
            store.session("-p", &id(n), 1, conversation("Go on", cwd));
            let line = run(
                &store,
                Path::new(BINARY),
                &[
                    "--print-command",
                    "--shell",
                    flag,
                    &id(n),
                    "--",
                    "--model",
                    nasty,
                ],
            );
            let line = String::from_utf8(line.stdout).expect("UTF-8");
            let line = line.strip_suffix('\n').expect("a line");
            if !nasty.ends_with('\n') {
                assert!(!line.contains(char::is_control), "{name}: {line:?}");
            }
            let ran = paste(&store, name, &shell, line, "echo over");
            assert_eq!(ran.status.code(), Some(7), "{name}: {line}\n{ran:?}");
            let recorded = fs::read_to_string(&record).expect("claude was called");
            let words: Vec<&str> = recorded.split('\0').collect();
            assert_eq!(words[0], cwd, "{name}: {line}");
            assert_eq!(
                words[2..6],
                ["--resume", &id(n), "--model", nasty],
                "{name}: {line}"
            );
        }
    }
}

#[test]
fn another_config_directory_is_on_the_line() {
    let store = Store::new();
    let record = recording_claude(&store);
    let other = store.outside("it's another");
    let cwd = store.outside("work");
    let folder = other.join("projects/-p");
    fs::create_dir_all(&folder).expect("made");
    let content = conversation("Go on", cwd.to_str().expect("UTF-8"));
    fs::write(folder.join(format!("{}.jsonl", id(1))), content).expect("written");
    for (name, flag) in PASTING {
        let Some(shell) = shell(name) else { continue };
        let root = other.to_str().expect("UTF-8");
        let line = run(
            &store,
            Path::new(BINARY),
            &["--root", root, "--print-command", "--shell", flag, &id(1)],
        );
        let line = String::from_utf8(line.stdout).expect("UTF-8");
        let line = line.trim_end();
        let left = match name {
            "pwsh" => "Write-Output $env:CLAUDE_CONFIG_DIR",
            _ => "echo \"$CLAUDE_CONFIG_DIR\"",
        };
        let ran = paste(&store, name, &shell, line, left);
        assert_eq!(ran.status.code(), Some(7), "{name}: {line}\n{ran:?}");
        // It counts for that command alone.
        let left = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
        assert_eq!(left, store.root().to_string_lossy(), "{name}: {line}");
        let recorded = fs::read_to_string(&record).expect("claude was called");
        assert_eq!(recorded.split('\0').nth(1), Some(root), "{name}");
    }
}

/// How a shell reads our integration.
fn source(name: &str) -> String {
    match name {
        "fish" => "claude-resume init fish | source".to_owned(),
        other => format!("eval \"$(claude-resume init {other})\""),
    }
}

#[test]
fn the_function_leaves_the_shell_where_the_session_is() {
    for name in ["bash", "zsh", "fish"] {
        let Some(shell) = shell(name) else { continue };
        let store = Store::new();
        recording_claude(&store);
        for (n, nasty) in (1..).zip(NASTY) {
            let directory = store.outside(&format!("work/{nasty}"));
            let cwd = directory.to_str().expect("UTF-8");
            store.session("-p", &id(n), 1, conversation("Go on", cwd));
            let code = if name == "fish" { "$status" } else { "$?" };
            let script = format!(
                "{}; cr {}; printf '%s|%s' {code} \"$PWD\"",
                source(name),
                id(n)
            );
            let ran = run(&store, &shell, &["-c", &script]);
            let out = String::from_utf8(ran.stdout).expect("UTF-8");
            assert_eq!(
                out,
                format!("7|{cwd}"),
                "{name}: {}",
                String::from_utf8_lossy(&ran.stderr)
            );
        }
        // Nothing found: the shell stays.
        let script = format!("{}; cr {}; printf '%s' \"$PWD\"", source(name), id(99));
        let ran = run(&store, &shell, &["-c", &script]);
        let start = store.outside("start");
        assert_eq!(
            String::from_utf8_lossy(&ran.stdout),
            start.to_string_lossy(),
            "{name}"
        );
        let left = fs::read_dir(store.outside("temporary")).expect("listed");
        assert_eq!(left.count(), 0, "nothing is left behind");
    }
}

#[test]
fn the_function_stays_where_nothing_was_started_and_keeps_the_code() {
    for name in ["bash", "zsh", "fish"] {
        let Some(shell) = shell(name) else { continue };
        for (claude, code) in [
            // It can be found and not be started.
            ("#!/no/such/interpreter\n", 127),
            // The directory goes away with the session.
            ("#!/bin/sh\nrmdir \"$PWD\"\nexit 7\n", 7),
        ] {
            let store = Store::new();
            recording_claude(&store);
            fs::write(store.outside("bin").join("claude"), claude).expect("written");
            let directory = store.outside("work");
            let cwd = directory.to_str().expect("UTF-8");
            store.session("-p", &id(1), 1, conversation("Go on", cwd));
            let status = if name == "fish" { "$status" } else { "$?" };
            let init = source(name);
            let script = format!("{init}; cr {}; printf '%s|%s' {status} \"$PWD\"", id(1));
            let ran = run(&store, &shell, &["-c", &script]);
            let start = store.outside("start");
            assert_eq!(
                String::from_utf8_lossy(&ran.stdout),
                format!("{code}|{}", start.display()),
                "{name}: {}",
                String::from_utf8_lossy(&ran.stderr)
            );
        }
    }
}

#[test]
fn an_alias_of_the_same_name_gives_way() {
    for name in ["bash", "zsh"] {
        let Some(shell) = shell(name) else { continue };
        let store = Store::new();
        recording_claude(&store);
        let work = store.outside("work");
        let cwd = work.to_str().expect("UTF-8");
        store.session("-p", &id(1), 1, conversation("Go on", cwd));
        let expand = match name {
            "bash" => "shopt -s expand_aliases",
            _ => "setopt aliases",
        };
        // The alias counts from the next line on.
        let script = format!(
            "{expand}\nalias cr='echo an alias'\n{}\ncr {}; printf '%s|%s' $? \"$PWD\"; typeset -f __claude_resume_widget >/dev/null && printf '|widget'",
            source(name),
            id(1)
        );
        let ran = run(&store, &shell, &["-c", &script]);
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        // What is read already keeps the alias; the function is there beside it.
        assert!(out.ends_with("|widget"), "{name}: {out} {ran:?}");
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(
            !err.contains("syntax error") && !err.contains("parse error"),
            "{name}: {err}"
        );
        assert!(out.contains(&format!("7|{cwd}")), "{name}: {out} {err}");
    }
}

/// A conversation with a name.
pub fn titled(title: &str, directory: &Path) -> String {
    let content = conversation(title, directory.to_str().expect("UTF-8"));
    let name = serde_json::json!({"type": "custom-title", "customTitle": title});
    format!("{content}{name}\n")
}

#[test]
fn ids_and_titles_are_completed() {
    let store = Store::new();
    let cwd = store.outside("work");
    store.session("-p", &id(1), 1, titled("Fix the login page", &cwd));
    store.session("-p", &id(2), 2, titled("Rotate the keys", &cwd));
    if let Some(bash) = shell("bash") {
        let mut script = source("bash");
        for word in ["login", "00000002", "--dry"] {
            let asks = format!(
                "; COMP_LINE='claude-resume {word}'; COMP_WORDS=(claude-resume {word}); COMP_CWORD=1; __claude_resume_complete; printf '%s\\n' \"${{COMPREPLY[@]}}\""
            );
            script += &asks;
        }
        let ran = run(&store, &bash, &["-c", &script]);
        let expected = format!("'Fix the login page'\n{}\n--dry-run\n", id(2));
        assert_eq!(String::from_utf8_lossy(&ran.stdout), expected);
    }
    if let Some(fish) = shell("fish") {
        let script = format!(
            "{}; complete -C 'claude-resume login'; complete -C 'cr 00000002'",
            source("fish")
        );
        let ran = run(&store, &fish, &["-c", &script]);
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        let values: Vec<&str> = out
            .lines()
            .filter_map(|line| line.split('\t').next())
            .collect();
        assert!(
            values.contains(&"Fix the login page") || values.contains(&"Fix\\ the\\ login\\ page"),
            "{out}"
        );
        assert!(values.contains(&id(2).as_str()), "{out}");
    }
}

/// An interactive shell with our integration, at a prompt.
pub fn interactive(desk: &Desk, name: &str) -> Option<Pty> {
    let shell = shell(name)?;
    let mut command = desk.command(shell.to_str().expect("UTF-8"));
    let own = Path::new(BINARY).parent().expect("a folder");
    let path = command
        .get_env("PATH")
        .map(|path| path.to_string_lossy().into_owned());
    command.env(
        "PATH",
        format!("{}:{}", own.display(), path.unwrap_or_default()),
    );
    command.cwd(desk.store.outside("start"));
    match name {
        "bash" => command.args(["--norc", "--noprofile", "-i"]),
        "zsh" => command.args(["-f", "-i"]),
        _ => command.args(["--no-config", "-i"]),
    }
    let mut pty = Pty::start(command, 110, 30);
    let prompt = match name {
        "bash" => "PS1='re''ady> '",
        "zsh" => "PS1='re''ady> '; autoload -Uz compinit; compinit -u",
        _ => "function fish_prompt; echo -n 're''ady> '; end; function fish_greeting; end",
    };
    pty.type_text(&format!("{prompt}; {}\r", source(name)));
    pty.wait_for("ready> ");
    Some(pty)
}

/// Does the same in every shell that is here, in all of them at once: each waits for its terminal
/// most of the time. Nothing in the Claude directory may change by it.
fn in_every_shell(act: impl Fn(&str, &Desk, &mut Pty) + Sync) {
    let test = thread::current().name().expect("a test").to_owned();
    thread::scope(|scope| {
        for name in ["bash", "zsh", "fish"] {
            let act = &act;
            let in_shell = move || {
                let desk = Desk::new();
                let _untouched = Untouched::watch(&desk);
                let Some(mut pty) = interactive(&desk, name) else {
                    return;
                };
                act(name, &desk, &mut pty);
                pty.type_text("exit\r");
                pty.end();
            };
            // A skipped shell is noted under the name of the thread.
            let thread = thread::Builder::new().name(test.clone());
            thread.spawn_scoped(scope, in_shell).expect("a thread");
        }
    });
}

/// Types a line until its answer is there: while a shell takes the terminal back, what is typed may
/// be lost.
pub fn until(pty: &mut Pty, line: &str, answer: &str) {
    for _ in 0..20 {
        pty.type_text(line);
        let start = std::time::Instant::now();
        while start.elapsed() < std::time::Duration::from_millis(1500) {
            if let Ok(bytes) = pty
                .output
                .recv_timeout(std::time::Duration::from_millis(50))
            {
                pty.take(&bytes);
            }
            if pty.text().contains(answer) {
                return;
            }
        }
    }
    pty.wait_for(answer);
}

#[test]
fn a_key_opens_the_picker_and_the_choice_is_run() {
    in_every_shell(|name, desk, pty| {
        pty.type_text("\x07");
        pty.wait_for("4 sessions");
        pty.type_text("login");
        pty.wait_for("1 of 4");
        pty.type_text("\r");
        pty.wait("the shell", |screen| {
            !screen.alternate_screen() && screen.contents().contains(&format!("cr {}", id(2)))
        });
        let answer = format!("at:{}", desk.shop.display());
        until(pty, "echo \"at:$PWD\"\r", &answer);
        let recorded = desk.recorded();
        assert_eq!(recorded[2..4], ["--resume", &id(2)], "{name}");
        // Leaving without a choice leaves the line as it was.
        pty.type_text("\x07");
        pty.wait("the picker", vt100::Screen::alternate_screen);
        pty.wait_for("3 sessions");
        pty.type_text("\x03");
        pty.wait("the shell", |screen| !screen.alternate_screen());
        until(pty, "echo 'st''ill here'\r", "still here");
    });
}

#[test]
fn the_keys_work_in_the_manner_of_vi() {
    in_every_shell(|name, _, pty| {
        let vi = match name {
            "bash" => "set -o vi",
            "zsh" => "bindkey -v",
            _ => "fish_vi_key_bindings",
        };
        until(pty, &format!("{vi}; echo 'v''i'\r"), "vi\n");
        // While typing, and while moving.
        for before in ["", "\x1b"] {
            pty.type_text(before);
            pty.settle(std::time::Duration::from_millis(700));
            pty.type_text("\x07");
            pty.wait("the picker", vt100::Screen::alternate_screen);
            pty.wait_for("4 sessions");
            pty.type_text("\x1b");
            pty.wait("the shell", |screen| !screen.alternate_screen());
            pty.settle(std::time::Duration::from_millis(700));
        }
        pty.type_text("\x07");
        pty.wait("the picker", vt100::Screen::alternate_screen);
        pty.wait_for("4 sessions");
        pty.type_text("login");
        pty.wait_for("1 of 4");
        pty.type_text("\r");
        pty.wait("the choice", |screen| {
            !screen.alternate_screen() && screen.contents().contains(&format!("cr {}", id(2)))
        });
        // The next line is typed. Without its configuration fish has no keys for that.
        if name == "fish" {
            pty.wait_for("[I] ready> ");
            pty.child.kill().expect("ended");
        } else {
            until(pty, "echo 'st''ill here'\r", "still here");
        }
    });
}

/// Has the shell put its temporary files into this folder.
fn set_temporary(pty: &mut Pty, folder: &Path) {
    let set = format!("export TMPDIR='{}'; echo 'se''t'\r", folder.display());
    until(pty, &set, "set");
}

#[test]
fn a_session_that_ends_with_an_interrupt_leaves_nothing_but_its_directory() {
    for name in ["bash", "zsh", "fish"] {
        let desk = Desk::new();
        let claude = desk.store.outside("bin").join("claude");
        fs::write(claude, "#!/bin/sh\nkill -INT $$\n").expect("written");
        let temporary = desk.store.outside("temporary");
        let Some(mut pty) = interactive(&desk, name) else {
            continue;
        };
        set_temporary(&mut pty, &temporary);
        pty.type_text(&format!("cr {}\r", id(2)));
        let answer = format!("at:{}", desk.shop.display());
        until(&mut pty, "echo \"at:$PWD\"\r", &answer);
        let left = fs::read_dir(&temporary).expect("listed");
        assert_eq!(left.count(), 0, "{name}: {}", pty.text());
        pty.type_text("exit\r");
        pty.end();
    }
}

#[test]
fn a_session_that_is_put_to_sleep_is_where_the_shell_goes() {
    for name in ["bash", "zsh", "fish"] {
        for end in ["\r", "\x03"] {
            let desk = Desk::new();
            let claude = desk.store.outside("bin").join("claude");
            fs::write(claude, "#!/bin/sh\necho awake\nread line\n").expect("written");
            let temporary = desk.store.outside("temporary");
            let Some(mut pty) = interactive(&desk, name) else {
                continue;
            };
            set_temporary(&mut pty, &temporary);
            pty.type_text(&format!("cr {}\r", id(2)));
            pty.wait_for("awake");
            pty.type_text("\x1a");
            let answer = format!("at:{}", desk.shop.display());
            until(&mut pty, "clear; echo \"at:$PWD\"\r", &answer);
            // What the person does meanwhile stays done.
            let root = desk.store.root();
            let away = format!("clear; cd '{}'; echo \"at:$PWD\"\r", root.display());
            until(&mut pty, &away, &format!("at:{}", root.display()));
            pty.type_text("fg\r");
            pty.settle(std::time::Duration::from_millis(500));
            pty.type_text(end);
            let back = "clear; cd ..; cd -; echo \"at:$PWD\"\r";
            until(&mut pty, back, &format!("at:{}", root.display()));
            let left = fs::read_dir(&temporary).expect("listed");
            assert_eq!(left.count(), 0, "{name}: {}", pty.text());
            pty.type_text("exit\r");
            pty.end();
        }
    }
}

#[test]
fn the_directory_before_is_one_step_back() {
    in_every_shell(|_, desk, pty| {
        pty.type_text(&format!("cr {}\r", id(2)));
        let answer = format!("at:{}", desk.shop.display());
        until(pty, "echo \"at:$PWD\"\r", &answer);
        let answer = format!("back:{}", desk.store.outside("start").display());
        until(pty, "cd -; echo \"back:$PWD\"\r", &answer);
    });
}

#[test]
fn a_fork_that_is_chosen_behind_a_key_is_a_fork() {
    in_every_shell(|name, desk, pty| {
        pty.type_text("\x07");
        pty.wait_for("4 sessions");
        pty.type_text("login");
        pty.wait_for("1 of 4");
        pty.type_text("\x1bg");
        pty.wait("the shell", |screen| {
            let line = format!("cr --fork {}", id(2));
            !screen.alternate_screen() && screen.contents().contains(&line)
        });
        until(pty, "echo 'st''ill here'\r", "still here");
        let recorded = desk.recorded();
        assert_eq!(
            recorded[2..5],
            ["--resume", &id(2), "--fork-session"],
            "{name}"
        );
    });
}

#[test]
fn of_several_marked_sessions_a_key_runs_one_command() {
    in_every_shell(|name, _, pty| {
        pty.type_text("\x07");
        pty.wait_for("4 sessions");
        pty.type_text("\x1bx\x1bx");
        pty.wait_for("2 marked");
        pty.type_text("\r");
        pty.wait_for("the shell opens one session");
        pty.type_text("\x1b");
        pty.wait("no marks", |screen| !screen.contents().contains("✓"));
        pty.type_text("\r");
        pty.wait("the shell", |screen| {
            !screen.alternate_screen() && screen.contents().contains("cr 0000")
        });
        until(pty, "echo 'st''ill here'\r", "still here");
        let text = pty.text();
        // The other id stands on no line of its own, where it would be a command.
        assert!(!text.lines().any(|line| line.starts_with("0000")), "{text}");
        assert!(!text.contains("not found"), "{name}: {text}");
    });
}

/// Completes a line and runs it. What is run prints what it was given.
fn completed(pty: &mut Pty, line: &str, answer: &str) {
    pty.type_text(&format!("{line}\r"));
    pty.wait_for(answer);
    until(pty, "echo 're''st'\r", "rest");
    pty.type_text("clear\r");
    pty.wait("a clear screen", |screen| {
        !screen.contents().contains("rest")
    });
}

#[test]
fn titles_options_and_their_values_are_completed_on_the_line() {
    for name in ["bash", "zsh", "fish"] {
        let desk = Desk::new();
        let content = titled("Chore: tidy up", &desk.shop);
        desk.store.session("-shop", &id(5), 5, content);
        fs::create_dir_all(desk.store.outside("start/inner place")).expect("made");
        let _untouched = Untouched::watch(&desk);
        let Some(mut pty) = interactive(&desk, name) else {
            continue;
        };
        // A colon is a break to bash, and to no other.
        completed(&mut pty, "claude-resume --print Chore:\t", &id(5));
        // What has no name of its own is named by its id.
        completed(&mut pty, "claude-resume --print login\t", &id(2));
        for (line, value) in [
            (
                "claude-resume --dry-run --tmux po\t 00000001",
                "display-popup",
            ),
            (
                "claude-resume --dry-run --tmux=sp\t 00000001",
                "split-window",
            ),
            (
                "claude-resume list --al\t--sort ti\t--include em\t | cat",
                "Rotate",
            ),
            ("cr --dry-run --in inn\t 00000001", "start/inner place"),
            ("cr --dry-run --in=inn\t 00000001", "start/inner place"),
        ] {
            completed(&mut pty, line, value);
        }
        pty.type_text("exit\r");
        pty.end();
    }
}

#[test]
fn what_several_titles_have_in_common_does_not_replace_what_was_typed() {
    for name in ["bash", "zsh", "fish"] {
        let desk = Desk::new();
        for (n, title) in [
            (5, "Mend the roof"),
            (6, "Paint the wall"),
            (7, "Pay the bill"),
        ] {
            desk.store
                .session("-shop", &id(n), 9, titled(title, &desk.shop));
        }
        let Some(mut pty) = interactive(&desk, name) else {
            continue;
        };
        pty.type_text("claude-resume the\t\t");
        pty.wait("a list", |screen| {
            let text = screen.contents();
            ["Mend", "Paint", "Pay"]
                .iter()
                .all(|word| text.contains(word))
        });
        let text = pty.text();
        let line = text
            .lines()
            .find(|line| line.starts_with("ready> claude-resume"));
        let line = line.expect("the line that is typed");
        assert!(line.contains("the"), "{name}: {text}");
        pty.child.kill().expect("ended");
    }
}

#[test]
fn what_was_typed_comes_back_from_the_picker() {
    in_every_shell(|name, desk, pty| {
        pty.type_text("echo half a li");
        pty.wait_for("half a li");
        pty.type_text("\x07");
        pty.wait_for("4 sessions");
        pty.type_text("\x1b");
        pty.wait("the shell", |screen| {
            !screen.alternate_screen() && screen.contents().contains("half a li")
        });
        // The old line is in sight a moment before the shell reads keys again.
        pty.settle(std::time::Duration::from_millis(700));
        pty.type_text("ne\r");
        pty.wait("the whole line", |screen| {
            screen.contents().lines().any(|line| line == "half a line")
        });
        // A session is chosen in the middle of a line.
        pty.type_text("echo the other ha");
        pty.wait_for("the other ha");
        pty.type_text("\x07");
        pty.wait("the picker", vt100::Screen::alternate_screen);
        pty.wait_for("4 sessions");
        pty.type_text("login");
        pty.wait_for("1 of 4");
        pty.type_text("\r");
        let start = std::time::Instant::now();
        while !desk.record.exists() {
            assert!(start.elapsed().as_secs() < 30, "{name}:\n{}", pty.text());
            pty.settle(std::time::Duration::from_millis(50));
        }
        pty.wait("the shell", |screen| !screen.alternate_screen());
        pty.settle(std::time::Duration::from_millis(700));
        if name == "bash" {
            pty.type_text("\x1b[A\x1b[A");
            pty.settle(std::time::Duration::from_millis(300));
        }
        pty.type_text("lf\r");
        pty.wait("the whole line", |screen| {
            screen
                .contents()
                .lines()
                .any(|line| line == "the other half")
        });
    });
}

#[test]
fn a_config_directory_that_is_named_counts_for_every_call() {
    for name in ["bash", "zsh", "fish"] {
        let Some(shell) = shell(name) else { continue };
        let store = Store::new();
        let record = recording_claude(&store);
        let other = store.outside("it's another");
        let cwd = store.outside("work");
        let folder = other.join("projects/-p");
        fs::create_dir_all(&folder).expect("made");
        let content = conversation("Far away", cwd.to_str().expect("UTF-8"));
        fs::write(folder.join(format!("{}.jsonl", id(1))), content).expect("written");
        let call = format!("claude-resume --root \"$OTHER\" init {name}");
        let init = match name {
            "fish" => format!("{call} | source"),
            _ => format!("eval \"$({call})\""),
        };
        let set = match name {
            "fish" => "set -gx OTHER",
            _ => "export OTHER=",
        };
        let root = other.to_str().expect("UTF-8").replace('\'', "'\"'\"'");
        let separator = if name == "fish" { " " } else { "" };
        let script = format!("{set}{separator}'{root}'; {init}; cr {}", id(1));
        let ran = run(&store, &shell, &["-c", &script]);
        let recorded = fs::read_to_string(&record).unwrap_or_default();
        let words: Vec<&str> = recorded.split('\0').collect();
        assert_eq!(
            words.get(1..4),
            Some(&[other.to_str().expect("UTF-8"), "--resume", &id(1)][..]),
            "{name}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
}

#[test]
fn names_and_keys_that_no_shell_takes_are_refused() {
    let store = Store::new();
    for arguments in [
        ["--function", "a b"],
        ["--function", "x;rm"],
        ["--key", "ctrl-\"x"],
        ["--key", "ctrl-i"],
        ["--key", "ctrl-c"],
        ["--key", "alt-g"],
    ] {
        let ran = store.run(&["init", "bash", arguments[0], arguments[1]]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
    }
    let ran = store.run(&["init", "zsh", "--function", "back", "--key", "alt-r"]);
    assert!(
        ran.out.contains("function back {") && ran.out.contains("\"^[r\""),
        "{}",
        ran.out
    );
    let ran = store.run(&["init", "fish", "--key", "none"]);
    assert!(ran.out.contains("test -n \"\""), "{}", ran.out);
}

#[test]
fn a_key_puts_a_prompt_of_the_history_into_the_line() {
    let odd = "it's flaky: \"$HOME\" & `id`";
    for (name, prompt, words) in [
        ("bash", odd, &[odd][..]),
        ("zsh", odd, &[odd]),
        ("fish", odd, &[odd]),
        ("bash", "--flaky: fix it", &["--", "--flaky: fix it"]),
        ("zsh", "--flaky: fix it", &["--", "--flaky: fix it"]),
        ("fish", "--flaky: fix it", &["--", "--flaky: fix it"]),
        ("bash", "flaky:", &["flaky: "]),
        ("zsh", "flaky:", &["flaky: "]),
        ("fish", "flaky:", &["flaky: "]),
    ] {
        let desk = Desk::new();
        let entry = crate::history_command::entry(prompt, 1, &desk.shop, Some(&id(2)));
        crate::history_command::write(&desk.store.root(), &[entry]);
        let Some(mut pty) = interactive(&desk, name) else {
            continue;
        };
        pty.type_text("claude ");
        pty.wait_for("ready> claude");
        pty.type_text("\x1bg");
        pty.wait_for("1 prompt");
        pty.wait_for("still there");
        pty.type_text("\r");
        pty.wait("the shell", |screen| {
            !screen.alternate_screen() && screen.contents().contains("flaky:")
        });
        pty.type_text("\r");
        let start = std::time::Instant::now();
        while !desk.record.exists() {
            assert!(start.elapsed().as_secs() < 30, "{name}:\n{}", pty.text());
            if let Ok(bytes) = pty
                .output
                .recv_timeout(std::time::Duration::from_millis(50))
            {
                pty.take(&bytes);
            }
        }
        until(&mut pty, "echo 'do''ne'\r", "done");
        assert_eq!(desk.recorded()[2..2 + words.len()], *words, "{name}");
        pty.type_text("exit\r");
        pty.end();
    }
}

#[test]
fn bash_keeps_the_quote_that_was_typed() {
    let store = Store::new();
    let cwd = store.outside("work");
    let titles = ["Fix the login page", "Fix $HOME and \"x\"", "Fix it's odd"];
    for (n, title) in (1..).zip(titles) {
        store.session("-p", &id(n), u64::from(n), titled(title, &cwd));
    }
    let offered = |typed: &str| {
        let ran = store.run(&["complete", "--shell", "bash", "--", typed]);
        let value = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        let mut values: Vec<String> = ran.out.lines().map(value).collect();
        values.sort();
        values
    };
    assert_eq!(
        offered("\"Fix"),
        [
            r#"Fix \$HOME and \"x\"""#,
            "Fix it's odd",
            "Fix the login page"
        ]
    );
    assert_eq!(
        offered("'Fix"),
        [
            r#"Fix $HOME and "x""#,
            r"Fix it'\''s odd",
            "Fix the login page"
        ]
    );
}

#[test]
fn a_title_is_offered_only_where_it_leads_to_the_session() {
    let store = Store::new();
    let cwd = store.outside("work");
    let prompt = conversation("Only a prompt", cwd.to_str().expect("UTF-8"));
    store.session("-p", &id(1), 1, prompt);
    store.session("-p", &id(2), 2, titled("Twice", &cwd));
    store.session("-p", &id(3), 3, titled("twice", &cwd));
    store.session("-p", &id(4), 4, titled("Once", &cwd));
    // What would be read as something else.
    let read_otherwise = [
        "-",
        "--demo",
        "list",
        "help",
        "complete",
        "notes.jsonl",
        "https://example.org",
        "8c1f0000",
    ];
    for (n, title) in (5..).zip(read_otherwise) {
        store.session("-p", &id(n), 5, titled(title, &cwd));
    }
    let ran = store.run(&["complete", "--shell", "zsh", "--", ""]);
    let value = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    let mut values: Vec<String> = ran.out.lines().map(value).collect();
    values.sort();
    let mut expected: Vec<String> = (1..=3).chain(5..=12).map(id).collect();
    expected.push("Once".to_owned());
    assert_eq!(values, expected);
}
