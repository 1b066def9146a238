//! The answers, alike on both sides of a figure.

use pharos_http::operation::Example;
use serde::Serialize;
use utoipa::ToSchema;

/// A report of about 2 kB.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Report {
    /// A row a day.
    days: Vec<Day>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Day {
    date: String,
    visitors: u32,
    sessions: u32,
    pageviews: u32,
    bounce_rate: f64,
}

impl Example for Report {
    fn example() -> Self {
        let day = |at: u32| Day {
            date: format!("2026-03-{at:02}"),
            visitors: 10_000 + at,
            sessions: 12_000 + at,
            pageviews: 34_000 + at,
            bounce_rate: 0.4375,
        };
        Self {
            days: (1..=22).map(day).collect(),
        }
    }
}

/// The answer that one row gives.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Brief {
    /// From the row.
    pub(super) enabled: bool,
    /// From the row.
    pub(super) interval_seconds: u32,
}

impl Example for Brief {
    fn example() -> Self {
        Self {
            enabled: true,
            interval_seconds: 60,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Example, Report};

    #[test]
    fn a_report_has_2_kb() {
        let bytes = serde_json::to_vec(&Report::example()).unwrap().len();
        assert!((1_900..=2_100).contains(&bytes), "{bytes}");
    }
}
