use std::cell::Cell;

use super::{Book, Laid, LedgerHead};
use crate::preview::{
    Agents, Around, Arrival, Budget, Fold, Library, Manner, Options, PageLine, Painter, Syntaxes,
    TurnPos, TurnWindow,
};
use crate::transcript::{StepKind, Turn, TurnHeading, TurnOpening, TurnStep, Typed};
use proptest::prelude::*;

fn turn(n: usize) -> Turn {
    let day = 86_400_000;
    Turn {
        opening: TurnOpening::Prompt {
            text: format!("question {n}"),
            images: Vec::new(),
            typed: Typed::AtThePrompt,
        },
        uuid: format!("u{n}"),
        at: i64::try_from(n / 2).ok().map(|n| n * day),
        steps: vec![TurnStep {
            uuid: format!("s{n}"),
            at: None,
            mark: None,
            what: StepKind::Thinking("hm".to_owned()),
        }],
        noise: Vec::new(),
        mark: None,
    }
}

/// Of a book that holds all of its turns.
struct AllHeld;

impl Library for AllHeld {
    fn stretch(&mut self, _: i64) -> Option<(i64, Vec<Turn>)> {
        None
    }

    fn agents_of(&mut self, _: i64, _: &Turn, _: &mut Agents) -> Arrival {
        Arrival::Nothing
    }
}

/// Everything, whatever it takes.
fn whole() -> TurnWindow {
    window(Around::End, usize::MAX, usize::MAX)
}

fn lay_out(book: &mut Book, turns: usize, options: &Options, columns: usize) -> Laid {
    let clock = |at| Some(chrono::DateTime::from_timestamp_millis(at)?.naive_utc());
    let manner = Manner {
        options,
        columns,
        clock: &clock,
        painter: None,
        agents: &Agents::default(),
        cwd: None,
    };
    let window = TurnWindow { turns, ..whole() };
    let laid = book.lay_out(window, manner, &mut AllHeld, &|| true);
    laid.expect("goes on")
}

/// Has every turn there is, each by itself; the first has this number.
struct Turns(i64);

impl Library for Turns {
    fn stretch(&mut self, number: i64) -> Option<(i64, Vec<Turn>)> {
        let n = usize::try_from(number - self.0).ok()?;
        Some((number, vec![turn(n)]))
    }

    fn agents_of(&mut self, _: i64, _: &Turn, _: &mut Agents) -> Arrival {
        Arrival::Nothing
    }
}

fn lay_out_from(book: &mut Book, window: TurnWindow, library: &mut dyn Library) -> Laid {
    let clock = |at| Some(chrono::DateTime::from_timestamp_millis(at)?.naive_utc());
    let options = Options::default();
    let manner = Manner {
        options: &options,
        columns: 60,
        clock: &clock,
        painter: None,
        agents: &Agents::default(),
        cwd: None,
    };
    let laid = book.lay_out(window, manner, library, &|| true);
    laid.expect("goes on")
}

/// A book of so many turns of which none is held.
fn unread(count: usize) -> Book {
    let heading = |n: usize| TurnHeading {
        bytes: 1_000,
        together: 1_000,
        ..TurnHeading::new(&turn(n).uuid, turn(n).at)
    };
    let headings = (0..count).map(heading).collect();
    Book::with_headings(headings, 0, Vec::new(), LedgerHead::Compacted)
}

fn window(around: Around, lines: usize, texts: usize) -> TurnWindow {
    TurnWindow {
        around,
        turns: usize::MAX,
        budget: Budget {
            lines,
            texts,
            least: 0,
        },
    }
}

fn texts(laid: &Laid) -> Vec<String> {
    let lines = laid.scroll.iter().map(crate::preview::PageLine::text);
    lines.filter(|text| !text.is_empty()).collect()
}

#[test]
fn the_newest_turns_are_laid_out_with_the_day_that_they_begin() {
    let mut book = Book::new((0..6).map(turn).collect(), LedgerHead::Compacted);
    let laid = lay_out(&mut book, 3, &Options::default(), 60);
    assert_eq!(laid.before, 3);
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
    assert_eq!(all.before, 0);
    assert!(
        texts(&all)[0].contains("before the compaction"),
        "{:?}",
        texts(&all)
    );
    assert_eq!(texts(&all).len(), 1 + 6 + 2);
}

