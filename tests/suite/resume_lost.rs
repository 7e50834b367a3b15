//! Sessions whose working tree is gone and whose transcript does not say that it was one: which
//! repository it was of, from wherever one asks, and what is offered then.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::counter::{Counter, path};
use crate::repositories::{
    about, add_tree, command_of, commit, labels, paste, plan, repository, session,
};
use crate::scopes::git;
use crate::support::id;

const RECREATE: &str = "Recreate the worktree";

/// How a working tree goes.
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

/// Makes a tree with a session in it, lets it go, asks from everywhere, and makes it again by the
/// line that is shown. Says what the card said.
fn lost_and_made_again(layout: &str, going: Going) -> String {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    let tree = counter.store.outside("code").join(layout);
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let other = counter.store.outside("far/away").join("other");
    add_tree(&repo, &other, "other");
    going.go(&repo, &tree);
    let mut said = String::new();
    for here in [&counter.store.outside("elsewhere"), &repo, &other] {
        let shown = plan(&counter, here, 1);
        let offered = labels(&shown);
        assert_eq!(offered[0], RECREATE, "{layout} {going:?}: {shown}");
        let main = format!("Resume in {} (", path(&repo));
        assert!(
            offered.iter().any(|label| label.starts_with(&main)),
            "{layout}: {offered:?}"
        );
        said = about(&shown);
        let line = command_of(&shown, RECREATE);
        assert_eq!(line.contains("--force"), going == Going::Deleted, "{line}");
        paste(&counter, &line);
        assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
        going.go(&repo, &tree);
    }
    said
}

#[test]
fn a_tree_inside_its_repository_is_found() {
    for layout in ["shop/.worktrees/jwt", "shop/.claude/worktrees/some-name"] {
        let said = lost_and_made_again(layout, Going::Removed);
        assert!(
            said.contains("it lay where that repository keeps"),
            "{said}"
        );
        let said = lost_and_made_again(layout, Going::Deleted);
        assert!(!said.contains("git does not know it"), "{said}");
    }
}

#[test]
fn a_tree_beside_its_repository_is_found() {
    for layout in ["shop-jwt", "shop.review", "fix-jwt", "wt/jwt"] {
        let said = lost_and_made_again(layout, Going::Removed);
        assert!(said.contains("its name and its branch"), "{layout}: {said}");
        lost_and_made_again(layout, Going::Deleted);
    }
    // Nothing in its name says anything, but git does.
    lost_and_made_again("wt/somewhere/else", Going::Deleted);
}

/// Neither near the repository nor asked from it: other sessions of the store know it.
#[test]
fn a_tree_far_away_is_found_through_other_sessions() {
    for going in [Going::Removed, Going::Deleted] {
        let counter = Counter::new();
        let repo = repository(&counter, "a/b/c/shop");
        let tree = counter.store.outside("x/y/z").join("jwt");
        add_tree(&repo, &tree, "fix/jwt");
        session(&counter, 1, &tree, "fix/jwt", None);
        going.go(&repo, &tree);
        let elsewhere = counter.store.outside("elsewhere");
        let shown = plan(&counter, &elsewhere, 1);
        assert_ne!(labels(&shown)[0], RECREATE, "nobody knows it: {shown}");
        session(&counter, 2, &repo, "main", None);
        let shown = plan(&counter, &elsewhere, 1);
        assert_eq!(labels(&shown)[0], RECREATE, "{going:?}: {shown}");
    }
}

/// A neighbour under any name tells which repository keeps its trees there.
#[test]
fn other_trees_beside_it_tell_the_repository() {
    let counter = Counter::new();
    let repo = repository(&counter, "a/b/shop");
    let trees = counter.store.outside("wt");
    let tree = trees.join("one");
    add_tree(&repo, &tree, "fix/jwt");
    add_tree(&repo, &trees.join("two"), "other");
    session(&counter, 1, &tree, "fix/jwt", None);
    Going::Removed.go(&repo, &tree);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(labels(&shown)[0], RECREATE, "{shown}");
    assert!(
        about(&shown).contains("other worktrees lie beside it"),
        "{shown}"
    );
}

