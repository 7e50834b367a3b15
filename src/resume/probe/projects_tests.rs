use std::fs;

use super::directories_called;
use crate::paths::project_name;

#[test]
fn directories_are_found_by_the_name_of_their_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("there");
    let wanted = folder.join("my_shop.v2/api");
    let name = project_name(wanted.to_str().expect("UTF-8"));
    let called = || directories_called(name.as_str()).len();
    assert_eq!(called(), 0);
    fs::create_dir_all(&wanted).expect("made");
    assert_eq!(directories_called(name.as_str()), [wanted]);
    fs::write(folder.join("my-shop.v2"), "a file").expect("written");
    assert_eq!(called(), 1);
    fs::create_dir_all(folder.join("my_shop/v2-api")).expect("made");
    assert_eq!(called(), 2);
}

/// Claude Code files a session under the real path.
#[cfg(unix)]
#[test]
fn a_link_is_no_second_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("there");
    let wanted = folder.join("a_b");
    fs::create_dir(&wanted).expect("made");
    std::os::unix::fs::symlink(&wanted, folder.join("a-b")).expect("linked");
    let name = project_name(wanted.to_str().expect("UTF-8"));
    assert_eq!(directories_called(name.as_str()), [wanted]);
}
