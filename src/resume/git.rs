//! What git knows of the directory of a session, there or gone. Only asks.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::situation::{Below, BranchPlace, Ground, Head, Past, Repository, Tree, is_branch};
use crate::store::{ListedTree, Millis, git, git_output, listed_trees, to_path};

/// What is said where git takes longer than anybody waits.
pub const SLOW: &str = "no answer in time";

/// What a transcript says of its repository.
#[derive(Debug, Clone, Default)]
pub struct Remembered {
    pub branch: Option<String>,
    pub pr_repository: Option<String>,
}

/// What a directory is to git.
pub fn ground(directory: &Path, remembered: &Remembered) -> Ground {
    let top = match ask(directory, &["rev-parse", "--show-toplevel"]) {
        Ok(printed) => to_path(printed.trim_ascii_end()),
        Err(Unanswered::NoRepository) => return Ground::NoRepository,
        Err(Unanswered::NoTree) => return Ground::Unknown,
        Err(Unanswered::Silent(why)) => return Ground::Silent(why),
    };
    let head = head(directory);
    let session_branch = branch_place(directory, &head, remembered);
    let below = match &remembered.branch {
        Some(branch) if !is_on(&head, remembered) => {
            below(directory, &top, branch, &session_branch)
        }
        _ => Below::Nothing,
    };
    let tree = match session_branch {
        // Asked only where a switch is possible: it reads the whole tree.
        BranchPlace::Free if !is_on(&head, remembered) => tree(directory),
        _ => Tree::Unknown,
    };
    let remotes = match remembered.pr_repository {
        Some(_) => remotes(directory),
        None => Vec::new(),
    };
    Ground::Repository(Box::new(Repository {
        top,
        head,
        tree,
        session_branch,
        below,
        remotes,
        past: Past::default(),
    }))
}

/// Has the branch of the session this directory? What no commit has stays where it is, whatever is
/// checked out.
fn below(directory: &Path, top: &Path, branch: &str, place: &BranchPlace) -> Below {
    let real = directory.canonicalize();
    let below = real.ok().and_then(|real| {
        let below = real.strip_prefix(top).ok()?;
        (!below.as_os_str().is_empty()).then(|| below.to_owned())
    });
    let Some(below) = below else {
        return Below::Nothing;
    };
    let has_it = match place {
        BranchPlace::Free => is_tree(top, branch, &below) || !is_tree(top, "HEAD", &below),
        BranchPlace::CheckedOutAt(tree) => tree.join(&below).is_dir(),
        BranchPlace::NotRecorded | BranchPlace::Remote(_) | BranchPlace::Gone => true,
    };
    if has_it {
        Below::There(below)
    } else {
        Below::NotThere(below)
    }
}

/// Why git says nothing of a directory.
enum Unanswered {
    NoRepository,
    /// It is a bare repository, or what git keeps for itself.
    NoTree,
    /// It could not be asked, and why: that tells nothing of the directory.
    Silent(String),
}

fn ask(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, Unanswered> {
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
    match ask(directory, &["rev-parse", "--git-dir"]) {
        Err(Unanswered::Silent(why)) => Some(why),
        Ok(_) | Err(Unanswered::NoRepository | Unanswered::NoTree) => None,
    }
}

fn is_on(head: &Head, remembered: &Remembered) -> bool {
    matches!((head, &remembered.branch), (Head::Branch(now), Some(then)) if now == then)
}

pub fn head(directory: &Path) -> Head {
    // Also where there is no commit yet.
    if let Some(name) = line(directory, &["symbolic-ref", "--quiet", "--short", "HEAD"]) {
        return Head::Branch(name);
    }
    let commit = line(directory, &["rev-parse", "--short", "HEAD"]);
    Head::Detached(commit.unwrap_or_default())
}

fn branch_place(directory: &Path, head: &Head, remembered: &Remembered) -> BranchPlace {
    // "HEAD" is what a transcript says of a detached one.
    let Some(branch) = remembered.branch.as_deref().filter(|name| *name != "HEAD") else {
        return BranchPlace::NotRecorded;
    };
    if is_on(head, remembered) {
        return BranchPlace::Free;
    }
    branch_in(directory, branch)
}

/// Where a branch is, for whoever would check it out.
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

/// The branches of this name at remotes, as `origin/name`, as far as was fetched.
pub fn remote_branches(directory: &Path, branch: &str) -> Vec<String> {
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

/// Has a branch, or a commit, this directory?
pub fn is_tree(directory: &Path, commit: &str, below: &Path) -> bool {
    let mut name = OsString::from(format!("{commit}:"));
    name.push(below);
    let arguments = ["cat-file".as_ref(), "-t".as_ref(), name.as_os_str()];
    is_branch(commit) && git(directory, &arguments).is_some_and(|kind| kind == b"tree\n")
}

/// Has the repository this commit?
pub fn has_commit(directory: &Path, commit: &str) -> bool {
    let is_name = !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name && git(directory, &["cat-file", "-e", commit]).is_some()
}

/// Is anything of a branch in a directory?
pub fn has_files_of(repository: &Path, branch: &str, directory: &Path) -> bool {
    let name = format!("refs/heads/{branch}");
    let listed = git(repository, &["ls-tree", "--name-only", "-z", &name]);
    let listed = listed.unwrap_or_default();
    let mut names = listed.split(|b| *b == 0).filter(|name| !name.is_empty());
    is_branch(branch) && names.any(|name| directory.join(to_path(name)).exists())
}

/// Is this a submodule by what is checked out?
pub fn is_submodule(directory: &Path, below: &Path) -> bool {
    let arguments = [
        "ls-tree".as_ref(),
        "HEAD".as_ref(),
        "--".as_ref(),
        below.as_os_str(),
    ];
    git(directory, &arguments).is_some_and(|listed| listed.starts_with(b"160000 "))
}

pub fn tree(directory: &Path) -> Tree {
    // Whatever the configuration hides: a switch would meet it all the same.
    let everything = ["--untracked-files=normal", "--ignore-submodules=none"];
    let status = ["status", "--porcelain", "-z", "--no-renames"];
    match git(directory, &[&status[..], &everything].concat()) {
        None => Tree::Unknown,
        Some(changes) => match changes
            .split(|b| *b == 0)
            .filter(|one| !one.is_empty())
            .count()
        {
            0 => Tree::Clean,
            files => Tree::Dirty(files),
        },
    }
}

/// Are all commits newer than a moment? Not where history was cut off, or has not begun.
pub fn is_younger(directory: &Path, moment: Millis) -> bool {
    let newest = |arguments: &[&str]| {
        let log = ["log", "-1", "--all", "--format=%H"];
        line(directory, &[&log, arguments].concat())
    };
    let shallow = line(directory, &["rev-parse", "--is-shallow-repository"]);
    let before = format!("--before=@{}", moment / 1000);
    shallow.as_deref() == Some("false") && newest(&[]).is_some() && newest(&[&before]).is_none()
}

/// The remotes as `owner/name`.
fn remotes(directory: &Path) -> Vec<String> {
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

/// The last two parts of an address, whichever way it is written.
pub fn owner_and_name(address: &str) -> Option<String> {
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
