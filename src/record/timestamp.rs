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
    let number = |at: usize, length: usize| {
        text[at..at + length].iter().try_fold(0_u32, |sum, digit| {
            let digit = digit.wrapping_sub(b'0');
            (digit < 10).then(|| sum * 10 + u32::from(digit))
        })
    };
    let year = i32::try_from(number(0, 4)?).ok()?;
    let day = NaiveDate::from_ymd_opt(year, number(5, 2)?, number(8, 2)?)?;
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let days = i64::from(day.to_epoch_days());
    let seconds = days * 86_400 + i64::from(hour * 3600 + minute * 60 + second);
    Some(seconds * 1000 + i64::from(number(20, 3)?))
}

#[cfg(test)]
#[path = "timestamp_tests.rs"]
mod tests;
