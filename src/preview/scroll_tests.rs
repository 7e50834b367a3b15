use std::sync::Arc;

use super::Scroll;
use crate::preview::{PageLine, Speaker, TurnPos};

fn line(turn: i64, step: Option<usize>, margin: &str) -> PageLine {
    PageLine {
        speaker: Speaker::Note,
        margin: margin.to_owned(),
        spans: Vec::new(),
        place: TurnPos { turn, step },
        fold: None,
        within: None,
        call: None,
        of_agent: None,
    }
}

fn scroll() -> Scroll {
    let mut scroll = Scroll::default();
    scroll.push(Arc::new(vec![line(-1, None, "a"), line(-1, Some(2), "b")]));
    scroll.push(Arc::new(Vec::new()));
    scroll.push(Arc::new(vec![
        line(0, None, "c"),
        line(0, Some(0), "d"),
        line(0, Some(0), "e"),
    ]));
    scroll
}

#[test]
fn lines_are_numbered_across_blocks() {
    let scroll = scroll();
    let got: Vec<&str> = (0..6)
        .filter_map(|at| Some(scroll.get(at)?.margin.as_str()))
        .collect();
    assert_eq!(got, ["a", "b", "c", "d", "e"]);
    let from = |at| {
        scroll
            .from(at)
            .map(|it| it.margin.as_str())
            .collect::<String>()
    };
    assert_eq!(
        [from(0), from(1), from(2), from(4), from(9)],
        ["abcde", "bcde", "cde", "e", ""]
    );
    assert_eq!(scroll.len(), 5);
}

#[test]
fn a_place_has_its_lines_and_one_that_is_hidden_those_before_it() {
    let scroll = scroll();
    let of = |turn, step| scroll.lines_of(TurnPos { turn, step });
    assert_eq!(of(0, Some(0)), 3..5);
    assert_eq!(of(0, None), 2..3);
    assert_eq!(of(-1, Some(1)), 0..1, "hidden: what opens its turn");
    assert_eq!(of(0, Some(7)), 3..5);
    assert_eq!(of(-9, None), 0..1, "before everything: the first line");
    assert_eq!(of(9, None), 3..5, "behind everything: the last place");
    assert_eq!(
        Scroll::default().lines_of(TurnPos {
            turn: 0,
            step: None
        }),
        0..0
    );
}

#[test]
fn blank_lines_at_the_end_are_no_lines_to_see() {
    let mut scroll = scroll();
    scroll.push(Arc::new(vec![line(1, None, "f"), line(1, None, "")]));
    assert_eq!(scroll.len(), 6);
    scroll.push(Arc::new(vec![line(2, None, "g")]));
    assert_eq!(scroll.len(), 8, "between others they are");
}
