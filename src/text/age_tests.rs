use super::{DAY, HOUR, MINUTE, MONTH, WEEK, YEAR, age};

#[test]
fn ages_read_well() {
    let cases = [
        (-5, "now"),
        (59, "now"),
        (MINUTE, "1m"),
        (59 * MINUTE, "59m"),
        (23 * HOUR, "23h"),
        (6 * DAY, "6d"),
        (WEEK, "1w"),
        (8 * WEEK, "8w"),
        (3 * MONTH, "3mo"),
        (23 * MONTH, "23mo"),
        (2 * YEAR, "2y"),
    ];
    for (seconds, expected) in cases {
        assert_eq!(age(0, seconds * 1000), expected);
    }
}
