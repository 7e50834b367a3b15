use std::path::Path;
use std::sync::Arc;

use super::Rows;
use crate::store::{FileInfo, FileState, Hidden, Project, Session, SessionMeta};

fn session(id: &str, folder: &str, modified: i64) -> Session {
    let root: Arc<Path> = Arc::from(Path::new("/r"));
    Session {
        file: FileInfo {
            id: id.into(),
            project: Arc::new(Project {
                dir: root.join("projects").join(folder),
                root,
                name: folder.to_owned(),
            }),
            size: 1,
            modified,
            state: FileState::File,
            has_folder: false,
            nanos: 0,
            inode: 0,
        },
        meta: SessionMeta::default(),
        hidden: None,
    }
}

fn shown(rows: &Rows) -> Vec<(String, i64, usize)> {
    rows.iter()
        .map(|row| {
            let file = &row.session.file;
            (file.id.to_string(), file.modified, row.copies.len())
        })
        .collect()
}

#[test]
fn a_file_that_is_read_again_keeps_its_place() {
    let mut rows = Rows::default();
    assert_eq!(rows.add(session("a", "x", 1)), 0);
    assert_eq!(rows.add(session("b", "x", 1)), 1);
    assert_eq!(rows.replace(session("a", "x", 9)), 0);
    assert_eq!(rows.replace(session("c", "x", 2)), 2);
    assert_eq!(
        shown(&rows),
        [
            ("a".to_owned(), 9, 0),
            ("b".to_owned(), 1, 0),
            ("c".to_owned(), 2, 0)
        ]
    );
}

#[test]
fn a_copy_that_grows_takes_over_and_one_that_goes_gives_way() {
    let mut rows = Rows::default();
    rows.add(session("a", "x", 5));
    rows.add(session("a", "y", 3));
    assert_eq!(shown(&rows), [("a".to_owned(), 5, 1)]);
    assert_eq!(rows.replace(session("a", "y", 7)), 0);
    assert_eq!(shown(&rows), [("a".to_owned(), 7, 1)]);
    let newest = session("a", "y", 7).file.path();
    assert_eq!(rows.remove("a", &newest), Some(0));
    assert_eq!(shown(&rows), [("a".to_owned(), 5, 0)]);
}

#[test]
fn of_two_equally_new_files_that_of_the_own_root_stands_for_the_session() {
    let rooted = |root: &str| {
        let mut session = session("a", "x", 5);
        let root: Arc<Path> = Arc::from(Path::new(root));
        session.file.project = Arc::new(Project {
            dir: root.join("projects/x"),
            root,
            name: "x".to_owned(),
        });
        session
    };
    for order in [["/own", "/zz-backup"], ["/zz-backup", "/own"]] {
        let mut rows = Rows::of_roots(&["/own".into(), "/zz-backup".into()]);
        for root in order {
            rows.add(rooted(root));
        }
        let row = rows.get(0).expect("a row");
        assert_eq!(&*row.session.file.project.root, Path::new("/own"));
        let mut newer = rooted("/zz-backup");
        newer.file.modified = 6;
        rows.replace(newer);
        let row = rows.get(0).expect("a row");
        assert_eq!(&*row.session.file.project.root, Path::new("/zz-backup"));
    }
}

#[test]
fn a_place_stays_empty_when_its_row_is_gone() {
    let mut rows = Rows::default();
    let first = session("a", "x", 1);
    rows.add(first.clone());
    rows.add(session("b", "x", 1));
    assert_eq!(rows.remove("a", &first.file.path()), Some(0));
    assert_eq!(rows.remove("a", &first.file.path()), None);
    assert!(rows.get(0).is_none());
    assert_eq!(
        (rows.len(), rows.position("a"), rows.position("b")),
        (1, None, Some(1))
    );
    assert_eq!(rows.add(first), 2, "what comes back is a new row");
}

#[test]
fn files_that_are_no_sessions_are_told_apart_by_their_path() {
    let mut rows = Rows::default();
    let note = |folder| Session {
        hidden: Some(Hidden::NotASession),
        ..session("notes", folder, 1)
    };
    rows.add(note("x"));
    rows.add(note("y"));
    assert_eq!(rows.remove("notes", &note("y").file.path()), Some(1));
    assert_eq!(rows.replace(note("x")), 0);
    assert_eq!(rows.len(), 1);
}
