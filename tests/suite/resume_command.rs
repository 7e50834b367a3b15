//! Sessions by name on the command line: which one is meant, how it is handed over.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::counter::{Counter, path};
use crate::support::{assistant, conversation, id, lines, set_modified, user};

/// A counter with two sessions in `shop` and one in `docs`.
fn counter() -> Counter {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let docs = counter.store.outside("docs");
    counter.session(1, &shop, "Rotate the keys");
    counter.session(2, &shop, "Fix the login page");
    counter.session(3, &docs, "Port the report");
    counter
}

fn expect(counter: &Counter, arguments: &[&str], n: u32, directory: &str) {
    let here = counter.store.outside("elsewhere");
    let ran = counter.run(&here, arguments);
    assert_eq!(ran.code, Some(7), "{arguments:?}: {}", ran.err);
    let cwd = path(&counter.store.outside(directory)).to_owned();
    assert_eq!(counter.resumed(), Some((id(n), cwd)), "{arguments:?}");
}

#[test]
fn an_id_its_beginning_and_a_title_lead_to_the_session() {
    let counter = counter();
    expect(&counter, &[&id(2)], 2, "shop");
    expect(&counter, &[&id(2).to_uppercase()], 2, "shop");
    expect(&counter, &["00000003"], 3, "docs");
    expect(&counter, &["fix THE login page"], 2, "shop");
    expect(&counter, &["Fix", "the", "login", "page"], 2, "shop");
    let odd = "8c1f0000-0000-4000-8000-00000000000a";
    let shop = counter.store.outside("shop");
    counter
        .store
        .session("-shop", odd, 9, conversation("Odd", path(&shop)));
    let ran = counter.run(&shop, &["8c1f"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed().expect("called").0, odd);
}

#[test]
fn a_prompt_is_no_title() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    counter.file(4, &shop, conversation("continue", path(&shop)));
    let ran = counter.run(&shop, &["continue"]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    // It is one of those that could be meant.
    assert!(ran.out.contains(&id(4)), "{}", ran.out);
    assert!(ran.err.contains("pass an id"), "{}", ran.err);
    let ran = counter.run(&shop, &["nowhere-to-be-found"]);
    assert_eq!((ran.code, counter.called()), (Some(1), None), "{}", ran.out);
    assert!(ran.out.contains("no sessions match"), "{}", ran.out);
}

#[test]
fn short_words_of_an_ids_letters_are_words_first() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let here = counter.store.outside("elsewhere");
    for (id, title) in [
        ("feed0000-0000-4000-8000-00000000000a", "One"),
        ("20260000-0000-4000-8000-00000000000b", "Two"),
        (
            "cafe0000-0000-4000-8000-00000000000c",
            "The cafe and the feed",
        ),
    ] {
        counter
            .store
            .session("-x", id, 1, conversation(title, path(&shop)));
    }
    // Somebody spoke of a feed: it is searched for.
    for (word, code) in [("feed", 2), ("cafe", 2), ("add", 1)] {
        let ran = counter.run(&here, &[word]);
        assert_eq!(
            (ran.code, counter.called()),
            (Some(code), None),
            "{word}: {}",
            ran.err
        );
    }
    // Nobody spoke of 2026, and one id begins with it.
    let ran = counter.run(&here, &["2026"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(
        counter.resumed().expect("called").0,
        "20260000-0000-4000-8000-00000000000b"
    );
}

#[test]
fn a_file_in_a_store_is_resumed_by_its_id() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let file = counter.session(2, &shop, "Fix the login page");
    expect(&counter, &[path(&file)], 2, "shop");
    // In the store of another config directory: that one is meant.
    let folder = claude_resume::paths::project_name(path(&shop));
    let other = format!("backup/claude/projects/{}", folder.as_str());
    let other = counter.store.outside(&other);
    let copy = other.join(format!("{}.jsonl", id(5)));
    fs::copy(&file, &copy).expect("copied");
    expect(&counter, &[path(&copy)], 5, "shop");
    let root = counter.store.outside("backup/claude");
    assert_eq!(counter.called().expect("called").config_dir, path(&root));
}

#[test]
fn a_folder_called_projects_makes_no_store() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let file = counter.session(2, &shop, "Fix the login page");
    let folder = counter.store.outside("theirs/projects/-x");
    for (n, code) in [(2, 7), (77, 2)] {
        let copy = folder.join(format!("{}.jsonl", id(n)));
        fs::copy(&file, &copy).expect("copied");
        let ran = counter.run(&shop, &["--yes", path(&copy)]);
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        let root = counter.called().map(|call| call.config_dir);
        let theirs = counter.store.outside("theirs");
        assert_ne!(root.as_deref(), Some(path(&theirs)));
    }
}

