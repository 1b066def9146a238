//! GET /domains/{domain_id}/analytics/reports/runs/{run_id}

use pharos_analytics::reports::AnalyticsReports;
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RunId, module::Module, problem::Suffix, scope::Scope,
    wide_pull::WidePullStore,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};

use super::{no_run, run::ReportRunPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsReportRun",
    path: "/domains/{domain_id}/analytics/reports/runs/{run_id}",
    module: Module::Analytics,
    summary: "How far a run of a report is",
    description: "A run that has expired is still shown; its rows are not.",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    problems: &[Suffix::ReportRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    store: Port<dyn WidePullStore<AnalyticsReports>>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportRunPublic> {
    let found = store.find(&access, id, clock.now()).await?;
    Ok(found.ok_or_else(|| no_run(id))?.into())
}