/// Commits a file in this directory to a branch of its own.
fn commit_file(repo: &Path, branch: &str, below: &str) {
    git(repo, &["switch", "-q", "-c", branch]);
    commit(repo, &format!("{below}/a.txt"));
    git(repo, &["switch", "-q", "main"]);
}

#[test]
fn a_session_in_a_directory_of_a_lost_tree_gets_back_there() {
    for going in [Going::Removed, Going::Deleted] {
        for layout in ["shop/.worktrees/jwt", "shop-jwt"] {
            let counter = Counter::new();
            let repo = repository(&counter, "shop");
            commit_file(&repo, "fix/jwt", "src/api");
            let tree = repo.parent().expect("a folder").join(layout);
            git(&repo, &["worktree", "add", "-q", path(&tree), "fix/jwt"]);
            session(&counter, 1, &tree.join("src/api"), "fix/jwt", None);
            session(&counter, 2, &tree.join("build/out"), "fix/jwt", None);
            going.go(&repo, &tree);
            let elsewhere = counter.store.outside("elsewhere");
            let shown = plan(&counter, &elsewhere, 1);
            assert_eq!(labels(&shown)[0], RECREATE, "{layout} {going:?}: {shown}");
            assert!(about(&shown).contains("a worktree of"), "{shown}");
            let other = plan(&counter, &elsewhere, 2);
            assert!(
                about(&other).contains("branch fix/jwt has no build/out"),
                "{other}"
            );
            paste(&counter, &command_of(&shown, RECREATE));
            let inside = tree.join("src/api");
            assert_eq!(counter.resumed(), Some((id(1), path(&inside).to_owned())));
            going.go(&repo, &tree);
            paste(&counter, &command_of(&other, RECREATE));
            assert_eq!(counter.resumed(), Some((id(2), path(&tree).to_owned())));
        }
    }
}

#[test]
fn a_tree_of_a_bare_repository_is_found() {
    for going in [Going::Removed, Going::Deleted] {
        for name in ["jwt", "somewhere"] {
            let counter = Counter::new();
            let seed = repository(&counter, "seed");
            let project = counter.store.outside("shop");
            let bare = project.join(".bare");
            git(
                &project,
                &["clone", "-q", "--bare", path(&seed), path(&bare)],
            );
            fs::write(project.join(".git"), "gitdir: ./.bare\n").expect("written");
            let tree = project.join(name);
            add_tree(&project, &tree, "fix/jwt");
            session(&counter, 1, &tree, "fix/jwt", None);
            going.go(&project, &tree);
            let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
            assert_eq!(labels(&shown)[0], RECREATE, "{name} {going:?}: {shown}");
            paste(&counter, &command_of(&shown, RECREATE));
            assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
        }
    }
}

