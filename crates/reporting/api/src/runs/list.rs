//! GET /domains/{domain_id}/reports/runs

use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::ReportTemplateId,
    module::Module,
    page::{Page, PageRequest},
    runs::RunStatus,
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_reporting::store::{ReportRunStore, RunFilter};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::run::ReportRunPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listReportRuns",
    path: "/domains/{domain_id}/reports/runs",
    module: Module::Reports,
    summary: "The reports that were asked for, the newest first",
    description: "Runs are listed for a year after their end, also those of templates that were deleted.",
    scope: Some(Scope::ReadReports),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct ReportRunFilterQuery {
    /// Only the runs of this template.
    #[param(value_type = Option<String>, format = Uuid)]
    template_id: Option<ReportTemplateId>,
    /// Only the runs that are so far.
    #[param(inline)]
    status: Option<RunStatus>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<ReportRunFilterQuery>,
    page: PageRequest,
    runs: Port<dyn ReportRunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<ReportRunPublic>> {
    let filter = RunFilter {
        template: query.template_id,
        status: query.status,
    };
    let found = runs.list(&access, filter, &page, clock.now()).await?;
    Ok(found.map(ReportRunPublic::from))
}
