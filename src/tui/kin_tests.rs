use std::path::Path;
use std::sync::Arc;

use super::{Copies, Families, Family, Kin};
use crate::list::Row;
use crate::search::{RowId, SearchHit, Tier};
use crate::store::{FileInfo, FileState, Project, Session, SessionMeta};

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
        },
        meta: SessionMeta::default(),
        hidden: None,
    }
}

/// Rows from 0 on, each older than the one before, the last one the newest of all.
fn rows(count: u32) -> Vec<Arc<Row>> {
    let moment = |n: u32| if n + 1 == count { 1_000 } else { -i64::from(n) };
    let row = |n: u32| Row {
        session: session(n, moment(n), "p"),
        copies: Vec::new(),
    };
    (0..count).map(row).map(Arc::new).collect()
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
    let rows = rows(6);
    let row = |id: RowId| rows.get(id.0 as usize);
    let kin = |families: &Families, n: u32| families.kin(RowId(n), &rows[n as usize]);
    let mut copies = Copies::default();
    let mut families = Families::default();
    let found = hits(&[1, 2, 3, 5, 4]);
    assert_eq!(
        numbers(&families.group(&found, row, &mut copies)),
        [1, 2, 3, 5, 4]
    );
    families.set(&[
        (RowId(2), Family(9)),
        (RowId(3), Family(9)),
        (RowId(5), Family(9)),
        (RowId(4), Family(7)),
    ]);
    assert_eq!(
        numbers(&families.group(&found, row, &mut copies)),
        [1, 5, 4]
    );
    let open = false;
    assert_eq!(kin(&families, 5), Some(Kin::Head { forks: 2, open }));
    // The only one of its family that was found is a row like any other.
    assert_eq!(kin(&families, 4), None);
    families.toggle(Family(9));
    assert_eq!(
        numbers(&families.group(&found, row, &mut copies)),
        [1, 5, 2, 3, 4]
    );
    assert_eq!(kin(&families, 3), Some(Kin::Fork));
    assert!(families.has_open());
    assert!(families.close());
    assert_eq!(
        numbers(&families.group(&found, row, &mut copies)),
        [1, 5, 4]
    );
    assert!(!families.close());
}

#[test]
fn a_newer_one_that_matches_worse_does_not_take_the_place() {
    let rows = rows(3);
    let row = |id: RowId| rows.get(id.0 as usize);
    let mut families = Families::default();
    families.set(&[(RowId(0), Family(0)), (RowId(2), Family(0))]);
    let mut found = hits(&[0, 1, 2]);
    found[2].tier = Tier::Fuzzy;
    let grouped = families.group(&found, row, &mut Copies::default());
    assert_eq!(numbers(&grouped), [0, 1]);
}

#[test]
fn copies_follow_the_row_that_stands_for_them_and_keep_their_numbers() {
    let mut rows = rows(3);
    let copy = |folder| session(1, -9, folder);
    Arc::make_mut(&mut rows[1]).copies = vec![copy("x"), copy("y")];
    let row = |id: RowId| rows.get(id.0 as usize);
    let mut copies = Copies::default();
    let mut families = Families::default();
    let found = hits(&[0, 1, 2]);
    assert!(families.is_empty());
    let family = families.of(RowId(1), &rows[1]);
    let family = family.expect("a row with copies is a family");
    families.toggle(family);
    let open = true;
    let grouped = families.group(&found, row, &mut copies);
    let [_, head, x, y, _] = grouped[..] else {
        panic!("{grouped:?}");
    };
    assert_eq!(head.row, RowId(1));
    let kin = families.kin(RowId(1), &rows[1]);
    assert_eq!(kin, Some(Kin::Head { forks: 0, open }));
    for (hit, folder) in [(x, "/r/x"), (y, "/r/y")] {
        let row = copies.row(hit.row).expect("a row of its own");
        assert_eq!(row.session.file.project.dir, Path::new(folder));
        assert_eq!(copies.owner(hit.row), Some(RowId(1)));
        assert_eq!(families.kin(hit.row, row), Some(Kin::Copy));
    }
    assert_eq!(families.group(&found, row, &mut copies), grouped);
}
