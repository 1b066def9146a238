//! Figures of past checks, by time bucket and region.

pub mod aggregate;
pub mod plan;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    store::StoreError,
    time_range::TimeRange,
    window::{DateRange, Granularity, TimeBucket},
};
use time::OffsetDateTime;

use self::aggregate::{Depth, RegionAggregates};

/// How many checks had which result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// All of them.
    pub total: u64,
    /// As expected.
    pub up: u64,
    /// Failed.
    pub down: u64,
    /// As expected, but slow.
    pub degraded: u64,
}

/// How long answers took, in milliseconds, without failed checks. `None` if there are no answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// How many answers.
    pub samples: u64,
    /// The mean of the measured times; `None` where none was measured.
    pub avg: Option<f64>,
    /// The fastest.
    pub min: Option<f64>,
    /// The median. Percentiles are interpolated linearly between two neighbours (`percentile_cont` of SQL), of times rounded to
    /// three significant digits, and lie within the fastest and the slowest. `None` also if they were not requested.
    pub p50: Option<f64>,
    /// The 75th percentile.
    pub p75: Option<f64>,
    /// The 90th percentile.
    pub p90: Option<f64>,
    /// The 95th percentile.
    pub p95: Option<f64>,
    /// The 99th percentile.
    pub p99: Option<f64>,
    /// The slowest.
    pub max: Option<f64>,
}

/// How long one phase of the answers took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTiming {
    /// The mean.
    pub avg: Option<f64>,
    /// The 95th percentile, of times that are rounded to three significant digits.
    pub p95: Option<f64>,
}

/// How long the phases took. Each counts the answers that reached it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases {
    /// Looking up the name.
    pub dns: PhaseTiming,
    /// The TCP handshake.
    pub connect: PhaseTiming,
    /// The TLS handshake.
    pub tls: PhaseTiming,
    /// From the request sent to the first byte.
    pub ttfb: PhaseTiming,
    /// From the first byte to the last.
    pub download: PhaseTiming,
}

impl Phases {
    /// The mean of each phase in percent of the sum of all means, to a tenth, in the order of the phases. `None` if no answer
    /// reached it, or if all means are 0.
    #[must_use]
    pub fn shares(&self) -> [Option<f64>; 5] {
        let Self {
            dns,
            connect,
            tls,
            ttfb,
            download,
        } = self;
        let means = [dns, connect, tls, ttfb, download].map(|phase| phase.avg);
        let sum: f64 = means.iter().flatten().sum();
        means.map(|mean| {
            let share = mean.filter(|_| sum > 0.0).map(|mean| 100.0 * mean / sum);
            share.map(|share| (share * 10.0).round() / 10.0)
        })
    }
}

/// The figures of the checks of a range of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How many checks had which result.
    pub counts: CheckCounts,
    /// How long the answers took.
    pub response: Timing,
    /// How long their phases took.
    pub phases: Phases,
}

/// Where checks can run from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPlace {
    /// The name by which settings and checks refer to it.
    pub key: String,
    /// The name that people call it by.
    pub name: Option<String>,
    /// The continent, in words; `None` where the operator did not say.
    pub continent: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

impl RegionPlace {
    /// A region of which only the key is said.
    #[must_use]
    pub fn unnamed(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            name: None,
            continent: None,
            country: None,
        }
    }
}

/// A range of the past whose checks are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    /// The range. It begins and ends with whole hours, UTC.
    pub range: TimeRange,
    /// Which times are read.
    pub depth: Depth,
}

/// The time buckets of a window that have begun by `now`. Later ones have no checks yet.
#[must_use]
pub fn begun(window: DateRange, granularity: Granularity, now: OffsetDateTime) -> Vec<TimeBucket> {
    window
        .buckets(granularity)
        .take_while(|bucket| bucket.range.from <= now)
        .collect()
}

/// The sums of the checks of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// By region, for each query, in their order.
    pub aggregates: Vec<RegionAggregates>,
    /// How many checks ran from each edge to the next.
    pub totals: Vec<u64>,
}

/// Reads what checks of the past come to.
#[async_trait]
pub trait HistoryStore: Send + Sync {
    /// Aggregates the checks of each query, and counts those between `edges`: whole hours, UTC, ascending. All of it is read at
    /// one moment, for one region or for all. Checks that a run requested count too.
    async fn aggregate(
        &self,
        domain: &DomainAccess,
        queries: &[HistoryQuery],
        edges: &[OffsetDateTime],
        region: Option<&str>,
    ) -> Result<History, StoreError>;

    /// Where checks can run from.
    async fn places(&self) -> Result<Vec<RegionPlace>, StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    fn phase(avg: f64) -> PhaseTiming {
        PhaseTiming {
            avg: Some(avg),
            p95: None,
        }
    }

    /// Computed by hand: 10, 20 and 30 of 60 are a sixth, a third and a half.
    #[test]
    fn shares_are_of_the_phases_that_were_reached() {
        let phases = Phases {
            dns: phase(10.0),
            connect: phase(20.0),
            ttfb: phase(30.0),
            ..Phases::default()
        };
        assert_eq!(phases.shares(), [Some(16.7), Some(33.3), None, Some(50.0), None]);
    }

    #[test]
    fn hours_that_lie_ahead_are_left_out() {
        let window = DateRange::new(date!(2026 - 03 - 30), date!(2026 - 03 - 31)).unwrap();
        let hours = |now| begun(window, Granularity::Hour, now).len();
        assert_eq!(hours(datetime!(2026-03-31 09:15 UTC)), 24 + 10);
        assert_eq!(hours(datetime!(2026-03-31 09:00 UTC)), 24 + 10);
        assert_eq!(hours(datetime!(2026-04-01 09:00 UTC)), 48);
        assert_eq!(hours(datetime!(2026-03-29 23:59 UTC)), 0);
    }

    #[test]
    fn of_no_time_there_are_no_shares() {
        let phases = Phases {
            dns: phase(0.0),
            ..Phases::default()
        };
        assert_eq!(phases.shares(), [None; 5]);
    }
}
