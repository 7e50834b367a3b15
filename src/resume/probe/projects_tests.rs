use std::fs;

use super::only_directory_called;
use crate::paths::project_name;

#[test]
fn a_directory_is_found_by_the_name_of_its_folder_if_it_is_the_only_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("there");
    let wanted = folder.join("my_shop.v2/api");
    let name = project_name(wanted.to_str().expect("UTF-8"));
    assert_eq!(only_directory_called(name.as_str()), None, "there is none");
    fs::create_dir_all(&wanted).expect("made");
    assert_eq!(only_directory_called(name.as_str()), Some(wanted));
    fs::write(folder.join("my-shop.v2"), "a file").expect("written");
    assert!(only_directory_called(name.as_str()).is_some());
    fs::create_dir_all(folder.join("my_shop/v2-api")).expect("made");
    assert_eq!(only_directory_called(name.as_str()), None, "there are two");
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
    assert_eq!(only_directory_called(name.as_str()), Some(wanted));
}
