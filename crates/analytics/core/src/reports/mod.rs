//! Wide pulls: the reports of analytics.

mod catalogue;

use pharos_domain::{
    jobs::JobKind,
    runs::RunKind,
    wide_pull::{Family, Report},
};

pub use self::catalogue::{MOST_ROWS, ReportKey};
use crate::filter_texts::FilterTexts;

/// The reports of analytics. A run is about the sessions that fit its filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalyticsReports;

impl Family for AnalyticsReports {
    type Key = ReportKey;
    type Asked = FilterTexts;
    const RUNS: RunKind = RunKind::AnalyticsReport;
    const JOBS: JobKind = JobKind::new("analytics_report");
    const MOST_ROWS: u32 = MOST_ROWS;
    const TOO_LONG: &'static str =
        "The report took too long. Ask for fewer days, or for fewer sessions by a filter.";

    fn report(key: ReportKey) -> &'static Report {
        key.report()
    }
}
