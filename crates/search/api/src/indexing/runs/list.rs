//! GET /domains/{domain_id}/indexing/inspector/runs

use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_search::indexing::store::{runs::InspectorRuns, urls::IndexingUrls};

use super::InspectorRunPublic;
use crate::indexing::site;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listInspectorRuns",
    path: "/domains/{domain_id}/indexing/inspector/runs",
    module: Module::Indexing,
    summary: "The last 100 inspector runs, the newest first",
    description: "Runs are listed for a year after their end, their results are kept for 30 days. `quota` is that of now.",
    scope: Some(Scope::ReadIndexing),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    urls: Port<dyn IndexingUrls>,
    runs: Port<dyn InspectorRuns>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<InspectorRunPublic>> {
    let now = clock.now();
    let site = site(&*urls, &access).await?;
    let found = runs.list(&access, now).await?;
    let quota = match &site.site_url {
        Some(site_url) => Some(urls.quota(&access, site_url, now).await?),
        None => None,
    };
    let items = found.into_iter().map(|run| InspectorRunPublic::new(run, quota));
    Ok(Page::single(items.collect()))
}
