//! DELETE /domains/{domain_id}/indexing/urls/{url_id}

use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::IndexingUrlId, module::Module,
    problem::Suffix, role::Role, scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};
use pharos_search::indexing::store::urls::IndexingUrls;

use crate::indexing::no_such_url;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteIndexingUrl",
    method: Verb::Delete,
    path: "/domains/{domain_id}/indexing/urls/{url_id}",
    module: Module::Indexing,
    summary: "Monitor a URL no longer",
    description: "Its inspections and changes are forgotten, and its place in the quota is free again. Neither sitemaps nor search \
                  bring it back: that does `POST …/indexing/urls` alone.",
    scope: Some(Scope::WriteIndexing),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::IndexingUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<IndexingUrlId>,
    urls: Port<dyn IndexingUrls>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if urls.remove(&access, id, now).await? {
        Ok(DeletedResponse::forgetting_history(id.0, now))
    } else {
        Err(no_such_url(id))
    }
}