/// A shop with a lost tree of it, and a session there.
fn lost(going: Going) -> (Counter, PathBuf, PathBuf) {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    let tree = counter.store.outside("code").join("shop-jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    going.go(&repo, &tree);
    (counter, repo, tree)
}

fn offers_to_recreate(plan: &Value) -> bool {
    labels(plan)
        .iter()
        .any(|label| label.starts_with("Recreate"))
}

#[test]
fn a_branch_that_is_gone_makes_no_tree() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    let tree = repo.join(".worktrees/jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    Going::Removed.go(&repo, &tree);
    git(&repo, &["branch", "-q", "-D", "fix/jwt"]);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    assert!(
        about(&shown).contains("branch fix/jwt is gone, too"),
        "{shown}"
    );
    assert!(
        labels(&shown)[0].contains("probably its repository"),
        "{shown}"
    );
}

/// A home directory may be a repository, and the worktrees in it are of others.
/// A clone whose lost tree was on a branch that only its remote still has.
fn lost_to_a_remote(counter: &Counter) -> (PathBuf, PathBuf) {
    let origin = repository(counter, "origin");
    commit_file(&origin, "fix/jwt", "src/api");
    let repo = counter.store.outside("code").join("shop");
    git(&origin, &["clone", "-q", path(&origin), path(&repo)]);
    let tree = repo.join(".worktrees/jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), "fix/jwt"]);
    session(counter, 1, &tree, "fix/jwt", None);
    session(counter, 2, &tree.join("src/api"), "fix/jwt", None);
    session(counter, 3, &tree.join("old"), "fix/jwt", None);
    git(&repo, &["worktree", "remove", path(&tree)]);
    git(&repo, &["branch", "-q", "-D", "fix/jwt"]);
    (repo, tree)
}

#[test]
fn a_branch_that_only_a_remote_has_makes_the_tree_again() {
    let counter = Counter::new();
    let (repo, tree) = lost_to_a_remote(&counter);
    let elsewhere = counter.store.outside("elsewhere");
    let again = "Recreate the worktree from origin/fix/jwt";
    for (n, below) in [(1, ""), (2, "src/api"), (3, "")] {
        let shown = plan(&counter, &elsewhere, n);
        assert_eq!(labels(&shown)[0], again, "{shown}");
        let said = about(&shown);
        assert!(said.contains("gone, but for origin/fix/jwt"), "{said}");
        assert_eq!(said.contains("origin/fix/jwt has no old"), n == 3, "{said}");
        let line = command_of(&shown, again);
        let command = format!(
            "git -C {} worktree add --track -b fix/jwt -- {} origin/fix/jwt && ",
            path(&repo),
            path(&tree)
        );
        assert!(line.starts_with(&command), "{line}");
        paste(&counter, &line);
        let place = if below.is_empty() {
            tree.clone()
        } else {
            tree.join(below)
        };
        assert_eq!(counter.resumed(), Some((id(n), path(&place).to_owned())));
        git(
            &tree,
            &["rev-parse", "--verify", "--quiet", "fix/jwt@{upstream}"],
        );
        git(&repo, &["worktree", "remove", path(&tree)]);
        git(&repo, &["branch", "-q", "-D", "fix/jwt"]);
    }
    // Not even the safe choice makes branches.
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
    assert!(!tree.exists(), "{}", ran.err);
}

#[test]
fn of_several_remotes_none_is_chosen() {
    let counter = Counter::new();
    let (repo, _) = lost_to_a_remote(&counter);
    let fork = ["update-ref", "refs/remotes/fork/fix/jwt", "HEAD"];
    git(&repo, &fork);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    let said = about(&shown);
    assert!(
        said.contains("gone, but for fork/fix/jwt and origin/fix/jwt"),
        "{said}"
    );
    assert!(!offers_to_recreate(&shown), "{shown}");
}

#[test]
fn the_repository_around_is_not_taken_for_another_that_has_the_branch() {
    let counter = Counter::new();
    let home = repository(&counter, "around");
    let trees = home.join("worktrees");
    fs::create_dir(&trees).expect("made");
    session(&counter, 1, &trees.join("jwt"), "fix/jwt", None);
    let elsewhere = counter.store.outside("elsewhere");
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!((ran.code, counter.called()), (Some(2), None), "{}", ran.err);
    let repo = repository(&counter, "around/code/shop");
    git(&repo, &["branch", "-q", "fix/jwt"]);
    session(&counter, 2, &repo, "main", None);
    let shown = plan(&counter, &elsewhere, 1);
    assert!(
        command_of(&shown, RECREATE).contains(path(&repo)),
        "{shown}"
    );
}

#[test]
fn nothing_is_guessed_where_two_repositories_fit() {
    let counter = Counter::new();
    let tree = counter.store.outside("code").join("fix-jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let elsewhere = counter.store.outside("elsewhere");
    for (name, is_offered) in [("code/shop", true), ("code/blog", false)] {
        let repo = repository(&counter, name);
        git(&repo, &["branch", "-q", "fix/jwt"]);
        let shown = plan(&counter, &elsewhere, 1);
        assert_eq!(offers_to_recreate(&shown), is_offered, "{shown}");
    }
    // Both are still there to be chosen.
    let offered = labels(&plan(&counter, &elsewhere, 1)).join("\n");
    assert!(
        offered.contains("/shop (") && offered.contains("/blog ("),
        "{offered}"
    );
}

#[test]
fn nothing_is_guessed_among_more_folders_than_are_looked_into() {
    let (counter, _, tree) = lost(Going::Removed);
    let elsewhere = counter.store.outside("elsewhere");
    assert!(offers_to_recreate(&plan(&counter, &elsewhere, 1)));
    for n in 0..1000 {
        let folder = tree.with_file_name(format!("folder-{n}"));
        fs::create_dir(folder).expect("made");
    }
    let shown = plan(&counter, &elsewhere, 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
}

#[test]
fn what_was_guessed_is_not_safe_and_what_git_says_is() {
    for (going, code) in [(Going::Removed, 2), (Going::Deleted, 7)] {
        let (counter, repo, tree) = lost(going);
        let elsewhere = counter.store.outside("elsewhere");
        let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
        assert_eq!(ran.code, Some(code), "{going:?}: {}", ran.err);
        let resumed = (going == Going::Deleted).then(|| (id(1), path(&repo).to_owned()));
        assert_eq!(counter.resumed(), resumed);
        assert!(!tree.exists(), "nothing is made unasked");
    }
}

/// A directory that the branch itself has was never a working tree of its own.
#[test]
fn a_directory_of_another_branch_comes_with_a_switch() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    commit_file(&repo, "fix/jwt", "packages/jwt");
    let inside = repo.join("packages/jwt");
    session(&counter, 1, &inside, "fix/jwt", None);
    assert!(!repo.join("packages").exists(), "main does not have it");
    let elsewhere = counter.store.outside("elsewhere");
    // Nothing that is uncommitted is touched.
    fs::write(repo.join("new.txt"), "work").expect("written");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(about(&shown).contains("1 file is not committed"), "{shown}");
    assert!(!labels(&shown)[0].starts_with("Switch"), "{shown}");
    fs::remove_file(repo.join("new.txt")).expect("removed");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    assert!(!about(&shown).contains("worktree"), "{shown}");
    paste(&counter, &command_of(&shown, "Switch to fix/jwt first"));
    assert_eq!(counter.resumed(), Some((id(1), path(&inside).to_owned())));
    // Another tree has the branch: the directory is there.
    git(&repo, &["switch", "-q", "main"]);
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), "fix/jwt"]);
    let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let there = tree.join("packages/jwt");
    assert_eq!(counter.resumed(), Some((id(1), path(&there).to_owned())));
}

