use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Lock, STALE, WriteError, modified, renew};

fn file() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().canonicalize().unwrap().join("history.jsonl");
    fs::write(&file, "").unwrap();
    let lock = file.with_file_name("history.jsonl.lock");
    (folder, file, lock)
}

fn set_age(folder: &Path, age: Duration) {
    let times = FileTimes::new().set_modified(SystemTime::now() - age);
    File::open(folder).unwrap().set_times(times).unwrap();
}

#[test]
fn a_lock_is_a_folder_that_is_gone_afterwards() {
    let (_keep, file, folder) = file();
    let lock = Lock::take(&file).unwrap();
    assert!(folder.is_dir());
    assert!(matches!(Lock::take(&file), Err(WriteError::Busy(path)) if path == folder));
    drop(lock);
    assert!(!folder.exists());
    drop(Lock::take(&file).unwrap());
}

#[cfg(unix)]
#[test]
fn the_lock_of_a_link_is_that_of_its_file() {
    let (keep, file, folder) = file();
    let link = keep.path().join("link.jsonl");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let _lock = Lock::take(&link).unwrap();
    assert!(folder.is_dir());
}

#[test]
fn a_lock_that_nobody_renewed_is_taken_and_a_fresh_one_is_not() {
    let (_keep, file, folder) = file();
    fs::create_dir(&folder).unwrap();
    set_age(&folder, Duration::from_secs(7));
    assert!(matches!(Lock::take(&file), Err(WriteError::Busy(_))));
    set_age(&folder, Duration::from_secs(11));
    let lock = Lock::take(&file).unwrap();
    assert!(modified(&folder).unwrap().elapsed().unwrap() < STALE);
    drop(lock);
    assert!(!folder.exists());
}

#[test]
fn a_stale_lock_with_something_in_it_is_named_and_left_alone() {
    let (_keep, file, folder) = file();
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("note"), "").unwrap();
    set_age(&folder, Duration::from_secs(11));
    let error = Lock::take(&file).unwrap_err();
    assert!(matches!(&error, WriteError::Stuck { folder: named, .. } if *named == folder));
    let said = error.to_string();
    assert!(said.contains("history.jsonl.lock: "), "{said}");
    assert!(said.ends_with("remove it by hand"), "{said}");
    assert!(folder.join("note").exists());
}

#[test]
fn a_lock_that_was_taken_away_is_not_released_under_its_new_owner() {
    let (_keep, file, folder) = file();
    let lock = Lock::take(&file).unwrap();
    // Somebody else took it for stale and has it now.
    fs::remove_dir(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    set_age(&folder, Duration::from_secs(1));
    drop(lock);
    assert!(folder.is_dir());
}

#[test]
fn renewing_moves_the_time_of_our_own_lock_only() {
    let (_keep, _, folder) = file();
    fs::create_dir(&folder).unwrap();
    set_age(&folder, Duration::from_secs(8));
    let seen = modified(&folder).unwrap();
    let renewed = renew(&folder, seen).expect("ours");
    assert!(renewed > seen + Duration::from_secs(7));
    assert_eq!(renew(&folder, seen), None, "that was another one");
}

#[test]
fn a_lock_that_is_gone_before_it_is_held_is_somebody_elses() {
    let (_keep, _, folder) = file();
    assert!(Lock::hold(&folder).unwrap().is_none());
}
