use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::{is_exhausted, open, patiently, read, read_json, read_text};

#[test]
fn a_file_is_read_up_to_its_limit_and_not_beyond() {
    let folder = tempfile::tempdir().expect("made");
    let path = folder.path().join("a");
    fs::write(&path, "four").expect("written");
    assert_eq!(read(&path, 4).expect("read"), b"four");
    let error = read(&path, 3).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(error.to_string(), "larger than 3 B");
    fs::write(&path, b"\xff").expect("written");
    let error = read_text(&path, 4).expect_err("no text");
    assert_eq!(error.to_string(), "not UTF-8");
}

#[test]
fn json_is_read_with_a_mark_before_it_and_anything_else_is_nothing() {
    let folder = tempfile::tempdir().expect("made");
    let path = folder.path().join("a.json");
    fs::write(&path, "\u{feff}{\"a\": 1}").expect("written");
    assert_eq!(read_json(&path), Some(serde_json::json!({"a": 1})));
    fs::write(&path, "{").expect("written");
    assert_eq!(read_json(&path), None);
    assert_eq!(read_json(&folder.path().join("none")), None);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_opened() {
    let folder = tempfile::tempdir().expect("made");
    for path in [folder.path(), Path::new("/dev/zero")] {
        let error = open(path).expect_err("no file");
        assert_eq!(error.to_string(), "not a regular file", "{path:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_others_will_close_is_waited_for() {
    let full = || std::io::Error::from_raw_os_error(rustix::io::Errno::MFILE.raw_os_error());
    assert!(is_exhausted(&full()));
    assert!(!is_exhausted(&std::io::ErrorKind::NotFound.into()));
    let mut tries = 0;
    let opened = patiently(|| {
        tries += 1;
        if tries < 4 { Err(full()) } else { Ok("opened") }
    });
    assert_eq!((opened.ok(), tries), (Some("opened"), 4));
}