/// The command that a line of the card ends with.
fn remedy(plan: &Value) -> String {
    let lines = plan["questions"][0]["lines"].as_array().expect("lines");
    let lines = lines.iter().filter_map(Value::as_str);
    let mut commands = lines.filter_map(|line| line.strip_prefix("this brings it back: "));
    commands.next().expect("a command").to_owned()
}

#[test]
fn what_the_repository_has_can_be_brought_back() {
    let counter = Counter::new();
    let library = repository(&counter, "library");
    let repo = repository(&counter, "shop");
    commit_file(&repo, "other", "src/it's new");
    git(&repo, &["switch", "-q", "other"]);
    let module = "vendor/library";
    git(&repo, &["submodule", "add", "-q", path(&library), module]);
    git(&repo, &["commit", "-q", "-m", "a submodule"]);
    for (n, below) in [(1, "src/it's new"), (2, module)] {
        let inside = repo.join(below);
        session(&counter, n, &inside, "main", None);
        if n == 1 {
            git(&repo, &["rm", "-q", "-r", below]);
        } else {
            fs::remove_dir_all(&inside).expect("removed");
        }
        let shown = plan(&counter, &counter.store.outside("elsewhere"), n);
        assert!(!offers_to_recreate(&shown), "{shown}");
        let line = format!("{} && claude --resume x", remedy(&shown));
        paste(&counter, &line);
        assert!(inside.is_dir(), "{line}");
    }
}

