//! Config roots: the directories that may hold a `projects/` folder.

use std::path::{Path, PathBuf};

/// What the surroundings say about where Claude Code lives. The command line fills it in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `$CLAUDE_CONFIG_DIR`
    pub claude_config_dir: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`
    pub xdg_config_home: Option<PathBuf>,
    pub home: Option<PathBuf>,
}

/// The config roots to look in, most important first: the one Claude Code itself would use,
/// then the directory that some installs of 2025 used, then those that were asked for.
///
/// A root that does not exist is still returned: the caller knows which absence is an error.
/// The older location is an extra, so it counts only where `has_projects` says yes.
pub fn config_roots(
    environment: &Environment,
    extra: &[PathBuf],
    has_projects: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let own = non_empty(environment.claude_config_dir.as_ref())
        .or_else(|| environment.home.as_ref().map(|home| home.join(".claude")));
    let older = non_empty(environment.xdg_config_home.as_ref())
        .or_else(|| environment.home.as_ref().map(|home| home.join(".config")))
        .map(|config| config.join("claude"))
        .filter(|root| has_projects(root));

    let mut roots: Vec<PathBuf> = Vec::new();
    for root in own.into_iter().chain(older).chain(extra.iter().cloned()) {
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    roots
}

/// An environment variable set to the empty string means the same as one that is not set.
fn non_empty(path: Option<&PathBuf>) -> Option<PathBuf> {
    path.filter(|path| !path.as_os_str().is_empty()).cloned()
}

#[cfg(test)]
#[path = "roots_tests.rs"]
mod tests;
