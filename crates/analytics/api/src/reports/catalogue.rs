//! GET /domains/{domain_id}/analytics/reports

use pharos_analytics::{
    channel::Channel,
    filter::DeviceClass,
    reports::{MOST_ROWS, ReportKey},
    store::SiteStore,
};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::Page,
    problem::Suffix,
    scope::Scope,
    wide_pull::{ParameterKind, RESULT_KEPT},
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
    wide_pull::{ReportParameterPublic, names},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsReports",
    path: "/domains/{domain_id}/analytics/reports",
    module: Module::Analytics,
    summary: "The reports that can be run",
    description: "A report is all rows of a question, worked out in the background. `POST …/reports/{report_key}/runs` starts \
                  one, and its rows are kept for `retention_hours`.",
    scope: Some(Scope::ReadAnalytics),
    paging: Paging::Single,
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    sites: Port<dyn SiteStore>,
) -> ApiResult<Page<AnalyticsReportPublic>> {
    sites.view(&access).await?.ok_or_else(missing)?;
    Ok(Page::single(
        ReportKey::ALL.iter().copied().map(Into::into).collect(),
    ))
}

/// A report that can be run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsReport)]
pub(crate) struct AnalyticsReportPublic {
    /// By which it is asked for.
    report_key: ReportKey,
    /// Its name, for people.
    name: &'static str,
    /// The contents of its rows, and their order.
    description: &'static str,
    /// The names of the columns that tell rows apart.
    dimensions: Vec<&'static str>,
    /// The names of the columns that hold the figures of a row.
    metrics: Vec<&'static str>,
    /// The members that the body of a run may have.
    parameters: Vec<ReportParameterPublic>,
    /// How many rows a run keeps at most: the first of its order.
    #[schema(minimum = 1)]
    max_rows: u32,
    /// The price of a run, in credits.
    #[schema(minimum = 0)]
    cost: u32,
    /// How long the rows of a run are kept.
    #[schema(minimum = 1)]
    retention_hours: i64,
}

/// The days are 30 that end today where none are given, as windows are.
fn parameters() -> Vec<ReportParameterPublic> {
    let day = |name| ReportParameterPublic::optional(name, ParameterKind::Date);
    let text = |name| ReportParameterPublic::optional(name, ParameterKind::String);
    let one_of = |name, values| text(name).one_of(values);
    let channels = Channel::ALL.iter().map(|channel| channel.as_str()).collect();
    let devices = DeviceClass::ALL.iter().map(|device| device.as_str()).collect();
    vec![
        day("start_date"),
        day("end_date"),
        text("source"),
        text("medium"),
        text("campaign"),
        one_of("channel", channels),
        text("country"),
        one_of("device", devices),
        text("browser"),
        text("os"),
        text("page"),
        text("referrer"),
        text("event"),
    ]
}

impl From<ReportKey> for AnalyticsReportPublic {
    fn from(key: ReportKey) -> Self {
        let report = key.report();
        Self {
            report_key: key,
            name: report.name,
            description: report.description,
            dimensions: names(report.dimensions),
            metrics: names(report.metrics),
            parameters: parameters(),
            max_rows: MOST_ROWS,
            cost: Credits::Dispatch.price(),
            retention_hours: RESULT_KEPT.whole_hours(),
        }
    }
}

impl Example for AnalyticsReportPublic {
    fn example() -> Self {
        ReportKey::PagesFull.into()
    }
}
