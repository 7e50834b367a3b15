//! Sessions whose directory is gone, or holds something else: what the transcript, git and the disk
//! say about it, the one guess, and what is offered.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::counter::{Counter, path};
use crate::repositories::{
    about, add_tree, command_of, commit, git_that, labels, paste, plan, repository, session,
};
use crate::scopes::git;
use crate::support::{assistant, id, lines, user};

const BRANCH: &str = "fix/jwt";
const RECREATE: &str = "Recreate the worktree";
const MAKE: &str = "Create the directory again (empty)";

/// How a worktree goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Going {
    /// `git worktree remove`: git forgets it.
    Removed,
    /// `rm -r`: git still lists it.
    Deleted,
}

impl Going {
    fn go(self, repo: &Path, tree: &Path) {
        match self {
            Self::Removed => git(repo, &["worktree", "remove", path(tree)]),
            Self::Deleted => fs::remove_dir_all(tree).expect("removed"),
        }
    }
}

fn headline(plan: &Value) -> &str {
    plan["questions"][0]["headline"].as_str().unwrap_or("")
}

fn offers_to_recreate(plan: &Value) -> bool {
    let labels = labels(plan);
    labels.iter().any(|label| label.starts_with("Recreate"))
}

/// The commit that is checked out.
fn head(repo: &Path) -> String {
    let output = Command::new("git")
        .current_dir(repo)
        .args(["rev-parse", "HEAD"])
        .output();
    let printed = output.expect("git starts").stdout;
    String::from_utf8(printed)
        .expect("a name")
        .trim()
        .to_owned()
}

/// A session in a worktree, with a record of it.
fn session_in(counter: &Counter, n: u32, repo: &Path, tree: &Path, commit: &str) {
    let mut prompt = user("Go on", path(tree));
    prompt["gitBranch"] = json!(BRANCH);
    let state = json!({"type": "worktree-state", "sessionId": id(n), "worktreeSession": {
        "worktreePath": path(tree), "worktreeBranch": BRANCH,
        "originalCwd": path(repo), "originalHeadCommit": commit,
    }});
    let answer = assistant("Yes.", path(tree));
    counter.file(n, tree, lines(&[prompt, answer, state]));
}

/// A repository with a worktree beside it or inside.
fn shop(counter: &Counter, layout: &str) -> (PathBuf, PathBuf) {
    let repo = repository(counter, "code/shop");
    commit(&repo, "src/api/a.txt");
    let tree = counter.store.outside("code").join(layout);
    add_tree(&repo, &tree, BRANCH);
    (repo, tree)
}

#[test]
fn a_recorded_worktree_is_recreated_by_the_command_that_is_shown() {
    for going in [Going::Removed, Going::Deleted] {
        let counter = Counter::new();
        let (repo, tree) = shop(&counter, "shop/.worktrees/jwt");
        session(&counter, 1, &repo, BRANCH, Some((&tree, BRANCH)));
        going.go(&repo, &tree);
        let shown = plan(&counter, &repo, 1);
        assert_eq!(labels(&shown)[0], RECREATE);
        // The safe choice is the repository, unchanged.
        let ran = counter.run(&repo, &["--yes", &id(1)]);
        assert_eq!(ran.code, Some(7), "{}", ran.err);
        assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
        assert!(!tree.exists());
        let line = command_of(&shown, RECREATE);
        assert_eq!(line.contains("--force"), going == Going::Deleted, "{line}");
        let said = about(&shown);
        assert_eq!(
            said.contains("git still lists"),
            going == Going::Deleted,
            "{said}"
        );
        paste(&counter, &line);
        assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
        assert!(tree.join(".git").exists());
    }
}

