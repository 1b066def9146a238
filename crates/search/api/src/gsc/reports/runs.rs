//! GET /domains/{domain_id}/gsc/reports/runs

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
use pharos_search::gsc::{
    property::PropertyStore,
    reports::{ReportKey, SearchReports},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::run::ReportRunPublic;
use crate::gsc::parts::linked;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listGscReportRuns",
    path: "/domains/{domain_id}/gsc/reports/runs",
    module: Module::Gsc,
    summary: "The runs of reports, the newest first",
    description: "Runs are listed for a year after their end, their rows are kept for a week.",
    scope: Some(Scope::ReadGsc),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::GscPropertyNotLinked],
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
    properties: Port<dyn PropertyStore>,
    store: Port<dyn WidePullStore<SearchReports>>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<ReportRunPublic>> {
    linked(&access, &properties).await?;
    let filter = RunFilter {
        report: query.report_key,
        status: query.status,
    };
    let found = store.list(&access, filter, &page, clock.now()).await?;
    Ok(found.map(ReportRunPublic::from))
}
