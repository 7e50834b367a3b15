//! Where a session is resumed if its transcript does not say, and whether it runs.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::counter::{Counter, path};
use crate::repositories::{labels, plan, session};
use crate::support::{assistant, id, lines, user};

/// A transcript that names no directory, filed under one.
fn without_directory(counter: &Counter, n: u32, filed_under: &Path) {
    let entries = [user("Go on", ""), assistant("Yes.", "")].map(|mut entry| {
        let fields = entry.as_object_mut().expect("an object");
        fields.remove("cwd");
        fields.remove("gitBranch");
        entry
    });
    counter.file(n, filed_under, lines(&entries));
}

/// Other sessions of the folder may have been in a directory whose name reads the same.
#[test]
fn the_name_of_a_project_folder_does_not_tell_the_directory() {
    let counter = Counter::new();
    let shop = counter.store.outside("code/shop");
    let elsewhere = counter.store.outside("elsewhere");
    without_directory(&counter, 1, &shop);
    counter.session(2, &shop, "Another one");
    let ran = counter.run(&elsewhere, &[&id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(ran.err.contains("is not recorded"), "{}", ran.err);
}

#[test]
fn who_stands_in_the_directory_needs_no_word() {
    let counter = Counter::new();
    let shop = counter.store.outside("code/shop");
    counter.store.outside("code-shop");
    without_directory(&counter, 1, &shop);
    let ran = counter.run(&shop, &[&id(1)]);
    assert_eq!((ran.code, &*ran.err), (Some(7), ""));
    assert_eq!(counter.resumed(), Some((id(1), path(&shop).to_owned())));
}

#[test]
fn a_directory_that_nothing_tells_is_asked_for() {
    let counter = Counter::new();
    let shop = counter.store.outside("code/shop");
    let elsewhere = counter.store.outside("elsewhere");
    without_directory(&counter, 1, &shop);
    fs::remove_dir(&shop).expect("removed");
    let shown = plan(&counter, &elsewhere, 1);
    let here = format!("Resume in {} (here)", path(&elsewhere));
    assert_eq!(
        labels(&shown),
        [&here, "Choose a directory", "Read it without resuming"]
    );
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    let ran = counter.run(&elsewhere, &[&id(1), "--in", path(&elsewhere)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
}

#[test]
fn a_directory_that_is_gone_is_told_once() {
    let counter = Counter::new();
    let shop = counter.store.outside("code/shop");
    session(&counter, 1, &shop, "main", None);
    fs::remove_dir(&shop).expect("removed");
    let ran = counter.run(
        &counter.store.outside("elsewhere"),
        &["--print-command", &id(1)],
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(ran.err.matches("gone").count(), 1, "{}", ran.err);
}

/// Lets another config directory have the same sessions.
fn share_projects(counter: &Counter, other: &Path) {
    let projects = counter.store.root().join("projects");
    std::os::unix::fs::symlink(projects, other.join("projects")).expect("linked");
}

/// Copies a transcript into another config directory, where it is newer.
fn copy_to(file: &Path, root: &Path) {
    let folder = file.parent().and_then(Path::file_name).expect("a folder");
    let folder = root.join("projects").join(folder);
    fs::create_dir_all(&folder).expect("made");
    fs::copy(file, folder.join(file.file_name().expect("a name"))).expect("copied");
}

/// Two config directories that share their sessions share their transcripts; one that holds a copy
/// does not.
#[test]
fn a_session_runs_where_its_file_is_written() {
    for (shares, code) in [(true, 2), (false, 7)] {
        let counter = Counter::new();
        let shop = counter.store.outside("shop");
        let file = counter.session(1, &shop, "Open elsewhere");
        let Some(pid) = counter.store.running(&id(1), "busy", None) else {
            return;
        };
        let other = counter.store.outside("other");
        let entry = format!("sessions/{pid}.json");
        if shares {
            share_projects(&counter, &other);
        } else {
            copy_to(&file, &other);
        }
        assert!(counter.store.root().join(&entry).exists());
        let mut command: Command = counter.command(&shop, &["--root", path(&other), &id(1)]);
        let ran = counter.run_command(&mut command);
        assert_eq!(ran.code, Some(code), "{shares}: {}", ran.err);
    }
}

/// A list of several config directories marks what resuming would ask about.
#[test]
fn a_copy_of_a_running_session_is_not_marked_as_running() {
    for shares in [true, false] {
        let counter = Counter::new();
        let shop = counter.store.outside("shop");
        let file = counter.session(1, &shop, "Open elsewhere");
        let Some(_) = counter.store.running(&id(1), "busy", None) else {
            return;
        };
        let other = counter.store.outside("other");
        if shares {
            share_projects(&counter, &other);
        } else {
            copy_to(&file, &other);
        }
        // The newer file stands for the session.
        let both = ["--root", path(&other), "list", "--all", "--json"];
        for (list, marked) in [(&both[..], shares), (&both[2..], true)] {
            let ran = counter.run(&shop, list);
            let row = ran.json().into_iter().next().expect("a row");
            assert_eq!(row["live"].is_object(), marked, "{shares} {list:?}: {row}");
        }
    }
}