/// A session that was started in a worktree has no record of it, but git lists it.
#[test]
fn a_worktree_that_git_lists_is_recreated_without_a_record() {
    for layout in ["shop/.claude/worktrees/jwt", "shop-jwt"] {
        let counter = Counter::new();
        let (repo, tree) = shop(&counter, layout);
        session(&counter, 1, &tree.join("src/api"), BRANCH, None);
        session(&counter, 2, &tree.join("build/out"), BRANCH, None);
        Going::Deleted.go(&repo, &tree);
        let elsewhere = counter.store.outside("elsewhere");
        let before = crate::counter::fingerprint(&repo);
        let (shown, other) = (plan(&counter, &elsewhere, 1), plan(&counter, &elsewhere, 2));
        assert_eq!(before, crate::counter::fingerprint(&repo), "only looked at");
        assert_eq!(labels(&shown)[0], RECREATE, "{layout}");
        let said = about(&other);
        assert!(said.contains("branch fix/jwt has no build/out"), "{said}");
        let of = format!("a worktree of {};", path(&repo));
        assert!(about(&shown).contains(&of), "{shown}");
        let main = format!("Resume in {} (same repo", path(&repo.join("src/api")));
        assert!(labels(&shown)[1].starts_with(&main), "{shown}");
        paste(&counter, &command_of(&shown, RECREATE));
        let inside = tree.join("src/api");
        assert_eq!(counter.resumed(), Some((id(1), path(&inside).to_owned())));
        Going::Deleted.go(&repo, &tree);
        paste(&counter, &command_of(&other, RECREATE));
        assert_eq!(counter.resumed(), Some((id(2), path(&tree).to_owned())));
        // Forgotten, nothing names it any more.
        Going::Removed.go(&repo, &tree);
        assert!(!offers_to_recreate(&plan(&counter, &elsewhere, 1)));
    }
}

/// A directory of a worktree that is there, or a worktree that was kept inside another one.
#[test]
fn a_worktree_that_is_there_is_not_recreated() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    session(&counter, 1, &tree.join("src/old"), BRANCH, None);
    let inner = tree.join(".claude/worktrees/x");
    session(&counter, 2, &tree, "x", Some((&inner, "x")));
    git(&repo, &["branch", "-q", "x"]);
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    let nearest = format!("Resume in {} (nearest", path(&tree.join("src")));
    assert!(labels(&shown)[0].starts_with(&nearest), "{shown}");
    let line = command_of(&plan(&counter, &elsewhere, 2), RECREATE);
    assert!(line.contains(&format!("{} x &&", path(&inner))), "{line}");
}

