use std::fs;

use super::append;

#[test]
fn a_history_is_made_for_its_owner_only() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("history.jsonl");
    append(&path, "{\"display\":\"one\"}\n").unwrap();
    append(&path, "{\"display\":\"two\"}\n{\"display\":\"three\"}\n").unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"display\":\"one\"}\n{\"display\":\"two\"}\n{\"display\":\"three\"}\n"
    );
    assert!(!root.path().join("history.jsonl.lock").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_line_that_was_cut_off_does_not_swallow_the_next() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("history.jsonl");
    fs::write(&path, "{\"display\":\"ha").unwrap();
    append(&path, "{\"display\":\"whole\"}\n").unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"display\":\"ha\n{\"display\":\"whole\"}\n"
    );
}

#[test]
fn while_another_one_has_the_lock_nothing_is_written() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("history.jsonl");
    fs::create_dir(root.path().join("history.jsonl.lock")).unwrap();
    let error = append(&path, "x\n").unwrap_err();
    assert!(error.is_busy(), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "");
}

#[test]
fn what_is_no_file_is_not_written_to() {
    let root = tempfile::tempdir().unwrap();
    let error = append(root.path(), "x\n").unwrap_err();
    assert!(!error.is_busy());
    let wanted = format!("{}: cannot be written: ", root.path().display());
    assert!(error.to_string().starts_with(&wanted), "{error}");
}
