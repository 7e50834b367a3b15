use std::time::{Duration, Instant};

use super::{Cause, Pacer};

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
    pacer.request(Cause::Background, start);
    assert_eq!(pacer.due(), Some(start));
    pacer.drawn(start);
    let later = start + 100 * MILLISECOND;
    pacer.request(Cause::Input, later);
    assert_eq!(pacer.due(), Some(later));
}

#[test]
fn keys_wait_less_than_what_happens_in_the_background() {
    let start = Instant::now();
    let mut pacer = Pacer::default();
    pacer.drawn(start);
    pacer.request(Cause::Background, start + MILLISECOND);
    assert_eq!(pacer.due(), Some(start + 16 * MILLISECOND));
    pacer.request(Cause::Input, start + 2 * MILLISECOND);
    assert_eq!(pacer.due(), Some(start + 4 * MILLISECOND));
    pacer.request(Cause::Background, start + 3 * MILLISECOND);
    assert_eq!(
        pacer.due(),
        Some(start + 4 * MILLISECOND),
        "no request makes it later"
    );
}
