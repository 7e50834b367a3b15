//! What is judged before a session is resumed, and on what evidence: nothing is offered that git or
//! the disk does not speak for, nothing is written over, and what could not be asked is said.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use claude_resume::resume::{Needs, Plan, Step};
use serde_json::{Value, json};

use crate::counter::{Counter, path};
use crate::repositories::{
    about, add_tree, command_of, commit, failing_hook, labels, paste, plan, repository, session,
};
use crate::scopes::git;
use crate::support::{assistant, id, lines, user};

/// Puts a `git` before the real one.
fn git_that(counter: &Counter, does: &str) {
    let program = counter.store.outside("bin").join("git");
    fs::write(&program, format!("#!/bin/sh\n{does}\n")).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
}

const FOREIGN: &str = "echo \"fatal: detected dubious ownership in repository at '/shop'\" >&2\n\
                       echo 'To add an exception for this directory, call:' >&2; exit 128";

#[test]
fn a_switch_writes_over_nothing_that_is_ignored() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    commit(&repo, ".gitignore");
    fs::write(repo.join(".gitignore"), "*.env\n").expect("written");
    git(&repo, &["commit", "-q", "-a", "-m", "ignored"]);
    git(&repo, &["switch", "-q", "-c", "fix/jwt"]);
    commit(&repo, "keys.env");
    git(&repo, &["switch", "-q", "main"]);
    fs::write(repo.join("keys.env"), "precious").expect("written");
    session(&counter, 1, &repo, "fix/jwt", None);
    let line = command_of(&plan(&counter, &repo, 1), "Switch to fix/jwt first");
    let ran = counter.run_command(Command::new("/bin/sh").args(["-c", &line]));
    assert_ne!(ran.code, Some(0), "{line}");
    let kept = fs::read_to_string(repo.join("keys.env")).expect("there");
    assert_eq!(kept, "precious", "{line}");
}

#[test]
fn what_git_keeps_for_itself_is_no_place_to_go() {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    git(&repo, &["switch", "-q", "-c", "fix/jwt"]);
    let gone = repo.join("sub9");
    session(&counter, 1, &gone, "fix/jwt", None);
    let bare = counter.store.outside("code").join("shop.git");
    git(&repo, &["clone", "-q", "--bare", path(&repo), path(&bare)]);
    session(
        &counter,
        2,
        &counter.store.outside("code").join("store"),
        "fix/jwt",
        None,
    );
    let elsewhere = counter.store.outside("elsewhere");
    let first = format!("Resume in {} (the nearest that is left)", path(&repo));
    assert_eq!(labels(&plan(&counter, &elsewhere, 1))[0], first);
    for n in [1, 2] {
        let offered = labels(&plan(&counter, &elsewhere, n)).join("\n");
        assert!(!offered.contains(".git"), "{offered}");
    }
}

#[test]
fn a_branch_of_the_same_name_is_no_proof_of_a_move() {
    let counter = Counter::new();
    let code = counter.store.outside("code");
    let blog = repository(&counter, "code/blog");
    let elsewhere = counter.store.outside("elsewhere");
    for (n, branch, is_offered) in [(1, "fix/jwt", true), (2, "develop", false)] {
        git(&blog, &["branch", "-q", branch]);
        session(&counter, n, &code.join("shop"), branch, None);
        let offered = labels(&plan(&counter, &elsewhere, n));
        let nearest = format!("Resume in {} (the nearest that is left)", path(&code));
        assert_eq!(offered[0], nearest, "{offered:?}");
        let label = format!("Resume in {} (it has a branch of that name)", path(&blog));
        assert_eq!(offered.contains(&label), is_offered, "{offered:?}");
    }
    // It has sessions of its own: nothing was moved there.
    session(&counter, 3, &blog, "main", None);
    let offered = labels(&plan(&counter, &elsewhere, 1)).join("\n");
    assert!(!offered.contains("/blog"), "{offered}");
}

