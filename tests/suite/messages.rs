//! What is said where something cannot be done: one line that names the place and the next step,
//! and a code.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::counter::{Counter, path};
use crate::support::{Ran, id};

fn counter() -> Counter {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    counter.session(1, &shop, "Rotate the keys");
    counter
}

/// The last line has all of these words, and this is the code. Nothing was run.
fn refused(counter: &Counter, ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}", ran.err);
    let last = ran.err.lines().last().expect("a line");
    assert!(last.starts_with("claude-resume: "), "{}", ran.err);
    for word in words {
        assert!(last.contains(word), "{word}: {}", ran.err);
    }
    assert_eq!(counter.called(), None);
}

fn with_command(counter: &Counter, command: &str, arguments: &[&str]) -> Ran {
    let shop = counter.store.outside("shop");
    let mut run = counter.command(&shop, arguments);
    run.env("CLAUDE_RESUME_COMMAND", command);
    counter.run_command(&mut run)
}

fn configure(counter: &Counter, text: &str) -> std::path::PathBuf {
    let folder = counter.store.outside("home/.config/claude-resume");
    let file = folder.join("config.toml");
    fs::write(&file, text).expect("written");
    file
}

#[test]
fn a_command_that_cannot_be_understood_is_never_another_one() {
    let counter = counter();
    for arguments in [&[&*id(1)][..], &["--dry-run", &id(1)], &["-c"], &["keys"]] {
        let ran = with_command(&counter, "claude \"--model", arguments);
        let words = [
            "CLAUDE_RESUME_COMMAND",
            "quote",
            "correct or unset it",
            "claude \"--model",
        ];
        refused(&counter, &ran, 2, &words);
    }
    let ran = with_command(&counter, "", &[&id(1)]);
    assert_eq!(ran.code, Some(7), "an empty one is none: {}", ran.err);
}

#[test]
fn nor_is_one_in_the_configuration() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let file = configure(
        &counter,
        "sort = \"size\"\n[claude]\ncommand = \"claude '\"\n",
    );
    let ran = counter.run(&shop, &[&id(1)]);
    let words = [
        path(&file),
        "line 3",
        "claude.command",
        "quote",
        "correct or remove it",
    ];
    refused(&counter, &ran, 2, &words);
    // What is not run is not looked at: the environment names another one.
    let ran = with_command(&counter, "claude", &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    // Other mistakes do not keep anybody from their session.
    configure(&counter, "sort = \"sideways\"\n");
    let ran = counter.run(&shop, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("using the defaults"), "{}", ran.err);
}

#[test]
fn a_mistake_elsewhere_in_the_configuration_runs_no_other_command() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let claude = "[claude]\ncommand = \"claude --work\"\n";
    // Every other setting may be wrong.
    let file = configure(&counter, &format!("sort = \"sideways\"\n{claude}"));
    let ran = counter.run(&shop, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("except for [claude]"), "{}", ran.err);
    let arguments = counter.called().expect("called").arguments;
    assert_eq!(arguments, ["--work", "--resume", &id(1)]);
    let shown = counter.run(&shop, &["config"]);
    assert_eq!(shown.code, Some(2), "{}", shown.err);
    assert!(shown.out.contains("\"claude --work\""), "{}", shown.out);
    // Where nobody can say what the file names, nothing is run.
    configure(&counter, &format!("sort =\n{claude}"));
    let ran = counter.run(&shop, &[&id(1)]);
    refused(
        &counter,
        &ran,
        2,
        &[path(&file), "line 1", "correct or remove it"],
    );
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    fs::write(&file, b"# caf\xe9\n").expect("written");
    let ran = counter.run(&shop, &[&id(1)]);
    refused(&counter, &ran, 2, &[path(&file), "cannot be read"]);
}

fn script(file: &Path, text: &str) {
    fs::write(file, text).expect("written");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn a_script_without_its_interpreter_names_it() {
    let counter = counter();
    let odd = counter.store.outside("bin").join("odd");
    for first_line in ["#!/no/such/node --flag\n", "#! /no/such/node\n"] {
        script(&odd, first_line);
        for command in [path(&odd), "odd"] {
            let ran = with_command(&counter, command, &[&id(1)]);
            let words = [path(&odd), "/no/such/node", "CLAUDE_RESUME_COMMAND"];
            refused(&counter, &ran, 127, &words);
        }
    }
}

#[test]
fn the_help_tells_every_exit_code_and_a_mistake_where_to_read_on() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let ran = counter.run(&shop, &["--help"]);
    for code in ["0", "1", "2", "126", "127", "130", "143"] {
        assert!(ran.out.contains(code), "{code}: {}", ran.out);
    }
    for (arguments, wanted) in [
        (&["init", "tcsh"][..], "see claude-resume init --help"),
        (&["list", "--sort", "luck"], "see claude-resume list --help"),
        (&["--tmux", "nowhere"], "see claude-resume --help"),
    ] {
        let ran = counter.run(&shop, arguments);
        refused(&counter, &ran, 2, &[wanted]);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn an_argument_that_is_no_text_is_a_mistake_and_no_crash() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let counter = counter();
    let shop = counter.store.outside("shop");
    let odd = OsStr::from_bytes(b"caf\xe9");
    for (before, mistake, place) in [
        (&[][..], "UTF-8", "see claude-resume --help"),
        (
            &["list", "--sort"],
            "--sort",
            "see claude-resume list --help",
        ),
    ] {
        let mut run = counter.command(&shop, before);
        run.arg(odd);
        let ran = counter.run_command(&mut run);
        refused(&counter, &ran, 2, &[mistake, place]);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn words_before_a_command_are_not_lost() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let ran = counter.run(&shop, &["fix", "list"]);
    refused(&counter, &ran, 2, &["'fix'", "quote"]);
    assert_eq!(ran.out, "");
    let ran = counter.run(&shop, &["the list of keys"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
}

#[test]
fn what_matches_elsewhere_is_counted() {
    let counter = counter();
    counter.session(2, &counter.store.outside("docs"), "Port the report");
    let shop = counter.store.outside("shop");
    let ran = counter.run(&shop, &["report please"]);
    assert!(ran.out.contains("no sessions match:"), "{}", ran.out);
    let ran = counter.run(&shop, &["report"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("1 elsewhere: use --all"), "{}", ran.out);
}
