//! Names that people give to worktrees: after the branch, or after the repository.

use std::path::Path;

use super::git_folder::GitFolder;

/// Does a directory bear the name of a branch, whole or in part? `jwt`, `fix-jwt` and `shop-jwt`
/// do for `fix/jwt`.
pub fn fits(directory: &Path, branch: &str) -> bool {
    let Some(name) = directory.file_name() else {
        return false;
    };
    let name = plain(&name.to_string_lossy());
    let whole = plain(branch);
    let last = plain(branch.rsplit('/').next().unwrap_or(branch));
    let ends = |text: &str, end: &str| {
        let start = text.strip_suffix(end);
        !end.is_empty() && start.is_some_and(|start| start.is_empty() || start.ends_with('-'))
    };
    ends(&whole, &name) || ends(&name, &whole) || ends(&name, &last)
}

/// Does the name of a directory begin with that of a repository? `shop-jwt` does with `shop`.
pub fn is_called_after(directory: &Path, folder: &GitFolder) -> bool {
    let name = directory
        .file_name()
        .map(|name| plain(&name.to_string_lossy()));
    let own = folder.name().map(plain).filter(|own| !own.is_empty());
    match (name, own) {
        (Some(name), Some(own)) => name
            .strip_prefix(&own)
            .is_some_and(|rest| rest.starts_with('-')),
        _ => false,
    }
}

/// Letters and digits, everything else a dash: as people make directories of branches.
fn plain(name: &str) -> String {
    let each = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' });
    each.collect::<String>().to_lowercase()
}
