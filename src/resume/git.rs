//! What git says about a directory or a repository. It is only asked.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::situation::{BranchPlace, GitState, Repository, SessionFacts, is_branch};
use crate::store::{ListedTree, git, git_output, listed_trees, to_path};

/// Why git is silent if it takes too long.
pub const SLOW: &str = "timed out";

/// What git says about a directory of a session, and about a switch if one may be offered.
pub fn ask(directory: &Path, session: &SessionFacts, may_switch: bool) -> GitState {
    let top = match run(directory, &["rev-parse", "--show-toplevel"]) {
        Ok(printed) => to_path(printed.trim_ascii_end()),
        Err(silent) => return silent,
    };
    let current = current_branch(directory);
    // A transcript says "HEAD" of a detached one.
    let wanted = session.branch.as_deref().filter(|name| *name != "HEAD");
    let branch = match wanted {
        None => BranchPlace::NotRecorded,
        Some(branch) if current.as_deref() == Some(branch) => BranchPlace::Current,
        Some(branch) => branch_in(directory, branch),
    };
    let head = current.unwrap_or_else(|| {
        let commit = line(directory, &["rev-parse", "--short", "HEAD"]);
        format!("no branch ({})", commit.unwrap_or_default())
    });
    let mut repository = Repository {
        on_branch: directory.to_owned(),
        uncommitted: None,
        remotes: Vec::new(),
        top,
        head,
        branch,
    };
    if let (Some(name), true) = (wanted, may_switch) {
        on_branch(directory, &mut repository, name);
    }
    if session.pr_repository.is_some() {
        repository.remotes = remotes(directory);
    }
    GitState::Repository(Box::new(repository))
}

/// Where to resume once the branch is checked out. A directory that no commit has stays where it is,
/// whatever is checked out.
fn on_branch(directory: &Path, repository: &mut Repository, branch: &str) {
    let top = &repository.top;
    let real = directory.canonicalize().unwrap_or_default();
    let below = real.strip_prefix(top);
    match (&mut repository.branch, below) {
        (BranchPlace::CheckedOutAt(tree), Ok(below)) => *tree = inside(tree, below),
        (BranchPlace::Free, below) => {
            repository.uncommitted = uncommitted(directory);
            let is_lost =
                |below: &Path| !is_tree(top, branch, below) && is_tree(top, "HEAD", below);
            if below.is_ok_and(is_lost) {
                repository.on_branch.clone_from(top);
            }
        }
        _ => {}
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

/// Runs git, or says what the directory is without its answer.
fn run(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitState> {
    let output = git_output(directory, arguments).map_err(|error| {
        GitState::Silent(match error.kind() {
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
        return Err(GitState::NoRepository);
    }
    // A bare repository, or what git keeps for itself.
    if said.contains("must be run in a work tree") {
        return Err(GitState::Unknown);
    }
    let first = said.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.map(|line| line.strip_prefix("fatal: ").unwrap_or(line));
    Err(GitState::Silent(first.unwrap_or("it failed").to_owned()))
}

/// Why git cannot be asked in a directory; `None` if it can.
pub fn silence(directory: &Path) -> Option<String> {
    match run(directory, &["rev-parse", "--git-dir"]) {
        Err(GitState::Silent(why)) => Some(why),
        _ => None,
    }
}

/// The branch that is checked out, also before its first commit.
pub fn current_branch(directory: &Path) -> Option<String> {
    line(directory, &["symbolic-ref", "--quiet", "--short", "HEAD"])
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
    let arguments = ["for-each-ref", "--format=%(refname)", &pattern];
    let listed = git(directory, &arguments).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed);
    let names = listed.lines();
    let names = names.filter_map(|name| name.strip_prefix("refs/remotes/"));
    // The name of a branch may read like a pattern.
    let is_it = |name: &&str| name.split_once('/').is_some_and(|(_, rest)| rest == branch);
    names.filter(is_it).map(str::to_owned).collect()
}

fn has_branch(directory: &Path, branch: &str) -> bool {
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

/// How many files are uncommitted in a working tree; `None` if git does not answer.
pub fn uncommitted(directory: &Path) -> Option<usize> {
    // Also what the configuration hides: a switch would meet it.
    let everything = ["--untracked-files=normal", "--ignore-submodules=none"];
    let status = ["status", "--porcelain", "-z", "--no-renames"];
    let printed = git(directory, &[&status[..], &everything].concat())?;
    let files = printed.split(|b| *b == 0).filter(|one| !one.is_empty());
    Some(files.count())
}

/// The remotes as `owner/name`.
pub fn remotes(directory: &Path) -> Vec<String> {
    let listed = git(directory, &["config", "--get-regexp", r"^remote\..*\.url$"]);
    let listed = listed.unwrap_or_default();
    let text = String::from_utf8_lossy(&listed);
    let addresses = text.lines().filter_map(|line| line.split_once(' '));
    let names = addresses.filter_map(|(_, address)| owner_and_name(address));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names.dedup();
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
