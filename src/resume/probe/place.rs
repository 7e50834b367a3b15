//! What git knows of the directory of a session: of one that is there, one that is gone, and one in
//! whose place something else stands.
//!
//! Where all agrees, nothing but a few small files is read before git is asked for the branch. What
//! only looks like a lost working tree is told and never acted on.

use std::path::{Path, PathBuf};

use super::git_folder::{GitFolder, born};
use super::lost::{Missing, is_kept_among_trees};
use super::moved::{folders_in, is_telling};
use crate::paths::project_name;
use crate::resume::directory::{Where, Why};
use crate::resume::git::{Remembered, SLOW, ground, has_commit, has_files_of, is_younger};
use crate::resume::situation::{
    BranchPlace, Clue, Cut, Ground, Lost, LostBranch, LostRepository, Past, Presence, Repository,
    Severed, Situation,
};
use crate::store::{Millis, patiently};

pub fn ask_git(situation: &mut Situation) {
    if let Some((path, _)) = situation.missing() {
        situation.lost = Some(what_is_left(situation, path));
    } else if let Some(place) = situation.directory() {
        look_for_another(situation, &place);
    }
    let place = situation.directory();
    let Some(place) = place.filter(|place| place.presence == Presence::Directory) else {
        return;
    };
    if situation.ground != Ground::Unknown {
        return;
    }
    let worktree_branch = match (place.why, &situation.worktree) {
        (Why::Worktree, Some(tree)) => tree.branch.clone(),
        _ => None,
    };
    let remembered = Remembered {
        branch: worktree_branch.or_else(|| situation.subject.branch.clone()),
        pr_repository: situation.subject.pr_repository.clone(),
    };
    situation.subject.branch.clone_from(&remembered.branch);
    let left = situation.subject.last_activity;
    let path = place.path.clone();
    let answer = patiently(move || {
        let mut ground = ground(&path, &remembered);
        if let (Ground::NoRepository, Some(tree)) = (&ground, GitFolder::severed(&path)) {
            return Ground::Severed(severed(tree));
        }
        if let Ground::Repository(repository) = &mut ground {
            repository.past = past(repository, remembered.branch.as_deref(), left);
        }
        ground
    });
    situation.ground = answer.unwrap_or_else(|| Ground::Silent(SLOW.to_owned()));
    // What is known of a lost worktree is not about this directory.
    if situation.lost.is_none() {
        look_for_the_branch(situation, &place);
    }
}

/// Where a directory leads that is a link and was led elsewhere after the transcript was filed.
pub fn leads_to(situation: &Situation) -> Option<PathBuf> {
    let place = situation.directory()?;
    let (_, folder) = situation.subject.home.filed()?;
    let real = place.path.canonicalize().ok()?;
    let is_filed = project_name(&real.to_string_lossy()).matches(folder);
    (place.why == Why::FirstRecorded && real != place.path && !is_filed).then_some(real)
}

/// What is left of a directory that is gone. What needs no git is known without it.
fn what_is_left(situation: &Situation, path: PathBuf) -> Lost {
    let worktree = situation.worktree.as_ref();
    let said = worktree.filter(|tree| tree.path == path);
    let branch = said.and_then(|tree| tree.branch.clone());
    let original = said.and_then(|tree| tree.original.clone());
    let recorded = situation.recorded.iter();
    let near = recorded.filter(|one| one.presence == Presence::Directory && one.path != path);
    let missing = Missing {
        original,
        branch: branch.or_else(|| situation.subject.branch.clone()),
        near: near.map(|one| one.path.clone()).collect(),
        here: situation.launch.here.clone(),
        home: situation.launch.home.clone(),
        root: situation.root().map(Path::to_owned),
        path,
    };
    // The neighbours may be on a disk that does not answer, just like the repository.
    let by_disk = missing.clone();
    let remains = patiently(move || by_disk.remains()).unwrap_or_default();
    let known = remains.clone();
    patiently(move || missing.look(known)).unwrap_or_else(|| Lost {
        silence: Some(SLOW.to_owned()),
        ..remains
    })
}

