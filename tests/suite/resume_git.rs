//! Resuming on real git repositories: worktrees, lost and moved ones, branches, submodules.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::counter::{Counter, path};
use crate::repositories::{add_tree, command_of, labels, paste, plan, repository, session};
use crate::scopes::git;
use crate::support::{assistant, id, lines, user};

#[test]
fn a_worktree_that_is_there_is_gone_to() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let tree = repo.join(".worktrees/jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &repo, "fix/jwt", Some((&tree, "fix/jwt")));
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
    assert_eq!(ran.err, "", "nothing has to be said");
}

#[test]
fn a_lost_worktree_is_made_again_by_the_command_that_is_shown() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let tree = repo.join(".worktrees/jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &repo, "fix/jwt", Some((&tree, "fix/jwt")));
    fs::remove_dir_all(&tree).expect("removed");
    let shown = plan(&counter, &repo, 1);
    assert_eq!(labels(&shown)[0], "Recreate the worktree");
    // Safe is where the repository is, without touching it.
    let ran = counter.run(&repo, &["--yes", &id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
    assert!(!tree.exists());
    // The line itself works, listed or forgotten by git.
    for forget in [false, true] {
        if forget {
            fs::remove_dir_all(&tree).expect("removed");
            git(&repo, &["worktree", "prune"]);
        }
        let line = command_of(&plan(&counter, &repo, 1), "Recreate");
        assert_eq!(line.contains("--force"), !forget, "{line}");
        paste(&counter, &line);
        assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
        assert!(tree.join(".git").exists());
    }
}

#[test]
fn what_a_transcript_names_is_never_an_option_of_git() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["branch", "precious"]);
    for (n, tree) in [(1, "-Bprecious"), (2, "trees/jwt")] {
        session(
            &counter,
            n,
            &repo,
            "main",
            Some((Path::new(tree), "precious")),
        );
        let shown = plan(&counter, &repo, n);
        assert_eq!(shown["questions"], json!([]), "{tree}");
        assert_eq!(shown["cwd"], json!(path(&repo)), "{tree}");
    }
    // A directory that is not absolute is none.
    session(&counter, 3, Path::new("-Bprecious"), "main", None);
    let shown = plan(&counter, &repo, 3);
    assert_eq!(shown["cwd"], json!(null));
}

#[test]
fn a_lost_worktree_whose_branch_is_gone_or_taken_is_not_made_again() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let tree = counter.store.outside("trees").join("jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &repo, "fix/jwt", Some((&tree, "fix/jwt")));
    fs::remove_dir_all(&tree).expect("removed");
    git(&repo, &["worktree", "prune"]);
    let other = counter.store.outside("trees").join("other");
    git(&repo, &["worktree", "add", "-q", path(&other), "fix/jwt"]);
    let shown = plan(&counter, &repo, 1);
    let labels_now = labels(&shown);
    assert!(
        !labels_now.iter().any(|label| label.starts_with("Recreate")),
        "{labels_now:?}"
    );
    assert!(command_of(&shown, &format!("Resume in {}", path(&other))).contains(path(&other)));
    git(&repo, &["worktree", "remove", path(&other)]);
    git(&repo, &["branch", "-q", "-D", "fix/jwt"]);
    let shown = plan(&counter, &repo, 1);
    assert!(
        !labels(&shown)
            .iter()
            .any(|label| label.starts_with("Recreate")),
        "{shown}"
    );
}

/// A session that was started inside a worktree is filed under it, and names no other directory.
#[test]
fn a_lost_worktree_is_found_through_the_repository_around_it() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let tree = repo.join(".claude/worktrees/jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let sibling = counter.store.outside("code").join("jwt2");
    add_tree(&repo, &sibling, "fix/two");
    session(&counter, 2, &sibling, "fix/two", None);
    fs::remove_dir_all(&tree).expect("removed");
    fs::remove_dir_all(&sibling).expect("removed");
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert_eq!(labels(&shown)[0], "Recreate the worktree", "{shown}");
    // One who stands in the same repository may go on there.
    let ran = counter.run(&repo, &["--yes", &id(2)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(2), path(&repo).to_owned())));
}

