//! A run of a report, as answers show it.

use pharos_domain::{day::Day, ids::ReportTemplateId, runs::RunKind, window::Period};
use pharos_http::{operation::Example, run::RunPublic, spec::BASE_PATH};
use pharos_reporting::{
    format::{ReportFormat, ReportTrigger},
    run::{ReportResult, ReportRun},
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;
use uuid::uuid;

/// A run of a report: how far it is, and what it is of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportRun)]
pub(crate) struct ReportRunPublic {
    #[serde(flatten)]
    run: RunPublic,
    /// The template; null: it was deleted.
    #[schema(required)]
    template_id: Option<ReportTemplateId>,
    /// The name that the template had.
    template_name: String,
    /// Who had it made.
    trigger: ReportTrigger,
    /// The format of the file that is made.
    format: ReportFormat,
    /// The named period that was asked for, such as `last_month`; else the two days.
    period: String,
    /// The first day that it is about, UTC.
    range_start: Day,
    /// The last day that it is about, which counts.
    range_end: Day,
    /// How large it is; null until it is made.
    #[schema(required, minimum = 0)]
    size_bytes: Option<u64>,
    /// How many pages it has; null until it is made, and but for PDF.
    #[schema(required, minimum = 1)]
    pages: Option<u32>,
}

impl From<ReportRun> for ReportRunPublic {
    fn from(found: ReportRun) -> Self {
        let ReportRun {
            run,
            template,
            template_name,
            trigger,
            format,
            period,
            days,
            result,
        } = found;
        let poll_path = format!("{BASE_PATH}/domains/{}/reports/runs/{}", run.domain_id, run.id);
        let (size_bytes, pages) = result
            .map(
                |ReportResult {
                     size_bytes, pages, ..
                 }| (size_bytes, pages),
            )
            .unzip();
        Self {
            run: RunPublic::new(run, poll_path),
            template_id: template,
            template_name,
            trigger,
            format,
            period: period.map_or_else(
                || format!("{} – {}", days.first(), days.last()),
                |period: Period| period.as_str().to_owned(),
            ),
            range_start: Day(days.first()),
            range_end: Day(days.last()),
            size_bytes,
            pages: pages.flatten(),
        }
    }
}

impl Example for ReportRunPublic {
    fn example() -> Self {
        Self {
            run: RunPublic {
                kind: RunKind::Report,
                poll_path: format!(
                    "{BASE_PATH}/domains/0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33/reports/runs/\
                     0190f3c2-cf93-7186-b2a7-8e6e60bf3d66"
                ),
                ..RunPublic::example()
            },
            template_id: Some(ReportTemplateId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e30"))),
            template_name: "Monthly report".to_owned(),
            trigger: ReportTrigger::Api,
            format: ReportFormat::Pdf,
            period: "last_month".to_owned(),
            range_start: Day(date!(2026 - 02 - 01)),
            range_end: Day(date!(2026 - 02 - 28)),
            size_bytes: None,
            pages: None,
        }
    }
}
