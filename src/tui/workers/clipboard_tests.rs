use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, channel};

use super::{Clipboard, Run};
use crate::store::between_starts;
use crate::tui::clipboard::{
    Clip, ClipboardEnv, Copied, How, Multiplexer, TERMINAL_LIMIT, TerminalCopy, VARIABLES,
};
use crate::tui::message::Message;
use crate::tui::workers::Spawner;

/// A folder with programs that do as they are told.
struct Programs(tempfile::TempDir);

impl Programs {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// What `name` does, as a shell script; its folder is `$here`.
    fn put(&self, name: &str, script: &str) -> &Self {
        let path = self.path(name);
        let here = self.0.path().display();
        let text = format!("#!/bin/sh\nhere='{here}'\n{script}\n");
        // A file that a starting program still has open for writing cannot be run.
        between_starts(|| fs::write(&path, text)).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn env(&self, set: &[&str]) -> ClipboardEnv {
        ClipboardEnv {
            set: VARIABLES
                .into_iter()
                .filter(|name| set.contains(name))
                .collect::<BTreeSet<_>>(),
            search_path: Some(self.0.path().into()),
            ..ClipboardEnv::default()
        }
    }
}

/// Writes down what it gets.
const RECORDS: &str = "cat > \"$here/got\"; echo \"$*\" >> \"$here/calls\"";
const FAILS: &str = "cat > /dev/null; exit 1";
/// Starts something that hangs with it.
const HANGS: &str = "echo $$ >> \"$here/hung\"; sleep 60; true";
const CLOSES: &str = "exec 0<&-; exit 0";

/// More than any program takes that does something, however busy the machine is.
const LONG: Duration = Duration::from_secs(30);
/// For a program that hangs.
const SHORT: Duration = Duration::from_secs(2);

/// Copies a text. Returns what is known, and what the terminal was sent through.
fn copy(env: &ClipboardEnv, text: &str) -> (How, Vec<Multiplexer>) {
    copy_within(LONG, env, text)
}

fn copy_within(limit: Duration, env: &ClipboardEnv, text: &str) -> (How, Vec<Multiplexer>) {
    let clip = Clip::new("the id", text);
    let sent = RefCell::new(Vec::new());
    let run = Run {
        clip: &clip,
        limit,
        end: &OnceLock::new(),
        terminal: &|multiplexer| sent.borrow_mut().push(multiplexer),
    };
    let how = run.all(env);
    (how, sent.into_inner())
}

fn is_alive(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", pid.trim())) else {
        return false;
    };
    !stat.contains(") Z ")
}

#[test]
fn a_program_that_takes_the_text_proves_it() {
    let programs = Programs::new();
    programs.put("xclip", RECORDS).put("xsel", FAILS);
    let (how, sent) = copy(&programs.env(&["DISPLAY"]), "8c1f\n日本");
    assert_eq!(how.program.as_deref(), Some("xclip"));
    assert_eq!((how.failed.len(), how.terminal), (0, TerminalCopy::Sent));
    assert_eq!(sent, [Multiplexer::None], "for the far end");
    assert_eq!(programs.read("got"), "8c1f\n日本");
    assert_eq!(programs.read("calls"), "-selection clipboard\n");
}

#[test]
fn a_program_that_fails_or_is_absent_leaves_it_to_the_next() {
    let programs = Programs::new();
    programs.put("xclip", FAILS).put("xsel", RECORDS);
    let (how, _) = copy(&programs.env(&["WAYLAND_DISPLAY", "DISPLAY"]), "8c1f");
    assert_eq!(how.program.as_deref(), Some("xsel"));
    assert_eq!(
        how.failed,
        ["wl-copy: not found", "xclip: ended with code 1"]
    );
    assert_eq!(programs.read("got"), "8c1f");
}