#[test]
fn a_clone_is_no_tree_that_git_still_knows() {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    let tree = counter.store.outside("code/trees").join("jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let clone = counter.store.outside("code/other").join("jwt");
    git(&repo, &["clone", "-q", path(&repo), path(&clone)]);
    git(&clone, &["branch", "-q", "fix/jwt"]);
    fs::remove_dir_all(&tree).expect("removed");
    let offered = labels(&plan(&counter, &counter.store.outside("elsewhere"), 1)).join("\n");
    assert!(offered.starts_with("Recreate the worktree\n"), "{offered}");
    assert!(!offered.contains(path(&clone)), "{offered}");
}

#[test]
fn a_git_that_fails_is_told_and_what_needs_none_is_offered() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["branch", "-q", "fix/jwt"]);
    session(&counter, 1, &repo, "fix/jwt", None);
    session(&counter, 2, &repo.join("gone"), "fix/jwt", None);
    git_that(&counter, FOREIGN);
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let told = "git could not be asked (detected dubious ownership in repository at '/shop')";
    let unchecked = format!("{told}: branch and changes were not checked");
    assert!(ran.err.contains(&unchecked), "{}", ran.err);
    assert_eq!(ran.err.matches("git could not").count(), 1, "{}", ran.err);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 2);
    assert!(about(&shown).contains(told), "{shown}");
    let nearest = format!("Resume in {} (the nearest that is left)", path(&repo));
    assert!(labels(&shown).contains(&nearest), "{shown}");
}

#[test]
fn a_git_that_is_slow_or_absent_is_told() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    session(&counter, 1, &repo, "fix/jwt", None);
    session(&counter, 2, &repo.join("gone"), "fix/jwt", None);
    let bin = counter.store.outside("bin");
    let without = || {
        let mut command = counter.command(&repo, &[&id(1)]);
        command.env("PATH", &bin);
        counter.run_command(&mut command)
    };
    let ran = without();
    assert!(ran.err.contains("no git on the PATH"), "{}", ran.err);
    git_that(&counter, "exec sleep 5");
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("(no answer in time)"), "{}", ran.err);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 2);
    assert!(about(&shown).contains("(no answer in time)"), "{shown}");
    let nearest = format!("Resume in {} (the nearest that is left)", path(&repo));
    assert!(labels(&shown).contains(&nearest), "{shown}");
}

/// `git worktree remove`, and somebody made the folder again: what is around it is another tree.
#[test]
fn an_empty_directory_in_the_place_of_a_tree_is_filled_again() {
    for (layout, is_listed) in [("shop/.worktrees/e1", false), ("e1", false), ("any", true)] {
        let counter = Counter::new();
        let repo = repository(&counter, "code/shop");
        let tree = counter.store.outside("code").join(layout);
        add_tree(&repo, &tree, "e1");
        session(&counter, 1, &tree, "e1", None);
        if is_listed {
            fs::remove_dir_all(&tree).expect("removed");
        } else {
            git(&repo, &["worktree", "remove", path(&tree)]);
        }
        fs::create_dir_all(&tree).expect("made");
        let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
        let headline = &shown["questions"][0]["headline"];
        assert_eq!(headline, "The directory of this session is empty now");
        let offered = labels(&shown);
        assert_eq!(offered[0], "Recreate the worktree", "{shown}");
        let as_it_is = format!("Resume in {} (as it is)", path(&tree));
        assert!(offered.contains(&as_it_is), "{shown}");
        paste(&counter, &command_of(&shown, "Recreate"));
        assert!(tree.join(".git").exists());
    }
}