#[test]
fn a_file_outside_every_store_is_told_as_such() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let inside = counter.session(2, &shop, "Fix the login page");
    let outside = counter
        .store
        .outside("downloads")
        .join(format!("{}.jsonl", id(2)));
    fs::copy(&inside, &outside).expect("copied");
    expect(&counter, &["--yes", path(&outside)], 2, "shop");
    let here = counter.store.outside("elsewhere");
    let ran = counter.run(&here, &[path(&outside)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(
        ran.err.contains("looks the id up in its store"),
        "{}",
        ran.err
    );
    // One that the store does not have would not be found.
    let unknown = counter
        .store
        .outside("downloads")
        .join(format!("{}.jsonl", id(77)));
    fs::copy(&inside, &unknown).expect("copied");
    let ran = counter.run(&here, &[path(&unknown)]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("Claude Code will not find this session"),
        "{}",
        ran.err
    );
    assert_eq!(counter.called(), None);
    let ran = counter.run(&here, &["--yes", path(&unknown)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
}

#[test]
fn files_that_are_none_are_told() {
    let counter = counter();
    let here = counter.store.outside("elsewhere");
    for (name, content) in [("empty.jsonl", ""), ("gone.jsonl", "-")] {
        let file = here.join(name);
        if content.is_empty() {
            fs::write(&file, content).expect("written");
        }
        let ran = counter.run(&here, &[name]);
        assert!(matches!(ran.code, Some(1 | 2)), "{name}");
        assert!(ran.err.contains(name), "{}", ran.err);
        assert_eq!(counter.called(), None);
    }
}

#[test]
fn an_address_is_answered_with_where_it_may_be_opened() {
    let counter = counter();
    let here = counter.store.outside("elsewhere");
    for arguments in [
        &["https://claude.ai/code/session_01AbC"][..],
        &["show", "https://user@evil/"],
    ] {
        let ran = counter.run(&here, arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains("claude --teleport"), "{}", ran.err);
        assert_eq!(counter.called(), None);
    }
}

#[test]
fn the_newest_of_here_or_of_everywhere_goes_on() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    for (arguments, n) in [
        (&["-c"][..], 2),
        (&["--continue"], 2),
        (&["--last", "1"], 2),
        (&["--last", "2"], 1),
        (&["-"], 1),
        (&["-c", "--all"], 3),
    ] {
        let ran = counter.run(&shop, arguments);
        assert_eq!(ran.code, Some(7), "{arguments:?}: {}", ran.err);
        assert_eq!(counter.resumed().expect("called").0, id(n), "{arguments:?}");
    }
    let empty = counter.store.outside("empty");
    let ran = counter.run(&empty, &["-c"]);
    assert_eq!((ran.code, counter.called()), (Some(1), None));
    assert!(ran.err.contains("--all"), "{}", ran.err);
    let ran = counter.run(&shop, &["--last", "9"]);
    assert!(ran.err.contains("only 2 sessions"), "{}", ran.err);
    assert_eq!(counter.run(&shop, &["--last", "0"]).code, Some(2));
}

/// This process stands in for the Claude Code that has a session open.
#[cfg(target_os = "linux")]
fn open(counter: &Counter, n: u32) {
    let pid = counter.store.running(&id(n), "busy", None);
    pid.expect("a process that can be told apart");
}

#[cfg(target_os = "linux")]
#[test]
fn a_running_session_is_never_opened_a_second_time_unasked() {
    let counter = counter();
    open(&counter, 2);
    let shop = counter.store.outside("shop");
    let ran = counter.run(&shop, &["-c"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed().expect("called").0, id(1), "the next one");
    let ran = counter.run(&shop, &[&id(2)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
    assert!(
        ran.err.contains("already open") && ran.err.contains("--fork-session"),
        "{}",
        ran.err
    );
    let ran = counter.run(&shop, &["--yes", &id(2)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let call = counter.called().expect("called");
    assert_eq!(call.arguments, ["--resume", &id(2), "--fork-session"]);
}

/// Whoever runs a printed command is asked nothing any more.
#[cfg(target_os = "linux")]
#[test]
fn no_command_is_printed_that_would_not_be_run() {
    let counter = counter();
    open(&counter, 2);
    let shop = counter.store.outside("shop");
    let ran = counter.run(&shop, &["--print-command", &id(2)]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("already open"), "{}", ran.err);
    let ran = counter.run(&shop, &["--print-command", "--yes", &id(2)]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let expected = format!("claude --resume {} --fork-session\n", id(2));
    assert!(ran.out.ends_with(&expected), "{}", ran.out);
    assert!(ran.err.contains("--yes: Fork: continue"), "{}", ran.err);
    let child = |arguments: &[&str]| {
        let mut command = counter.command(&shop, arguments);
        command.env("CLAUDE_CODE_CHILD_SESSION", "1");
        counter.run_command(&mut command)
    };
    let ran = child(&["--print-command", &id(1)]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    let ran = child(&["--print-command", "--yes", &id(1)]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("PERSISTENCE=1 claude"), "{}", ran.out);
}

#[test]
fn a_command_that_was_named_and_is_not_there_is_named() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let mut command = counter.command(&shop, &[&id(1)]);
    command.env("CLAUDE_RESUME_COMMAND", "/nonexist");
    let ran = counter.run_command(&mut command);
    assert_eq!(ran.code, Some(127), "{}", ran.err);
    assert!(ran.err.contains("/nonexist was not found"), "{}", ran.err);
    assert!(!ran.err.contains("on the PATH"), "{}", ran.err);
}

/// Its own installer leaves the PATH alone, and makes an alias that only the shell knows.
#[test]
fn a_claude_that_only_an_alias_names_is_run_by_its_path() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let nothing = counter.store.outside("nothing");
    let run = |arguments: &[&str]| {
        let mut command = counter.command(&shop, arguments);
        counter.run_command(command.env("PATH", &nothing))
    };
    let ran = run(&[&id(1)]);
    assert_eq!(ran.code, Some(127), "{}", ran.err);
    let said = "Claude Code is neither on the PATH nor in ~/.claude/local";
    assert!(ran.err.contains(said), "{}", ran.err);
    let local = counter.store.outside("home").join(".claude/local");
    fs::create_dir_all(&local).expect("made");
    let claude = local.join("claude");
    fs::copy(counter.store.outside("bin").join("claude"), &claude).expect("copied");
    let ran = run(&[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed().expect("called").0, id(1));
    let ran = run(&["--dry-run", &id(1)]);
    let why = "found in ~/.claude/local: it is not on the PATH";
    assert!(ran.out.contains(why), "{}", ran.out);
    assert!(!ran.out.contains("CLAUDE_RESUME_COMMAND"), "{}", ran.out);
    let ran = run(&["--print-command", &id(1)]);
    let line = format!("{} --resume {}", path(&claude), id(1));
    assert!(ran.out.contains(&line), "{}", ran.out);
    assert!(!ran.err.contains("claude: not on"), "{}", ran.err);
    // A name in the settings means that program alone.
    let mut command = counter.command(&shop, &[&id(1)]);
    command
        .env("PATH", &nothing)
        .env("CLAUDE_RESUME_COMMAND", "claude");
    let ran = counter.run_command(&mut command);
    assert_eq!(ran.code, Some(127), "{}", ran.err);
}

#[test]
fn a_command_is_printed_where_only_the_shell_knows_the_program() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let mut command = counter.command(&shop, &["--print-command", &id(1)]);
    command.env("CLAUDE_RESUME_COMMAND", "my-claude");
    let ran = counter.run_command(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("&& my-claude --resume"), "{}", ran.out);
    assert!(
        ran.err.contains("my-claude: not on the PATH"),
        "{}",
        ran.err
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_that_runs_is_known_by_a_file_outside_too() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let inside = counter.session(2, &shop, "Fix the login page");
    let downloads = counter.store.outside("downloads");
    let outside = downloads.join(format!("{}.jsonl", id(2)));
    fs::copy(&inside, &outside).expect("copied");
    open(&counter, 2);
    let ran = counter.run(&shop, &[path(&outside)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(ran.err.contains("already open"), "{}", ran.err);
}

#[test]
fn several_that_fit_are_listed() {
    let counter = counter();
    let here = counter.store.outside("elsewhere");
    let shop = counter.store.outside("shop");
    let docs = counter.store.outside("docs");
    counter.session(4, &shop, "Port the report");
    let ran = counter.run(&here, &["port the report"]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
    for n in [3, 4] {
        assert!(ran.err.contains(&id(n)), "{}", ran.err);
    }
    // Of those that fit, the one of this project is meant, and the others are named.
    let ran = counter.run(&docs, &["port the report"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed().expect("called").0, id(3));
    let others = format!("others: {} in {}", id(4), path(&shop));
    assert!(
        ran.err.contains("2 sessions have this title"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains(&others), "{}", ran.err);
    for (n, tail) in [(1, "a"), (2, "b")] {
        let id = format!("aaaa111{n}-0000-4000-8000-00000000000{tail}");
        counter
            .store
            .session("-x", &id, n, conversation("Twin", path(&shop)));
    }
    let ran = counter.run(&here, &["aaaa111"]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
    assert!(
        ran.err.contains("2 session ids begin with it"),
        "{}",
        ran.err
    );
}

/// A title that reads like the beginning of another session's id may mean either.
#[test]
fn a_title_like_an_id_is_chosen_by_the_person() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let docs = counter.store.outside("docs");
    let other = "8c1f0000-0000-4000-8000-00000000000a";
    let feed = "feed0000-0000-4000-8000-00000000000b";
    for (id, title) in [(other, "One"), (feed, "Two")] {
        let content = conversation(title, path(&shop));
        counter.store.session("-x", id, 1, content);
    }
    counter.session(1, &docs, "8c1F0000");
    counter.session(2, &docs, "feed");
    counter.session(3, &docs, other);
    counter.session(4, &docs, "f33");
    for (word, n, begun) in [("8c1f0000", 1, other), ("Feed", 2, feed)] {
        // Also where one of them is of this project: they fit in different ways.
        for here in [&shop, &docs] {
            let ran = counter.run(here, &[word]);
            assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
            assert!(
                ran.err.contains("2 sessions have it as their title"),
                "{}",
                ran.err
            );
            for id in [&*id(n), begun] {
                assert!(ran.err.contains(id), "{}", ran.err);
            }
            let ran = counter.run(here, &["show", word]);
            assert_eq!(ran.code, Some(2), "{}", ran.err);
            assert!(ran.err.contains(&id(n)), "{}", ran.err);
        }
    }
    // What is a whole id means that.
    let ran = counter.run(&shop, &[other]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed().expect("called").0, other);
    let ran = counter.run(&shop, &["show", "--json", other]);
    assert!(ran.out.contains("One"), "{}{}", ran.out, ran.err);
    // One session that fits both ways is no two.
    counter.session(0xabcd_0000, &docs, "abcd0000");
    expect(&counter, &["abcd0000"], 0xabcd_0000, "docs");
    // In any large store an id begins with three letters.
    let content = conversation("Three", path(&shop));
    counter
        .store
        .session("-x", "f3300000-0000-4000-8000-00000000000c", 1, content);
    expect(&counter, &["f33"], 4, "docs");
}

/// A name with a slash or the ending of a file is a title where no such file is there.
#[test]
fn a_title_like_a_path_is_a_title_where_there_is_no_file() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let docs = counter.store.outside("docs");
    counter.session(1, &shop, "feat/login");
    counter.session(2, &shop, "read notes.jsonl");
    counter.session(3, &shop, "notes.jsonl");
    expect(&counter, &["feat/login"], 1, "shop");
    expect(&counter, &["read notes.jsonl"], 2, "shop");
    expect(&counter, &["notes.jsonl"], 3, "shop");
    for (title, n) in [("Feat/login", 1), ("notes.jsonl", 3)] {
        let ran = counter.run(&docs, &["show", "--json", title]);
        assert!(ran.out.contains(&id(n)), "{title}: {}{}", ran.out, ran.err);
    }
    // A file that is there comes first, and one that is nowhere is told as one.
    let file = docs.join("feat/login");
    fs::create_dir_all(docs.join("feat")).expect("made");
    fs::write(&file, conversation("From a file", path(&docs))).expect("written");
    let ran = counter.run(&docs, &["show", "feat/login"]);
    assert!(ran.out.contains("From a file"), "{}{}", ran.out, ran.err);
    let ran = counter.run(&docs, &["show", "no/such"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("no/such: no session"), "{}", ran.err);
}

#[test]
fn of_one_id_in_several_folders_the_newest_that_holds_something() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let docs = counter.store.outside("docs");
    let here = counter.store.outside("elsewhere");
    let of = |directory: &Path| conversation("Go on", path(directory));
    counter.store.session("-a", &id(1), 1, of(&shop));
    counter.store.session("-b", &id(1), 2, of(&docs));
    counter.store.session("-c", &id(1), 3, "");
    counter.store.session("-d", &id(1), 4, "\n\n");
    let ran = counter.run(&here, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&docs).to_owned())));
    assert!(
        ran.err.contains("the newest file with this id is resumed"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("-a/"), "the others are named: {}", ran.err);
    // Only empty ones: not found.
    counter.store.session("-e", &id(2), 3, "");
    let ran = counter.run(&here, &[&id(2)]);
    assert_eq!((ran.code, counter.called()), (Some(1), None));
}

#[test]
fn an_id_that_is_no_files_name_is_looked_for_inside() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let mut first = user("Where do we start?", path(&shop));
    first["sessionId"] = json!(id(42));
    let content = lines(&[first, assistant("Here.", path(&shop))]);
    counter
        .store
        .session("-old", "2024-11-23-morning-session", 1, content);
    let here = counter.store.outside("elsewhere");
    let ran = counter.run(&here, &[&id(42)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(42), path(&shop).to_owned())));
    assert!(
        ran.err.contains("Claude Code may not find it"),
        "{}",
        ran.err
    );
    let ran = counter.run(&here, &[&id(43)]);
    assert_eq!((ran.code, counter.called()), (Some(1), None));
    // The beginning of it is enough, also for reading.
    let ran = counter.run(&here, &["0000002a"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(42), path(&shop).to_owned())));
    for wanted in [&*id(42), "0000002a"] {
        let ran = counter.run(&here, &["show", wanted]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains("Where do we start?"), "{}", ran.out);
    }
}

#[test]
fn a_sub_agent_is_not_the_session_that_it_worked_for() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let mut first = user("Look around", path(&shop));
    first["sessionId"] = json!(id(42));
    first["isSidechain"] = json!(true);
    counter
        .store
        .session("-old", "agent-1a2b3c", 1, lines(&[first]));
    for wanted in [&*id(42), "0000002a"] {
        let ran = counter.run(&shop, &[wanted]);
        assert_eq!((ran.code, counter.called()), (Some(1), None), "{}", ran.err);
    }
}

#[test]
fn what_cannot_be_run_is_one_line_and_a_code() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let with = |command: &str| {
        let mut ran = counter.command(&shop, &[&id(1)]);
        ran.env("CLAUDE_RESUME_COMMAND", command);
        counter.run_command(&mut ran)
    };
    let ran = with("no-such-claude --flag");
    assert_eq!(ran.code, Some(127));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(
        ran.err.contains("no-such-claude was not found"),
        "{}",
        ran.err
    );
    let file = shop.join("plain-file");
    fs::write(&file, "").expect("written");
    let ran = with(path(&file));
    assert_eq!(ran.code, Some(126), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    let ran = with(path(&shop));
    assert_eq!(ran.code, Some(126), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    // It is there and says no by itself: a script without an interpreter.
    let script = shop.join("odd");
    fs::write(&script, "#!/no/such/interpreter\n").expect("written");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, executable).expect("set");
    let ran = with(path(&script));
    assert!(matches!(ran.code, Some(126 | 127)), "{:?}", ran.code);
}

#[test]
fn a_tilde_in_the_command_is_the_home_directory() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let own = counter.store.outside("home/own");
    fs::copy(
        counter.store.outside("bin").join("claude"),
        own.join("claude"),
    )
    .expect("copied");
    let folder = counter.store.outside("home/.config/claude-resume");
    let text = "[claude]\ncommand = \"~/own/claude --verbose\"\n";
    fs::write(folder.join("config.toml"), text).expect("written");
    let ran = counter.run(&shop, &["--dry-run", "--json", &id(1)]);
    let plan: serde_json::Value = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!(plan["program"], path(&own.join("claude")), "{}", ran.err);
}

#[test]
fn a_relative_search_path_leads_to_no_program_of_the_project() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let here = counter.store.outside("here");
    let executable: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    for (folder, code) in [(&shop, 66), (&here, 77)] {
        let claude = folder.join("claude");
        fs::write(&claude, format!("#!/bin/sh\nexit {code}\n")).expect("written");
        fs::set_permissions(&claude, executable.clone()).expect("set");
    }
    for first in [".", ""] {
        let mut ran = counter.command(&here, &[&id(1)]);
        let path = std::env::var("PATH").unwrap_or_default();
        ran.env("PATH", format!("{first}:{path}"));
        assert_eq!(counter.run_command(&mut ran).code, Some(77), "{first:?}");
    }
}

#[test]
fn the_command_and_its_arguments_come_from_the_configuration() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let folder = counter.store.outside("home/.config/claude-resume");
    let text = "[claude]\ncommand = \"claude --verbose\"\narguments = [\"--model\", \"opus\"]\n";
    fs::write(folder.join("config.toml"), text).expect("written");
    let ran = counter.run(&shop, &[&id(1), "--fork", "--", "--add-dir", "a b"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(
        counter.called().expect("called").arguments,
        [
            "--verbose",
            "--resume",
            &id(1),
            "--fork-session",
            "--model",
            "opus",
            "--add-dir",
            "a b"
        ]
    );
}

#[test]
fn a_command_by_a_path_is_seen_from_where_the_person_stands() {
    use std::os::unix::fs::PermissionsExt;
    let counter = counter();
    let here = counter.store.outside("");
    // The project of the session has a program of the same name.
    let planted = counter.store.outside("shop/bin").join("claude");
    fs::write(&planted, "#!/bin/sh\nexit 99\n").expect("written");
    fs::set_permissions(&planted, fs::Permissions::from_mode(0o755)).expect("set");
    let mut command = counter.command(&here, &[&id(2)]);
    command.env("CLAUDE_RESUME_COMMAND", "./bin/claude");
    let ran = counter.run_command(&mut command);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed().expect("called").0, id(2));
}

#[test]
fn a_lost_directory_is_decided_before_anything_runs() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let gone = shop.join("gone/deep");
    counter.session(9, &gone, "Lost");
    let ran = counter.run(&shop, &[&id(9)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
    assert!(
        ran.err.contains("is gone") && ran.err.contains("--in"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains(&format!("cd {}", path(&shop))),
        "every choice with its command: {}",
        ran.err
    );
    let ran = counter.run(&shop, &["--yes", &id(9)]);
    assert_eq!(
        (ran.code, counter.called()),
        (Some(2), None),
        "no choice is safe"
    );
    let last = ran
        .err
        .lines()
        .find(|line| line.contains("--yes takes only safe"));
    let last = last.expect("why not");
    assert!(last.contains("--in"), "and what to do: {last}");
    let docs = counter.store.outside("docs");
    let ran = counter.run(&shop, &[&id(9), "--in", path(&docs)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(9), path(&docs).to_owned())));
    let ran = counter.run(&shop, &[&id(9), "--in", "/no/such/place"]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
}

#[test]
fn inside_another_claude_code_nothing_is_lost_unasked() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let inside = |arguments: &[&str]| {
        let mut command = counter.command(&shop, arguments);
        command.env("CLAUDE_CODE_CHILD_SESSION", "1");
        counter.run_command(&mut command)
    };
    let ran = inside(&[&id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None));
    assert!(ran.err.contains("CLAUDE_CODE_CHILD_SESSION"), "{}", ran.err);
    let ran = inside(&["--yes", &id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.called().expect("called").persist, "1");
}

#[test]
fn what_needs_no_decision_passes_with_a_word() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let mut big = assistant("Done.", path(&shop));
    big["message"]["model"] = json!("claude-opus-4-8");
    big["message"]["usage"] = json!({"input_tokens": 150_000, "output_tokens": 10});
    counter.file(1, &shop, lines(&[user("Do it", path(&shop)), big]));
    let ran = counter.run(&shop, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(
        ran.err.contains("large and no longer cached") && ran.err.contains("150k tokens"),
        "{}",
        ran.err
    );
    // A part of it hangs on an entry that is not there.
    let entry = |n: u32, parent: Option<u32>, kind: &str| {
        let mut entry = user(&format!("Prompt {n}"), path(&shop));
        let uuid = |n: u32| format!("{n:08x}-0000-4000-8000-0000000000bb");
        entry["type"] = json!(kind);
        entry["uuid"] = json!(uuid(n));
        entry["parentUuid"] = json!(parent.map(uuid));
        entry
    };
    let mut orphan = entry(2, Some(99), "user");
    orphan["timestamp"] = json!("2099-01-01T00:00:00Z");
    let damaged = lines(&[entry(1, None, "user"), orphan, entry(3, Some(2), "user")]);
    counter.file(2, &shop, damaged);
    let ran = counter.run(&shop, &[&id(2)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(
        ran.err.contains("damaged") && ran.err.contains("Claude will see"),
        "{}",
        ran.err
    );
}

#[test]
fn arguments_that_would_go_wrong_end_it() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    for arguments in [
        &[&*id(1), "--", "--session-id", "x"][..],
        &[&id(1), "--", "--resume-session-at", "x"],
        &[&id(1), "--", "-r", "x"],
        &["-c", "x"],
        &["--json", &id(1)],
        &["--print", "--print-command", &id(1)],
    ] {
        let ran = counter.run(&shop, arguments);
        assert_eq!(
            (ran.code, counter.called()),
            (Some(2), None),
            "{arguments:?}"
        );
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn a_dry_run_says_what_where_and_why() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let ran = counter.run(&shop, &["--dry-run", &id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(0), None));
    let expected = [
        format!("run        claude --resume {}", id(1)),
        format!("in         {}", path(&shop)),
        "because    directory: the session's own directory: its transcript is filed under it"
            .to_owned(),
    ];
    for line in expected {
        assert!(
            ran.out.lines().any(|printed| printed == line),
            "{line}\n{}",
            ran.out
        );
    }
    let gone = shop.join("gone");
    counter.session(9, &gone, "Lost");
    let ran = counter.run(&shop, &["--dry-run", "--json", &id(9), "--", "--ide"]);
    let object: Value = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!(
        object["argv"],
        json!(["claude", "--resume", id(9), "--ide"])
    );
    assert_eq!(object["cwd"], json!(path(&gone)));
    assert_eq!(object["questions"][0]["topic"], "directory");
    let choices = object["questions"][0]["choices"]
        .as_array()
        .expect("a list");
    assert!(
        choices.len() >= 3
            && choices[0]["command"]
                .as_str()
                .is_some_and(|line| line.starts_with("mkdir -p "))
    );
    assert!(
        object["reasons"]
            .as_array()
            .is_some_and(|reasons| !reasons.is_empty())
    );
}

#[test]
fn what_is_printed_comes_with_what_was_found() {
    let counter = counter();
    let here = counter.store.outside("elsewhere");
    fs::remove_dir_all(counter.store.outside("docs")).expect("removed");
    let ran = counter.run(&here, &["--print-command", &id(3)]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    assert!(
        ran.err.contains("The session's directory is gone"),
        "{}",
        ran.err
    );
    let ran = counter.run(&here, &["--dry-run", &id(3)]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("nothing would run"), "{}", ran.err);
    // What was decided is no question any more.
    let ran = counter.run(&here, &["--dry-run", "--json", "--in", path(&here), &id(3)]);
    let told: Value = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!(told["questions"], json!([]), "{told}");
    assert_eq!(told["cwd"], json!(path(&here)));
}

#[test]
fn what_is_printed_is_for_the_shell_that_was_named() {
    let counter = counter();
    let shop = counter.store.outside("it's here");
    counter.session(9, &shop, "Quoted");
    let ran = counter.run(&shop, &["--print", &id(9)]);
    assert_eq!(ran.out, format!("{}\n", id(9)));
    let ran = counter.run(&shop, &["--print-command", "--shell", "powershell", &id(9)]);
    let expected = format!(
        "Set-Location -LiteralPath '{}'; if ($?) {{ claude --resume {} }}\n",
        path(&shop).replace('\'', "''"),
        id(9)
    );
    assert_eq!(ran.out, expected);
}

#[test]
fn a_moved_session_is_resumed_where_it_moved_to() {
    let counter = Counter::new();
    let old = counter.store.outside("old");
    let new = counter.store.outside("new");
    let moved = lines(&[
        user("Go on", path(&old)),
        assistant("Yes.", path(&old)),
        json!({"type": "relocated", "relocatedCwd": path(&new), "sessionId": id(1)}),
    ]);
    counter.file(1, &new, &moved);
    let ran = counter.run(&old, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&new).to_owned())));
    // Filed under the old one, that is where Claude Code looks for it.
    counter.file(2, &old, &moved);
    let ran = counter.run(&new, &[&id(2)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(2), path(&old).to_owned())));
}

#[test]
fn of_several_directories_the_one_that_it_is_filed_under() {
    let counter = Counter::new();
    let (first, own) = (counter.store.outside("first"), counter.store.outside("own"));
    let content = lines(&[user("Go on", path(&first)), assistant("Yes.", path(&own))]);
    let file = counter.file(1, &own, content);
    set_modified(&file, 1_000_000_000);
    let ran = counter.run(&first, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&own).to_owned())));
}

#[test]
fn a_file_that_is_no_transcript_resumes_nothing() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    let history = counter.store.root().join("history.jsonl");
    let entry =
        json!({"display": "Go on", "timestamp": 1, "project": path(&shop), "sessionId": id(1)});
    fs::write(&history, lines(&[entry])).expect("written");
    let ran = counter.run(&shop, &[path(&history)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(ran.err.contains("not a transcript"), "{}", ran.err);
    let agents = shop.join("subagents");
    fs::create_dir(&agents).expect("made");
    let agent = agents.join("agent-a1b2.jsonl");
    let mut said = user("Look", path(&shop));
    said["sessionId"] = json!(id(1));
    fs::write(&agent, lines(&[said])).expect("written");
    let ran = counter.run(&shop, &[path(&agent)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    let told = format!("`claude-resume {}` resumes the session", id(1));
    assert!(ran.err.contains(&told), "{}", ran.err);
}

#[test]
fn what_cannot_be_resumed_is_not() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    for (n, content) in [(1, "\n\n\n"), (2, "\u{1}garbage\n{{{{\n")] {
        counter.file(n, &shop, content);
        for arguments in [&[&*id(n)][..], &["--yes", &id(n)]] {
            let ran = counter.run(&shop, arguments);
            assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
            assert!(
                ran.err.contains("There is nothing to resume"),
                "{}",
                ran.err
            );
        }
    }
    counter.file(3, &shop, "");
    let ran = counter.run(&shop, &[&id(3)]);
    assert_eq!((ran.code, counter.called()), (Some(1), None), "{}", ran.err);
    assert!(ran.err.contains("is empty"), "{}", ran.err);
}

#[test]
fn a_shell_without_a_command_to_quote_for_it_is_a_mistake() {
    let counter = counter();
    let shop = counter.store.outside("shop");
    for arguments in [
        &["--shell", "fish", &*id(1)][..],
        &["--print", "--shell", "sh"],
    ] {
        let ran = counter.run(&shop, arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains("--print"), "{}", ran.err);
        assert_eq!(counter.called(), None);
    }
}
