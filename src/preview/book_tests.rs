use std::cell::Cell;
use std::sync::Arc;

use super::{Book, Head, Laid};
use crate::preview::{Agents, Fold, Manner, Options, Place};
use crate::transcript::{Opening, Step, Turn, Typed, What};

fn turn(n: usize) -> Turn {
    let day = 86_400_000;
    Turn {
        opening: Opening::Prompt {
            text: format!("question {n}"),
            images: Vec::new(),
            typed: Typed::AtThePrompt,
        },
        uuid: format!("u{n}"),
        at: i64::try_from(n / 2).ok().map(|n| n * day),
        steps: vec![Step {
            uuid: format!("s{n}"),
            at: None,
            what: What::Thinking {
                text: "hm".to_owned(),
            },
        }],
        noise: Vec::new(),
    }
}

fn lay_out(book: &mut Book, turns: usize, options: &Options, columns: usize) -> Laid {
    let clock = |at| Some(chrono::DateTime::from_timestamp_millis(at)?.naive_utc());
    let manner = Manner {
        options,
        columns,
        clock: &clock,
        syntaxes: None,
        agents: &Agents::default(),
        cwd: None,
    };
    book.lay_out(turns, manner, &|| true).expect("goes on")
}

fn texts(laid: &Laid) -> Vec<String> {
    let lines = laid.scroll.iter().map(crate::preview::Line::text);
    lines.filter(|text| !text.is_empty()).collect()
}

#[test]
fn the_newest_turns_are_laid_out_with_the_day_that_they_begin() {
    let mut book = Book::new((0..6).map(turn).collect(), Head::Compacted);
    let laid = lay_out(&mut book, 3, &Options::default(), 60);
    assert_eq!(laid.unlaid, 3);
    assert_eq!(
        texts(&laid),
        [
            "question 3",
            "── Saturday, 3 January 1970 ──",
            "question 4",
            "question 5"
        ]
    );
    let all = lay_out(&mut book, usize::MAX, &Options::default(), 60);
    assert_eq!(all.unlaid, 0);
    assert!(
        texts(&all)[0].contains("before the compaction"),
        "{:?}",
        texts(&all)
    );
    assert_eq!(texts(&all).len(), 1 + 6 + 2);
}

#[test]
fn no_more_lines_are_held_than_memory_is_meant_for_them() {
    let mut book = Book::new((0..40).map(turn).collect(), Head::Beginning);
    let options = Options::default();
    let whole = lay_out(&mut book, 40, &options, 60);
    assert_eq!((whole.unlaid, book.blocks.len()), (0, 40));
    let most = book.weight() / 4;
    let clock = |_| None;
    let manner = Manner {
        options: &options,
        columns: 60,
        clock: &clock,
        syntaxes: None,
        agents: &Agents::default(),
        cwd: None,
    };
    let laid = book.lay_out_within(most, 40, manner, &|| true);
    let laid = laid.expect("goes on");
    assert!((20..35).contains(&laid.unlaid), "{}", laid.unlaid);
    assert_eq!(book.blocks.len(), 40 - laid.unlaid, "the others are let go");
    // What is missing is said, and the newest is there.
    let texts = texts(&laid);
    let count = format!("{} turns before this", laid.unlaid);
    assert!(texts[0].contains(&count), "{texts:?}");
    assert_eq!(texts.last().map(String::as_str), Some("question 39"));
    // A single turn is shown whatever it weighs.
    let laid = book.lay_out_within(0, 1, manner, &|| true);
    assert!(laid.is_some_and(|laid| !laid.scroll.is_empty()));
}

#[test]
fn a_turn_is_laid_out_again_only_if_something_in_it_changed() {
    let mut book = Book::new((0..3).map(turn).collect(), Head::Beginning);
    let mut options = Options {
        thinking: crate::preview::Thinking::Shown,
        ..Options::default()
    };
    let first = lay_out(&mut book, 9, &options, 60);
    let place = Place {
        turn: 1,
        step: Some(0),
    };
    options.toggle(Fold::Part(place));
    let second = lay_out(&mut book, 9, &options, 60);
    let same = |a: &Laid, b: &Laid, turn: i64| {
        let of = |laid: &Laid| laid.scroll.lines_of(Place::opening(turn)).start;
        std::ptr::eq(
            a.scroll.get(of(a)).expect("a line"),
            b.scroll.get(of(b)).expect("a line"),
        )
    };
    assert!(same(&first, &second, 0) && same(&first, &second, 2));
    assert!(!same(&first, &second, 1));
    let narrow = lay_out(&mut book, 9, &options, 30);
    assert!(!same(&second, &narrow, 0));
}

#[test]
fn what_is_read_further_back_keeps_its_numbers() {
    let mut shown = Book::new((3..6).map(turn).collect(), Head::Beginning);
    let before = lay_out(&mut shown, 9, &Options::default(), 60);
    let mut whole = Book::new((0..7).map(turn).collect(), Head::Beginning);
    whole.follow(shown);
    assert_eq!(whole.first(), -3);
    let after = lay_out(&mut whole, 9, &Options::default(), 60);
    for turn in 0..3 {
        let line = |laid: &Laid| {
            let lines = laid.scroll.lines_of(Place::opening(turn));
            laid.scroll
                .get(lines.end - 2)
                .map(crate::preview::Line::text)
        };
        assert_eq!(line(&before), line(&after), "turn {turn}");
    }
    let mut other = Book::new((20..22).map(turn).collect(), Head::Beginning);
    other.follow(whole);
    assert_eq!(other.first(), 0, "they have nothing in common");
}

#[test]
fn earlier_turns_come_in_front_under_a_note() {
    let mut book = Book::new((2..4).map(turn).collect(), Head::Compacted);
    lay_out(&mut book, 9, &Options::default(), 60);
    book.put_before(
        (0..2).map(turn).collect(),
        Some("── from there ──".to_owned()),
    );
    book.head = Head::Beginning;
    let laid = lay_out(&mut book, 9, &Options::default(), 60);
    assert_eq!(book.first(), -2);
    assert_eq!(texts(&laid)[..2], ["── from there ──", "question 0"]);
    let places: Vec<Place> = laid.scroll.iter().map(|line| line.place).collect();
    assert!(places.is_sorted());
}

#[test]
fn laying_out_can_be_stopped() {
    let mut book = Book::new((0..50).map(turn).collect(), Head::Beginning);
    let left = Cell::new(3);
    let go_on = || {
        left.set(left.get() - 1);
        left.get() > 0
    };
    let options = Options::default();
    let manner = Manner {
        options: &options,
        columns: 60,
        clock: &|_| None,
        syntaxes: None,
        agents: &Agents::default(),
        cwd: None,
    };
    assert_eq!(book.lay_out(50, manner, &go_on), None);
    assert_eq!(left.get(), 0);
    assert!(book.weight() > 0, "what was done is kept");
    assert_eq!(Arc::strong_count(book.turns()), 1);
}
