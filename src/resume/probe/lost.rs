//! A directory that is gone: which repository it was a working tree of, and what is left of that.
//!
//! The transcript seldom says. Git does, of a folder that was only deleted, but has to be asked in
//! the right repository; after `git worktree remove` nothing but the branch and the names are
//! left. So the repositories around are looked at by their files, nearest first, and the one that
//! is chosen is asked. What was only guessed is marked as such by its `Clue`.

use std::path::{Path, PathBuf};

use super::git_folder::{GitFolder, Kind};
use super::likeness::{fits, is_called_after};
use super::moved::{folders_in, is_crowded, is_telling, moved_to, with_branch};
use super::nearest_directory;
use super::projects::known_directories;
use crate::paths::normalize;
use crate::resume::git::{has_branch, is_submodule, is_tree, remote_branches, silence, tree};
use crate::resume::situation::{
    Below, Clue, Force, Lost, LostBranch, LostRepository, Part, PartOf,
};
use crate::store::{ListedTree, listed_trees};

/// Names of folders in which people and programs keep working trees.
const KEPT_IN: [&str; 7] = [
    "worktrees",
    ".worktrees",
    "worktree",
    ".worktree",
    "trees",
    ".trees",
    "wt",
];

/// In how many folders above a lost directory repositories are looked for: `code/wt/shop/jwt` may
/// be a tree of `code/shop`.
const LEVELS: usize = 3;

/// What is known of a directory that is gone.
#[derive(Debug, Clone)]
pub struct Missing {
    pub path: PathBuf,
    /// Where the session was before it went there, if the transcript says that it was a worktree.
    pub original: Option<PathBuf>,
    /// The branch that it was on, or the session last.
    pub branch: Option<String>,
    /// Directories that the transcript names and that are there.
    pub near: Vec<PathBuf>,
    pub here: Option<PathBuf>,
    pub home: Option<PathBuf>,
    /// The config directory: other sessions know other repositories.
    pub root: Option<PathBuf>,
}

/// A directory on the way to the lost one that may have been the top of a working tree.
#[derive(Debug, Clone)]
struct Stop {
    path: PathBuf,
    /// The same with the links of its parent followed: git knows it by that.
    real: PathBuf,
}

/// A repository that the lost directory may have been a working tree of.
struct Found {
    folder: GitFolder,
    stop: Stop,
    clue: Clue,
}

/// What a directory was.
enum Was {
    Tree(Found),
    /// No working tree of its own.
    Part(Part),
    Nothing,
}

impl Missing {
    /// What the disk alone shows.
    pub fn remains(&self) -> Lost {
        let mut lost = Lost {
            parent: nearest_directory(&self.path),
            ..Lost::default()
        };
        for stop in self.trail() {
            let inside = |place: PathBuf| self.inside_of(&stop, place);
            let moved = moved_to(&stop.path, self.home.as_deref());
            lost.moved_to.extend(moved.into_iter().map(inside));
            if let Some(branch) = &self.branch {
                let beside = with_branch(&stop.path, branch, self.root.as_deref());
                lost.same_branch.extend(beside.into_iter().map(inside));
            }
        }
        lost
    }

    /// The same directory in another place, if it is there, else that place.
    fn inside_of(&self, stop: &Stop, place: PathBuf) -> PathBuf {
        let below = self.below(stop);
        let inside = place.join(&below);
        if below.as_os_str().is_empty() || !inside.is_dir() {
            return place;
        }
        inside
    }

    fn below(&self, stop: &Stop) -> PathBuf {
        let path = normalize(&self.path);
        let below = path.strip_prefix(&stop.path);
        below.map(Path::to_owned).unwrap_or_default()
    }