#[test]
fn a_turn_is_laid_out_again_only_if_something_in_it_changed() {
    let mut book = Book::new((0..3).map(turn).collect(), LedgerHead::Beginning);
    let mut options = Options {
        thinking: crate::preview::Visibility::Shown,
        ..Options::default()
    };
    let first = lay_out(&mut book, 9, &options, 60);
    let place = TurnPos {
        turn: 1,
        step: Some(0),
    };
    options.toggle(Fold::Part(place));
    let second = lay_out(&mut book, 9, &options, 60);
    let same = |a: &Laid, b: &Laid, turn: i64| {
        let of = |laid: &Laid| laid.scroll.lines_of(TurnPos::opening(turn)).start;
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
    let mut shown = Book::new((3..6).map(turn).collect(), LedgerHead::Beginning);
    let before = lay_out(&mut shown, 9, &Options::default(), 60);
    let mut whole = Book::new((0..7).map(turn).collect(), LedgerHead::Beginning);
    whole.follow(shown);
    assert_eq!(whole.numbers(), -3..4);
    let after = lay_out(&mut whole, 9, &Options::default(), 60);
    for turn in 0..3 {
        let line = |laid: &Laid| {
            let lines = laid.scroll.lines_of(TurnPos::opening(turn));
            laid.scroll
                .get(lines.end - 2)
                .map(crate::preview::PageLine::text)
        };
        assert_eq!(line(&before), line(&after), "turn {turn}");
    }
    let mut other = Book::new((20..22).map(turn).collect(), LedgerHead::Beginning);
    other.follow(whole);
    assert_eq!(other.numbers(), 0..2, "they have nothing in common");
}

#[test]
fn earlier_turns_come_in_front_under_a_note() {
    let mut book = Book::new((2..4).map(turn).collect(), LedgerHead::Compacted);
    lay_out(&mut book, 9, &Options::default(), 60);
    let headings = (0..2)
        .map(|n| TurnHeading::new(&turn(n).uuid, turn(n).at))
        .collect();
    book.put_before(headings, Some("── from there ──".to_owned()));
    book.head = LedgerHead::Beginning;
    let laid = lay_out_from(&mut book, whole(), &mut Turns(-2));
    assert_eq!(book.numbers(), -2..2);
    assert_eq!(texts(&laid)[..2], ["── from there ──", "question 0"]);
    let places: Vec<TurnPos> = laid.scroll.iter().map(|line| line.place).collect();
    assert!(places.is_sorted());
}

#[test]
fn laying_out_can_be_stopped() {
    let mut book = Book::new((0..50).map(turn).collect(), LedgerHead::Beginning);
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
        painter: None,
        agents: &Agents::default(),
        cwd: None,
    };
    let laid = book.lay_out(whole(), manner, &mut AllHeld, &go_on);
    assert_eq!(laid, None);
    assert_eq!(left.get(), 0);
    assert!(book.lines_weight() > 0, "what was done is kept");
}

#[test]
fn colors_that_were_not_made_to_their_end_are_still_wanted() {
    let mut turn = turn(0);
    turn.opening = TurnOpening::Unasked;
    let text = "```rust\nfn main() {}\n```".to_owned();
    turn.steps[0].what = StepKind::Text(text);
    let mut book = Book::new(vec![turn], LedgerHead::Beginning);
    let syntaxes = Syntaxes::load();
    let mut paint = |go_on: &dyn Fn() -> bool| {
        let manner = Manner {
            options: &Options::default(),
            columns: 60,
            clock: &|_| None,
            painter: Some(Painter {
                syntaxes: &syntaxes,
                go_on,
            }),
            agents: &Agents::default(),
            cwd: None,
        };
        let laid = book.lay_out(whole(), manner, &mut AllHeld, &|| true);
        laid.expect("goes on").wants_paint
    };
    assert!(paint(&|| false));
    assert!(!paint(&|| true));
}

#[test]
fn a_window_holds_no_more_than_its_budget() {
    let mut book = unread(1_000);
    let mut shown =
        |around| lay_out_from(&mut book, window(around, usize::MAX, 20_000), &mut Turns(0));
    let end = shown(Around::End);
    assert_eq!((end.shown.end, end.behind), (1_000, 0));
    assert_eq!(end.before + 21, 1_000, "the one that fills it is the last");
    let middle = shown(Around::Turn(500));
    assert!(
        middle.shown.contains(&492) && middle.shown.contains(&507),
        "{:?}",
        middle.shown
    );
    let beginning = shown(Around::Beginning);
    assert_eq!((beginning.before, beginning.shown), (0, 0..21));
    assert!(texts(&beginning_lines(&mut book))[0].contains("before the compaction"));
    assert!(book.held.len() <= 21 && book.blocks.len() <= 1_000);
    let few = lay_out_from(
        &mut book,
        window(Around::Turn(700), 2_000, usize::MAX),
        &mut Turns(0),
    );
    assert!(few.shown.contains(&700) && few.shown.end - few.shown.start < 30);
    assert_eq!(book.blocks.len(), few.scroll_turns());
}

fn beginning_lines(book: &mut Book) -> Laid {
    lay_out_from(
        book,
        window(Around::Beginning, usize::MAX, 20_000),
        &mut Turns(0),
    )
}

impl Laid {
    fn scroll_turns(&self) -> usize {
        usize::try_from(self.shown.end - self.shown.start).expect("few")
    }
}

