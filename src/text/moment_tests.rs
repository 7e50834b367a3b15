use chrono::{DateTime, FixedOffset, NaiveDateTime};

use super::parse_moment;

fn at(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).expect("a valid test date")
}

fn parsed(text: &str) -> Option<String> {
    let now = at("2026-11-16T15:00:00+02:00");
    parse_moment(text, &now).ok().map(|millis| {
        DateTime::from_timestamp_millis(millis)
            .expect("in range")
            .with_timezone(&now.timezone())
            .to_rfc3339()
    })
}

#[test]
fn spans_count_back_from_now() {
    let cases = [
        ("30m", "2026-11-16T14:30:00+02:00"),
        ("12h", "2026-11-16T03:00:00+02:00"),
        ("2d", "2026-11-14T15:00:00+02:00"),
        ("1 w", "2026-11-09T15:00:00+02:00"),
        ("6mo", "2026-05-16T15:00:00+02:00"),
        ("1y", "2025-11-16T15:00:00+02:00"),
    ];
    for (typed, expected) in cases {
        assert_eq!(parsed(typed).as_deref(), Some(expected), "{typed}");
    }
}

#[test]
fn days_and_dates_start_at_local_midnight() {
    let cases = [
        ("today", "2026-11-16T00:00:00+02:00"),
        ("Yesterday", "2026-11-15T00:00:00+02:00"),
        ("2026-11-01", "2026-11-01T00:00:00+02:00"),
        ("2026-11-01 14:30", "2026-11-01T14:30:00+02:00"),
        ("2026-11-01T14:30:05", "2026-11-01T14:30:05+02:00"),
        ("2026-11-01T14:30:00Z", "2026-11-01T16:30:00+02:00"),
        ("2026-11-01T14:30Z", "2026-11-01T16:30:00+02:00"),
    ];
    for (typed, expected) in cases {
        assert_eq!(parsed(typed).as_deref(), Some(expected), "{typed}");
    }
}

#[test]
fn anything_else_is_refused_by_name() {
    for typed in [
        "",
        "d",
        "2",
        "2x",
        "soon",
        "2026-13-01",
        "99999999999999d",
        "4294967295y",
    ] {
        assert_eq!(parsed(typed), None, "{typed}");
    }
    let now = at("2026-11-16T15:00:00+02:00");
    assert_eq!(
        parse_moment("soon", &now).map_err(|error| error.to_string()),
        Err(
            "'soon' is not a time: try 2d, 12h, 3w, today, 2026-11-01 or 2026-11-01T14:30"
                .to_owned()
        )
    );
}

/// A zone whose clock jumps from 02:00 to 03:00 on 29 March 2026, as in Berlin.
#[derive(Clone, Copy)]
struct Jumping;

impl chrono::TimeZone for Jumping {
    type Offset = FixedOffset;

    fn from_offset(_: &FixedOffset) -> Self {
        Self
    }

    fn offset_from_local_date(
        &self,
        _: &chrono::NaiveDate,
    ) -> chrono::MappedLocalTime<FixedOffset> {
        chrono::MappedLocalTime::None
    }

    fn offset_from_local_datetime(
        &self,
        local: &NaiveDateTime,
    ) -> chrono::MappedLocalTime<FixedOffset> {
        let jump = moment("2026-03-29T02:00:00");
        match *local {
            before if before < jump => chrono::MappedLocalTime::Single(hours(1)),
            inside if inside < moment("2026-03-29T03:00:00") => chrono::MappedLocalTime::None,
            _ => chrono::MappedLocalTime::Single(hours(2)),
        }
    }

    fn offset_from_utc_date(&self, _: &chrono::NaiveDate) -> FixedOffset {
        hours(1)
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> FixedOffset {
        let summer = *utc >= moment("2026-03-29T01:00:00");
        hours(if summer { 2 } else { 1 })
    }
}

fn hours(count: i32) -> FixedOffset {
    FixedOffset::east_opt(count * 3600).expect("a valid offset")
}

fn moment(text: &str) -> NaiveDateTime {
    text.parse().expect("a valid test date")
}

#[test]
fn a_day_ago_exists_even_where_the_clock_jumped() {
    let now = at("2026-03-30T02:30:00+02:00").with_timezone(&Jumping);
    let expected = at("2026-03-29T03:30:00+02:00").timestamp_millis();
    assert_eq!(parse_moment("1d", &now), Ok(expected));
}