    /// Adds what git knows to what the disk shows.
    pub fn look(&self, mut lost: Lost) -> Lost {
        let around = lost.parent.as_deref().and_then(GitFolder::around);
        if let (Some(folder), Some(parent)) = (around, &lost.parent)
            && let Some(branch) = &self.branch
        {
            lost.silence = silence(parent);
            let below = parent.strip_prefix(&folder.place).unwrap_or(parent);
            lost.parent_is_its = folder.has_branch(branch)
                && (parent == &folder.place || is_tree(&folder.place, "HEAD", below));
        }
        if lost.parent_is_its {
            // What was a directory of a repository is no other repository.
            lost.same_branch.clear();
        }
        let found = match self.repository() {
            Was::Tree(found) => found,
            Was::Part(part) => {
                lost.part = Some(part);
                return lost;
            }
            Was::Nothing => return lost,
        };
        let trees = listed_trees(&found.folder.place);
        // A git that does not answer knows nothing for certain.
        if trees.is_empty() {
            lost.silence = silence(&found.folder.place);
            return lost;
        }
        let moved = found.moved_by_hand(&lost.moved_to);
        lost.repository = Some(self.described(&found, &trees, moved));
        // What is known to be the repository has not been moved there; and where that is beyond
        // doubt, any other is only a clone of it.
        let is_other = |place: &PathBuf| {
            let folder = GitFolder::around(place);
            let is_other = folder.is_none_or(|folder| folder.common != found.folder.common);
            is_other && !found.clue.is_certain()
        };
        lost.moved_to.retain(is_other);
        lost.same_branch.retain(is_other);
        lost
    }

    fn repository(&self) -> Was {
        let trail = self.trail();
        let (Some(first), Some(last)) = (trail.first(), trail.last()) else {
            return Was::Nothing;
        };
        let mut around = Around {
            trail: &trail,
            folders: Vec::new(),
        };
        if let Some(original) = &self.original
            && let Some(folder) = GitFolder::around(original)
        {
            let listed = around.listed([folder.clone()]);
            return Was::Tree(listed.unwrap_or_else(|| Found {
                folder,
                stop: last.clone(),
                clue: Clue::Said,
            }));
        }
        let parent = first.real.parent().unwrap_or(&first.real);
        let near = self.near.iter().chain(&self.here).map(PathBuf::as_path);
        let near = near.chain([parent]).filter_map(GitFolder::around);
        let beside = || {
            let folders = places_around(parent).flat_map(folders_in);
            folders.filter_map(|path| GitFolder::of(&path))
        };
        let known = || {
            let known = self.root.as_deref().map(known_directories);
            let known = known.into_iter().flatten();
            known.filter_map(|path| GitFolder::around(&path))
        };
        // Each is a little more work than the one before.
        if let Some(found) = around.listed(near).or_else(|| around.listed(beside())) {
            return Was::Tree(found);
        }
        let enclosed = match self.inside(first, last, &trail) {
            Was::Tree(found) if found.clue == Clue::Enclosed => Some(found),
            Was::Nothing => None,
            known => return known,
        };
        let elsewhere = around.listed(known()).or_else(|| self.guessed(&around));
        elsewhere.or(enclosed).map_or(Was::Nothing, Was::Tree)
    }

    /// The directories that are missing, the topmost first.
    fn trail(&self) -> Vec<Stop> {
        let path = normalize(&self.path);
        let Some(parent) = nearest_directory(&path) else {
            return Vec::new();
        };
        let real = parent.canonicalize().unwrap_or_else(|_| parent.clone());
        let mut stop = Stop { path: parent, real };
        let rest = path.strip_prefix(&stop.path).unwrap_or(Path::new(""));
        let each = rest.components().map(|part| {
            stop = Stop {
                path: stop.path.join(part),
                real: stop.real.join(part),
            };
            stop.clone()
        });
        each.collect()
    }

    /// Was it a working tree that was kept inside its repository?
    fn inside(&self, first: &Stop, last: &Stop, trail: &[Stop]) -> Was {
        let folder = first.real.parent().and_then(GitFolder::around);
        let (Some(folder), Some(branch)) = (folder, self.branch.as_deref()) else {
            return Was::Nothing;
        };
        if let Ok(below) = last.real.strip_prefix(&folder.place)
            && let Some(of) = part_of(&folder, branch, below)
        {
            return Was::Part(Part {
                top: folder.place.clone(),
                below: below.to_owned(),
                of,
            });
        }
        let has_branch = folder.has_branch(branch);
        let is_bare = || {
            listed_trees(&folder.place)
                .first()
                .is_some_and(|tree| tree.is_bare)
        };
        let stop = trail
            .iter()
            .find(|stop| is_kept_among_trees(&stop.path))
            .or_else(|| {
                trail
                    .iter()
                    .find(|stop| has_branch && fits(&stop.path, branch))
            })
            // Nothing else lies in the folder of a bare repository.
            .or_else(|| is_bare().then_some(first));
        match stop.cloned() {
            Some(stop) => Was::Tree(Found {
                folder,
                stop,
                clue: if has_branch {
                    Clue::Inside
                } else {
                    Clue::Enclosed
                },
            }),
            None => Was::Nothing,
        }
    }

