//! GET /domains/{domain_id}/sitemap/files

use pharos_crawl::sitemap::monitor::store::SitemapStore;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::RunId,
    module::Module,
    page::Page,
    problem::Suffix,
    runs::{RunKind, RunStore},
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    run::RunPublic,
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::SitemapFilePublic;
use crate::sitemap::{check::public, site};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSitemapFiles",
    path: "/domains/{domain_id}/sitemap/files",
    module: Module::Sitemap,
    summary: "The sitemap files of a site, as a tree",
    description: "1,000 files of a site are watched at most, down to those of an index in an index. A file that its index or \
                  robots.txt names no longer stays until two checks in a row have found that. `last_run` is the newest check \
                  that was asked for.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SitemapNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct FilesQuery {
    /// Only files that this run has fetched.
    #[param(value_type = Option<String>, format = Uuid)]
    run_id: Option<RunId>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<FilesQuery>,
    store: Port<dyn SitemapStore>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<SitemapFilePublic, LastCheck>> {
    let now = clock.now();
    let files = store.files(&access, query.run_id).await?;
    // A run that waits has fetched nothing yet, and is no reason for a 404.
    if files.is_empty() && query.run_id.is_none() {
        site(&access, &*store, now).await?;
    }
    let last_run = runs.last(&access, RunKind::SitemapCheck, now).await?.map(public);
    let items = files.into_iter().map(SitemapFilePublic::from).collect();
    Ok(Page::single(items).with(LastCheck { last_run }))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LastCheck {
    /// The newest check that was asked for; null where none was.
    #[schema(required)]
    last_run: Option<RunPublic>,
}

impl Example for LastCheck {
    fn example() -> Self {
        Self { last_run: None }
    }
}
