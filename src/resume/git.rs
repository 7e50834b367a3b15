//! What git says about a directory or a repository. It is only asked.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::situation::{BranchPlace, Changes, Git, Head, Repository, is_branch};
use crate::store::{ListedTree, git, git_output, listed_trees, to_path};

/// Why git is silent if it takes too long.
pub const SLOW: &str = "no answer in time";

/// What to find out about a directory.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The branch of the session.
    pub branch: Option<String>,
    /// Whether a switch to it may be offered.
    pub may_switch: bool,
    /// Whether the remotes matter.
    pub remotes: bool,
}

/// What git says about a directory.
pub fn ask(directory: &Path, wanted: &Wanted) -> Git {
    let top = match run(directory, &["rev-parse", "--show-toplevel"]) {
        Ok(printed) => to_path(printed.trim_ascii_end()),
        Err(Unanswered::NoRepository) => return Git::NoRepository,
        Err(Unanswered::NoTree) => return Git::Unknown,
        Err(Unanswered::Silent(why)) => return Git::Silent(why),
    };
    let head = head(directory);
    let branch = match wanted.branch.as_deref() {
        // A transcript says "HEAD" of a detached one.
        None | Some("HEAD") => BranchPlace::NotRecorded,
        Some(branch) if head == Head::Branch(branch.to_owned()) => BranchPlace::Current,
        Some(branch) => branch_in(directory, branch),
    };
    let mut repository = Repository {
        on_branch: directory.to_owned(),
        changes: Changes::Unknown,
        remotes: Vec::new(),
        top,
        head,
        branch,
    };
    if let (Some(name), true) = (&wanted.branch, wanted.may_switch) {
        repository.on_branch = on_branch(directory, &repository, name);
        if repository.branch == BranchPlace::Free {
            repository.changes = changes(directory);
        }
    }
    if wanted.remotes {
        repository.remotes = remotes(directory);
    }
    Git::Repository(Box::new(repository))
}

/// Where to resume once the branch is checked out. A directory that no commit has stays where it is,
/// whatever is checked out.
fn on_branch(directory: &Path, repository: &Repository, branch: &str) -> PathBuf {
    let top = &repository.top;
    let real = directory.canonicalize();
    let below = real.as_deref().map(|real| real.strip_prefix(top));
    let Ok(Ok(below)) = below else {
        return directory.to_owned();
    };
    match &repository.branch {
        BranchPlace::Free if !is_tree(top, branch, below) && is_tree(top, "HEAD", below) => {
            top.clone()
        }
        BranchPlace::CheckedOutAt(tree) => inside(tree, below),
        _ => directory.to_owned(),
    }
}

/// A directory of a working tree, or its top if it does not have it.
pub fn inside(tree: &Path, below: &Path) -> PathBuf {
    let path = tree.join(below);
    if below.as_os_str().is_empty() || !path.is_dir() {
        return tree.to_owned();
    }
    path
}

/// Why git says nothing about a directory.
enum Unanswered {
    NoRepository,
    /// It is a bare repository, or what git keeps for itself.
    NoTree,
    /// It could not be asked, and why: that says nothing about the directory.
    Silent(String),
}

