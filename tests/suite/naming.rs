//! What words on the command line mean: the same to every command that takes a session.

use std::fs;

use serde_json::json;

use crate::counter::{Counter, path};
use crate::scopes::git;
use crate::support::{conversation, id, lines, user};

/// The id that a command prints for a word, and how it ended.
fn shown(counter: &Counter, here: &std::path::Path, word: &str) -> (Option<i32>, String) {
    let ran = counter.run(here, &["show", "--json", word]);
    (ran.code, format!("{}{}", ran.out, ran.err))
}

#[test]
fn what_is_resumed_and_what_is_shown_is_the_same() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let docs = counter.store.outside("docs");
    counter.session(1, &shop, "Shared name");
    counter.session(2, &docs, "shared Name");
    counter.session(3, &docs, "-");
    counter.session(4, &shop, "https://claude.ai/code/session_01AbC");
    let mut old = user("In the morning", path(&shop));
    old["sessionId"] = json!(id(42));
    let name = "2024-11-23-morning-session";
    counter.store.session("-old", name, 5, lines(&[old]));
    for (here, word, n) in [
        // The nearest.
        (&shop, "shared name", 1),
        (&docs, "shared name", 2),
        // The one before the last, whatever is called so.
        (&docs, "-", 2),
        // A title is no address.
        (&docs, "https://claude.ai/code/session_01AbC", 4),
        // A file of an old store, by its name.
        (&docs, name, 42),
    ] {
        let ran = counter.run(here, &[word]);
        assert_eq!(ran.code, Some(7), "{word}: {}", ran.err);
        assert_eq!(counter.resumed().expect("called").0, id(n), "{word}");
        let (code, text) = shown(&counter, here, word);
        assert_eq!(code, Some(0), "{word}: {text}");
        let wanted = if n == 42 { name } else { &id(n) };
        assert!(text.contains(wanted), "{word}: {text}");
    }
    // What would be searched for is told with those that have it.
    let (code, text) = shown(&counter, &docs, "shared");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(&id(1)) && text.contains(&id(2)), "{text}");
    for arguments in [&["-", "shared"][..], &["show", "-", "shared"]] {
        let ran = counter.run(&docs, arguments);
        assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    }
}

#[test]
fn all_that_could_be_meant_are_counted() {
    let counter = Counter::new();
    let docs = counter.store.outside("docs");
    let shop = counter.store.outside("shop");
    for n in 0..4 {
        let place = if n < 2 { &docs } else { &shop };
        counter.session(0x8c1f_0000 + n, place, &format!("Number {n}"));
    }
    // Two are here, so that none is nearer than all others.
    let ran = counter.run(&docs, &["8c1f"]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(
        ran.err.contains("4 session ids begin with it"),
        "{}",
        ran.err
    );
}

#[test]
fn the_newest_of_here_is_not_one_that_went_on_elsewhere() {
    let counter = Counter::new();
    let docs = counter.store.outside("docs");
    let shop = counter.store.outside("shop");
    counter.session(1, &docs, "Stayed");
    counter.session(2, &docs, "Left");
    let folder = claude_resume::paths::project_name(path(&shop));
    let later = conversation("Left", path(&shop));
    counter.store.session(folder.as_str(), &id(2), 9, later);
    let ran = counter.run(&docs, &["-c"]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let stayed = (id(1), path(&docs).to_owned());
    assert_eq!(counter.resumed(), Some(stayed), "{}", ran.err);
    assert!(ran.err.contains("continued in"), "{}", ran.err);
    // An empty file is none, however new it is.
    let empty = counter.store.session(folder.as_str(), &id(2), 9, "");
    let ran = counter.run(&docs, &["-c"]);
    let left = (id(2), path(&docs).to_owned());
    assert_eq!(counter.resumed(), Some(left), "{}", ran.err);
    assert!(!ran.err.contains(path(&empty)), "{}", ran.err);
}

#[test]
fn a_store_that_is_not_there_is_told() {
    let counter = Counter::new();
    let here = counter.store.outside("docs");
    for arguments in [
        &["8c1f0000"][..],
        &["-c"],
        &["some words"],
        &[],
        &["show", "x"],
    ] {
        let mut command = counter.command(&here, arguments);
        command.env("CLAUDE_CONFIG_DIR", "/nope");
        let ran = counter.run_command(&mut command);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains("/nope/projects"),
            "{arguments:?}: {}",
            ran.err
        );
    }
}

#[test]
fn a_transcript_of_another_name_is_shown_and_not_resumed() {
    let counter = Counter::new();
    let docs = counter.store.outside("docs");
    let file = docs.join("kept");
    fs::write(&file, conversation("Kept", path(&docs))).expect("written");
    let ran = counter.run(&docs, &[path(&file)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(ran.err.contains("end in .jsonl"), "{}", ran.err);
    assert_eq!(shown(&counter, &docs, path(&file)).0, Some(0));
}

#[test]
fn the_newest_of_a_repository_is_none_of_another_one_inside() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let inner = shop.join("vendor/other");
    for repository in [&shop, &inner] {
        fs::create_dir_all(repository).expect("made");
        git(repository, &["init", "-q"]);
    }
    counter.session(1, &shop, "Of the shop");
    counter.session(2, &inner, "Of the other one");
    let ran = counter.run(&shop, &["-c"]);
    assert_eq!(counter.resumed().expect("called").0, id(1), "{}", ran.err);
    let ran = counter.run(&inner, &["-c"]);
    assert_eq!(counter.resumed().expect("called").0, id(2), "{}", ran.err);
}
