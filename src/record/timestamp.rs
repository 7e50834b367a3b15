//! Timestamps of transcript lines: RFC 3339 text, or epoch numbers in the oldest files.

use chrono::{DateTime, NaiveDate};

/// Epoch numbers below this are seconds, above it milliseconds: the year 5138 in the one, 1973
/// in the other.
const SECONDS_BELOW: f64 = 1e11;

/// Milliseconds since the epoch of a timestamp string, or `None` if it is none.
pub fn parse_timestamp(text: &[u8]) -> Option<i64> {
    canonical(text).or_else(|| {
        let text = std::str::from_utf8(text).ok()?;
        let parsed = DateTime::parse_from_rfc3339(text.trim()).ok()?;
        Some(parsed.timestamp_millis())
    })
}

/// Milliseconds since the epoch of an epoch number in seconds or milliseconds.
pub fn parse_epoch(number: &[u8]) -> Option<i64> {
    let number: f64 = std::str::from_utf8(number).ok()?.parse().ok()?;
    if !number.is_finite() || number <= 0.0 {
        return None;
    }
    let millis = if number < SECONDS_BELOW {
        number * 1000.0
    } else {
        number
    };
    // Saturates on absurd values, which then sort as far in the future and are capped by mtime.
    #[allow(clippy::cast_possible_truncation)]
    let millis = millis as i64;
    Some(millis)
}

/// `2025-10-09T08:00:11.011Z`, the one form that Claude Code writes, several times faster than
/// the general parser: a listing reads dozens of these per session.
fn canonical(text: &[u8]) -> Option<i64> {
    let shape = text.len() == 24
        && text[4] == b'-'
        && text[7] == b'-'
        && text[10] == b'T'
        && text[13] == b':'
        && text[16] == b':'
        && text[19] == b'.'
        && text[23] == b'Z';
    if !shape {
        return None;
    }
    let number = |range: std::ops::Range<usize>| {
        text[range].iter().try_fold(0_u32, |sum, digit| {
            digit
                .is_ascii_digit()
                .then(|| sum * 10 + u32::from(digit - b'0'))
        })
    };
    let year = i32::try_from(number(0..4)?).ok()?;
    NaiveDate::from_ymd_opt(year, number(5..7)?, number(8..10)?)?
        .and_hms_milli_opt(
            number(11..13)?,
            number(14..16)?,
            number(17..19)?,
            number(20..23)?,
        )
        .map(|at| at.and_utc().timestamp_millis())
}

#[cfg(test)]
#[path = "timestamp_tests.rs"]
mod tests;
