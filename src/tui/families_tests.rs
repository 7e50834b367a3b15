use std::path::Path;
use std::sync::Arc;

use super::{Families, Family, Kin};
use crate::list::Row;
use crate::search::{RowId, SearchHit, Tier};
use crate::store::{FileInfo, FileState, Project, Session, SessionMeta};
use crate::tui::data::Data;

fn session(n: u32, modified: i64, folder: &str) -> Session {
    let root: Arc<Path> = Arc::from(Path::new("/r"));
    Session {
        file: FileInfo {
            id: format!("{n}").into(),
            project: Arc::new(Project {
                dir: root.join(folder),
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

/// Rows from 0 on, each older than the one before, the last one the newest of all.
fn rows(count: u32) -> Data {
    let moment = |n: u32| if n + 1 == count { 1_000 } else { -i64::from(n) };
    let row = |n: u32| Row {
        session: session(n, moment(n), "p"),
        copies: Vec::new(),
    };
    let mut data = Data::default();
    let rows = (0..count).map(|n| (RowId(n), Some(Arc::new(row(n)))));
    data.put_rows(rows.collect());
    data
}

fn hits(rows: &[u32]) -> Vec<SearchHit> {
    let hit = |row: &u32| SearchHit {
        row: RowId(*row),
        tier: Tier::Substring,
    };
    rows.iter().map(hit).collect()
}

fn numbers(hits: &[SearchHit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.row.0).collect()
}

#[test]
fn the_newest_of_a_family_stands_for_it_where_the_best_was_found() {
    let mut data = rows(6);
    let mut families = Families::default();
    let found = hits(&[1, 2, 3, 5, 4]);
    assert_eq!(numbers(&families.group(&found, &data)), [1, 2, 3, 5, 4]);
    data.put_forks(&[
        (RowId(2), Family(9)),
        (RowId(3), Family(9)),
        (RowId(5), Family(9)),
        (RowId(4), Family(7)),
    ]);
    assert_eq!(numbers(&families.group(&found, &data)), [1, 5, 4]);
    let open = false;
    let head = families.kin(RowId(5), &data);
    assert_eq!(head, Some(Kin::Head { forks: 2, open }));
    // The only one of its family that was found is a row like any other.
    assert_eq!(families.kin(RowId(4), &data), None);
    families.toggle(Family(9));
    assert_eq!(numbers(&families.group(&found, &data)), [1, 5, 2, 3, 4]);
    assert_eq!(families.kin(RowId(3), &data), Some(Kin::Fork));
    assert!(families.has_open());
    assert!(families.close());
    assert_eq!(numbers(&families.group(&found, &data)), [1, 5, 4]);
    assert!(!families.close());
}

#[test]
fn a_newer_one_that_matches_worse_does_not_take_the_place() {
    let mut data = rows(3);
    data.put_forks(&[(RowId(0), Family(0)), (RowId(2), Family(0))]);
    let mut found = hits(&[0, 1, 2]);
    found[2].tier = Tier::Fuzzy;
    let grouped = Families::default().group(&found, &data);
    assert_eq!(numbers(&grouped), [0, 1]);
}

#[test]
fn copies_follow_the_row_that_stands_for_them_and_keep_their_numbers() {
    let mut data = rows(3);
    let copy = |folder| session(1, -9, folder);
    let row = Row {
        session: session(1, -1, "p"),
        copies: vec![copy("x"), copy("y")],
    };
    data.put_rows(vec![(RowId(1), Some(Arc::new(row)))]);
    let mut families = Families::default();
    let found = hits(&[0, 1, 2]);
    let family = families.of(RowId(1), &data);
    families.toggle(family.expect("a row with copies is a family"));
    let grouped = families.group(&found, &data);
    let [_, head, x, y, _] = grouped[..] else {
        panic!("{grouped:?}");
    };
    let open = true;
    assert_eq!(head.row, RowId(1));
    let kin = families.kin(RowId(1), &data);
    assert_eq!(kin, Some(Kin::Head { forks: 0, open }));
    for (hit, folder) in [(x, "/r/x"), (y, "/r/y")] {
        let row = families.row(hit.row, &data).expect("a row of its own");
        assert_eq!(row.session.file.project.dir, Path::new(folder));
        assert_eq!(families.owner(hit.row), RowId(1));
        assert_eq!(families.kin(hit.row, &data), Some(Kin::Copy));
    }
    assert_eq!(families.group(&found, &data), grouped);
}
