use std::fs;
use std::path::{Path, PathBuf};

use super::{GitFolder, Kind};

/// A repository as its files are, without git.
fn repository(folder: &Path) -> PathBuf {
    let repo = folder.canonicalize().expect("there").join("shop");
    fs::create_dir_all(repo.join(".git/refs/heads/fix")).expect("made");
    fs::write(repo.join(".git/refs/heads/fix/jwt"), "0").expect("written");
    fs::write(repo.join(".git/packed-refs"), "0 refs/heads/old\n").expect("written");
    repo
}

/// A working tree of it, and what git remembers of the place.
fn tree(repo: &Path, place: &Path, remembered: &str) {
    let files = repo.join(".git/worktrees/jwt");
    fs::create_dir_all(&files).expect("made");
    fs::create_dir_all(place).expect("made");
    fs::write(files.join("commondir"), "../..\n").expect("written");
    fs::write(files.join("gitdir"), format!("{remembered}/.git\n")).expect("written");
    fs::write(place.join(".git"), format!("gitdir: {}\n", files.display())).expect("written");
}

#[test]
fn a_repository_is_known_by_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = repository(folder.path());
    fs::create_dir(repo.join("src")).expect("made");
    let found = GitFolder::around(&repo.join("src")).expect("found");
    let outside = folder.path().join("outside");
    fs::write(&outside, "0").expect("written");
    assert_eq!((&found.place, found.kind.clone()), (&repo, Kind::Own));
    assert_eq!(found.name(), Some("shop"));
    for (branch, is_there) in [
        ("fix/jwt", true),
        ("old", true),
        ("fix", false),
        ("jwt", false),
        ("ld", false),
        ("", false),
        ("../../packed-refs", false),
        (outside.to_str().expect("UTF-8"), false),
    ] {
        assert_eq!(found.has_branch(branch), is_there, "{branch}");
    }
    assert_eq!(GitFolder::of(&repo.join("src")), None);
}

#[test]
fn a_linked_tree_says_where_git_believes_it_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = repository(folder.path());
    let place = repo.with_file_name("jwt");
    // As git writes it by default, and relative to its own files.
    for remembered in [place.to_str().expect("UTF-8"), "../../../../jwt"] {
        tree(&repo, &place, remembered);
        let linked = GitFolder::of(&place).expect("found");
        assert_eq!(linked.kind, Kind::Linked(Some(place.clone())));
        assert_eq!(linked.common, repo.join(".git"));
        let own = GitFolder::of(&repo).expect("found");
        assert!(own.lists(&place) && !own.lists(&repo));
    }
}

#[test]
fn a_bare_repository_has_the_name_of_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("there");
    for (below, name) in [("shop.git", "shop"), ("blog/.bare", "blog")] {
        let bare = folder.join(below);
        fs::create_dir_all(bare.join("objects")).expect("made");
        fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").expect("written");
        let found = GitFolder::of(&bare).expect("found");
        assert_eq!(found.name(), Some(name));
    }
}

#[test]
fn what_points_nowhere_is_no_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["gitdir: /no/such/folder\n", "nonsense", ""] {
        fs::write(folder.path().join(".git"), text).expect("written");
        assert_eq!(GitFolder::of(folder.path()), None, "{text}");
    }
}
