//! The figures of sessions by pieces of time.

use std::collections::BTreeMap;

use pharos_domain::{
    window::{DateRange, Granularity},
    wire_enum,
};
use time::{Date, OffsetDateTime};

use crate::overview::{Overview, Totals, as_number, in_units};

wire_enum! {
    /// How long the pieces of a time series are.
    SeriesGranularity as "AnalyticsGranularity" {
        /// An hour.
        Hour = "hour",
        /// A UTC day.
        Day = "day",
        /// A week, Monday to Sunday (ISO 8601).
        Week = "week",
        /// A calendar month.
        Month = "month",
    }
}

/// How many days are told by the hour at most.
pub const MOST_DAYS_BY_HOUR: u32 = 14;

wire_enum! {
    /// A figure of a time series.
    SeriesMetric as "AnalyticsSeriesMetric" {
        /// Visitors.
        Visitors = "visitors",
        /// Sessions.
        Sessions = "sessions",
        /// Page views.
        Pageviews = "pageviews",
        /// The share of sessions that are bounces.
        BounceRatePct = "bounce_rate_pct",
        /// How long a session is.
        AvgDurationSeconds = "avg_duration_seconds",
        /// Page views of a session.
        ViewsPerSession = "views_per_session",
        /// Events of the site's own.
        Events = "events",
        /// Orders less refunds.
        Revenue = "revenue",
        /// Orders.
        Orders = "orders",
    }
}

/// The figures of a piece of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The totals of its sessions. An hour counts the visitors who were active in it, the sessions that began in it, and the
    /// views and events that fell into it.
    pub totals: Totals,
    /// Its orders, in any currency.
    pub orders: u64,
    /// Orders less refunds, in hundredths.
    pub revenue_cents: i64,
}

impl Piece {
    /// The figure of a metric; `None` where there is nothing to divide by.
    #[must_use]
    pub fn value(&self, metric: SeriesMetric) -> Option<f64> {
        match metric {
            SeriesMetric::Visitors => Some(as_number(self.totals.visitors)),
            SeriesMetric::Sessions => Some(as_number(self.totals.sessions)),
            SeriesMetric::Pageviews => Some(as_number(self.totals.pageviews)),
            SeriesMetric::BounceRatePct => self.totals.bounce_rate_pct(),
            SeriesMetric::AvgDurationSeconds => self.totals.avg_duration_seconds(),
            SeriesMetric::ViewsPerSession => self.totals.views_per_session(),
            SeriesMetric::Events => Some(as_number(self.totals.events)),
            SeriesMetric::Revenue => Some(in_units(self.revenue_cents)),
            SeriesMetric::Orders => Some(as_number(self.orders)),
        }
    }
}

/// The hours of some days, as a store reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hours {
    /// The hours in which something happened, in order.
    pub hours: Vec<(OffsetDateTime, Piece)>,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

/// The hours of a window that have begun, in order, whether anything happened in them or not.
#[must_use]
pub fn by_hour(hours: &Hours, window: DateRange, now: OffsetDateTime) -> Vec<(OffsetDateTime, Piece)> {
    let known: BTreeMap<OffsetDateTime, Piece> = hours.hours.iter().copied().collect();
    window
        .buckets(Granularity::Hour)
        .map(|bucket| bucket.start)
        .take_while(|start| *start <= now)
        .map(|start| (start, known.get(&start).copied().unwrap_or_default()))
        .collect()
}

/// The days, weeks or months of a window, in order, whether anything happened in them or not: what their days in the window
/// come to. The first may begin before the window.
#[must_use]
pub fn by_days(
    found: &Overview,
    window: DateRange,
    start_of: impl Fn(Date) -> Date,
) -> Vec<(OffsetDateTime, Piece)> {
    let mut pieces: BTreeMap<Date, Piece> = window
        .dates()
        .map(|day| (start_of(day), Piece::default()))
        .collect();
    let mut add = |day: Date, change: &dyn Fn(&mut Piece)| {
        if window.contains(day) {
            change(pieces.entry(start_of(day)).or_default());
        }
    };
    for day in &found.days {
        add(day.day, &|piece| piece.totals = piece.totals + day.totals);
    }
    for (day, cents) in &found.revenue_cents {
        add(*day, &|piece| {
            piece.revenue_cents = piece.revenue_cents.saturating_add(*cents);
        });
    }
    for (day, orders) in &found.orders {
        add(*day, &|piece| piece.orders += orders);
    }
    let at = |day: Date| day.midnight().assume_utc();
    pieces.into_iter().map(|(day, piece)| (at(day), piece)).collect()
}

/// The Monday of a day's week.
#[must_use]
pub fn monday(day: Date) -> Date {
    let since = time::Duration::days(day.weekday().number_days_from_monday().into());
    day.saturating_sub(since)
}

/// The first day of a day's month.
#[must_use]
pub fn first_of_month(day: Date) -> Date {
    day.replace_day(1).unwrap_or(day)
}
