//! GET /domains/{domain_id}/indexing/inspector/runs/{run_id}

use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RunId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_search::indexing::store::{runs::InspectorRuns, urls::IndexingUrls};

use super::InspectorRunPublic;
use crate::indexing::no_such_run;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getInspectorRun",
    path: "/domains/{domain_id}/indexing/inspector/runs/{run_id}",
    module: Module::Indexing,
    summary: "How far an inspector run is",
    description: "`partial`: some URLs were inspected, others could not be. A run that has expired is still shown; its results are \
                  not.",
    scope: Some(Scope::ReadIndexing),
    credits: Credits::Cheap,
    problems: &[Suffix::InspectorRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    urls: Port<dyn IndexingUrls>,
    runs: Port<dyn InspectorRuns>,
    clock: Port<dyn Clock>,
) -> ApiResult<InspectorRunPublic> {
    let now = clock.now();
    let run = runs.find(&access, id, now).await?;
    let run = run.ok_or_else(|| no_such_run(id))?;
    let site = urls.site(&access).await?;
    let quota = match site.and_then(|site| site.site_url) {
        Some(site_url) => Some(urls.quota(&access, &site_url, now).await?),
        None => None,
    };
    Ok(InspectorRunPublic::new(run, quota))
}
