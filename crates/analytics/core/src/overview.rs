//! The totals of a site's sessions, in all and by day.

use pharos_domain::window::DateRange;
use time::{Date, OffsetDateTime};

/// The totals of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Visitors: of each UTC day those that are distinct, added up.
    pub visitors: u64,
    /// Sessions.
    pub sessions: u64,
    /// Page views.
    pub pageviews: u64,
    /// Sessions of one page view without an event, download or link to another host.
    pub bounces: u64,
    /// From their first to their last sign of life, in milliseconds, added up.
    pub duration_ms: u64,
    /// Events of the site's own, ecommerce among them.
    pub events: u64,
}

impl Totals {
    /// The share of sessions that are bounces, in percent; `None` without sessions.
    #[must_use]
    pub fn bounce_rate_pct(&self) -> Option<f64> {
        ratio(self.bounces, self.sessions).map(|share| share * 100.0)
    }

    /// How long a session is, in seconds; `None` without sessions.
    #[must_use]
    pub fn avg_duration_seconds(&self) -> Option<f64> {
        ratio(self.duration_ms, self.sessions).map(|ms| ms / 1_000.0)
    }

    /// How many page views a session has; `None` without sessions.
    #[must_use]
    pub fn views_per_session(&self) -> Option<f64> {
        ratio(self.pageviews, self.sessions)
    }
}

impl std::ops::Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            visitors: self.visitors + other.visitors,
            sessions: self.sessions + other.sessions,
            pageviews: self.pageviews + other.pageviews,
            bounces: self.bounces + other.bounces,
            duration_ms: self.duration_ms + other.duration_ms,
            events: self.events + other.events,
        }
    }
}

/// One count over another; `None` over none.
#[must_use]
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| as_number(part) / as_number(whole))
}

/// A count as a number: exact up to 2⁵³.
#[expect(clippy::cast_precision_loss, reason = "no site has so many visits")]
#[must_use]
pub const fn as_number(count: u64) -> f64 {
    count as f64
}

/// The totals of the sessions and orders of a UTC day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayTotals {
    /// The day that the figures are of.
    pub day: Date,
    /// The figures of its sessions.
    pub totals: Totals,
}

/// The totals of some days, as a store reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The days on which something happened, in order.
    pub days: Vec<DayTotals>,
    /// Orders less refunds of those days in hundredths, by day.
    pub revenue_cents: Vec<(Date, i64)>,
    /// Orders of those days, in any currency, by day.
    pub orders: Vec<(Date, u64)>,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

impl Overview {
    /// The totals of a window's sessions.
    #[must_use]
    pub fn totals(&self, window: DateRange) -> Totals {
        let days = self.days.iter().filter(|day| window.contains(day.day));
        days.fold(Totals::default(), |sum, day| sum + day.totals)
    }

    /// Orders less refunds of a window, in the currency's unit.
    #[must_use]
    pub fn revenue(&self, window: DateRange) -> f64 {
        let days = self.revenue_cents.iter().filter(|(day, _)| window.contains(*day));
        in_units(days.fold(0, |sum: i64, (_, cents)| sum.saturating_add(*cents)))
    }
}

/// Hundredths in the currency's unit.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2⁵³ hundredths")]
#[must_use]
pub const fn in_units(cents: i64) -> f64 {
    cents as f64 / 100.0
}
