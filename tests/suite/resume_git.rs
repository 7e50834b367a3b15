//! Resuming in real git repositories that are there: worktrees, branches, submodules; and what is
//! asked of git, and how.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use claude_resume::resume::{Plan, PlanStep};
use serde_json::json;

use crate::counter::{Counter, path};
use crate::repositories::{
    about, add_tree, ask_branch, command_of, commit, failing_hook, git_that, labels, paste, plan,
    repository, session,
};
use crate::scopes::git;
use crate::support::{assistant, id, lines, user};

const BRANCH: &str = "fix/jwt";
const SWITCH: &str = "Switch to fix/jwt first";

/// A session that was on a branch of a repository that is on `main`, and asks about it.
fn other_branch() -> (Counter, PathBuf) {
    let counter = Counter::new();
    ask_branch(&counter.store);
    let repo = repository(&counter, "shop");
    git(&repo, &["branch", "-q", BRANCH]);
    session(&counter, 1, &repo, BRANCH, None);
    (counter, repo)
}

#[test]
fn a_worktree_that_is_there_is_gone_to() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let tree = repo.join(".worktrees/jwt");
    add_tree(&repo, &tree, BRANCH);
    session(&counter, 1, &repo, BRANCH, Some((&tree, BRANCH)));
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!((ran.code, &*ran.err), (Some(7), ""));
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
}

#[test]
fn what_a_transcript_names_is_never_an_option_of_git() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["branch", "precious"]);
    for (n, tree) in [(1, "-Bprecious"), (2, "trees/jwt")] {
        let tree = Path::new(tree);
        session(&counter, n, &repo, "main", Some((tree, "precious")));
        let shown = plan(&counter, &repo, n);
        assert_eq!(shown["questions"], json!([]), "{tree:?}");
        assert_eq!(shown["cwd"], json!(path(&repo)), "{tree:?}");
    }
    // A directory that is not absolute is none.
    session(&counter, 3, Path::new("-Bprecious"), "main", None);
    let shown = plan(&counter, &repo, 3);
    assert_eq!(shown["cwd"], json!(null));
}

#[test]
fn a_submodule_is_its_own_repository() {
    let counter = Counter::new();
    let library = repository(&counter, "library");
    let outer = repository(&counter, "outer");
    git(
        &outer,
        &["submodule", "add", "-q", path(&library), "vendor/library"],
    );
    let inner = outer.join("vendor/library");
    session(&counter, 1, &inner, "main", None);
    git(&outer, &["switch", "-q", "-c", "other"]);
    let ran = counter.run(&outer, &[&id(1)]);
    assert_eq!((ran.code, &*ran.err), (Some(7), ""));
    assert_eq!(counter.resumed(), Some((id(1), path(&inner).to_owned())));
}

/// Its remote contradicts the pull request of the session.
#[test]
fn another_repository_in_the_place_of_the_old_one_is_told() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let pr =
        json!({"type": "pr-link", "prNumber": 4, "prRepository": "acme/shop", "sessionId": id(1)});
    let content = [
        user("Go on", path(&repo)),
        assistant("Yes.", path(&repo)),
        pr,
    ];
    counter.file(1, &repo, lines(&content));
    for (address, code) in [
        ("git@example.com:acme/blog.git", 2),
        ("https://example.com/ada/shop", 7),
    ] {
        git(&repo, &["remote", "add", "origin", address]);
        let ran = counter.run(&repo, &[&id(1)]);
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        let is_told = ran.err.contains("acme/blog") && ran.err.contains("acme/shop");
        assert_eq!(is_told, code == 2, "{}", ran.err);
        git(&repo, &["remote", "remove", "origin"]);
    }
}

/// What is noted of a session, without a question.
fn note(counter: &Counter, n: u32) -> String {
    let shown = plan(counter, &counter.store.outside("elsewhere"), n);
    assert_eq!(shown["questions"], json!([]), "{shown}");
    shown["warnings"].to_string()
}

#[test]
fn another_branch_is_a_note() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    session(&counter, 1, &repo, BRANCH, None);
    let ends = |text: &str| {
        let said = note(&counter, 1);
        let all = format!("the session was on branch fix/jwt{text}; its directory is on main");
        assert!(said.contains(&all), "{said}");
    };
    ends(", which is gone");
    git(
        &repo,
        &["update-ref", "refs/remotes/origin/fix/jwt", "HEAD"],
    );
    ends(", which exists only as origin/fix/jwt");
    git(&repo, &["branch", "-q", BRANCH]);
    ends("");
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), BRANCH]);
    ends(&format!(", which is checked out in {}", path(&tree)));
    // It goes there with a word, and without one if it was detached then, too.
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("was on branch fix/jwt"), "{}", ran.err);
    git(&repo, &["checkout", "-q", "--detach"]);
    session(&counter, 2, &repo, "HEAD", None);
    assert_eq!(note(&counter, 2), "[]");
    // Nor is a branch said of a directory that never had a repository.
    for (n, branch) in [(3, "HEAD"), (4, ""), (5, ".invalid")] {
        let plain = counter.store.outside("plain");
        session(&counter, n, &plain, branch, None);
        assert_eq!(note(&counter, n), "[]", "{branch}");
    }
    session(&counter, 6, &counter.store.outside("plain"), BRANCH, None);
    let said = note(&counter, 6);
    assert!(said.contains("is not in a repository now"), "{said}");
}

