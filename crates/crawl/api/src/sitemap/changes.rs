//! GET /domains/{domain_id}/sitemap/changes

use pharos_crawl::sitemap::monitor::{
    pages::{ChangeFilter, ChangeKind, PageChange},
    store::SitemapStore,
};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::SitemapFileId,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listSitemapChanges",
    path: "/domains/{domain_id}/sitemap/changes",
    module: Module::Sitemap,
    summary: "Pages that came, went, moved or have another date, the newest first",
    description: "The first good fetch of a file is what later ones are compared with: its pages are not `added`. `removed`: \
                  two good fetches in a row did not find the page, and no other file names it; a fetch that fails in between \
                  does not count. `moved_file`: it left one file for another; it is neither added nor removed then. Changes \
                  are kept for 12 months.",
    scope: Some(Scope::ReadSitemap),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::SitemapNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct ChangesQuery {
    /// Only changes of this kind.
    #[param(inline)]
    change: Option<ChangeKind>,
    /// Only changes of this file.
    #[param(value_type = Option<String>, format = Uuid)]
    file_id: Option<SitemapFileId>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<ChangesQuery>,
    page: PageRequest,
    store: Port<dyn SitemapStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<SitemapChangePublic>> {
    let filter = ChangeFilter {
        change: query.change,
        file: query.file_id.map(|file| file.0),
    };
    let found = store.changes(&access, &filter, &page).await?;
    if found.items.is_empty() {
        site(&access, &*store, clock.now()).await?;
    }
    Ok(found.map(SitemapChangePublic::from))
}

/// A change of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapChange)]
pub(super) struct SitemapChangePublic {
    /// When a fetch found it.
    changed_at: Timestamp,
    /// How the page changed.
    change: ChangeKind,
    /// The address of the page that changed.
    url: String,
    /// The file that was fetched; of a page that moved, the one that names it now.
    file_id: SitemapFileId,
    /// The date before, of `lastmod_changed`; the id of the file before, of `moved_file`; null where there was none, and of
    /// other changes.
    #[schema(required)]
    before: Option<String>,
    /// The same after; null where there is none, and of other changes.
    #[schema(required)]
    after: Option<String>,
}

impl From<PageChange> for SitemapChangePublic {
    fn from(change: PageChange) -> Self {
        let PageChange {
            id: _,
            changed_at,
            change,
            url,
            file_id,
            before,
            after,
        } = change;
        Self {
            changed_at: changed_at.into(),
            change,
            url,
            file_id: SitemapFileId(file_id),
            before,
            after,
        }
    }
}

impl Example for SitemapChangePublic {
    fn example() -> Self {
        Self {
            changed_at: datetime!(2026-03-30 21:14:30 UTC).into(),
            change: ChangeKind::LastmodChanged,
            url: "https://shop.example/shoes".to_owned(),
            file_id: SitemapFileId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
            before: Some("2026-02-01T00:00:00Z".to_owned()),
            after: Some("2026-03-28T00:00:00Z".to_owned()),
        }
    }
}
