//! The behaviour of people on views, its relation to speed, and the pages that they return to.

use async_trait::async_trait;
use pharos_domain::{
    collect::{PageLoadId, view::ReasonType},
    identity::DomainAccess,
    store::StoreError,
    window::DateRange,
    wire_enum,
};
use time::Date;

use crate::{
    metric::{Metric, share_pct},
    overview::ViewFilter,
};

/// A view that was visible for less than this, in milliseconds, and on which nobody did anything, has bounced.
pub const BOUNCED_BELOW_MS: i32 = 10_000;
/// A coefficient of fewer views says nothing.
pub const LEAST_PAIRS: u64 = 30;
/// The most reasons that are told.
pub const MOST_REASONS: usize = 1_000;

/// The engagement of people with views.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngagementFigures {
    /// How many views there are.
    pub views: u64,
    /// Views with a known visible time.
    pub timed: u64,
    /// Views with a known scroll depth.
    pub scrolled: u64,
    /// Views of which it is known whether somebody did anything.
    pub counted: u64,
    /// Views of which it is known whether they bounced: both their visible time and their interactions were measured.
    pub judged: u64,
    /// Those that were seen to a quarter, half, three quarters and all of their height.
    pub reached: [u64; 4],
    /// Those that bounced.
    pub bounced: u64,
    /// Those with an interaction.
    pub interacted: u64,
    /// Those with a rage click.
    pub raged: u64,
    /// Those with a dead click.
    pub dead: u64,
    /// Views whose rage clicks were counted.
    pub rage_counted: u64,
    /// Views whose dead clicks were counted.
    pub dead_counted: u64,
    /// How long a view was visible, in milliseconds: the mean.
    pub mean_visible_ms: Option<f64>,
    /// And the median.
    pub median_visible_ms: Option<f64>,
    /// How far down a view was seen, in percent of its height: the mean.
    pub mean_scroll_pct: Option<f64>,
    /// Interactions: the mean.
    pub mean_interactions: Option<f64>,
}

impl EngagementFigures {
    /// The share of views that bounced, among those of which that is known.
    #[must_use]
    pub fn bounce_rate_pct(&self) -> Option<f64> {
        share_pct(self.bounced, self.judged)
    }
}

/// The engagement of people with the views of days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteEngagement {
    /// On all of them.
    pub all: EngagementFigures,
    /// By UTC day; days without a view are left out.
    pub days: Vec<(Date, EngagementFigures)>,
}

wire_enum! {
    /// A metric that behaviour is compared with.
    CorrelatedMetric as "RumCorrelatedMetric" {
        /// Largest contentful paint.
        Lcp = "lcp",
        /// Interaction to next paint.
        Inp = "inp",
        /// Cumulative layout shift.
        Cls = "cls",
        /// Time to first byte.
        Ttfb = "ttfb",
    }
}

impl CorrelatedMetric {
    /// The lower edges of the buckets of its values: ten of the same width, and one for larger values. The bounds of the bands
    /// of LCP, INP and CLS are among them.
    #[must_use]
    pub fn edges(self) -> Vec<f64> {
        let width = match self {
            Self::Lcp => 500.0,
            Self::Inp => 100.0,
            Self::Cls => 0.05,
            Self::Ttfb => 200.0,
        };
        let metric = Metric::from(self);
        (0..=10_u8)
            .map(|bucket| metric.rounded(f64::from(bucket) * width))
            .collect()
    }
}

impl From<CorrelatedMetric> for Metric {
    fn from(metric: CorrelatedMetric) -> Self {
        match metric {
            CorrelatedMetric::Lcp => Self::Lcp,
            CorrelatedMetric::Inp => Self::Inp,
            CorrelatedMetric::Cls => Self::Cls,
            CorrelatedMetric::Ttfb => Self::Ttfb,
        }
    }
}