#[test]
fn a_program_that_hangs_is_killed_with_what_it_started() {
    let programs = Programs::new();
    programs.put("xclip", HANGS).put("xsel", RECORDS);
    // More than a pipe holds: the text is still being written when the program is killed.
    let text = "x".repeat(TERMINAL_LIMIT * 2);
    let (how, sent) = copy_within(SHORT, &programs.env(&["DISPLAY"]), &text);
    assert_eq!(how.program.as_deref(), Some("xsel"));
    assert_eq!(how.failed, ["xclip: took too long"]);
    assert_eq!((how.terminal, sent.len()), (TerminalCopy::TooLong, 0));
    assert_eq!(programs.read("got"), text);
    let pid = programs.read("hung");
    assert!(!pid.is_empty() && !is_alive(&pid));
    #[cfg(target_os = "linux")]
    assert_eq!(sleepers_of(&pid), 0, "what it started is gone, too");
}

/// How many processes live in the group of a process.
#[cfg(target_os = "linux")]
fn sleepers_of(group: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("listed").flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let is_in_group = |stat: &String| {
        let (_, fields) = stat.rsplit_once(')').expect("fields");
        let fields: Vec<&str> = fields.split_whitespace().collect();
        fields[0] != "Z" && fields[2] == group.trim()
    };
    stats.filter(is_in_group).count()
}

#[test]
fn a_program_that_does_not_read_the_text_proves_nothing() {
    let programs = Programs::new();
    programs.put("xclip", CLOSES);
    // A write to a closed pipe ends nobody.
    let (how, sent) = copy(&programs.env(&["DISPLAY"]), &"x".repeat(70_000));
    assert_eq!(how.program, None);
    assert_eq!(
        how.failed,
        ["xclip: did not read the text", "xsel: not found"]
    );
    assert_eq!(sent, [Multiplexer::None]);
}

#[test]
fn tmux_gets_the_text_once_and_passes_it_on_itself() {
    let programs = Programs::new();
    programs.put("tmux", RECORDS);
    let (how, sent) = copy(&programs.env(&["TMUX"]), "8c1f");
    assert_eq!((how.program.clone(), how.is_in_tmux), (None, true));
    assert_eq!((how.terminal, sent.len()), (TerminalCopy::Sent, 0));
    assert_eq!(programs.read("calls"), "load-buffer -w -\n");
    // What is too long for the terminal is for its buffer only.
    let (how, sent) = copy(&programs.env(&["TMUX"]), &"x".repeat(TERMINAL_LIMIT + 1));
    assert!(how.is_in_tmux && how.terminal == TerminalCopy::TooLong && sent.is_empty());
    assert_eq!(programs.read("calls"), "load-buffer -w -\nload-buffer -\n");
}

#[test]
fn an_old_tmux_has_its_buffer_and_passes_on_what_is_wrapped() {
    let programs = Programs::new();
    programs.put(
        "tmux",
        &format!("case \"$*\" in *-w*) echo 'unknown option -- w' >&2; exit 1;; esac\n{RECORDS}"),
    );
    let (how, sent) = copy(&programs.env(&["TMUX"]), "8c1f");
    assert!(how.is_in_tmux && how.terminal == TerminalCopy::Sent);
    assert_eq!(
        (programs.read("got").as_str(), how.failed.len()),
        ("8c1f", 0)
    );
    assert_eq!(sent, [Multiplexer::Tmux]);
}

#[test]
fn a_tmux_that_takes_nothing_is_written_through_without_hope() {
    let programs = Programs::new();
    for failure in ["tmux: not found", "tmux: ended with code 1"] {
        let (how, sent) = copy(&programs.env(&["TMUX", "SSH_TTY"]), "8c1f");
        assert_eq!(how.terminal, TerminalCopy::SentBlindly);
        assert_eq!(
            (how.failed, sent),
            (vec![failure.to_owned()], vec![Multiplexer::Tmux])
        );
        programs.put("tmux", FAILS);
    }
}

#[test]
fn who_wants_the_terminal_alone_gets_it_through_tmux_without_a_claim() {
    let programs = Programs::new();
    programs.put("tmux", RECORDS);
    let mut env = programs.env(&["TMUX"]);
    env.command = Some(Vec::new());
    let (how, sent) = copy(&env, "8c1f");
    assert_eq!(how.terminal, TerminalCopy::SentAsConfigured);
    assert_eq!((sent, how.is_in_tmux), (vec![Multiplexer::Tmux], false));
}

