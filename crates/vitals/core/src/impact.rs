//! Which pages most visitors are held up by, and by what.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange, wire_enum};

use crate::metric::Metric;

/// Elements that come with a size of their own, as the last of a selector: what shifts is of unknown size until it is there.
pub const MEDIA: &str = r"(^|[\s>+~])(img|picture|video|iframe|svg|canvas|object|embed)([.#:\[][^\s>+~]*)?$";

wire_enum! {
    /// A metric whose bad views are counted.
    ImpactMetric as "RumImpactMetric" {
        /// Largest contentful paint.
        Lcp = "lcp",
        /// Interaction to next paint.
        Inp = "inp",
        /// Cumulative layout shift.
        Cls = "cls",
    }
}

impl From<ImpactMetric> for Metric {
    fn from(metric: ImpactMetric) -> Self {
        match metric {
            ImpactMetric::Lcp => Self::Lcp,
            ImpactMetric::Inp => Self::Inp,
            ImpactMetric::Cls => Self::Cls,
        }
    }
}

wire_enum! {
    /// The cause that most of a bad value is owed to.
    SuspectedCause as "RumSuspectedCause" {
        /// The server, or the way to it.
        SlowTtfb = "slow_ttfb",
        /// The browser learned late of the resource that the paint is of.
        LateDiscovery = "late_discovery",
        /// That resource took long.
        SlowResource = "slow_resource",
        /// It was there, and was not painted.
        RenderDelay = "render_delay",
        /// Something else ran before the listeners of the interaction.
        LongInputDelay = "long_input_delay",
        /// The listeners took long.
        LongProcessing = "long_processing",
        /// The next frame took long.
        LongPresentation = "long_presentation",
        /// Content came late, and moved what was there.
        LateContentShift = "late_content_shift",
        /// An image, video or frame had no size before it was there.
        UnsizedMedia = "unsized_media",
    }
}

impl SuspectedCause {
    /// The causes of a metric, in the order of its parts.
    const fn all_of(metric: ImpactMetric) -> &'static [Self] {
        match metric {
            ImpactMetric::Lcp => &[
                Self::SlowTtfb,
                Self::LateDiscovery,
                Self::SlowResource,
                Self::RenderDelay,
            ],
            ImpactMetric::Inp => &[Self::LongInputDelay, Self::LongProcessing, Self::LongPresentation],
            ImpactMetric::Cls => &[Self::LateContentShift, Self::UnsizedMedia],
        }
    }

    /// The cause whose part is the greatest: subparts of LCP and INP, and of CLS the shifts of other elements and those of media.
    /// `None` where none was told.
    #[must_use]
    pub fn of(metric: ImpactMetric, parts: &[Option<f64>]) -> Option<Self> {
        let told = Self::all_of(metric).iter().zip(parts);
        let told = told.filter_map(|(cause, part)| part.filter(|part| *part > 0.0).map(|part| (cause, part)));
        let greatest = told.reduce(|most, next| if next.1 > most.1 { next } else { most });
        greatest.map(|(cause, _)| *cause)
    }
}

/// A page, and how many of its views are not good by a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Its address, without a query.
    pub url: String,
    /// The metric that it is about.
    pub metric: ImpactMetric,
    /// How many views have a value.
    pub views: u64,
    /// Those outside the good band.
    pub affected: u64,
    /// Those of them that are poor.
    pub poor: u64,
    /// The views of all pages outside the good band.
    pub all_affected: u64,
    /// The percentile that was requested.
    pub percentile: f64,
    /// The cause that most of the bad values are owed to.
    pub cause: Option<SuspectedCause>,
}

/// Reads what holds visitors up.
#[async_trait]
pub trait ImpactReads: Send + Sync {
    /// The pages with most views outside the good band, of one metric or of all three: `most` at most.
    async fn impact(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        metric: Option<ImpactMetric>,
        most: usize,
        percent: u8,
    ) -> Result<Vec<Impact>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_part_is_the_cause() {
        let lcp = |parts: [Option<f64>; 4]| SuspectedCause::of(ImpactMetric::Lcp, &parts);
        assert_eq!(
            lcp([Some(900.0), None, None, Some(900.0)]),
            Some(SuspectedCause::SlowTtfb)
        );
        assert_eq!(
            lcp([Some(100.0), Some(900.0), Some(200.0), Some(0.0)]),
            Some(SuspectedCause::LateDiscovery)
        );
        assert_eq!(lcp([None, Some(0.0), None, None]), None);
        let cls = SuspectedCause::of(ImpactMetric::Cls, &[Some(0.1), Some(0.4)]);
        assert_eq!(cls, Some(SuspectedCause::UnsizedMedia));
        assert_eq!(SuspectedCause::of(ImpactMetric::Inp, &[]), None);
    }
}
