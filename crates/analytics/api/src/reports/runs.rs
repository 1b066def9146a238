//! GET /domains/{domain_id}/analytics/reports/runs

use pharos_analytics::{
    reports::{AnalyticsReports, ReportKey},
    store::SiteStore,
};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    runs::RunStatus,
    scope::Scope,
    wide_pull::{RunFilter, WidePullStore},
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::run::ReportRunPublic;
use crate::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsReportRuns",
    path: "/domains/{domain_id}/analytics/reports/runs",
    module: Module::Analytics,
    summary: "The runs of reports, the newest first",
    description: "Runs are listed for a year after their end, their rows are kept for a week.",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct ReportRunsQuery {
    /// Only the runs of this report.
    #[param(inline)]
    report_key: Option<ReportKey>,
    /// Only the runs that are so far.
    #[param(inline)]
    status: Option<RunStatus>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<ReportRunsQuery>,
    page: PageRequest,
    sites: Port<dyn SiteStore>,
    store: Port<dyn WidePullStore<AnalyticsReports>>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<ReportRunPublic>> {
    sites.view(&access).await?.ok_or_else(missing)?;
    let filter = RunFilter {
        report: query.report_key,
        status: query.status,
    };
    let found = store.list(&access, filter, &page, clock.now()).await?;
    Ok(found.map(ReportRunPublic::from))
}
