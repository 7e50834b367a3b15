use super::{Heading, Keyed, List, ListPart, Pane};
use crate::tui::widgets::Motion;

const PANE: Pane = Pane {
    lines: 10,
    row_height: 1,
};

impl Keyed for u32 {
    type Key = u32;

    fn key(&self) -> u32 {
        *self
    }
}

fn list(items: u32) -> List<u32> {
    let mut list = List::default();
    show(&mut list, 0..items);
    list
}

fn show(list: &mut List<u32>, items: impl IntoIterator<Item = u32>) {
    list.replace(items.into_iter().collect(), Vec::new(), true, PANE);
}

fn lines(list: &List<u32>) -> Vec<(u16, ListPart)> {
    let placed = list.visible(PANE).into_iter();
    placed.map(|placed| (placed.line, placed.item)).collect()
}

#[test]
fn only_visible_items_are_walked() {
    let list = list(100_000);
    assert_eq!(list.visible(PANE).len(), 10);
    assert_eq!(list.cursor(), Some(0));
}

#[test]
fn the_cursor_pulls_the_list_along() {
    let mut list = list(100);
    list.go(Motion::Lines(9), PANE);
    assert_eq!(lines(&list)[0].1, ListPart::Row(0));
    list.go(Motion::Lines(1), PANE);
    assert_eq!(lines(&list)[0].1, ListPart::Row(1));
    list.go(Motion::Last, PANE);
    assert_eq!(list.cursor(), Some(99));
    assert_eq!(lines(&list)[0].1, ListPart::Row(90));
    list.go(Motion::Pages(-1), PANE);
    assert_eq!(list.position(), 90);
    list.go(Motion::Lines(-1000), PANE);
    assert_eq!((list.position(), list.above()), (0, 0));
}

#[test]
fn items_that_come_above_move_neither_the_cursor_nor_its_line() {
    let mut list = list(50);
    list.go_to(20, PANE);
    let line = |list: &List<u32>, position| {
        let is_it = |(_, item): &(u16, ListPart)| *item == ListPart::Row(position);
        lines(list).iter().position(is_it)
    };
    let before = line(&list, 20);
    show(&mut list, (50..60).chain(0..50));
    assert_eq!(list.cursor(), Some(20));
    assert_eq!(list.position(), 30);
    assert_eq!(line(&list, 30), before);
}

#[test]
fn an_untouched_cursor_is_on_the_best_item() {
    let mut list = list(5);
    show(&mut list, [9, 0, 1]);
    assert_eq!(list.cursor(), Some(9));
    list.stay();
    show(&mut list, [0, 9, 1]);
    assert_eq!(list.cursor(), Some(9));
}

#[test]
fn the_cursor_of_an_item_that_is_gone_goes_to_the_one_in_its_place() {
    let mut list = list(10);
    list.go_to(4, PANE);
    show(&mut list, [0, 1, 2, 3, 5, 6]);
    assert_eq!(list.cursor(), Some(5));
    show(&mut list, [0]);
    assert_eq!(list.cursor(), Some(0));
    show(&mut list, []);
    assert_eq!(list.cursor(), None);
    list.go(Motion::Lines(1), PANE);
    list.scroll(3, PANE);
    assert!(list.visible(PANE).is_empty());
    show(&mut list, [3, 4]);
    assert_eq!(list.cursor(), Some(3));
}

#[test]
fn the_cursor_returns_to_a_lost_item_as_soon_as_it_comes_again() {
    let mut list = list(50);
    list.go_to(40, PANE);
    list.clear(PANE);
    list.replace((0..20).collect(), Vec::new(), false, PANE);
    assert_eq!(list.cursor(), Some(19), "it waits as near as it can");
    list.replace((100..150).collect(), Vec::new(), false, PANE);
    assert_eq!(list.cursor(), Some(140), "at its position");
    list.replace((0..50).collect(), Vec::new(), true, PANE);
    assert_eq!(list.cursor(), Some(40));
    list.clear(PANE);
    show(&mut list, 0..10);
    list.touch();
    show(&mut list, 0..50);
    assert_eq!(list.cursor(), Some(9), "a choice cancels that");
}

#[test]
fn headings_take_a_line_and_are_no_items() {
    let mut list = List::default();
    list.replace(vec![1, 2], vec![(1, Heading::Fuzzy)], true, PANE);
    let expected = [
        (0, ListPart::Row(0)),
        (1, ListPart::Heading(Heading::Fuzzy)),
        (2, ListPart::Row(1)),
    ];
    assert_eq!(lines(&list), expected);
    assert_eq!(list.position_at(1, PANE), None);
    assert_eq!(list.position_at(2, PANE), Some(1));
    list.replace((0..100).collect(), vec![(50, Heading::Fuzzy)], true, PANE);
    for position in [0, 9, 10, 49, 50, 51, 99, 60, 50, 3, 0] {
        list.go_to(position, PANE);
        let visible = list.visible(PANE);
        let is_it = |placed: &super::Placed| placed.item == ListPart::Row(position);
        assert!(visible.iter().any(is_it), "{position}: {visible:?}");
        assert!(visible.iter().all(|placed| placed.line < 10));
    }
    list.go_to(99, PANE);
    assert_eq!(list.visible(PANE).len(), 10);
}

#[test]
fn the_wheel_moves_the_list_and_takes_the_cursor_along_only_at_the_edge() {
    let mut list = list(100);
    list.go_to(5, PANE);
    list.scroll(3, PANE);
    assert_eq!((list.above(), list.position()), (3, 5));
    list.scroll(10, PANE);
    assert_eq!((list.above(), list.position()), (13, 13));
    list.scroll(1000, PANE);
    assert_eq!((list.above(), list.position()), (90, 90));
    list.scroll(-1000, PANE);
    assert_eq!((list.above(), list.position()), (0, 9));
}

#[test]
fn a_pane_too_small_for_a_row_still_shows_the_one_under_the_cursor() {
    let mut list = list(30);
    for lines in 0..5 {
        let pane = Pane {
            lines,
            row_height: 4,
        };
        list.go_to(17, pane);
        let visible = list.visible(pane);
        let shown = visible
            .iter()
            .any(|placed| placed.item == ListPart::Row(17));
        assert_eq!(shown, lines > 0, "{lines}");
    }
}
