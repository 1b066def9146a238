//! GET /domains/{domain_id}/reports/runs/{run_id}

use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RunId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_reporting::store::ReportRunStore;

use super::{no_run, run::ReportRunPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getReportRun",
    path: "/domains/{domain_id}/reports/runs/{run_id}",
    module: Module::Reports,
    summary: "How far a report is",
    description: "A run that has expired is still shown, for a year; its result is not. One without a result is shown for a year after \
                  its end.",
    scope: Some(Scope::ReadReports),
    credits: Credits::Cheap,
    problems: &[Suffix::ReportRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    runs: Port<dyn ReportRunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportRunPublic> {
    let found = runs.find(&access, id, clock.now()).await?;
    Ok(found.ok_or_else(|| no_run(id))?.into())
}
