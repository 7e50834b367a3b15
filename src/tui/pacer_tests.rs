use std::time::{Duration, Instant};

use super::{FrameCause, Pacer};

const MILLISECOND: Duration = Duration::from_millis(1);

#[test]
fn asked_for_nothing_it_wants_nothing() {
    let mut pacer = Pacer::default();
    assert_eq!(pacer.due(), None);
    pacer.drawn(Instant::now());
    assert_eq!(pacer.due(), None);
}

#[test]
fn after_a_rest_a_frame_is_due_at_once() {
    let start = Instant::now();
    let mut pacer = Pacer::default();
    pacer.request(FrameCause::Background, start);
    assert_eq!(pacer.due(), Some(start));
    pacer.drawn(start);
    let later = start + 100 * MILLISECOND;
    pacer.request(FrameCause::Input, later);
    assert_eq!(pacer.due(), Some(later));
}

#[test]
fn keys_wait_less_than_what_happens_in_the_background() {
    let start = Instant::now();
    let mut pacer = Pacer::default();
    pacer.drawn(start);
    pacer.request(FrameCause::Background, start + MILLISECOND);
    assert_eq!(pacer.due(), Some(start + 16 * MILLISECOND));
    pacer.request(FrameCause::Input, start + 2 * MILLISECOND);
    assert_eq!(pacer.due(), Some(start + 4 * MILLISECOND));
    pacer.request(FrameCause::Background, start + 3 * MILLISECOND);
    assert_eq!(
        pacer.due(),
        Some(start + 4 * MILLISECOND),
        "no request makes it later"
    );
}

/// Draws whenever a frame is due, with one request per millisecond. Returns when it drew.
fn frames(
    pacer: &mut Pacer,
    start: Instant,
    requests: impl IntoIterator<Item = (u32, FrameCause)>,
) -> Vec<u32> {
    let mut frames = Vec::new();
    for (at, cause) in requests {
        let now = start + at * MILLISECOND;
        pacer.request(cause, now);
        if pacer.due().is_some_and(|due| due <= now) {
            pacer.drawn(now);
            frames.push(at);
        }
    }
    frames
}

#[test]
fn the_first_answers_are_drawn_at_once_and_the_flood_after_them_is_not() {
    let start = Instant::now();
    let mut pacer = Pacer::default();
    pacer.drawn(start);
    let requests = (1..60).map(|at| match at {
        3 | 5 => (at, FrameCause::Answer),
        _ => (at, FrameCause::Background),
    });
    assert_eq!(frames(&mut pacer, start, requests), [3, 5, 16, 32, 48]);
}

#[test]
fn a_flood_of_answers_is_paced_like_the_background() {
    let start = Instant::now();
    let mut pacer = Pacer::default();
    pacer.drawn(start);
    let requests = (1..60).map(|at| (at, FrameCause::Answer));
    assert_eq!(frames(&mut pacer, start, requests), [1, 2, 16, 32, 48]);
}

#[test]
fn every_key_has_answers_of_its_own() {
    let start = Instant::now();
    let mut pacer = Pacer::default();
    pacer.drawn(start);
    let requests = [
        (1, FrameCause::Answer),
        (2, FrameCause::Answer),
        (3, FrameCause::Answer),
        (30, FrameCause::Input),
        (31, FrameCause::Answer),
        (32, FrameCause::Answer),
        (33, FrameCause::Answer),
    ];
    assert_eq!(frames(&mut pacer, start, requests), [1, 2, 30, 31, 32]);
}