#[test]
fn a_worktree_of_a_bare_repository_is_made_again() {
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
    add_tree(&project, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let ran = counter.run(&project, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    fs::remove_dir_all(&tree).expect("removed");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    paste(&counter, &command_of(&shown, "Recreate"));
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
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
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(ran.err, "", "the branch of the outer one is no matter");
    assert_eq!(counter.resumed(), Some((id(1), path(&inner).to_owned())));
}

#[test]
fn a_renamed_folder_and_a_moved_repository_are_gone_and_can_be_named() {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    session(&counter, 1, &repo, "main", None);
    let moved = counter.store.outside("work").join("store");
    fs::rename(&repo, &moved).expect("moved");
    let shown = plan(&counter, &moved, 1);
    assert_eq!(
        shown["questions"][0]["headline"],
        "The directory of this session is gone"
    );
    let parent = counter.store.outside("code");
    let here = format!("Resume in {} (here)", path(&moved));
    assert!(labels(&shown).contains(&here), "{shown}");
    assert!(command_of(&shown, &format!("Resume in {}", path(&parent))).contains(path(&parent)));
    let ran = counter.run(
        &counter.store.outside("elsewhere"),
        &[&id(1), "--in", path(&moved)],
    );
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(counter.resumed(), Some((id(1), path(&moved).to_owned())));
}

#[test]
fn where_a_repository_may_have_gone_is_offered() {
    let counter = Counter::new();
    let elsewhere = counter.store.outside("elsewhere");
    let repo = repository(&counter, "code/shop");
    git(&repo, &["branch", "-q", "fix/jwt"]);
    session(&counter, 1, &repo, "fix/jwt", None);
    // Renamed: one with such a branch is there, loose or packed, which is not much to go by.
    let renamed = counter.store.outside("code").join("store");
    fs::rename(&repo, &renamed).expect("moved");
    let label = format!(
        "Resume in {} (it has a branch of that name)",
        path(&renamed)
    );
    for pack in [false, true] {
        if pack {
            git(&renamed, &["pack-refs", "--all"]);
        }
        let offered = labels(&plan(&counter, &elsewhere, 1));
        let at = offered.iter().position(|one| *one == label);
        assert!(at.is_some_and(|at| at > 0), "{offered:?}");
    }
    // Moved: known by its name.
    let moved = counter.store.outside("work").join("shop");
    fs::rename(&renamed, &moved).expect("moved");
    let label = format!("Resume in {} (it may have been moved there)", path(&moved));
    assert_eq!(labels(&plan(&counter, &elsewhere, 1))[0], label);
    // It is a guess, so nobody goes there unasked.
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
}

#[test]
fn another_repository_in_the_place_of_the_old_one_is_told() {
    let counter = Counter::new();
    let repo = counter.store.outside("shop");
    git(&repo, &["init", "-q"]);
    // Every commit is from now; the session is from before.
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "first"]);
    session(&counter, 1, &repo, "fix/jwt", None);
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(
        ran.err.contains("holds another repository now"),
        "{}",
        ran.err
    );
    // By its remote, which a pull request of the session contradicts.
    git(&repo, &["branch", "-q", "fix/jwt"]);
    git(
        &repo,
        &["remote", "add", "origin", "git@example.com:acme/blog.git"],
    );
    let pr =
        json!({"type": "pr-link", "prNumber": 4, "prRepository": "acme/shop", "sessionId": id(2)});
    let content = lines(&[
        user("Go on", path(&repo)),
        assistant("Yes.", path(&repo)),
        pr,
    ]);
    counter.file(2, &repo, content);
    let ran = counter.run(&repo, &[&id(2)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    assert!(
        ran.err.contains("acme/blog") && ran.err.contains("acme/shop"),
        "{}",
        ran.err
    );
}

#[test]
fn a_branch_is_switched_only_on_a_clean_tree() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["branch", "-q", "fix/jwt"]);
    session(&counter, 1, &repo, "fix/jwt", None);
    let shown = plan(&counter, &repo, 1);
    let line = command_of(&shown, "Switch to fix/jwt first");
    assert!(
        line.starts_with(&format!(
            "git -C {} switch --no-guess --no-overwrite-ignore fix/jwt && ",
            path(&repo)
        )),
        "{line}"
    );
    // Off a terminal it stays as it is, with a word.
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(
        ran.err.contains("The session was on branch fix/jwt"),
        "{}",
        ran.err
    );
    fs::write(repo.join("new.txt"), "work").expect("written");
    let shown = plan(&counter, &repo, 1);
    assert!(
        !labels(&shown)
            .iter()
            .any(|label| label.starts_with("Switch")),
        "{shown}"
    );
    let about = shown["questions"][0]["lines"].to_string();
    assert!(about.contains("1 file is not committed"), "{about}");
    // Another tree has it: that is where to go.
    fs::remove_file(repo.join("new.txt")).expect("removed");
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), "fix/jwt"]);
    let shown = plan(&counter, &repo, 1);
    assert!(
        command_of(&shown, &format!("Resume in {}, on fix/jwt", path(&tree))).contains(path(&tree))
    );
    // Gone: nothing to decide, one word.
    git(&repo, &["worktree", "remove", path(&tree)]);
    git(&repo, &["branch", "-q", "-D", "fix/jwt"]);
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(
        ran.err.contains("branch fix/jwt, which is gone"),
        "{}",
        ran.err
    );
}

/// `git init` and nothing yet: there is no past that a session could belong to or not.
#[test]
fn a_repository_without_a_commit_is_no_other_one() {
    let counter = Counter::new();
    let repo = counter.store.outside("shop");
    git(&repo, &["init", "-q"]);
    session(&counter, 1, &repo, "trunk", None);
    let ran = counter.run(&repo, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
}

#[test]
fn a_detached_head_is_told_and_can_be_left() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    git(&repo, &["checkout", "-q", "--detach"]);
    session(&counter, 1, &repo, "main", None);
    let shown = plan(&counter, &repo, 1);
    assert!(
        shown["questions"][0]["lines"]
            .to_string()
            .contains("no branch ("),
        "{shown}"
    );
    assert!(
        labels(&shown).contains(&"Switch to main first".to_owned()),
        "{shown}"
    );
    // It was detached then, too: nothing to say.
    session(&counter, 2, &repo, "HEAD", None);
    let ran = counter.run(&repo, &[&id(2)]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(7), ""));
}

#[test]
fn asking_git_writes_nothing_into_the_repository() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    fs::write(repo.join("a.txt"), "a").expect("written");
    git(&repo, &["add", "a.txt"]);
    git(&repo, &["branch", "-q", "fix/jwt"]);
    session(&counter, 1, &repo, "fix/jwt", None);
    let before = crate::counter::fingerprint(&repo);
    plan(&counter, &repo, 1);
    assert_eq!(before, crate::counter::fingerprint(&repo));
}