    /// The one repository around that has the branch and seems to have had the tree. `None` where
    /// several do, or could that were not looked at: nothing is guessed then.
    fn guessed(&self, around: &Around) -> Option<Found> {
        let trail = around.trail;
        let branch = self.branch.as_deref().filter(|name| is_telling(name))?;
        let parent = trail.first()?.real.parent()?;
        if places_around(parent).any(is_crowded) {
            return None;
        }
        let outer = GitFolder::around(parent);
        let is_outer = |folder: &GitFolder| {
            let outer = outer.as_ref();
            outer.is_some_and(|outer| outer.common == folder.common)
        };
        let mut found: Vec<Found> = Vec::new();
        for folder in &around.folders {
            if is_outer(folder) || !folder.has_branch(branch) {
                continue;
            }
            let fitting =
                |stop: &&Stop| fits(&stop.path, branch) || is_called_after(&stop.path, folder);
            let beside = |stop: &&Stop| {
                matches!(folder.kind, Kind::Linked(_))
                    && folder.place.parent() == stop.real.parent()
            };
            let stop = trail.iter().find(fitting).map(|stop| (stop, Clue::Named));
            let stop = stop.or_else(|| Some((trail.iter().find(beside)?, Clue::Beside)));
            let is_new = found
                .iter()
                .all(|known| known.folder.common != folder.common);
            if let (Some((stop, clue)), true) = (stop, is_new) {
                found.push(Found {
                    folder: folder.clone(),
                    stop: stop.clone(),
                    clue,
                });
            }
        }
        if found.len() > 1 {
            found.retain(|found| is_called_after(&found.stop.path, &found.folder));
        }
        found.pop().filter(|_| found.is_empty())
    }

    /// What git says of the tree.
    fn described(
        &self,
        found: &Found,
        trees: &[ListedTree],
        moved: Option<PathBuf>,
    ) -> LostRepository {
        let Found { folder, stop, clue } = found;
        let is_it = |tree: &ListedTree| normalize(&tree.path) == stop.real;
        let listed = trees.iter().find(|tree| is_it(tree));
        let name = match listed {
            Some(tree) => tree.branch.clone(),
            None => self.branch.clone(),
        };
        let name = name.filter(|name| name != "HEAD");
        let mut ghosts = false;
        let branch = match name {
            None => LostBranch::Unknown,
            Some(name) if !has_branch(&folder.place, &name) => {
                match remote_branches(&folder.place, &name) {
                    remotes if remotes.is_empty() => LostBranch::Gone(name),
                    remotes => LostBranch::Remote(name, remotes),
                }
            }
            Some(name) => {
                let has_it =
                    |tree: &&ListedTree| tree.branch.as_ref() == Some(&name) && !is_it(tree);
                let (there, gone): (Vec<&ListedTree>, Vec<&ListedTree>) = trees
                    .iter()
                    .filter(has_it)
                    .partition(|tree| tree.path.is_dir());
                ghosts = !gone.is_empty();
                match moved.or_else(|| there.first().map(|tree| tree.path.clone())) {
                    Some(tree) => LostBranch::TakenBy(name, tree),
                    None => LostBranch::Free(name),
                }
            }
        };
        let working_tree = main_tree(folder, trees);
        let taken = match &branch {
            LostBranch::TakenBy(_, tree) => Some(tree),
            _ => None,
        };
        let places = working_tree.iter().chain(taken);
        let places = places.filter(|place| self.inside_of(stop, (*place).clone()) != **place);
        let has_below = places.cloned().collect();
        let mut lost = LostRepository {
            top: working_tree.clone().unwrap_or_else(|| folder.place.clone()),
            tree: stop.path.clone(),
            clue: match (clue, &branch) {
                // A branch that was fetched is one that the repository has.
                (Clue::Enclosed, LostBranch::Remote(..)) => Clue::Inside,
                _ => *clue,
            },
            branch,
            force: match listed {
                Some(tree) if tree.is_locked => Force::Twice,
                Some(_) => Force::Once,
                None if ghosts => Force::Once,
                None => Force::No,
            },
            below: Below::Nothing,
            has_below,
            working_tree,
            has_here: self.here.as_deref().is_some_and(|here| {
                let mut trees = trees.iter().filter(|tree| !tree.is_bare);
                trees.any(|tree| here.starts_with(&tree.path))
            }),
        };
        let below = self.below(stop);
        if !below.as_os_str().is_empty() {
            let source = lost.source();
            let has_it = source.is_some_and(|source| is_tree(&lost.top, source.commit(), &below));
            lost.below = if has_it {
                Below::There(below)
            } else {
                Below::NotThere(below)
            };
        }
        lost
    }
}