/// A worktree far away is listed by the repository that the person is in.
#[test]
fn the_current_repository_is_asked_for_its_worktrees() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "far/away/jwt");
    session(&counter, 1, &tree, BRANCH, None);
    Going::Deleted.go(&repo, &tree);
    fs::remove_dir_all(counter.store.outside("code/far")).expect("removed");
    assert_eq!(labels(&plan(&counter, &repo, 1))[0], RECREATE);
    let ran = counter.run(&repo, &["--yes", &id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
}

#[test]
fn a_worktree_of_a_bare_repository_is_recreated() {
    let counter = Counter::new();
    let seed = repository(&counter, "seed");
    let project = counter.store.outside("shop");
    let bare = project.join(".bare");
    git(
        &project,
        &["clone", "-q", "--bare", path(&seed), path(&bare)],
    );
    fs::write(project.join(".git"), "gitdir: ./.bare\n").expect("written");
    let tree = project.join("jwt");
    add_tree(&project, &tree, BRANCH);
    session(&counter, 1, &tree, BRANCH, None);
    Going::Deleted.go(&project, &tree);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    paste(&counter, &command_of(&shown, RECREATE));
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
}

#[test]
fn a_worktree_whose_branch_is_gone_or_taken_is_not_recreated() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "jwt");
    session(&counter, 1, &repo, BRANCH, Some((&tree, BRANCH)));
    Going::Removed.go(&repo, &tree);
    let other = counter.store.outside("trees").join("other");
    git(&repo, &["worktree", "add", "-q", path(&other), BRANCH]);
    let shown = plan(&counter, &repo, 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    let there = format!(
        "Resume in {} (the branch is checked out there)",
        path(&other)
    );
    assert!(labels(&shown).contains(&there), "{shown}");
    // A lost worktree on the same branch does not keep it.
    Going::Deleted.go(&repo, &other);
    let line = command_of(&plan(&counter, &repo, 1), RECREATE);
    assert!(line.contains("--force"), "{line}");
    git(&repo, &["worktree", "prune"]);
    git(&repo, &["branch", "-q", "-D", BRANCH]);
    let shown = plan(&counter, &repo, 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    assert!(about(&shown).contains("fix/jwt is gone"), "{shown}");
}

#[test]
fn a_branch_that_one_remote_has_makes_the_worktree_again() {
    let counter = Counter::new();
    let origin = repository(&counter, "origin");
    git(&origin, &["branch", "-q", BRANCH]);
    let repo = counter.store.outside("code").join("shop");
    git(&origin, &["clone", "-q", path(&origin), path(&repo)]);
    let tree = repo.join(".worktrees/jwt");
    session(&counter, 1, &repo, BRANCH, Some((&tree, BRANCH)));
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    let again = "Recreate the worktree from origin/fix/jwt";
    assert_eq!(labels(&shown)[0], again, "{shown}");
    paste(&counter, &command_of(&shown, again));
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
    git(
        &tree,
        &["rev-parse", "--verify", "-q", "fix/jwt@{upstream}"],
    );
    // With two of them git does not choose.
    git(&repo, &["worktree", "remove", path(&tree)]);
    git(&repo, &["branch", "-q", "-D", BRANCH]);
    git(&repo, &["update-ref", "refs/remotes/fork/fix/jwt", "HEAD"]);
    let shown = plan(&counter, &elsewhere, 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    let said = about(&shown);
    assert!(said.contains("fork/fix/jwt and origin/fix/jwt"), "{said}");
}

#[test]
fn a_locked_worktree_is_not_recreated() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "jwt");
    session(&counter, 1, &tree, BRANCH, None);
    let reason = "on the stick in the drawer";
    let lock = ["worktree", "lock", "--reason", reason, path(&tree)];
    git(&repo, &lock);
    Going::Deleted.go(&repo, &tree);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    let said = about(&shown);
    assert!(
        said.contains(reason) && said.contains("git worktree unlock"),
        "{said}"
    );
}

#[test]
fn another_repository_in_the_place_of_a_worktree_is_told() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    session_in(&counter, 1, &repo, &tree, &head(&repo));
    let elsewhere = counter.store.outside("elsewhere");
    let all_agrees = plan(&counter, &elsewhere, 1);
    assert_eq!(all_agrees["questions"], json!([]), "{all_agrees}");
    Going::Removed.go(&repo, &tree);
    let blog = repository(&counter, "blog");
    commit(&blog, "b.txt");
    git(&blog, &["branch", "-q", BRANCH]);
    for kind in ["own", "worktree", "link"] {
        match kind {
            "own" => git(&blog, &["clone", "-q", path(&blog), path(&tree)]),
            "worktree" => git(&blog, &["worktree", "add", "-q", path(&tree), BRANCH]),
            _ => symlink(&blog, &tree).expect("linked"),
        }
        let shown = plan(&counter, &elsewhere, 1);
        let taken = "The session's directory holds another repository now";
        assert_eq!(headline(&shown), taken, "{kind}: {shown}");
        let offered = labels(&shown);
        let main = format!("Resume in {} (same repository", path(&repo));
        assert!(offered[0].starts_with(&main), "{kind}: {offered:?}");
        let as_it_is = format!("Resume in {} (as it is)", path(&tree));
        assert!(offered.contains(&as_it_is), "{kind}: {offered:?}");
        assert!(!offers_to_recreate(&shown), "{kind}: {offered:?}");
        let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
        assert_eq!(ran.code, Some(7), "{}", ran.err);
        assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
        match kind {
            "own" => fs::remove_dir_all(&tree).expect("removed"),
            "worktree" => git(&blog, &["worktree", "remove", path(&tree)]),
            _ => fs::remove_file(&tree).expect("removed"),
        }
    }
    // A clone has the commit that the session began with.
    git(&repo, &["clone", "-q", path(&repo), path(&tree)]);
    git(&tree, &["switch", "-q", BRANCH]);
    let shown = plan(&counter, &elsewhere, 1);
    assert_eq!(shown["questions"], json!([]), "{shown}");
}