/// The repository was moved, and its working trees do not know where to.
#[test]
fn a_tree_whose_repository_was_moved_can_be_mended() {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    let tree = counter.store.outside("code").join("jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let elsewhere = counter.store.outside("elsewhere");
    let moved = counter.store.outside("code").join("store");
    fs::rename(&repo, &moved).expect("moved");
    let ran = counter.run(&elsewhere, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let (_, line) = ran.err.split_once("this mends it: ").expect("a command");
    paste(&counter, &format!("{} && claude --resume x", line.trim()));
    let ran = counter.run(&elsewhere, &[&id(1)]);
    assert_eq!((ran.code, &*ran.err), (Some(7), ""));
    fs::remove_dir_all(&moved).expect("removed");
    let ran = counter.run(&elsewhere, &[&id(1)]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("is gone, or was moved"), "{}", ran.err);
}

/// On `main` only the name is left to go by.
#[test]
fn a_repository_of_a_longer_name_beside_it_is_offered_if_it_is_the_only_one() {
    let counter = Counter::new();
    let elsewhere = counter.store.outside("elsewhere");
    session(
        &counter,
        1,
        &counter.store.outside("code").join("shop"),
        "main",
        None,
    );
    for (name, is_offered) in [("shop-old", true), ("shopping", true), ("shop.v2", false)] {
        repository(&counter, &format!("code/{name}"));
        let shown = plan(&counter, &elsewhere, 1);
        let first = &labels(&shown)[0];
        assert_eq!(
            first.contains("shop-old (it may have"),
            is_offered,
            "{shown}"
        );
    }
}

/// Git believes a tree that was moved by hand to be in its old place, and making that again would
/// break the one that is there.
#[test]
fn a_tree_that_was_moved_by_hand_is_gone_to() {
    let counter = Counter::new();
    let repo = repository(&counter, "code/shop");
    let tree = counter.store.outside("code").join("shop-jwt");
    add_tree(&repo, &tree, "fix/jwt");
    session(&counter, 1, &tree, "fix/jwt", None);
    let moved = counter.store.outside("code").join("login");
    fs::rename(&tree, &moved).expect("moved");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert!(!offers_to_recreate(&shown), "{shown}");
    let label = format!("Resume in {} (it has the branch)", path(&moved));
    assert_eq!(labels(&shown)[0], label, "{shown}");
}

#[test]
fn a_locked_tree_and_a_branch_that_only_lost_trees_have_take_force() {
    let (counter, repo, tree) = lost(Going::Deleted);
    git(&repo, &["worktree", "lock", path(&tree)]);
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(about(&shown).contains("git keeps it locked"), "{shown}");
    assert!(!labels(&shown)[0].starts_with(RECREATE), "{shown}");
    paste(&counter, &command_of(&shown, RECREATE));
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));

    let (counter, repo, tree) = lost(Going::Removed);
    let ghost = counter.store.outside("code").join("ghost");
    git(&repo, &["worktree", "add", "-q", path(&ghost), "fix/jwt"]);
    Going::Deleted.go(&repo, &ghost);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    paste(&counter, &command_of(&shown, RECREATE));
    assert_eq!(counter.resumed(), Some((id(1), path(&tree).to_owned())));
}

#[test]
fn looking_for_a_lost_tree_writes_nothing() {
    let (counter, repo, _) = lost(Going::Deleted);
    let before = crate::counter::fingerprint(&repo);
    plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(before, crate::counter::fingerprint(&repo));
}