/// Repositories that were looked at on the way.
struct Around<'a> {
    trail: &'a [Stop],
    folders: Vec<GitFolder>,
}

impl Around<'_> {
    /// The first repository that remembers a tree on the trail.
    fn listed(&mut self, folders: impl IntoIterator<Item = GitFolder>) -> Option<Found> {
        for folder in folders {
            let is_new = self
                .folders
                .iter()
                .all(|known| known.common != folder.common);
            let mut stops = self.trail.iter().filter(|_| is_new);
            if let Some(stop) = stops.find(|stop| folder.lists(&stop.real)).cloned() {
                let clue = Clue::Listed;
                return Some(Found { folder, stop, clue });
            }
            self.folders.push(folder);
        }
        None
    }
}

impl Found {
    /// Where the tree is if somebody moved it without telling git, which believes it to be in the
    /// old place: making it again would take its files from it.
    fn moved_by_hand(&self, guesses: &[PathBuf]) -> Option<PathBuf> {
        let beside = self.stop.real.parent().map(folders_in).unwrap_or_default();
        beside
            .into_iter()
            .chain(guesses.iter().cloned())
            .find(|place| {
                let kind = GitFolder::of(place).map(|folder| folder.kind);
                kind == Some(Kind::Linked(Some(self.stop.real.clone())))
            })
    }
}

/// The folders in which repositories are looked for.
fn places_around(parent: &Path) -> impl Iterator<Item = &Path> {
    parent.ancestors().take(LEVELS)
}

/// Has the repository this directory, though it is not there?
fn part_of(folder: &GitFolder, branch: &str, below: &Path) -> Option<PartOf> {
    let top = &folder.place;
    if is_submodule(top, below) {
        return Some(PartOf::Submodule);
    }
    if is_tree(top, "HEAD", below) {
        return Some(PartOf::Deleted);
    }
    if !is_tree(top, branch, below) {
        return None;
    }
    let trees = listed_trees(top);
    let has_it = |tree: &&ListedTree| tree.branch.as_deref() == Some(branch);
    let elsewhere = trees.iter().find(has_it).map(|tree| tree.path.join(below));
    Some(match elsewhere.filter(|path| path.is_dir()) {
        Some(path) => PartOf::BranchAt(branch.to_owned(), path),
        None => PartOf::Branch(branch.to_owned(), tree(top)),
    })
}

/// The first tree in which a person can work. What git calls the main tree of a submodule is the
/// folder of its own files.
fn main_tree(folder: &GitFolder, trees: &[ListedTree]) -> Option<PathBuf> {
    let is_usable = |tree: &&ListedTree| {
        !tree.is_bare && tree.path.is_dir() && normalize(&tree.path) != folder.common
    };
    let is_submodule = trees
        .first()
        .is_some_and(|tree| !tree.is_bare && normalize(&tree.path) == folder.common);
    if is_submodule && folder.kind == Kind::Own {
        return Some(folder.place.clone());
    }
    let tree = trees.iter().find(is_usable)?;
    Some(tree.path.clone())
}

fn is_kept_among_trees(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|name| KEPT_IN.iter().any(|kept| name == *kept))
}

#[cfg(test)]
#[path = "lost_tests.rs"]
mod tests;