#[test]
fn a_directory_without_git_is_no_worktree() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop/.claude/worktrees/f");
    session_in(&counter, 1, &repo, &tree, &head(&repo));
    Going::Removed.go(&repo, &tree);
    fs::create_dir_all(tree.join("node_modules")).expect("made");
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert_eq!(headline(&shown), "The session's worktree is gone");
    assert!(about(&shown).contains("is not a worktree"), "{shown}");
    assert!(!offers_to_recreate(&shown), "{shown}");
    // Git makes one in an empty directory.
    fs::remove_dir(tree.join("node_modules")).expect("removed");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(about(&shown).contains("is empty"), "{shown}");
    paste(&counter, &command_of(&shown, RECREATE));
    assert!(tree.join("src/api/a.txt").exists());
}

#[test]
fn the_repository_that_is_recorded_and_gone_is_no_other() {
    let counter = Counter::new();
    let alpha = repository(&counter, "code/alpha");
    git(&alpha, &["branch", "-q", BRANCH]);
    let gone = counter.store.outside("code").join("shop");
    session_in(&counter, 1, &gone, &gone.join(".claude/worktrees/jwt"), "");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert!(!shown.to_string().contains("alpha"), "{shown}");
}

#[test]
fn a_directory_is_made_again_or_another_is_named() {
    let counter = Counter::new();
    let gone = counter.store.outside("code").join("it's new/src");
    session(&counter, 1, &gone, "main", None);
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert_eq!(headline(&shown), "The session's directory is gone");
    let code = counter.store.outside("code");
    let nearest = format!("Resume in {} (nearest existing directory)", path(&code));
    let here = format!("Resume in {} (here)", path(&elsewhere));
    let offered = [
        MAKE,
        &nearest,
        &here,
        "Choose a directory",
        "Read it without resuming",
    ];
    assert_eq!(labels(&shown), offered);
    let line = command_of(&shown, MAKE);
    assert!(line.starts_with("mkdir -p '"), "{line}");
    paste(&counter, &line);
    assert_eq!(counter.resumed(), Some((id(1), path(&gone).to_owned())));
    // Nothing is made unasked.
    fs::remove_dir_all(&gone).expect("removed");
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    let ran = counter.run(&elsewhere, &[&id(1), "--in", path(&code)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&code).to_owned())));
    assert!(!gone.exists());
}

/// The directory that a guess goes to, and what it goes by.
fn guess(plan: &Value) -> Option<(String, String)> {
    let first = labels(plan).into_iter().next()?;
    let (place, why) = first.split_once(" (a guess: ")?;
    let place = place.strip_prefix("Resume in ")?;
    Some((place.to_owned(), why.trim_end_matches(')').to_owned()))
}

/// A session on a branch, with a pull request.
fn with_pull_request(counter: &Counter, n: u32, cwd: &Path, repository: &str) {
    let mut prompt = user("Go on", path(cwd));
    prompt["gitBranch"] = json!(BRANCH);
    let pr = json!({
        "type": "pr-link", "prNumber": 4, "prRepository": repository, "sessionId": id(n),
    });
    counter.file(n, cwd, lines(&[prompt, pr]));
}

