use std::path::Path;
use std::sync::Arc;

use super::{Heading, Item, Listing, Pane};
use crate::list::Row;
use crate::search::{Generation, MatchCounts, Reply, RowId, SearchHit, Tier};
use crate::store::{FileInfo, FileState, Project, Session, SessionMeta};
use crate::tui::dates::{Calendar, Day};

const PANE: Pane = Pane {
    lines: 10,
    row_height: 1,
};

fn row(n: u32, moment: i64) -> (RowId, Option<Arc<Row>>) {
    let root: Arc<Path> = Arc::from(Path::new("/r"));
    let session = Session {
        file: FileInfo {
            id: format!("{n}").into(),
            project: Arc::new(Project {
                dir: root.join("p"),
                root,
                name: "p".to_owned(),
            }),
            size: 1,
            modified: moment,
            state: FileState::File,
            has_folder: false,
        },
        meta: SessionMeta::default(),
        hidden: None,
    };
    let copies = Vec::new();
    (RowId(n), Some(Arc::new(Row { session, copies })))
}

fn reply(rows: impl IntoIterator<Item = u32>) -> Reply {
    Reply {
        generation: Generation(1),
        tier: Tier::Fuzzy,
        hits: rows
            .into_iter()
            .map(|n| SearchHit {
                row: RowId(n),
                tier: Tier::Substring,
            })
            .collect(),
        counts: MatchCounts::default(),
    }
}

fn listing(rows: u32) -> Listing {
    let mut listing = Listing::default();
    listing.put((0..rows).map(|n| row(n, 0)).collect());
    listing.found(reply(0..rows), None, PANE);
    listing
}

fn lines(listing: &Listing) -> Vec<(u16, Item)> {
    let placed = listing.visible(PANE).into_iter();
    placed.map(|placed| (placed.line, placed.item)).collect()
}

#[test]
fn only_what_is_in_sight_is_walked() {
    let listing = listing(100_000);
    assert_eq!(listing.visible(PANE).len(), 10);
    assert_eq!(listing.cursor(), Some(RowId(0)));
}

#[test]
fn the_cursor_pulls_the_list_along() {
    let mut listing = listing(100);
    listing.step(9, PANE);
    assert_eq!(lines(&listing)[0].1, Item::Row(0));
    listing.step(1, PANE);
    assert_eq!(lines(&listing)[0].1, Item::Row(1));
    listing.go(usize::MAX, PANE);
    assert_eq!(listing.cursor(), Some(RowId(99)));
    assert_eq!(lines(&listing)[0].1, Item::Row(90));
    listing.page(-1, PANE);
    assert_eq!(listing.position(), 90);
    listing.step(-1000, PANE);
    assert_eq!((listing.position(), listing.above()), (0, 0));
}

#[test]
fn rows_that_come_above_move_neither_the_cursor_nor_its_line() {
    let mut listing = listing(50);
    listing.go(20, PANE);
    let before = lines(&listing)
        .iter()
        .position(|(_, item)| *item == Item::Row(20));
    listing.put((50..60).map(|n| row(n, 0)).collect());
    listing.found(reply((50..60).chain(0..50)), None, PANE);
    assert_eq!(listing.cursor(), Some(RowId(20)));
    assert_eq!(listing.position(), 30);
    let after = lines(&listing)
        .iter()
        .position(|(_, item)| *item == Item::Row(30));
    assert_eq!(before, after);
}

#[test]
fn an_untouched_cursor_is_on_the_best_row() {
    let mut listing = listing(5);
    listing.put(vec![row(9, 0)]);
    listing.found(reply([9, 0, 1]), None, PANE);
    assert_eq!(listing.cursor(), Some(RowId(9)));
    listing.stay();
    listing.found(reply([0, 9, 1]), None, PANE);
    assert_eq!(listing.cursor(), Some(RowId(9)));
}

#[test]
fn what_takes_the_place_of_a_row_that_is_gone_is_selected() {
    let mut listing = listing(10);
    listing.go(4, PANE);
    listing.found(reply([0, 1, 2, 3, 5, 6]), None, PANE);
    assert_eq!(listing.cursor(), Some(RowId(5)));
    listing.found(reply([0]), None, PANE);
    assert_eq!(listing.cursor(), Some(RowId(0)));
    listing.found(reply([]), None, PANE);
    assert_eq!(listing.cursor(), None);
    listing.step(1, PANE);
    listing.scroll(3, PANE);
    assert!(listing.visible(PANE).is_empty());
    listing.found(reply([3, 4]), None, PANE);
    assert_eq!(listing.cursor(), Some(RowId(3)));
}

#[test]
fn dates_stand_above_the_first_row_of_a_day() {
    let now = chrono::DateTime::parse_from_rfc3339("2026-03-10T12:00:00Z").expect("a moment");
    let calendar = Calendar::at(&now);
    let hours_ago = |hours: i64| now.timestamp_millis() - hours * 3_600_000;
    let mut listing = Listing::default();
    let ages = [1, 2, 13, 60, 61, 2000];
    listing.put(
        (0..)
            .zip(ages)
            .map(|(n, age)| row(n, hours_ago(age)))
            .collect(),
    );
    listing.found(reply(0..6), Some(&calendar), PANE);
    let expected = [
        Item::Heading(Heading::Day(Day::Today)),
        Item::Row(0),
        Item::Row(1),
        Item::Heading(Heading::Day(Day::Yesterday)),
        Item::Row(2),
        Item::Heading(Heading::Day(Day::Week)),
        Item::Row(3),
        Item::Row(4),
        Item::Heading(Heading::Day(Day::Older)),
        Item::Row(5),
    ];
    let shown: Vec<Item> = lines(&listing).into_iter().map(|(_, item)| item).collect();
    assert_eq!(shown, expected);
    assert_eq!(listing.position_at(0, PANE), None, "a heading is no row");
    assert_eq!(listing.position_at(2, PANE), Some(1));
    assert_eq!(listing.position_at(9, PANE), Some(5));
}

#[test]
fn the_wheel_moves_the_list_and_takes_the_cursor_along_only_at_the_edge() {
    let mut listing = listing(100);
    listing.go(5, PANE);
    listing.scroll(3, PANE);
    assert_eq!((listing.above(), listing.position()), (3, 5));
    listing.scroll(10, PANE);
    assert_eq!((listing.above(), listing.position()), (13, 13));
    listing.scroll(1000, PANE);
    assert_eq!((listing.above(), listing.position()), (90, 90));
    listing.scroll(-1000, PANE);
    assert_eq!((listing.above(), listing.position()), (0, 9));
}

#[test]
fn panes_too_small_for_a_row_still_show_the_one_under_the_cursor() {
    let mut listing = listing(30);
    for lines in 0..5 {
        let pane = Pane {
            lines,
            row_height: 4,
        };
        listing.go(17, pane);
        let visible = listing.visible(pane);
        let shown = visible.iter().any(|placed| placed.item == Item::Row(17));
        assert_eq!(shown, lines > 0, "{lines}");
    }
}
