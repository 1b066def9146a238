//! DELETE /domains/{domain_id}/sitemap/files/{file_id}

use pharos_crawl::sitemap::monitor::store::SitemapStore;
use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::SitemapFileId, module::Module,
    problem::Suffix, role::Role, scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};

use crate::sitemap::no_such_file;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteSitemapFile",
    method: Verb::Delete,
    path: "/domains/{domain_id}/sitemap/files/{file_id}",
    module: Module::Sitemap,
    summary: "Watch a sitemap file no longer",
    description: "The files that an index alone names go with it. Nothing finds the file anew, also where robots.txt \
                  names it; POST …/sitemap/files has it watched again. Its pages are forgotten at the next check, and \
                  don't count as removed; changes that were found stay. Until then the figures of the overview, \
                  such as `urls_total`, have them in.",
    scope: Some(Scope::WriteSitemap),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::SitemapFileNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<SitemapFileId>,
    store: Port<dyn SitemapStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if store.stop(&access, id.0, now).await? {
        Ok(DeletedResponse::retaining_history(id.0, now))
    } else {
        Err(no_such_file(id))
    }
}
