use std::path::Path;

use super::{fits, is_kept_among_trees};

#[test]
fn a_directory_may_bear_the_name_of_a_branch() {
    for (directory, branch, expected) in [
        ("jwt", "fix/jwt", true),
        ("fix-jwt", "fix/jwt", true),
        ("Fix_JWT", "fix/jwt", true),
        ("shop-jwt", "fix/jwt", true),
        ("shop-fix-jwt", "fix/jwt", true),
        ("jwt", "worktree-jwt", true),
        ("agent-a1b2", "worktree-agent-a1b2", true),
        ("src", "fix/jwt", false),
        ("w-t", "fix/jwt", false),
        ("t", "fix/jwt", false),
        ("fix", "fix/jwt", false),
        ("shop", "shop/x", false),
        ("---", "fix/---", true),
        ("a", "", false),
    ] {
        let path = Path::new("/w").join(directory);
        assert_eq!(fits(&path, branch), expected, "{directory} {branch}");
    }
    assert!(!fits(Path::new("/"), "main"));
}

#[test]
fn working_trees_are_kept_in_folders_of_some_names() {
    assert!(is_kept_among_trees(Path::new("/w/.claude/worktrees/x")));
    assert!(!is_kept_among_trees(Path::new("/w/.worktrees/x/src")));
    assert!(!is_kept_among_trees(Path::new("/w/.worktrees")));
}