fn run(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, Unanswered> {
    let output = git_output(directory, arguments).map_err(|error| {
        Unanswered::Silent(match error.kind() {
            io::ErrorKind::NotFound => "there is no git on the PATH".to_owned(),
            io::ErrorKind::TimedOut => SLOW.to_owned(),
            _ => error.to_string(),
        })
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("not a git repository") {
        return Err(Unanswered::NoRepository);
    }
    if said.contains("must be run in a work tree") {
        return Err(Unanswered::NoTree);
    }
    let first = said.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.map(|line| line.strip_prefix("fatal: ").unwrap_or(line));
    Err(Unanswered::Silent(first.unwrap_or("it failed").to_owned()))
}

/// Why git cannot be asked in a directory; `None` if it can.
pub fn silence(directory: &Path) -> Option<String> {
    match run(directory, &["rev-parse", "--git-dir"]) {
        Err(Unanswered::Silent(why)) => Some(why),
        Ok(_) | Err(Unanswered::NoRepository | Unanswered::NoTree) => None,
    }
}

pub fn head(directory: &Path) -> Head {
    // Also before the first commit.
    if let Some(name) = line(directory, &["symbolic-ref", "--quiet", "--short", "HEAD"]) {
        return Head::Branch(name);
    }
    let commit = line(directory, &["rev-parse", "--short", "HEAD"]);
    Head::Detached(commit.unwrap_or_default())
}

/// Where a branch of a repository is. A worktree that is lost does not have it.
pub fn branch_in(directory: &Path, branch: &str) -> BranchPlace {
    if !has_branch(directory, branch) {
        return match remote_branches(directory, branch) {
            remotes if remotes.is_empty() => BranchPlace::Gone,
            remotes => BranchPlace::Remote(remotes),
        };
    }
    let has_it = |tree: &ListedTree| tree.branch.as_deref() == Some(branch) && tree.is_there();
    match listed_trees(directory).into_iter().find(has_it) {
        Some(tree) => BranchPlace::CheckedOutAt(tree.path),
        None => BranchPlace::Free,
    }
}

/// The branches of this name at remotes, as `origin/name`, as far as they were fetched.
fn remote_branches(directory: &Path, branch: &str) -> Vec<String> {
    if !is_branch(branch) {
        return Vec::new();
    }
    let pattern = format!("refs/remotes/*/{branch}");
    let listed = git(
        directory,
        &["for-each-ref", "--format=%(refname)", &pattern],
    );
    let listed = listed.unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed);
    let names = listed
        .lines()
        .filter_map(|name| name.strip_prefix("refs/remotes/"))
        // The name of a branch may read like a pattern.
        .filter(|name| name.split_once('/').is_some_and(|(_, rest)| rest == branch));
    names.map(str::to_owned).collect()
}

pub fn has_branch(directory: &Path, branch: &str) -> bool {
    let name = format!("refs/heads/{branch}");
    is_branch(branch) && git(directory, &["show-ref", "--verify", "--quiet", &name]).is_some()
}

/// Whether a branch, or a commit, has this directory.
pub fn is_tree(directory: &Path, commit: &str, below: &Path) -> bool {
    let mut name = OsString::from(format!("{commit}:"));
    name.push(below);
    let arguments = ["cat-file".as_ref(), "-t".as_ref(), name.as_os_str()];
    is_branch(commit) && git(directory, &arguments).is_some_and(|kind| kind == b"tree\n")
}

pub fn has_commit(directory: &Path, commit: &str) -> bool {
    let is_name = !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name && git(directory, &["cat-file", "-e", commit]).is_some()
}

/// What is uncommitted in a working tree.
pub fn changes(directory: &Path) -> Changes {
    // Also what the configuration hides: a switch would meet it.
    let everything = ["--untracked-files=normal", "--ignore-submodules=none"];
    let status = ["status", "--porcelain", "-z", "--no-renames"];
    let Some(printed) = git(directory, &[&status[..], &everything].concat()) else {
        return Changes::Unknown;
    };
    let files = printed.split(|b| *b == 0).filter(|one| !one.is_empty());
    match files.count() {
        0 => Changes::None,
        files => Changes::Files(files),
    }
}

/// The remotes as `owner/name`.
pub fn remotes(directory: &Path) -> Vec<String> {
    let listed = git(directory, &["config", "--get-regexp", r"^remote\..*\.url$"]);
    let listed = listed.unwrap_or_default();
    let text = String::from_utf8_lossy(&listed);
    let mut names: Vec<String> = Vec::new();
    for address in text.lines().filter_map(|line| line.split_once(' ')) {
        if let Some(name) = owner_and_name(address.1)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// The last two parts of an address, however it is written.
fn owner_and_name(address: &str) -> Option<String> {
    let address = address.trim().trim_end_matches('/');
    let address = address.strip_suffix(".git").unwrap_or(address);
    let mut parts = address.rsplit(['/', ':']);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let owner = parts.next().filter(|owner| !owner.is_empty())?;
    Some(format!("{owner}/{name}"))
}

fn line(directory: &Path, arguments: &[&str]) -> Option<String> {
    let printed = git(directory, arguments)?;
    let text = String::from_utf8_lossy(printed.trim_ascii()).into_owned();
    (!text.is_empty()).then_some(text)
}