/// The engagement of people with views in a bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeedBucket {
    /// How many views there are.
    pub views: u64,
    /// Those of which it is known whether they bounced.
    pub judged: u64,
    /// Those that bounced.
    pub bounced: u64,
    /// How long a view was visible, in milliseconds: the mean.
    pub mean_visible_ms: Option<f64>,
    /// How far down a view was seen, in percent of its height: the mean.
    pub mean_scroll_pct: Option<f64>,
    /// Views that were loads, and no routes within a page: web analytics knows which visit those belong to.
    pub loads: u64,
    /// Those whose visit came to an order; `None` where nobody knows of orders.
    pub converted: Option<u64>,
}

impl SpeedBucket {
    /// The share of loads whose visit came to an order, where that is known.
    #[must_use]
    pub fn conversion_rate_pct(&self) -> Option<f64> {
        self.converted
            .and_then(|converted| share_pct(converted, self.loads))
    }
}

/// The relation of behaviour to speed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlation {
    /// By bucket, in the order of the edges.
    pub buckets: Vec<SpeedBucket>,
    /// How many views have a value and a known time.
    pub pairs: u64,
    /// Spearman's coefficient of the value and the time.
    pub rho: Option<f64>,
}

impl Correlation {
    /// How many views have a value.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.views).sum()
    }

    /// The bucket that others are compared with: the first of those that have most views; `None` without any.
    #[must_use]
    pub fn baseline(&self) -> Option<usize> {
        let most = self.buckets.iter().map(|bucket| bucket.views).max()?;
        let first = self.buckets.iter().position(|bucket| bucket.views == most);
        first.filter(|_| most > 0)
    }

    /// The coefficient, where there are enough views to say so.
    #[must_use]
    pub fn coefficient(&self) -> Option<f64> {
        self.rho.filter(|_| self.pairs >= LEAST_PAIRS)
    }
}

/// Why pages were not restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BfcacheReason {
    /// The reason, as the browser names it.
    pub reason: String,
    /// Whose it is.
    pub kind: ReasonType,
    /// How many times.
    pub navigations: u64,
    /// On how many pages.
    pub pages: u64,
}

/// The outcomes of going back and forward.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bfcache {
    /// How many times people went back or forward.
    pub navigations: u64,
    /// How many times the page was restored as it was left.
    pub hits: u64,
    /// How many times it was not restored, and the browser says why.
    pub told: u64,
    /// Why; the most frequent first.
    pub reasons: Vec<BfcacheReason>,
}

impl Bfcache {
    /// How many times the page was loaded anew.
    #[must_use]
    pub const fn misses(&self) -> u64 {
        self.navigations.saturating_sub(self.hits)
    }
}

/// Reads what people do.
#[async_trait]
pub trait BehaviourReads: Send + Sync {
    /// The engagement of people with the views of a window.
    async fn engagement(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
    ) -> Result<SiteEngagement, StoreError>;

    /// The relation of that engagement to a metric. `converted` are the page loads of the window whose visit came to an order,
    /// where that is known.
    async fn correlation(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        metric: CorrelatedMetric,
        converted: Option<&[PageLoadId]>,
    ) -> Result<Correlation, StoreError>;

    /// The outcomes of going back and forward, with [`MOST_REASONS`] at most.
    async fn bfcache(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
    ) -> Result<Bfcache, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_core_metrics_are_edges() {
        for metric in [
            CorrelatedMetric::Lcp,
            CorrelatedMetric::Inp,
            CorrelatedMetric::Cls,
        ] {
            let (edges, bands) = (metric.edges(), Metric::from(metric).bands());
            assert!(
                edges.contains(&bands.good) && edges.contains(&bands.poor),
                "{edges:?}"
            );
            assert_eq!((edges.len(), edges[0]), (11, 0.0));
        }
    }

    #[test]
    fn a_coefficient_needs_thirty_views_and_a_baseline_one() {
        let bucket = |views| SpeedBucket {
            views,
            ..SpeedBucket::default()
        };
        let mut found = Correlation {
            buckets: [0, 7, 9, 9].map(bucket).to_vec(),
            pairs: 29,
            rho: Some(-0.5),
        };
        assert_eq!(
            (found.baseline(), found.samples(), found.coefficient()),
            (Some(2), 25, None)
        );
        found.pairs = 30;
        assert_eq!(found.coefficient(), Some(-0.5));
        assert_eq!(Correlation::default().baseline(), None);
    }
}