/// Is something else in the place of a working tree?
fn look_for_another(situation: &mut Situation, place: &Where) {
    let entries = place.path.read_dir();
    if entries.is_ok_and(|mut entries| entries.next().is_none()) {
        find_emptied(situation, place);
    } else if is_taken(situation, place) {
        let lost = what_is_left(situation, place.path.clone());
        mark(situation, &place.path, &Presence::Taken, lost);
    } else if let Some(tree) = tree_that_is_none(situation, place) {
        // What is around it is asked next.
        let _ = find_leftovers(situation, place, tree);
    }
}

/// What is around an empty directory is another tree, whose branch is no matter.
fn find_emptied(situation: &mut Situation, place: &Where) {
    let lost = what_is_left(situation, place.path.clone());
    let tree = lost.repository.as_ref();
    let was_tree = tree.is_some_and(|tree| tree.source().is_some() || tree.moved.is_some());
    if was_tree || lost.part.is_some() {
        mark(situation, &place.path, &Presence::Emptied, lost);
    }
}

/// Puts down that a directory is there and not what it was.
fn mark(situation: &mut Situation, place: &Path, presence: &Presence, lost: Lost) {
    let worktree = situation.worktree.iter_mut();
    let worktree = worktree.map(|tree| (&tree.path, &mut tree.presence));
    let recorded = situation.recorded.iter_mut();
    let recorded = recorded.map(|one| (&one.path, &mut one.presence));
    for (path, known) in worktree.chain(recorded) {
        if path == place {
            known.clone_from(presence);
        }
    }
    situation.lost = Some(lost);
    situation.ground = Ground::Unknown;
}

/// Does another repository stand where the transcript puts a worktree? Not a clone, which has the
/// commit that the session began with.
fn is_taken(situation: &Situation, place: &Where) -> bool {
    let Some(tree) = situation
        .worktree
        .as_ref()
        .filter(|_| place.why == Why::Worktree)
    else {
        return false;
    };
    let original = tree.original.as_deref().filter(|path| path.is_dir());
    let own = original.and_then(GitFolder::around);
    let (Some(own), Some(there), Some(_)) = (own, GitFolder::of(&tree.path), &tree.branch) else {
        return false;
    };
    let (path, head) = (tree.path.clone(), tree.original_head.clone());
    let is_clone = move || head.is_some_and(|head| has_commit(&path, &head));
    own.common != there.common && !patiently(is_clone).unwrap_or(true)
}

/// The directory in or above this one that should be a working tree of its own, because the
/// transcript says so or because of where it lies, and has no `.git`.
fn tree_that_is_none(situation: &Situation, place: &Where) -> Option<PathBuf> {
    let path = &place.path;
    let mut bare = path
        .ancestors()
        .take_while(|path| !path.join(".git").exists());
    if let (Why::Worktree, Some(tree)) = (place.why, &situation.worktree) {
        tree.branch.as_ref()?;
        return bare.next().map(Path::to_owned);
    }
    situation.subject.branch.as_ref()?;
    let tree = bare.find(|path| is_kept_among_trees(path));
    tree.map(Path::to_owned)
}

/// Something lies where a working tree was. If it is that itself, its `.git` file is lost. Where
/// nothing is proven, what was found is given back.
fn find_leftovers(situation: &mut Situation, place: &Where, tree: PathBuf) -> Option<Lost> {
    let lost = what_is_left(situation, tree.clone());
    let repository = lost.repository.as_ref()?;
    if is_unlinked(repository) {
        situation.ground = Ground::Severed(Severed {
            repository: Some(repository.top.clone()),
            cut: Cut::Unlinked,
            tree,
        });
        return None;
    }
    // Where the tree around it has the branch, that may be all there ever was.
    let is_around =
        matches!(&repository.branch, LostBranch::TakenBy(_, it) if tree.starts_with(it));
    let is_proven = match repository.clue {
        Clue::Said | Clue::Listed => true,
        Clue::Inside => !is_around,
        Clue::Beside | Clue::Named | Clue::Enclosed => false,
    };
    if !is_proven {
        return Some(lost);
    }
    mark(situation, &place.path, &Presence::Leftovers, lost);
    None
}

