//! The last half hour.

use time::{Duration, OffsetDateTime};

/// How far back it goes.
pub const WINDOW_MINUTES: u32 = 30;

/// How many rows each list has at most.
pub const ROWS: usize = 10;

/// The window that ends with `now`: whole minutes, the one that has begun included.
#[must_use]
pub fn since(now: OffsetDateTime) -> OffsetDateTime {
    let minute = now.unix_timestamp().div_euclid(60) * 60;
    let minute = OffsetDateTime::from_unix_timestamp(minute).unwrap_or(now);
    minute.saturating_sub(Duration::minutes(i64::from(WINDOW_MINUTES) - 1))
}

/// A value of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealtimeRow {
    /// The value; `None` where it is not known.
    pub key: Option<String>,
    /// The visitors that it has.
    pub visitors: u64,
    /// How often it was viewed, or happened.
    pub count: u64,
}

/// The figures of the last half hour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Realtime {
    /// Visitors who did anything.
    pub visitors: u64,
    /// Page views.
    pub pageviews: u64,
    /// The minutes in which anything happened, in order: their beginning, visitors and page views.
    pub minutes: Vec<(OffsetDateTime, u64, u64)>,
    /// Pages that were viewed, by visitors.
    pub pages: Vec<RealtimeRow>,
    /// Where they came from.
    pub sources: Vec<RealtimeRow>,
    /// Which country they are in.
    pub countries: Vec<RealtimeRow>,
    /// Events of the site's own.
    pub events: Vec<RealtimeRow>,
}
