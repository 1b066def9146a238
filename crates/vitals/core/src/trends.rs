//! Metrics over time, and the distribution of their values.

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    store::StoreError,
    window::{DateRange, Granularity},
    wire_enum,
};
use time::OffsetDateTime;

use crate::{
    metric::{Between, Metric, Rated, RatingSplit, value_of},
    overview::{PercentileMethod, ViewFilter},
};

/// The longest window that is shown by the hour, in days.
pub const MOST_DAYS_OF_HOURS: u32 = 14;
/// The percentiles of a distribution.
pub const DISTRIBUTION_PERCENTS: [u8; 7] = [5, 25, 50, 75, 90, 95, 99];
/// The most bins of a distribution.
pub const MOST_BINS: u8 = 100;

wire_enum! {
    /// A percentile.
    Percentile as "RumPercentile" {
        /// The median.
        P50 = "p50",
        /// The 75th.
        P75 = "p75",
        /// The 90th.
        P90 = "p90",
        /// The 95th.
        P95 = "p95",
        /// The 99th.
        P99 = "p99",
    }
}

impl Percentile {
    /// In percent.
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Self::P50 => 50,
            Self::P75 => 75,
            Self::P90 => 90,
            Self::P95 => 95,
            Self::P99 => 99,
        }
    }
}

wire_enum! {
    /// The metrics that can be told over time.
    SeriesMetric as "RumSeriesMetric" {
        /// A percentile of largest contentful paint.
        Lcp = "lcp_ms",
        /// A percentile of interaction to next paint.
        Inp = "inp_ms",
        /// A percentile of cumulative layout shift.
        Cls = "cls",
        /// A percentile of first contentful paint.
        Fcp = "fcp_ms",
        /// A percentile of time to first byte.
        Ttfb = "ttfb_ms",
        /// How many views.
        Pageviews = "pageviews",
        /// How many errors.
        ErrorCount = "error_count",
        /// The share of views with an error.
        ErrorRate = "error_rate_pct",
        /// The share of views whose core metrics are all good, among views with one core metric or more.
        GoodViews = "good_views_pct",
        /// A percentile of the time that long tasks and frames kept a view waiting.
        LongTask = "long_task_ms",
    }
}

impl SeriesMetric {
    /// The metrics that are shown if a request names none.
    pub const USUAL: [Self; 6] = [
        Self::Lcp,
        Self::Inp,
        Self::Cls,
        Self::Fcp,
        Self::Ttfb,
        Self::Pageviews,
    ];

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Lcp | Self::Inp | Self::Fcp | Self::Ttfb | Self::LongTask => "ms",
            Self::Cls => "none",
            Self::Pageviews | Self::ErrorCount => "count",
            Self::ErrorRate | Self::GoodViews => "pct",
        }
    }
}

/// A time series.
#[derive(Clone, Copy, Debug)]
pub struct SeriesQuery<'a> {
    /// The days that the points are of.
    pub window: DateRange,
    /// The views.
    pub filter: &'a ViewFilter,
    /// The percentile that values are, in percent.
    pub percent: u8,
    /// How long each piece is.
    pub granularity: Granularity,
    /// The metrics that are requested.
    pub metrics: &'a [SeriesMetric],
}

impl SeriesQuery<'_> {
    /// How percentiles are computed. Roll-ups know only days, and nothing of long tasks.
    #[must_use]
    pub fn method(&self) -> PercentileMethod {
        let is_rolled =
            self.granularity != Granularity::Hour && !self.metrics.contains(&SeriesMetric::LongTask);
        if is_rolled {
            self.filter.method()
        } else {
            PercentileMethod::Exact
        }
    }
}

/// A piece of a time series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesPiece {
    /// When its hour, day or week begins.
    pub start: OffsetDateTime,
    /// The figures of its views.
    pub figures: SeriesFigures,
}

/// The figures of a piece's views.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeriesFigures {
    /// How many there are.
    pub views: u64,
    /// Those with a core metric.
    pub core_views: u64,
    /// Those of them whose core metrics are all good.
    pub good_views: u64,
    /// Those with an error.
    pub error_views: u64,
    /// Errors.
    pub errors: u64,
    /// How many values lie in which band, by metric.
    pub rated: [Rated; 5],
    /// How many views tell of long tasks.
    pub long_tasks: u64,
    /// The percentiles of the five metrics in their order, then of long tasks, rounded as they are shown.
    pub percentiles: [Option<f64>; 6],
}

impl SeriesFigures {
    /// Moves percentiles that are estimates into the bands in which they lie by the counts of values, as far as these tell.
    pub fn settle(&mut self, percent: u8) {
        for &metric in Metric::ALL {
            let rated = self.rated[metric as usize];
            let percentile = &mut self.percentiles[metric as usize];
            *percentile = percentile.map(|estimate| rated.settled(metric, percent, estimate));
        }
    }

