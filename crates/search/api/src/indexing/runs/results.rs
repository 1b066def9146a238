//! GET /domains/{domain_id}/indexing/inspector/runs/{run_id}/results

use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::RunId,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    run::with_result,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_search::indexing::store::runs::{InspectorRuns, ResultStatus, RunResult};
use serde::Serialize;
use utoipa::ToSchema;

use crate::indexing::{indexed_version, no_such_run, url::UrlDetail};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listInspectorResults",
    path: "/domains/{domain_id}/indexing/inspector/runs/{run_id}/results",
    module: Module::Indexing,
    summary: "The results of an inspector run, URL by URL",
    description: concat!(
        indexed_version!(),
        " In the order of the request. Those that nobody has come to yet are not listed, so that results can be read while the run \
         goes on. All that an inspection finds is null where it was not made. After `expires_at` of the run: 410."
    ),
    scope: Some(Scope::ReadIndexing),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::InspectorRunNotFound, Suffix::ReportResultExpired],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    page: PageRequest<i64>,
    runs: Port<dyn InspectorRuns>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<InspectorResultPublic>> {
    let run = runs.find(&access, id, clock.now()).await?;
    let run = run.ok_or_else(|| no_such_run(id))?;
    let _ = with_result(run.run)?;
    let found = runs.results(&access, id, &page).await?;
    Ok(found.map(InspectorResultPublic::from))
}

/// The result of a URL of a run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InspectorResult)]
pub(crate) struct InspectorResultPublic {
    /// Whether it was inspected, failed or was skipped.
    status: ResultStatus,
    /// Why it was not inspected, as the last segment of a problem's `type`; null where it was, or is named twice.
    #[schema(required, example = "quota-exhausted")]
    error_code: Option<String>,
    #[serde(flatten)]
    url: UrlDetail,
}

impl From<RunResult> for InspectorResultPublic {
    fn from(result: RunResult) -> Self {
        let RunResult {
            place: _,
            status,
            error_code,
            url,
            history,
        } = result;
        Self {
            status,
            error_code,
            url: UrlDetail::new(url, history),
        }
    }
}

impl Example for InspectorResultPublic {
    fn example() -> Self {
        Self {
            status: ResultStatus::Done,
            error_code: None,
            url: UrlDetail::example(),
        }
    }
}
