use super::Bits;

#[test]
fn bits_are_set_counted_and_cut() {
    let mut bits = Bits::with_len(130);
    for at in [0, 63, 64, 129, 130] {
        bits.set(at, true);
    }
    assert_eq!(bits.ones().collect::<Vec<_>>(), [0, 63, 64, 129]);
    bits.set(63, false);
    assert_eq!(
        (bits.count(), bits.get(63), bits.get(5000)),
        (3, false, false)
    );
    bits.resize(129);
    bits.resize(200);
    assert_eq!(bits.ones().collect::<Vec<_>>(), [0, 64]);
}

#[test]
fn a_run_may_begin_anywhere() {
    for at in [0, 1, 63, 64, 66] {
        let mut bits = Bits::with_len(130);
        bits.set_run(at, 1 | 1 << 63);
        assert_eq!(bits.ones().collect::<Vec<_>>(), [at, at + 63]);
    }
}

#[test]
fn the_next_bit_may_be_far() {
    let mut bits = Bits::with_len(300);
    for at in [3, 64, 290] {
        bits.set(at, true);
    }
    let next = [0, 3, 4, 64, 65, 290, 291, 5000].map(|from| bits.first_in(from..5000));
    let far = Some(290);
    assert_eq!(
        next,
        [Some(3), Some(3), Some(64), Some(64), far, far, None, None]
    );
}

#[test]
fn nothing_behind_a_range_is_found() {
    let mut bits = Bits::with_len(300);
    bits.set(70, true);
    let found = [0..64, 0..70, 0..71, 64..70, 70..71, 71..300, 70..70].map(|it| bits.first_in(it));
    let it = Some(70);
    assert_eq!(found, [None, None, it, None, it, None, None]);
}

#[test]
fn runs_are_compared_at_any_offset() {
    let mut here = Bits::with_len(10);
    let mut there = Bits::with_len(10);
    here.set(7, true);
    there.set(1, true);
    assert!(here.agrees(6, &there, 0, 3));
    assert!(!here.agrees(6, &there, 1, 3));
}
