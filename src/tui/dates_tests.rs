use chrono::DateTime;

use super::{Calendar, Day};

#[test]
fn moments_fall_on_days_of_the_persons_own_zone() {
    let now = DateTime::parse_from_rfc3339("2026-03-10T00:30:00+02:00").expect("a moment");
    let calendar = Calendar::at(&now);
    let day = |text: &str| {
        let moment = DateTime::parse_from_rfc3339(text).expect("a moment");
        calendar.day(moment.timestamp_millis())
    };
    assert_eq!(
        day("2026-03-11T00:00:00+02:00"),
        Day::Today,
        "a clock that ran ahead"
    );
    assert_eq!(day("2026-03-09T22:10:00Z"), Day::Today);
    assert_eq!(day("2026-03-09T21:50:00Z"), Day::Yesterday);
    assert_eq!(day("2026-03-08T12:00:00+02:00"), Day::Week);
    assert_eq!(day("2026-03-04T00:00:00+02:00"), Day::Week);
    assert_eq!(day("2026-03-03T23:59:00+02:00"), Day::Month);
    assert_eq!(day("2026-02-09T00:00:00+02:00"), Day::Month);
    assert_eq!(day("2026-02-08T23:00:00+02:00"), Day::Older);
    assert_eq!(day("1970-01-01T00:00:00Z"), Day::Older);
}
