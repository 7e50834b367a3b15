//! Dates, and days as headings: which one a moment falls on, seen from now.
//!
//! The borders are worked out once for a given now; asking is a comparison.

use chrono::{DateTime, Days, FixedOffset, NaiveTime, TimeZone};

use crate::store::Millis;

/// A stretch of time that rows are put under, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Day {
    Today,
    Yesterday,
    Week,
    Month,
    Older,
}

impl Day {
    pub fn title(self) -> &'static str {
        match self {
            Self::Today => "Today",
            Self::Yesterday => "Yesterday",
            Self::Week => "Last 7 days",
            Self::Month => "Last 30 days",
            Self::Older => "Older",
        }
    }
}

/// The first moments of the days that have a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    borders: [(Millis, Day); 4],
}

impl Calendar {
    pub fn at<Tz: TimeZone>(now: &DateTime<Tz>) -> Self {
        let start = |days_ago: u64| {
            let day = now.date_naive().checked_sub_days(Days::new(days_ago));
            day.and_then(|day| {
                let midnight = day.and_time(NaiveTime::MIN);
                now.timezone().from_local_datetime(&midnight).earliest()
            })
            // Where clocks jump over midnight, or at the end of time: a day is 24 hours.
            .map_or_else(
                || now.timestamp_millis() - i64::try_from(days_ago).unwrap_or(0) * 86_400_000,
                |moment| moment.timestamp_millis(),
            )
        };
        Self {
            borders: [
                (start(0), Day::Today),
                (start(1), Day::Yesterday),
                (start(6), Day::Week),
                (start(29), Day::Month),
            ],
        }
    }

    pub fn day(&self, moment: Millis) -> Day {
        self.borders
            .iter()
            .find(|(start, _)| moment >= *start)
            .map_or(Day::Older, |(_, day)| *day)
    }
}

/// A stored time as it is shown.
pub fn moment(at: Millis, zone: FixedOffset, format: &str) -> String {
    let moment = DateTime::from_timestamp_millis(at).filter(|_| at != 0);
    moment.map_or_else(
        || "no date".to_owned(),
        |moment| moment.with_timezone(&zone).format(format).to_string(),
    )
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