#[test]
fn a_branch_is_switched_only_if_nothing_is_uncommitted() {
    let (counter, repo) = other_branch();
    let shown = plan(&counter, &repo, 1);
    // What is only there to guard the switch is not shown, but run.
    let line = command_of(&shown, SWITCH);
    let command = format!("git -C {} switch fix/jwt && ", path(&repo));
    assert!(line.starts_with(&command), "{line}");
    // A configuration that hides new files hides them from `git status`, not from a switch.
    git(&repo, &["config", "status.showUntrackedFiles", "no"]);
    fs::write(repo.join("new.txt"), "work").expect("written");
    let shown = plan(&counter, &repo, 1);
    let offered = labels(&shown);
    assert!(!offered.contains(&SWITCH.to_owned()), "{offered:?}");
    assert!(about(&shown).contains("1 uncommitted file"), "{shown}");
    // Off a terminal it stays as it is, with a word.
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("was on branch fix/jwt"), "{}", ran.err);
    // Another worktree has it.
    fs::remove_file(repo.join("new.txt")).expect("removed");
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), BRANCH]);
    let shown = plan(&counter, &repo, 1);
    let there = format!("Resume in {}, on fix/jwt", path(&tree));
    assert!(labels(&shown).contains(&there), "{shown}");
}

#[test]
fn a_detached_head_can_be_left() {
    let (counter, repo) = other_branch();
    git(&repo, &["checkout", "-q", "--detach"]);
    let shown = plan(&counter, &repo, 1);
    assert!(about(&shown).contains("no branch ("), "{shown}");
    assert!(labels(&shown).contains(&SWITCH.to_owned()), "{shown}");
}

#[test]
fn a_switch_that_takes_the_directory_away_goes_to_the_top() {
    let (counter, repo) = other_branch();
    commit(&repo, "pkg/a.txt");
    let inside = repo.join("pkg");
    session(&counter, 2, &inside, BRANCH, None);
    // What no commit has stays.
    fs::write(repo.join(".git/info/exclude"), "build\n").expect("written");
    let build = counter.store.outside("shop/build");
    session(&counter, 3, &build, BRANCH, None);
    let elsewhere = counter.store.outside("elsewhere");
    let to_top = format!("{SWITCH} and resume in {}", path(&repo));
    for (n, label, place) in [(2, &*to_top, &repo), (3, SWITCH, &build)] {
        paste(&counter, &command_of(&plan(&counter, &elsewhere, n), label));
        assert_eq!(counter.resumed(), Some((id(n), path(place).to_owned())));
        git(&repo, &["switch", "-q", "main"]);
    }
    // Another worktree has the branch; and then it has the directory, too.
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), BRANCH]);
    for below in ["", "/pkg"] {
        let shown = plan(&counter, &elsewhere, 2);
        let label = format!("Resume in {}{below}, on {BRANCH}", path(&tree));
        assert!(labels(&shown).contains(&label), "{shown}");
        fs::create_dir_all(tree.join("pkg")).expect("made");
    }
}

/// The step that switches, as the plan has it.
fn switch(repo: &Path) -> Plan {
    Plan {
        steps: vec![PlanStep::Switch {
            tree: repo.to_owned(),
            branch: BRANCH.to_owned(),
        }],
        command: vec!["/no/such/claude".to_owned()],
        ..Plan::default()
    }
}

#[test]
fn a_switch_overwrites_nothing_that_is_ignored() {
    let (counter, repo) = other_branch();
    let shown = plan(&counter, &repo, 1);
    assert!(labels(&shown).contains(&SWITCH.to_owned()), "{shown}");
    fs::write(repo.join(".gitignore"), "*.env\n").expect("written");
    git(&repo, &["add", ".gitignore"]);
    git(&repo, &["commit", "-q", "-m", "ignored"]);
    git(&repo, &["switch", "-q", BRANCH]);
    commit(&repo, "keys.env");
    git(&repo, &["switch", "-q", "main"]);
    fs::write(repo.join("keys.env"), "precious").expect("written");
    let said = switch(&repo).start().expect_err("refused").message;
    assert!(said.contains("keys.env"), "{said}");
    assert!(!said.contains("--no-"), "guards are not shown: {said}");
    let kept = fs::read_to_string(repo.join("keys.env")).expect("there");
    assert_eq!(kept, "precious");
}

