//! The five metrics as answers show them.

use pharos_vitals::{
    metric::{Metric, RatingSplit},
    overview::ViewFigures,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Web vitals at the percentile of the answer. Figures that were not measured are null.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = RumVitals)]
pub(super) struct VitalsPublic {
    /// Largest Contentful Paint in milliseconds.
    #[schema(required, minimum = 0)]
    pub(super) lcp_ms: Option<f64>,
    /// Interaction to Next Paint in milliseconds; null when no view had an interaction.
    #[schema(required, minimum = 0)]
    pub(super) inp_ms: Option<f64>,
    /// Cumulative Layout Shift, without a unit; 0 is a real value, and common.
    #[schema(required, minimum = 0)]
    pub(super) cls: Option<f64>,
    /// First Contentful Paint in milliseconds.
    #[schema(required, minimum = 0)]
    pub(super) fcp_ms: Option<f64>,
    /// Time to First Byte in milliseconds.
    #[schema(required, minimum = 0)]
    pub(super) ttfb_ms: Option<f64>,
}

impl From<&ViewFigures> for VitalsPublic {
    fn from(figures: &ViewFigures) -> Self {
        let of = |metric| figures.percentiles.of(metric);
        Self {
            lcp_ms: of(Metric::Lcp),
            inp_ms: of(Metric::Inp),
            cls: of(Metric::Cls),
            fcp_ms: of(Metric::Fcp),
            ttfb_ms: of(Metric::Ttfb),
        }
    }
}

impl VitalsPublic {
    pub(super) const EXAMPLE: Self = Self {
        lcp_ms: Some(2_310.4),
        inp_ms: Some(168.0),
        cls: Some(0.0412),
        fcp_ms: Some(1_204.8),
        ttfb_ms: Some(412.3),
    };
}

/// Which share of each metric's values is good, and which is poor.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = RumRatings)]
pub(super) struct RatingsPublic {
    /// Good up to 2,500 ms, poor above 4,000 ms.
    lcp: RatingSplit,
    /// Good up to 200 ms, poor above 500 ms.
    inp: RatingSplit,
    /// Good up to 0.1, poor above 0.25.
    cls: RatingSplit,
    /// Good up to 1,800 ms, poor above 3,000 ms.
    fcp: RatingSplit,
    /// Good up to 800 ms, poor above 1,800 ms.
    ttfb: RatingSplit,
}

impl From<&ViewFigures> for RatingsPublic {
    fn from(figures: &ViewFigures) -> Self {
        let of = |metric: Metric| figures.rated[metric as usize].split();
        Self {
            lcp: of(Metric::Lcp),
            inp: of(Metric::Inp),
            cls: of(Metric::Cls),
            fcp: of(Metric::Fcp),
            ttfb: of(Metric::Ttfb),
        }
    }
}

/// How many views had a value of each metric.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = RumSampleCounts)]
pub(super) struct SampleCountsPublic {
    /// Views with a Largest Contentful Paint.
    #[schema(minimum = 0)]
    lcp: u64,
    /// Views with an Interaction to Next Paint: fewer by nature, since not everybody interacts.
    #[schema(minimum = 0)]
    inp: u64,
    /// Views with a Cumulative Layout Shift.
    #[schema(minimum = 0)]
    cls: u64,
    /// Views with a First Contentful Paint.
    #[schema(minimum = 0)]
    fcp: u64,
    /// Views with a Time to First Byte.
    #[schema(minimum = 0)]
    ttfb: u64,
}

impl From<&ViewFigures> for SampleCountsPublic {
    fn from(figures: &ViewFigures) -> Self {
        Self {
            lcp: figures.samples(Metric::Lcp),
            inp: figures.samples(Metric::Inp),
            cls: figures.samples(Metric::Cls),
            fcp: figures.samples(Metric::Fcp),
            ttfb: figures.samples(Metric::Ttfb),
        }
    }
}
