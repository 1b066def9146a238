//! Wide pulls of search performance: the reports that there are, and which rows they are about.

mod catalogue;
mod filter;
mod source;

use std::time::Duration;

use pharos_domain::{
    jobs::JobKind,
    runs::RunKind,
    wide_pull::{Family, Report},
};
use serde::{Deserialize, Serialize};

pub use self::{
    catalogue::{MOST_ROWS, ReportKey},
    filter::{EXPRESSION, FILTERS, Filter, FilterDimension, Matcher, Matchers, Operator},
    source::{Source, Unrelated},
};
use super::figures::SearchType;

/// How long the filters of a run may be checked against what is stored, all together.
pub const FILTERING: Duration = Duration::from_secs(20);
/// How long the filters of a run may be compiled before it is taken on, all together.
pub const COMPILING: Duration = Duration::from_secs(2);
/// The refusal that a caller reads whose filters would take longer.
pub const TOO_COSTLY: &str = "The regular expressions of the filters take too long on the queries and pages that there are. Ask with \
                              simpler ones, or with fewer.";

/// The reports of search performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchReports;

/// The rows that a run is about.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Asked {
    /// The search type.
    pub search_type: SearchType,
    /// Those that fit all of these.
    pub filters: Vec<Filter>,
}

impl Family for SearchReports {
    type Key = ReportKey;
    type Asked = Asked;
    const RUNS: RunKind = RunKind::GscReport;
    const JOBS: JobKind = JobKind::new("gsc_report");
    const MOST_ROWS: u32 = MOST_ROWS;
    const TOO_LONG: &'static str =
        "The report took too long. Ask for fewer days, or for fewer rows by a filter.";

    fn report(key: ReportKey) -> &'static Report {
        key.report()
    }
}
