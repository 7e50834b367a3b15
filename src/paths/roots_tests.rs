use std::path::{Path, PathBuf};

use super::{Environment, config_roots};

fn environment(claude: Option<&str>, xdg: Option<&str>) -> Environment {
    Environment {
        claude_config_dir: claude.map(PathBuf::from),
        xdg_config_home: xdg.map(PathBuf::from),
        home: Some(PathBuf::from("/home/ada")),
    }
}

fn roots(environment: &Environment, extra: &[&str], older: Option<&str>) -> Vec<PathBuf> {
    let extra: Vec<PathBuf> = extra.iter().map(PathBuf::from).collect();
    config_roots(environment, &extra, |root| {
        older.is_some_and(|older| root == Path::new(older))
    })
}

#[test]
fn home_is_the_default() {
    assert_eq!(
        roots(&environment(None, None), &[], None),
        [PathBuf::from("/home/ada/.claude")]
    );
}

#[test]
fn the_variable_replaces_home_unless_empty() {
    assert_eq!(
        roots(&environment(Some("/work/claude"), None), &[], None),
        [PathBuf::from("/work/claude")]
    );
    assert_eq!(
        roots(&environment(Some(""), None), &[], None),
        [PathBuf::from("/home/ada/.claude")]
    );
}

#[test]
fn the_older_location_counts_only_with_projects_in_it() {
    assert_eq!(
        roots(&environment(None, Some("/xdg")), &[], Some("/xdg/claude")),
        [
            PathBuf::from("/home/ada/.claude"),
            PathBuf::from("/xdg/claude")
        ]
    );
    assert_eq!(
        roots(
            &environment(None, None),
            &[],
            Some("/home/ada/.config/claude")
        ),
        [
            PathBuf::from("/home/ada/.claude"),
            PathBuf::from("/home/ada/.config/claude")
        ]
    );
    assert_eq!(
        roots(&environment(None, Some("/xdg")), &[], None),
        [PathBuf::from("/home/ada/.claude")]
    );
}

#[test]
fn further_roots_come_last_and_only_once() {
    assert_eq!(
        roots(
            &environment(None, None),
            &["/backup", "/home/ada/.claude", "/backup"],
            None
        ),
        [PathBuf::from("/home/ada/.claude"), PathBuf::from("/backup")]
    );
}

#[test]
fn no_home_and_no_variable_leave_only_what_was_asked_for() {
    let nowhere = Environment::default();
    assert_eq!(
        roots(&nowhere, &["/backup"], None),
        [PathBuf::from("/backup")]
    );
}
