//! Figures over time.

use pharos_domain::{ids::SyntheticUrlId, window::DateRange, wire_enum};
use time::OffsetDateTime;

use crate::figure::LabMetric;

/// How many points a series may have, over all pages, profiles and metrics.
pub const MOST_POINTS: usize = 20_000;

wire_enum! {
    /// The period that a point of a series stands for.
    Grain as "LabGranularity" {
        /// A run.
        Run = "run",
        /// The runs of a UTC day.
        Day = "day",
        /// Those of a week, Monday to Sunday.
        Week = "week",
    }
}

/// The series that are requested.
#[derive(Clone, Debug)]
pub struct SeriesQuery<'a> {
    /// The days that the points are of.
    pub window: DateRange,
    /// One page; `None`: all of them.
    pub url_id: Option<SyntheticUrlId>,
    /// One profile; `None`: all of them.
    pub profile_id: Option<&'a str>,
    /// The figures.
    pub metrics: &'a [LabMetric],
    /// The period that a point stands for.
    pub grain: Grain,
}

/// A test that another major version of Lighthouse did than the one before it of the same page on the same profile: scores may be
/// weighed otherwise from here on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineChange {
    /// The page whose tests changed.
    pub url_id: SyntheticUrlId,
    /// The profile of those tests.
    pub profile_id: String,
    /// When the test ended.
    pub at: OffsetDateTime,
    /// The major version from here on.
    pub major: String,
}

/// A point of the series of a page on a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The page that was tested.
    pub url_id: SyntheticUrlId,
    /// The profile that it was tested with.
    pub profile_id: String,
    /// The figure that the values are of.
    pub metric: LabMetric,
    /// When its day or week begins; of a run, when it ended.
    pub bucket_start: OffsetDateTime,
    /// The median of the runs that have the figure.
    pub median: Option<f64>,
    /// The least of its runs.
    pub min: Option<f64>,
    /// The greatest of its runs.
    pub max: Option<f64>,
    /// How many runs succeeded.
    pub runs: u64,
    /// When the newest of them ended.
    pub newest: OffsetDateTime,
}
