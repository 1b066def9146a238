//! GET /domains/{domain_id}/indexing/urls/{url_id}

use pharos_domain::{
    identity::DomainAccess, ids::IndexingUrlId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_search::indexing::store::urls::IndexingUrls;

use crate::indexing::{indexed_version, no_such_url, url::UrlDetail};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getIndexingUrl",
    path: "/domains/{domain_id}/indexing/urls/{url_id}",
    module: Module::Indexing,
    summary: "A URL with its whole newest inspection and its past states",
    description: indexed_version!(),
    scope: Some(Scope::ReadIndexing),
    credits: Credits::Cheap,
    problems: &[Suffix::IndexingUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<IndexingUrlId>,
    urls: Port<dyn IndexingUrls>,
) -> ApiResult<UrlDetail> {
    let (known, history) = urls.find(&access, id).await?.ok_or_else(|| no_such_url(id))?;
    Ok(UrlDetail::new(known, history))
}