#[test]
fn the_configured_command_is_alone_if_it_works() {
    let programs = Programs::new();
    programs.put("my-copy", RECORDS).put("tmux", RECORDS);
    let command = ["my-copy", "a b", "$HOME;"].map(str::to_owned).to_vec();
    let mut env = programs.env(&["TMUX"]);
    env.command = Some(command);
    let (how, sent) = copy(&env, "8c1f");
    assert_eq!(how.program.as_deref(), Some("my-copy"));
    assert!(!how.is_in_tmux && sent.is_empty());
    assert_eq!(programs.read("calls"), "a b $HOME;\n", "no shell");
    programs.put("my-copy", FAILS);
    let (how, _) = copy(&env, "8c1f");
    assert_eq!(
        how.configured.as_deref(),
        Some("my-copy: ended with code 1")
    );
    assert!(how.is_in_tmux && how.failed.is_empty());
}

#[test]
fn windows_gets_utf_16() {
    let programs = Programs::new();
    programs.put("clip.exe", RECORDS);
    let (how, _) = copy(&programs.env(&["WSL_INTEROP"]), "aß💡");
    assert_eq!(how.program.as_deref(), Some("clip.exe"));
    let got = fs::read(programs.path("got")).expect("written");
    assert_eq!(got, [0x61, 0, 0xdf, 0, 0x3d, 0xd8, 0xa1, 0xdc]);
}

/// A clipboard, what it tells, and the runtime that it works on.
fn clipboard(
    limit: Duration,
    env: ClipboardEnv,
) -> (tokio::runtime::Runtime, Clipboard, Receiver<Message>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    let (sender, inbox) = channel(8);
    let spawner = Spawner::new(runtime.handle().clone(), sender);
    let clipboard = Clipboard::with_limit(env, spawner, limit);
    (runtime, clipboard, inbox)
}

/// The next copy that is over.
fn copied(inbox: &mut Receiver<Message>) -> Copied {
    loop {
        match inbox.blocking_recv() {
            Some(Message::Copied(copied)) => return copied,
            Some(_) => {}
            None => panic!("nothing more is told"),
        }
    }
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed().as_secs() < 30, "{}", path.display());
        std::thread::yield_now();
    }
}

#[test]
fn copies_are_done_one_by_one_and_of_those_that_wait_only_the_latest() {
    let programs = Programs::new();
    // Waits until it may go on.
    programs.put(
        "xclip",
        &format!(
            "touch \"$here/began\"; while ! test -e \"$here/go\"; do sleep 0.01; done; {RECORDS}"
        ),
    );
    let (_runtime, clipboard, mut inbox) = clipboard(LONG, programs.env(&["DISPLAY"]));
    assert!(!clipboard.is_working());
    clipboard.send(Clip::new("the id", "first"));
    wait_for(&programs.path("began"));
    for text in ["second", "third", "fourth"] {
        clipboard.send(Clip::new("the id", text));
    }
    assert!(clipboard.is_working());
    fs::write(programs.path("go"), "").expect("written");
    let texts = [copied(&mut inbox), copied(&mut inbox)].map(|copied| copied.clip.text);
    assert_eq!(texts, ["first", "fourth"]);
    assert_eq!(programs.read("got"), "fourth");
    let began = Instant::now();
    while clipboard.is_working() {
        assert!(began.elapsed().as_secs() < 30);
        std::thread::yield_now();
    }
    // The next one begins anew.
    clipboard.send(Clip::new("the id", "fifth"));
    assert_eq!(copied(&mut inbox).clip.text, "fifth");
}

#[test]
fn a_clipboard_in_a_hurry_starts_nothing_after_its_second() {
    let programs = Programs::new();
    programs.put("xclip", HANGS).put("xsel", HANGS);
    let (_runtime, clipboard, mut inbox) = clipboard(SHORT, programs.env(&["DISPLAY"]));
    clipboard.hurry();
    clipboard.send(Clip::new("the id", "8c1f"));
    let how = copied(&mut inbox).how;
    assert_eq!(how.failed, ["xclip: took too long", "xsel: took too long"]);
    // Only the first was started, and the terminal got the text nevertheless.
    assert_eq!(how.terminal, TerminalCopy::Sent);
    assert_eq!(programs.read("hung").lines().count(), 1);
    assert!(!is_alive(&programs.read("hung")));
}
