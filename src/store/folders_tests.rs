use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::{Folders, MOST};
use crate::store::session::{FileInfo, FileState, Project};

fn stamp(root: &Path, folder: usize, id: &str) -> FileInfo {
    let dir = root.join(folder.to_string());
    FileInfo {
        id: id.into(),
        project: Arc::new(Project {
            root: Arc::from(root),
            name: folder.to_string(),
            dir,
        }),
        size: 0,
        modified: 0,
        state: FileState::File,
        has_folder: false,
        nanos: 0,
        inode: 0,
    }
}

#[test]
fn files_of_more_folders_than_are_kept_open_are_the_right_ones() {
    let root = tempfile::tempdir().expect("a folder");
    let files: Vec<FileInfo> = (0..MOST + 10)
        .map(|folder| stamp(root.path(), folder, "a"))
        .collect();
    for (folder, file) in files.iter().enumerate() {
        fs::create_dir(&file.project.dir).expect("made");
        fs::write(file.path(), folder.to_string()).expect("written");
    }
    let mut folders = Folders::default();
    for _ in 0..2 {
        for (folder, file) in files.iter().enumerate() {
            let mut text = String::new();
            let mut file = folders.open(file).expect("opens");
            file.read_to_string(&mut text).expect("reads");
            assert_eq!(text, folder.to_string());
        }
    }
    assert!(folders.open.len() <= MOST);
}

#[test]
fn what_is_not_there_is_said() {
    let root = tempfile::tempdir().expect("a folder");
    let nowhere = stamp(root.path(), 1, "a");
    let mut folders = Folders::default();
    for _ in 0..2 {
        let error = folders.open(&nowhere).expect_err("there is no folder");
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }
    fs::create_dir(&nowhere.project.dir).expect("made");
    let error = folders.open(&nowhere).expect_err("there is no file");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}