#[test]
fn what_git_complains_of_is_told_and_what_it_did_anyway() {
    let (_counter, repo) = other_branch();
    let lock = repo.join(".git/index.lock");
    fs::write(&lock, "").expect("written");
    let said = switch(&repo).start().expect_err("refused").message;
    assert!(said.contains("index.lock"), "{said}");
    assert!(!said.contains("is checked out"), "{said}");
    fs::remove_file(&lock).expect("removed");
    failing_hook(&repo);
    let said = switch(&repo).start().expect_err("the hook fails").message;
    assert!(said.contains("no node modules"), "{said}");
    assert!(said.contains("fix/jwt is checked out in "), "{said}");
}

/// A worktree is made once more only while no other has the branch.
#[test]
fn a_step_is_told_by_what_fails_after_it() {
    let (counter, repo) = other_branch();
    let tree = counter.store.outside("trees").join("jwt");
    let plan = Plan {
        steps: vec![PlanStep::AddWorktree {
            repository: repo,
            tree: tree.clone(),
            branch: BRANCH.to_owned(),
            force: false,
        }],
        command: vec!["/no/such/claude".to_owned()],
        ..Plan::default()
    };
    let said = plan.start().expect_err("no such program").message;
    let done = format!("{BRANCH} is checked out in {} now", path(&tree));
    assert!(said.contains(&done), "{said}");
    let said = plan.start().expect_err("refused").message;
    assert!(said.contains("has the branch now"), "{said}");
}

#[test]
fn asking_git_writes_nothing_and_starts_no_program_of_the_repository() {
    let (counter, repo) = other_branch();
    commit(&repo, "a.txt");
    let started = counter.store.outside("bin").join("started");
    let monitor = counter.store.outside("bin").join("monitor");
    let script = format!("#!/bin/sh\ntouch '{}'\nexit 1\n", path(&started));
    fs::write(&monitor, script).expect("written");
    fs::set_permissions(&monitor, fs::Permissions::from_mode(0o755)).expect("set");
    git(&repo, &["config", "core.fsmonitor", path(&monitor)]);
    let before = crate::counter::fingerprint(&repo);
    let shown = plan(&counter, &repo, 1);
    assert!(labels(&shown).contains(&SWITCH.to_owned()), "{shown}");
    assert_eq!(before, crate::counter::fingerprint(&repo));
    assert!(!started.exists());
}

#[test]
fn a_git_that_fails_is_told() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    session(&counter, 1, &repo, BRANCH, None);
    git_that(&counter, "echo 'fatal: dubious ownership' >&2; exit 128");
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let told = "git failed (dubious ownership): the branch was not checked";
    assert_eq!(ran.err.matches(told).count(), 1, "{}", ran.err);
    fs::remove_file(counter.store.outside("bin").join("git")).expect("removed");
    let mut without = counter.command(&repo, &[&id(1)]);
    without.env("PATH", counter.store.outside("bin"));
    let ran = counter.run_command(&mut without);
    assert!(ran.err.contains("no git on the PATH"), "{}", ran.err);
}

/// Nobody waits for it any more, and nobody would end it.
#[test]
fn a_git_that_is_too_slow_is_told_and_ended() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    session(&counter, 1, &repo, BRANCH, None);
    let number = counter.store.outside("bin").join("number");
    git_that(
        &counter,
        &format!("echo $$ >> '{}'; exec sleep 60", path(&number)),
    );
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("(timed out)"), "{}", ran.err);
    let numbers = fs::read_to_string(&number).expect("it was asked");
    for number in numbers.lines() {
        let alive = Command::new("kill").args(["-0", number]).output();
        assert!(
            !alive.expect("kill starts").status.success(),
            "{number} is still there"
        );
    }
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
        "the transcript names {}, but its file belongs to {}",
        path(&new),
        path(&old)
    );
    assert!(ran.err.contains(&told), "{}", ran.err);
}

#[test]
fn a_script_without_its_interpreter_is_known_before_it_is_run() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    session(&counter, 1, &repo, "main", None);
    let claude = counter.store.outside("bin").join("claude");
    for line in ["#!/no/such/node", "#!/usr/bin/env no-such-node"] {
        fs::write(&claude, format!("{line}\n")).expect("written");
        for arguments in [&["--dry-run", &id(1)][..], &["--yes", &id(1)], &[&id(1)]] {
            let ran = counter.run(&repo, arguments);
            assert_eq!(ran.code, Some(127), "{line} {arguments:?}: {}", ran.err);
            let said = format!("{}{}", ran.out, ran.err);
            assert!(
                said.contains("no-such-node") || said.contains("/no/such/node"),
                "{said}"
            );
        }
    }
    for line in ["#!/bin/sh", "#!/usr/bin/env sh", "#!/usr/bin/env -S sh -e"] {
        fs::write(&claude, format!("{line}\nexit 7\n")).expect("written");
        let ran = counter.run(&repo, &[&id(1)]);
        assert_eq!(ran.code, Some(7), "{line}: {}", ran.err);
    }
}
