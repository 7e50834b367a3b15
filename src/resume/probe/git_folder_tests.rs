use std::fs;
use std::path::{Path, PathBuf};

use super::GitFolder;

/// A repository as its files are, without git.
fn repository(folder: &Path) -> PathBuf {
    let repo = folder.canonicalize().expect("there").join("shop");
    fs::create_dir_all(repo.join(".git")).expect("made");
    repo
}

/// A worktree of it at a place, and where git lists it.
fn tree(repo: &Path, place: &Path, listed: &str) {
    let files = repo.join(".git/worktrees/jwt");
    fs::create_dir_all(&files).expect("made");
    fs::create_dir_all(place).expect("made");
    fs::write(files.join("commondir"), "../..\n").expect("written");
    fs::write(files.join("gitdir"), format!("{listed}/.git\n")).expect("written");
    fs::write(place.join(".git"), format!("gitdir: {}\n", files.display())).expect("written");
}

#[test]
fn a_repository_is_found_from_a_directory_inside() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = repository(folder.path());
    fs::create_dir(repo.join("src")).expect("made");
    let found = GitFolder::around(&repo.join("src")).expect("found");
    assert_eq!((&found.place, &found.common), (&repo, &repo.join(".git")));
    assert_eq!(GitFolder::of(&repo.join("src")), None);
}

#[test]
fn a_worktree_is_listed_by_its_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = repository(folder.path());
    let place = repo.with_file_name("jwt");
    // As git writes it by default, and relative to its own files.
    for listed in [place.to_str().expect("UTF-8"), "../../../../jwt"] {
        tree(&repo, &place, listed);
        let linked = GitFolder::of(&place).expect("found");
        assert_eq!(linked.common, repo.join(".git"));
        let own = GitFolder::of(&repo).expect("found");
        for (path, is_listed) in [("jwt", true), ("jwt/src", true), ("jwt2", false)] {
            let found = own.listed_around(&repo.with_file_name(path));
            assert_eq!(found.as_ref() == Some(&place), is_listed, "{path}");
        }
    }
}

#[test]
fn a_bare_repository_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let bare = folder
        .path()
        .canonicalize()
        .expect("there")
        .join("shop.git");
    fs::create_dir_all(bare.join("objects")).expect("made");
    fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").expect("written");
    let found = GitFolder::of(&bare).expect("found");
    assert_eq!(found.common, bare);
}

#[test]
fn a_git_file_that_points_nowhere_is_no_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["gitdir: /no/such/folder\n", "nonsense", ""] {
        fs::write(folder.path().join(".git"), text).expect("written");
        assert_eq!(GitFolder::of(folder.path()), None, "{text}");
    }
}
