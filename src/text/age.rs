//! Ages in at most four characters: `now`, `2m`, `5h`, `3d`, `6w`, `5mo`, `2y`.

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// The mean Gregorian month.
const MONTH: i64 = 2_629_746;
const YEAR: i64 = 12 * MONTH;

/// How long before `now` something happened; both in milliseconds since the epoch. What lies in
/// the future, by a wrong clock or a copied file, is `now`.
pub fn age(then: i64, now: i64) -> String {
    let seconds = now.saturating_sub(then) / 1000;
    match seconds {
        ..MINUTE => "now".to_owned(),
        MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        HOUR..DAY => format!("{}h", seconds / HOUR),
        DAY..WEEK => format!("{}d", seconds / DAY),
        // Weeks up to two months: "1mo" would hide whether it was four weeks or seven.
        WEEK.. if seconds < 2 * MONTH => format!("{}w", seconds / WEEK),
        WEEK.. if seconds < 2 * YEAR => format!("{}mo", seconds / MONTH),
        _ => format!("{}y", seconds / YEAR),
    }
}

/// The same in a sentence: `2d ago`, `just now`.
pub fn ago(then: i64, now: i64) -> String {
    match age(then, now).as_str() {
        "now" => "just now".to_owned(),
        age => format!("{age} ago"),
    }
}

#[cfg(test)]
#[path = "age_tests.rs"]
mod tests;