#[test]
fn whoever_stands_in_a_turn_that_fills_the_window_gets_out_of_it() {
    let mut book = unread(9);
    let laid = lay_out_from(&mut book, window(Around::Turn(4), 0, 0), &mut Turns(0));
    assert_eq!(laid.shown, 3..6);
    let laid = lay_out_from(&mut book, window(Around::Turn(8), 0, 0), &mut Turns(0));
    assert_eq!(laid.shown, 7..9);
    let laid = lay_out_from(&mut book, window(Around::Turn(99), 0, 0), &mut Turns(0));
    assert_eq!(laid.shown, 7..9, "beyond the end is the end");
}

#[test]
fn a_screen_is_filled_also_where_little_is_shown_of_much() {
    let mut book = unread(500);
    let mut sparse = window(Around::Turn(250), usize::MAX, 3_000);
    sparse.budget.least = 5_000;
    let laid = lay_out_from(&mut book, sparse, &mut Turns(0));
    let weight = |turns: std::ops::Range<i64>| -> usize {
        let blocks = turns.filter_map(|turn| book.blocks.get(&turn));
        blocks.map(|block| block.weight).sum()
    };
    assert!(weight(laid.shown.start..250) >= 5_000);
    assert!(weight(250..laid.shown.end) >= 5_000);
    assert!(laid.held.contains(&250) && laid.held.end - laid.held.start == 4);
    assert_eq!(book.held.len(), 4, "no more texts are held for it");
    // What is laid out is not read for it again.
    let again = lay_out_from(&mut book, sparse, &mut Turns(0));
    assert_eq!(again, laid);
}

#[test]
fn a_window_can_lie_around_a_moment() {
    let mut book = unread(100);
    let day = 86_400_000;
    let at = Around::Moment(20 * day + 5);
    let laid = lay_out_from(&mut book, window(at, usize::MAX, 4_000), &mut Turns(0));
    assert!(laid.shown.contains(&40), "{:?}", laid.shown);
}

#[test]
fn a_turn_that_cannot_be_read_ends_it() {
    let mut book = unread(3);
    let options = Options::default();
    let manner = Manner {
        options: &options,
        columns: 60,
        clock: &|_| None,
        painter: None,
        agents: &Agents::default(),
        cwd: None,
    };
    assert_eq!(book.lay_out(whole(), manner, &mut AllHeld, &|| true), None);
}

#[test]
fn a_turn_that_something_later_reaches_back_into_is_another_one() {
    let mut shown = unread(3);
    let all = lay_out_from(&mut shown, whole(), &mut Turns(0));
    let mut grown = unread(4);
    grown.headings[1].together = 5_000;
    let same = grown.follow(shown);
    assert_eq!(same.into_iter().collect::<Vec<_>>(), [0, 2]);
    let again = lay_out_from(&mut grown, whole(), &mut Turns(0));
    let line = |laid: &Laid, turn| -> *const PageLine {
        let at = laid.scroll.lines_of(TurnPos::opening(turn)).end - 1;
        laid.scroll.get(at).expect("a line")
    };
    // Nobody has compared its texts.
    assert!(!std::ptr::eq(line(&all, 2), line(&again, 2)));
    assert!(!std::ptr::eq(line(&all, 1), line(&again, 1)));
}

proptest! {
    /// Going from window to window, either way, shows every line once and in its order.
    #[test]
    fn windows_are_the_whole(count in 1_usize..40, lines in 0_usize..4_000, bytes in 0_usize..9_000) {
        let whole = lay_out_from(&mut unread(count), whole(), &mut Turns(0));
        let of_turn = |laid: &Laid, turn: i64| -> Vec<PageLine> {
            let lines = laid.scroll.iter();
            lines.filter(|line| line.place.turn == turn).cloned().collect()
        };
        let mut book = unread(count);
        let last = i64::try_from(count).expect("few") - 1;
        let mut seen: Vec<PageLine> = Vec::new();
        let mut at = last;
        let mut around = Around::End;
        loop {
            let laid = lay_out_from(&mut book, window(around, lines, bytes), &mut Turns(0));
            prop_assert_eq!(laid.before + laid.scroll_turns() + laid.behind, count);
            let places: Vec<TurnPos> = laid.scroll.iter().map(|line| line.place).collect();
            prop_assert!(places.is_sorted());
            // What was read already is what it was; what lies before it is new.
            for turn in (laid.shown.start..=at).rev() {
                let mut new = of_turn(&laid, turn);
                new.extend(std::mem::take(&mut seen));
                seen = new;
            }
            for turn in at + 1..laid.shown.end {
                prop_assert_eq!(of_turn(&laid, turn), of_turn(&whole, turn));
            }
            at = laid.shown.start - 1;
            if at < 0 {
                break;
            }
            around = Around::Turn(laid.shown.start);
        }
        let all: Vec<PageLine> = whole.scroll.iter().cloned().collect();
        prop_assert_eq!(seen, all);
    }
}