    /// The value of a metric, `None` where it was not measured; and how many views it is of.
    #[must_use]
    pub fn of(&self, metric: SeriesMetric) -> (Option<f64>, u64) {
        let share = crate::metric::share_pct;
        let percentile = |place: usize| (self.percentiles[place], self.rated[place].all());
        match metric {
            SeriesMetric::Lcp => percentile(0),
            SeriesMetric::Inp => percentile(1),
            SeriesMetric::Cls => percentile(2),
            SeriesMetric::Fcp => percentile(3),
            SeriesMetric::Ttfb => percentile(4),
            SeriesMetric::LongTask => (self.percentiles[5], self.long_tasks),
            SeriesMetric::Pageviews => (Some(self.views as f64), self.views),
            SeriesMetric::ErrorCount => (Some(self.errors as f64), self.views),
            SeriesMetric::ErrorRate => (share(self.error_views, self.views), self.views),
            SeriesMetric::GoodViews => (share(self.good_views, self.core_views), self.core_views),
        }
    }
}

/// The distribution of the values of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// How many values lie in each bin.
    pub counts: Vec<u64>,
    /// The [`DISTRIBUTION_PERCENTS`], rounded as they are shown.
    pub percentiles: [Option<f64>; 7],
    /// Which share of them lies in which band.
    pub split: RatingSplit,
}

/// The lower edges of `bins` bins of a metric. All but the last, which is open, have the same width. With 50 bins the bounds of
/// the bands are edges.
#[must_use]
pub fn edges(metric: Metric, bins: u8) -> Vec<f64> {
    let reach = match metric {
        Metric::Lcp => 12_500.0,
        Metric::Inp => 1_000.0,
        Metric::Cls => 0.5,
        Metric::Fcp | Metric::Ttfb => 5_000.0,
    };
    let edge = |bin: u8| metric.rounded(f64::from(bin) * reach / f64::from(bins));
    (0..bins).map(edge).collect()
}

/// The distribution of values that were counted in buckets, over bins with these lower edges, and their percentiles.
#[must_use]
pub fn spread(metric: Metric, buckets: &[(i16, u64)], edges: &[f64]) -> (Vec<u64>, [Option<f64>; 7]) {
    let mut counts = vec![0; edges.len()];
    for (bucket, count) in buckets {
        let bin = edges.partition_point(|edge| *edge <= value_of(*bucket));
        if let Some(bin) = counts.get_mut(bin.saturating_sub(1)) {
            *bin += count;
        }
    }
    let percentile = |percent| percentile(buckets, percent).map(|value| metric.rounded(value));
    (counts, DISTRIBUTION_PERCENTS.map(percentile))
}

/// A percentile of values that were counted in buckets, which are in order; `None` if there are none.
fn percentile(buckets: &[(i16, u64)], percent: u8) -> Option<f64> {
    let all: u64 = buckets.iter().map(|(_, count)| count).sum();
    let last = all.checked_sub(1)?;
    let hundredths = u128::from(last) * u128::from(percent);
    let rank = u64::try_from(hundredths / 100).ok()?;
    let bucket_at = |rank: u64| {
        let mut upto = 0;
        let mut buckets = buckets.iter();
        let found = buckets.find(|(_, count)| {
            upto += count;
            upto > rank
        });
        found.map(|(bucket, _)| *bucket)
    };
    let between = Between {
        low: bucket_at(rank)?,
        high: bucket_at((rank + 1).min(last))?,
        beyond: (hundredths % 100) as f64 / 100.0,
    };
    Some(between.value())
}

/// Reads how metrics go, and how they are spread.
#[async_trait]
pub trait TrendReads: Send + Sync {
    /// The pieces of a time series in which there was a view, in no order.
    async fn series(
        &self,
        domain: &DomainAccess,
        query: &SeriesQuery<'_>,
    ) -> Result<Vec<SeriesPiece>, StoreError>;

    /// The distribution of the values of a metric over bins with these lower edges, computed as [`ViewFilter::method`] says.
    async fn distribution(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        metric: Metric,
        edges: &[f64],
    ) -> Result<Distribution, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_bands_are_edges_of_fifty_bins() {
        for metric in Metric::ALL {
            let (edges, bands) = (edges(*metric, 50), metric.bands());
            assert_eq!((edges.len(), edges[0]), (50, 0.0));
            assert!(
                edges.contains(&bands.good) && edges.contains(&bands.poor),
                "{metric:?} {edges:?}"
            );
            assert!(edges.is_sorted_by(|a, b| a < b));
        }
        assert!(edges(Metric::Cls, MOST_BINS).is_sorted_by(|a, b| a < b));
        assert_eq!(edges(Metric::Inp, 1), [0.0]);
    }

    /// Computed by hand: three values of nothing and one in a bucket. The 75th percentile has the rank 2.25, a quarter of the
    /// way from nothing to the last.
    #[test]
    fn percentiles_of_counted_values_lie_between_two() {
        let buckets = [(crate::metric::BUCKET_OF_NOTHING, 3), (100, 1)];
        let (counts, percentiles) = spread(Metric::Lcp, &buckets, &[0.0, 5.0, 1_000.0]);
        assert_eq!(counts, [3, 1, 0]);
        let last = value_of(100);
        assert_eq!(percentiles[2], Some(0.0));
        assert_eq!(percentiles[3], Some(Metric::Lcp.rounded(0.25 * last)));
        assert_eq!(spread(Metric::Lcp, &[], &[0.0]).1, [None; 7]);
    }
}