#[test]
fn a_directory_of_the_same_name_and_remote_is_a_guess() {
    let counter = Counter::new();
    let elsewhere = counter.store.outside("elsewhere");
    let repo = repository(&counter, "code/shop");
    commit(&repo, "sub/a.txt");
    let remote = "git@example.com:ada/shop.git";
    git(&repo, &["remote", "add", "origin", remote]);
    with_pull_request(&counter, 1, &repo, "acme/shop");
    with_pull_request(&counter, 2, &repo.join("sub"), "acme/shop");
    with_pull_request(&counter, 3, &repo, "acme/blog");
    for place in ["work", "code/old", ""] {
        let moved = counter.store.outside(place).join("shop");
        fs::rename(&repo, &moved).expect("moved");
        let guessed = |n| guess(&plan(&counter, &elsewhere, n));
        let why = "same name and remote".to_owned();
        assert_eq!(guessed(1), Some((path(&moved).to_owned(), why.clone())));
        assert_eq!(guessed(2), Some((path(&moved.join("sub")).to_owned(), why)));
        assert_eq!(guessed(3), None, "its remote is another");
        // --yes takes no guess.
        let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
        assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
        fs::rename(&moved, &repo).expect("moved back");
    }
    // Another name says nothing, whatever its remote.
    fs::rename(&repo, repo.with_file_name("store")).expect("moved");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(!shown.to_string().contains("store"), "{shown}");
}

#[test]
fn a_commit_proves_a_repository_and_a_branch_does_not() {
    let counter = Counter::new();
    let elsewhere = counter.store.outside("elsewhere");
    let gone = counter.store.outside("code").join("shop");
    let moved = repository(&counter, "work/shop");
    git(&moved, &["branch", "-q", BRANCH]);
    session(&counter, 1, &gone, BRANCH, None);
    let tree = gone.join(".worktrees/jwt");
    session_in(&counter, 2, &gone, &tree, &head(&moved));
    session_in(&counter, 3, &gone, &tree, &"0123456789".repeat(4));
    let guessed = |n| guess(&plan(&counter, &elsewhere, n)).map(|(_, why)| why);
    assert_eq!(guessed(1), None, "many repositories have such a branch");
    assert_eq!(guessed(2).as_deref(), Some("same name and repository"));
    assert_eq!(guessed(3), None, "it does not have the commit");
}

/// Only a worktree of the same repository, and no clone, is where a worktree may have been moved.
#[test]
fn a_worktree_of_the_same_name_and_repository_is_a_guess() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "trees/jwt");
    session(&counter, 1, &tree, BRANCH, None);
    let clone = counter.store.outside("code/other").join("jwt");
    git(&repo, &["clone", "-q", path(&repo), path(&clone)]);
    git(&clone, &["branch", "-q", BRANCH]);
    let moved = counter.store.outside("code/moved").join("jwt");
    fs::rename(&tree, &moved).expect("moved");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    let offered = labels(&shown);
    let label = format!(
        "Resume in {} (a guess: same name and repository)",
        path(&moved)
    );
    assert!(offered.contains(&label), "{offered:?}");
    assert!(!offered.join("\n").contains(path(&clone)), "{offered:?}");
    assert!(about(&shown).contains("if you moved it"), "{shown}");
}

/// Directories of one name are in many others: a submodule is not where a repository went.
#[test]
fn a_submodule_of_the_same_name_is_no_guess() {
    let counter = Counter::new();
    let library = repository(&counter, "library");
    let outer = repository(&counter, "code/outer");
    git(&outer, &["submodule", "add", "-q", path(&library), "sub"]);
    let gone = counter.store.outside("code").join("gone/sub");
    session(&counter, 1, &gone, "main", None);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(guess(&shown), None, "{shown}");
}

#[test]
fn a_directory_of_another_branch_comes_with_a_switch() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["switch", "-q", "-c", BRANCH]);
    commit(&repo, "packages/jwt/a.txt");
    git(&repo, &["switch", "-q", "main"]);
    let inside = repo.join("packages/jwt");
    session(&counter, 1, &inside, BRANCH, None);
    assert!(!inside.exists(), "main does not have it");
    let elsewhere = counter.store.outside("elsewhere");
    // Nothing uncommitted is touched.
    fs::write(repo.join("new.txt"), "work").expect("written");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(about(&shown).contains("1 uncommitted file"), "{shown}");
    assert!(!labels(&shown)[0].starts_with("Switch"), "{shown}");
    fs::remove_file(repo.join("new.txt")).expect("removed");
    let shown = plan(&counter, &elsewhere, 1);
    paste(&counter, &command_of(&shown, "Switch to fix/jwt first"));
    assert_eq!(counter.resumed(), Some((id(1), path(&inside).to_owned())));
    // Another worktree has the branch: the directory is there.
    git(&repo, &["switch", "-q", "main"]);
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), BRANCH]);
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let there = tree.join("packages/jwt");
    assert_eq!(counter.resumed(), Some((id(1), path(&there).to_owned())));
}

