//! A run of a report, as answers show it.

use pharos_domain::{day::Day, wide_pull::WidePull};
use pharos_http::{operation::Example, run::RunPublic, spec::BASE_PATH};
use pharos_search::gsc::reports::{ReportKey, SearchReports};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

/// A run of a report: how far it is, and what it is of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchReportRun)]
pub(crate) struct ReportRunPublic {
    #[serde(flatten)]
    run: RunPublic,
    /// The report.
    report_key: ReportKey,
    /// The first day that it is about.
    start_date: Day,
    /// The last day that it is about, which counts.
    end_date: Day,
    /// How many rows it has; null until it is done.
    #[schema(required, minimum = 0)]
    total_rows: Option<u64>,
    /// Whether there were more rows than a report keeps: `max_rows` of the catalogue.
    truncated: bool,
}

impl From<WidePull<SearchReports>> for ReportRunPublic {
    fn from(found: WidePull<SearchReports>) -> Self {
        let WidePull {
            run,
            report,
            window,
            total_rows,
            is_truncated,
        } = found;
        let poll_path = format!(
            "{BASE_PATH}/domains/{}/gsc/reports/runs/{}",
            run.domain_id, run.id
        );
        Self {
            run: RunPublic::new(run, poll_path),
            report_key: report,
            start_date: Day(window.first()),
            end_date: Day(window.last()),
            total_rows,
            truncated: is_truncated,
        }
    }
}

impl Example for ReportRunPublic {
    fn example() -> Self {
        Self {
            run: RunPublic {
                kind: pharos_domain::runs::RunKind::GscReport,
                poll_path: format!(
                    "{BASE_PATH}/domains/0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33/gsc/reports/runs/\
                     0190f3c2-cf93-7186-b2a7-8e6e60bf3d66"
                ),
                ..RunPublic::example()
            },
            report_key: ReportKey::QueryPageMatrix,
            start_date: Day(date!(2026 - 03 - 01)),
            end_date: Day(date!(2026 - 03 - 31)),
            total_rows: None,
            truncated: false,
        }
    }
}
