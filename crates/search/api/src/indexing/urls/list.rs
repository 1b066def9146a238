//! GET /domains/{domain_id}/indexing/urls

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{Page, PageRequest},
    page_facts::IndexVerdict,
    problem::Suffix,
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_search::indexing::{
    coverage::CoverageReason,
    states::FetchState,
    store::urls::{IndexingUrls, UrlFilter},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::indexing::{indexed_version, site, url::UrlPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listIndexingUrls",
    path: "/domains/{domain_id}/indexing/urls",
    module: Module::Indexing,
    summary: "URLs with their newest inspection, by their names",
    description: concat!(
        indexed_version!(),
        " URLs that are not monitored any more, or that inspector runs alone have named, are listed too: their \
         `next_inspection_at` is null."
    ),
    scope: Some(Scope::ReadIndexing),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct UrlsQuery {
    /// Only URLs of this verdict.
    #[param(inline)]
    verdict: Option<IndexVerdict>,
    /// Only URLs of this reason.
    #[param(inline)]
    coverage_reason: Option<CoverageReason>,
    /// Only URLs that Google could fetch so.
    #[param(inline)]
    page_fetch_state: Option<FetchState>,
    /// Only URLs that contain this text, in whatever case.
    search: Option<String>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<UrlsQuery>,
    page: PageRequest<String>,
    urls: Port<dyn IndexingUrls>,
) -> ApiResult<Page<UrlPublic>> {
    let filter = UrlFilter {
        verdict: query.verdict,
        coverage_reason: query.coverage_reason,
        page_fetch_state: query.page_fetch_state,
        search: query.search.as_deref().filter(|search| !search.is_empty()),
    };
    let found = urls.list(&access, &filter, &page).await?;
    if found.items.is_empty() {
        let _ = site(&*urls, &access).await?;
    }
    Ok(found.map(|known| UrlPublic::from(&known)))
}
