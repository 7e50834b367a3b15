use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DAY, Retention, SetBy, expiring, retention};
use crate::store::{FileInfo, FileState, Project};

fn write(path: &Path, days: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{{\"cleanupPeriodDays\": {days}}}")).unwrap();
}

#[test]
fn managed_settings_beat_the_project_and_the_project_beats_the_person() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("claude");
    let project = folder.path().join("shop");
    let managed: PathBuf = folder.path().join("etc/managed-settings.json");
    let effective = || {
        let managed = std::slice::from_ref(&managed);
        retention(Some(&root), Some(&project), managed)
    };
    assert_eq!(effective(), Retention::default());
    assert_eq!(effective().to_string(), "30 (default)");
    write(&root.join("settings.json"), "90");
    assert_eq!(effective().to_string(), "90 (your settings)");
    write(&project.join(".claude/settings.json"), "14");
    assert_eq!(effective().to_string(), "14 (project settings)");
    write(&project.join(".claude/settings.local.json"), "15");
    assert_eq!(effective().days, 15);
    write(&managed, "7");
    assert_eq!(effective().to_string(), "7 (managed settings)");
    write(&managed, "\"soon\"");
    assert_eq!(
        effective().to_string(),
        "15 (project settings; managed settings unreadable)",
        "what is no number says nothing, and that is said"
    );
}

#[test]
fn settings_that_cannot_be_understood_are_named() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("settings.json");
    let said = |content: &str| {
        fs::write(&path, content).unwrap();
        retention(Some(root.path()), None, &[]).to_string()
    };
    assert_eq!(said("{}"), "30 (default)");
    assert_eq!(said("{broken"), "30 (default; your settings unreadable)");
    let days = |days: &str| said(&format!("{{\"cleanupPeriodDays\": {days}}}"));
    assert_eq!(days("-1"), "30 (default; your settings unreadable)");
    assert_eq!(days("1e3"), "1000 (your settings)");
    assert_eq!(days("1000000000"), "1000000000 (your settings)");
    assert_eq!(days("1e300"), "4294967295 (your settings)");
}

#[test]
fn in_the_home_directory_settings_are_the_persons_own() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join(".claude");
    write(&root.join("settings.json"), "60");
    let effective = retention(Some(&root), Some(home.path()), &[]);
    assert_eq!(effective.set_by, SetBy::You);
}

#[test]
fn sessions_that_expire_within_a_week_are_counted() {
    let root: Arc<Path> = Path::new("/c").into();
    let project = Arc::new(Project {
        dir: "/c/projects/p".into(),
        root,
        name: "p".to_owned(),
    });
    let now = 1_772_359_200_000;
    let file = |id: &str, days: i64| FileInfo {
        id: id.into(),
        project: Arc::clone(&project),
        size: 1,
        modified: now - days * DAY,
        state: FileState::File,
        has_folder: false,
        nanos: 0,
        inode: 0,
    };
    let files = [
        file("new", 1),
        file("in a week and a day", 22),
        file("in six days", 24),
        file("overdue", 40),
        file("agent-x", 29),
    ];
    assert_eq!(expiring(&files, Retention::default(), now), 2);
    let long = Retention {
        days: 90,
        set_by: SetBy::You,
        unclear: None,
    };
    assert_eq!(expiring(&files, long, now), 0);
}
