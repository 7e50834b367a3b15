//! Moments as people type them: `2d`, `6h`, `yesterday`, `2026-11-01`, `2026-11-01 14:30`.

use chrono::{DateTime, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone};

/// Why a typed moment was not understood. The text says what would be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time: try 2d, 12h, 3w, today, 2026-11-01 or 2026-11-01T14:30")]
pub struct MomentError(String);

/// Reads a moment, counted back from `now` or as a date, in milliseconds since the epoch. Dates without an offset
/// are in the time zone of `now`.
pub fn parse_moment<Tz: TimeZone>(text: &str, now: &DateTime<Tz>) -> Result<i64, MomentError> {
    let typed = text.trim();
    ago(typed, now)
        .or_else(|| named_day(typed, now))
        .or_else(|| date(typed, &now.timezone()))
        .ok_or_else(|| MomentError(text.to_owned()))
}

fn ago<Tz: TimeZone>(typed: &str, now: &DateTime<Tz>) -> Option<i64> {
    let digits = typed.bytes().take_while(u8::is_ascii_digit).count();
    let count: u32 = typed.get(..digits)?.parse().ok()?;
    let unit = typed.get(digits..)?.trim_start();
    let span = match unit {
        "m" | "min" => Some(TimeDelta::try_minutes(count.into())?),
        "h" => Some(TimeDelta::try_hours(count.into())?),
        _ => None,
    };
    if let Some(span) = span {
        return Some(now.clone().checked_sub_signed(span)?.timestamp_millis());
    }
    // Days and longer go by the calendar: at the same time of the clock, which may have jumped.
    let local = now.naive_local();
    let then = match unit {
        "d" => local.checked_sub_days(Days::new(count.into())),
        "w" => local.checked_sub_days(Days::new(u64::from(count) * 7)),
        "mo" => local.checked_sub_months(Months::new(count)),
        "y" => local.checked_sub_months(Months::new(count.checked_mul(12)?)),
        _ => None,
    };
    start_of(then?, &now.timezone())
}

fn named_day<Tz: TimeZone>(typed: &str, now: &DateTime<Tz>) -> Option<i64> {
    let today = now.date_naive();
    let day = match typed.to_ascii_lowercase().as_str() {
        "today" => today,
        "yesterday" => today.pred_opt()?,
        _ => return None,
    };
    start_of(day.and_time(NaiveTime::MIN), &now.timezone())
}

fn date<Tz: TimeZone>(typed: &str, zone: &Tz) -> Option<i64> {
    let exact = DateTime::parse_from_rfc3339(typed)
        .or_else(|_| DateTime::parse_from_str(typed, "%Y-%m-%dT%H:%M%#z"));
    if let Ok(exact) = exact {
        return Some(exact.timestamp_millis());
    }
    let local = [
        "%Y-%m-%dT%H:%M:%S",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%d %H:%M",
    ]
    .iter()
    .find_map(|format| NaiveDateTime::parse_from_str(typed, format).ok())
    .or_else(|| {
        let day = NaiveDate::parse_from_str(typed, "%Y-%m-%d").ok()?;
        Some(day.and_time(NaiveTime::MIN))
    })?;
    start_of(local, zone)
}

/// The first instant with this local time. Where the clock jumps over it, an hour later exists.
fn start_of<Tz: TimeZone>(local: NaiveDateTime, zone: &Tz) -> Option<i64> {
    zone.from_local_datetime(&local)
        .earliest()
        .or_else(|| {
            zone.from_local_datetime(&local.checked_add_signed(TimeDelta::hours(1))?)
                .earliest()
        })
        .map(|instant| instant.timestamp_millis())
}

#[cfg(test)]
#[path = "moment_tests.rs"]
mod tests;
