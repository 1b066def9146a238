//! What checks of the past come to, piece by piece.

pub mod distribution;
pub mod tally;

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use time::OffsetDateTime;

use self::tally::{Depth, Tallies};
use crate::availability::Stretch;

/// How many checks came to what.
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

/// How long answers took, in milliseconds. Failed checks are not among them. `None` without any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// How many answers.
    pub samples: u64,
    /// Their mean.
    pub avg: Option<f64>,
    /// The fastest.
    pub min: Option<f64>,
    /// The median. Percentiles lie between two neighbours by linear interpolation (`percentile_cont` of SQL), of times
    /// that are rounded to three significant digits; never beyond the fastest and the slowest. `None` where they were
    /// not asked for, too.
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

/// How long the phases took, each of those answers that reached it.
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

/// What the checks of a stretch of time come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How many came to what.
    pub counts: CheckCounts,
    /// How long the answers took.
    pub response: Timing,
    /// And their phases.
    pub phases: Phases,
}

/// Where checks can run from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPlace {
    /// Its key.
    pub key: String,
    /// What people call it.
    pub name: Option<String>,
    /// The continent.
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

/// What is asked of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Of when. Its edges are whole hours, UTC.
    pub stretch: Stretch,
    /// How much of the times.
    pub depth: Depth,
}

/// What the past tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What the checks come to that each question asks about, in their order.
    pub tallies: Vec<Tallies>,
    /// How many checks ran from each edge to the next.
    pub totals: Vec<u64>,
}

/// Reads what checks of the past come to.
#[async_trait]
pub trait HistoryStore: Send + Sync {
    /// Answers questions, and counts the checks between `edges`: whole hours, UTC, ascending. All of it is of one moment;
    /// of one region or of all. Checks that a run asked for count too.
    async fn tell(
        &self,
        domain: &DomainAccess,
        questions: &[Question],
        edges: &[OffsetDateTime],
        region: Option<&str>,
    ) -> Result<Told, StoreError>;

    /// Where checks can run from.
    async fn places(&self) -> Result<Vec<RegionPlace>, StoreError>;
}