#[test]
fn the_directory_is_decided_before_commands_run_there() {
    let counter = Counter::new();
    let gone = counter.store.outside("code").join("shop");
    session(&counter, 1, &gone, "main", None);
    let Some(_) = counter.store.running(&id(1), "idle", None) else {
        crate::support::skip("no process can be told apart here");
        return;
    };
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    let topics = shown["questions"].as_array().expect("questions").iter();
    let topics: Vec<&Value> = topics.map(|question| &question["topic"]).collect();
    assert_eq!(topics, ["directory", "running"], "{shown}");
    // Off a terminal both are told.
    let ran = counter.run(&elsewhere, &[&id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(ran.err.contains("is gone"), "{}", ran.err);
    assert!(ran.err.contains("already open"), "{}", ran.err);
    // What is decided next shows the directory that was chosen.
    let ran = counter.run(&elsewhere, &[&id(1), "--in", path(&elsewhere)]);
    assert!(!ran.err.contains(path(&gone)), "{}", ran.err);
    let there = format!("cd {} && claude", path(&elsewhere));
    assert!(ran.err.contains(&there), "{}", ran.err);
}

/// `HOME` may be a link, and a path of the transcript as well.
#[test]
fn no_parent_of_the_home_directory_is_offered_whatever_it_is_called() {
    let counter = Counter::new();
    let deep = counter.store.outside("x/deep");
    let home = counter.store.outside("x/deep/realhome");
    let links = counter.store.outside("links");
    symlink(&home, links.join("home")).expect("linked");
    symlink(&deep, links.join("deep")).expect("linked");
    session(&counter, 1, &deep.join("gone"), "main", None);
    session(&counter, 2, &links.join("deep/gone"), "main", None);
    session(&counter, 3, &home.join("gone"), "main", None);
    let offered = |home: &Path, n: u32| {
        let mut command = counter.command(&deep, &["--dry-run", "--json", &id(n)]);
        let ran = counter.run_command(command.env("HOME", home));
        labels(&serde_json::from_str(&ran.out).expect("an object"))
    };
    for home in [&home, &links.join("home")] {
        for n in [1, 2, 3] {
            let labels = offered(home, n);
            let is_deep = |label: &String| label.contains("deep (") || label.contains("(here)");
            assert!(!labels.iter().any(is_deep), "{n}: {labels:?}");
        }
        // Home itself is offered, but not first.
        let labels = offered(home, 3);
        assert!(!labels[0].starts_with("Resume in"), "{labels:?}");
        let is_nearest = |label: &String| label.ends_with("(nearest existing directory)");
        assert!(labels.iter().any(is_nearest), "{labels:?}");
    }
}

#[test]
fn a_git_that_fails_or_is_slow_is_told_and_the_rest_is_offered() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    session(&counter, 1, &repo.join("gone"), BRANCH, None);
    let foreign = "echo \"fatal: detected dubious ownership in repository at '/shop'\" >&2\n\
                   echo 'To add an exception for this directory, call:' >&2; exit 128";
    for (does, why) in [
        (
            foreign,
            "(detected dubious ownership in repository at '/shop')",
        ),
        ("exec sleep 5", "(timed out)"),
    ] {
        git_that(&counter, does);
        let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
        assert!(about(&shown).contains(why), "{shown}");
        let nearest = format!("Resume in {} (nearest existing directory)", path(&repo));
        assert!(labels(&shown).contains(&nearest), "{shown}");
    }
}