/// An empty directory is no lost tree where nothing speaks for that.
#[test]
fn an_empty_directory_of_a_repository_is_one() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let empty = counter.store.outside("shop/build");
    session(&counter, 1, &empty, "main", None);
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!((ran.code, &*ran.err), (Some(7), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn the_directory_is_decided_before_commands_run_there() {
    let counter = Counter::new();
    let gone = counter.store.outside("code").join("shop");
    session(&counter, 1, &gone, "main", None);
    counter.store.running(&id(1), "idle", None);
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    let topics = shown["questions"].as_array().expect("questions").iter();
    let topics: Vec<&Value> = topics.map(|question| &question["topic"]).collect();
    assert_eq!(topics, ["directory", "running"], "{shown}");
    // Off a terminal the second is told, too.
    let ran = counter.run(&elsewhere, &[&id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(ran.err.contains("is gone"), "{}", ran.err);
    assert!(ran.err.contains("open already"), "{}", ran.err);
    // What is asked next shows the directory that was chosen.
    let ran = counter.run(&elsewhere, &[&id(1), "--in", path(&elsewhere)]);
    assert!(!ran.err.contains(path(&gone)), "{}", ran.err);
    let there = format!("cd {} && claude", path(&elsewhere));
    assert!(ran.err.contains(&there), "{}", ran.err);
}

/// Renamed, moved by hand, removed: each time the session was in a directory below.
#[test]
fn a_directory_below_is_gone_to_in_the_new_place() {
    let counter = Counter::new();
    let elsewhere = counter.store.outside("elsewhere");
    let offered = |n| labels(&plan(&counter, &elsewhere, n));
    let repo = repository(&counter, "code/shop");
    commit(&repo, "sub/a.txt");
    let code = counter.store.outside("code");
    let (moved, removed) = (code.join("mva"), code.join("shop-e2"));
    add_tree(&repo, &moved, "e1");
    add_tree(&repo, &removed, "e2");
    session(&counter, 1, &moved.join("sub"), "e1", None);
    session(&counter, 2, &removed.join("sub"), "e2", None);
    session(&counter, 3, &repo.join("sub"), "main", None);
    let now = code.join("mvb");
    fs::rename(&moved, &now).expect("moved");
    let label = format!("Resume in {} (it has the branch)", path(&now.join("sub")));
    assert_eq!(offered(1)[0], label);
    git(&repo, &["worktree", "remove", path(&removed)]);
    let label = format!(
        "Resume in {} (probably its repository)",
        path(&repo.join("sub"))
    );
    assert!(offered(2).contains(&label), "{:?}", offered(2));
    let renamed = counter.store.outside("work").join("shop");
    fs::rename(&repo, &renamed).expect("moved");
    let label = format!(
        "Resume in {} (it may have been moved there)",
        path(&renamed.join("sub"))
    );
    assert_eq!(offered(3)[0], label);
}

#[test]
fn a_branch_that_only_a_remote_has_is_not_called_gone() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(
        &repo,
        &["update-ref", "refs/remotes/origin/fix/jwt", "HEAD"],
    );
    session(&counter, 1, &repo, "fix/jwt", None);
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(
        ran.err.contains("gone, but for origin/fix/jwt"),
        "{}",
        ran.err
    );
    let tree = repo.join(".worktrees/jwt");
    session(&counter, 2, &tree, "fix/jwt", None);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 2);
    assert!(
        about(&shown).contains("gone, but for origin/fix/jwt"),
        "{shown}"
    );
}

#[test]
fn a_session_that_was_moved_and_is_filed_as_before_is_told() {
    let counter = Counter::new();
    let (old, new) = (counter.store.outside("old"), counter.store.outside("new"));
    let moved = json!({"type": "relocated", "relocatedCwd": path(&new), "sessionId": id(1)});
    let all = [
        user("Go on", path(&old)),
        assistant("Yes.", path(&old)),
        moved,
    ];
    counter.file(1, &old, lines(&all));
    let ran = counter.run(&old, &[&id(1)]);
    assert_eq!(counter.resumed(), Some((id(1), path(&old).to_owned())));
    let told = format!(
        "puts the session in {}; it is filed under {}",
        path(&new),
        path(&old)
    );
    assert!(ran.err.contains(&told), "{}", ran.err);
}

fn failed_switch(repo: PathBuf) -> String {
    let words = ["git", "-C", path(&repo), "switch", "-q", "fix/jwt"];
    let plan = Plan {
        steps: vec![Step {
            command: words.map(str::to_owned).to_vec(),
            brings: Some((repo.clone(), "fix/jwt".to_owned())),
            needs: Needs::CleanTree(repo),
        }],
        ..Plan::default()
    };
    plan.start().expect_err("the step fails").message
}

#[test]
fn what_git_complains_of_is_told_and_what_it_did_all_the_same() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["branch", "-q", "fix/jwt"]);
    let lock = repo.join(".git/index.lock");
    fs::write(&lock, "").expect("written");
    let said = failed_switch(repo.clone());
    assert!(
        said.contains("index.lock") && said.contains("File exists"),
        "{said}"
    );
    assert!(!said.contains("all the same"), "{said}");
    fs::remove_file(&lock).expect("removed");
    failing_hook(&repo);
    let said = failed_switch(repo);
    assert!(said.contains("no node modules"), "{said}");
    assert!(
        said.contains("fix/jwt is checked out in ") && said.contains(" all the same"),
        "{said}"
    );
}