/// Are the files of a tree there that git still lists, and only the one missing that names the
/// repository?
fn is_unlinked(repository: &LostRepository) -> bool {
    let (LostBranch::Free(branch), Clue::Listed | Clue::Said) =
        (&repository.branch, repository.clue)
    else {
        return false;
    };
    let (top, tree, branch) = (
        repository.top.clone(),
        repository.tree.clone(),
        branch.clone(),
    );
    let look = move || {
        let real = tree.canonicalize().unwrap_or_else(|_| tree.clone());
        let folder = GitFolder::around(&top);
        folder.is_some_and(|folder| folder.lists(&real)) && has_files_of(&top, &branch, &tree)
    };
    patiently(look).unwrap_or(false)
}

/// Looks for the repository that has the session's branch, where this directory should have it and
/// does not: it may have been a worktree. One that is proven makes this another repository, or
/// something that is left; any other is kept to be told.
fn look_for_the_branch(situation: &mut Situation, place: &Where) {
    let Some(branch) = situation.subject.branch.as_deref() else {
        return;
    };
    if !is_telling(branch) {
        return;
    }
    let is_newer = |top: &Path| {
        let made = GitFolder::of(top).and_then(|folder| folder.made());
        made.is_some_and(|made| made > situation.subject.last_activity)
    };
    match &situation.ground {
        Ground::NoRepository => {
            if let Some(lost) = find_leftovers(situation, place, place.path.clone()) {
                situation.lost = Some(lost);
            }
        }
        // One that was there before the session was left is the one that it was in.
        Ground::Repository(repository)
            if repository.session_branch == BranchPlace::Gone && is_newer(&repository.top) =>
        {
            let top = repository.top.clone();
            let lost = what_is_left(situation, top.clone());
            let Some(other) = lost
                .repository
                .as_ref()
                .filter(|other| is_other(&top, other))
            else {
                return;
            };
            if other.clue.is_certain() {
                mark(situation, &place.path, &Presence::Taken, lost);
            } else {
                situation.lost = Some(lost);
            }
        }
        _ => {}
    }
}

fn is_other(top: &Path, other: &LostRepository) -> bool {
    let common = |path: &Path| GitFolder::around(path).map(|folder| folder.common);
    common(top) != common(&other.top)
}

/// Looks for the repository of a working tree that lost it: somewhere near, under another name.
fn severed(tree: PathBuf) -> Severed {
    let real = tree.canonicalize().unwrap_or_else(|_| tree.clone());
    let near = tree.ancestors().skip(1).take(2).flat_map(folders_in);
    let mut folders = near.filter_map(|path| GitFolder::of(&path));
    let repository = folders.find(|folder| folder.lists(&real));
    Severed {
        tree,
        cut: Cut::Moved,
        repository: repository.map(|folder| folder.place),
    }
}

/// Can it be the repository that the session was left in? One that is as old as the session is not
/// asked for its history, which may be long.
fn past(repository: &Repository, branch: Option<&str>, left: Millis) -> Past {
    // Without a branch there was no repository, and this one cannot be another; "HEAD" is what is
    // written where there is none, too. A branch that not every repository has speaks for the
    // same, whatever became of its history.
    let is_here = matches!(
        repository.session_branch,
        BranchPlace::Free | BranchPlace::CheckedOutAt(_) | BranchPlace::Remote(_)
    );
    let Some(branch) = branch.filter(|branch| *branch != "HEAD") else {
        return Past::Possible;
    };
    if is_here && is_telling(branch) {
        return Past::Possible;
    }
    let made = GitFolder::around(&repository.top).and_then(|folder| folder.made());
    if made.is_none_or(|made| made <= left) || !is_younger(&repository.top, left) {
        return Past::Possible;
    }
    // Whoever puts another repository there makes the directory anew.
    match born(&repository.top) {
        Some(born) if born <= left => Past::Anew,
        _ => Past::Younger,
    }
}
