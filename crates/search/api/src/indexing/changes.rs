//! GET /domains/{domain_id}/indexing/changes

use pharos_domain::{
    identity::DomainAccess,
    ids::IndexingUrlId,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    window::{DataThrough, Meta},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Days},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging, Window},
};
use pharos_search::indexing::{
    change::{Direction, Field},
    store::{
        reads::{ChangeFilter, IndexingReads, ListedChange},
        urls::IndexingUrls,
    },
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::site;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listIndexingChanges",
    path: "/domains/{domain_id}/indexing/changes",
    module: Module::Indexing,
    summary: "The changes of URLs between inspections, the newest first",
    description: "A row a field. The change itself came about between the inspection before and `changed_at`. A first inspection \
                  is no change. `improved` is towards indexed, allowed, fetched, and a canonical page that matches the declared \
                  one, `worsened` away from it; where one side is not known it is `neutral`. Changes are kept for 12 months.",
    scope: Some(Scope::ReadIndexing),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    paging: Paging::cursor(1_000),
    window: Window::Days,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct ChangesQuery {
    /// Only changes of this field.
    #[param(inline)]
    field: Option<Field>,
    /// Only changes for the better, for the worse, or neither.
    #[param(inline)]
    direction: Option<Direction>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Days(asked): Days,
    Query(query): Query<ChangesQuery>,
    page: PageRequest,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
) -> ApiResult<Page<IndexingChangePublic, ChangesRoot>> {
    let filter = ChangeFilter {
        window: asked.window,
        field: query.field,
        direction: query.direction,
    };
    let found = reads.changes(&access, &filter, &page).await?;
    if found.items.is_empty() {
        let _ = site(&*urls, &access).await?;
    }
    let days = reads.days(&access, asked.window).await?;
    let through = days.keys().next_back().copied().map(DataThrough::from);
    let root = ChangesRoot {
        meta: asked.meta(None, through),
    };
    Ok(found.map(IndexingChangePublic::from).with(root))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingChangesRoot)]
pub(crate) struct ChangesRoot {
    /// The window. `data_through` is the last day of it on which URLs were inspected.
    meta: Meta,
}

/// A change of a URL.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingChange)]
pub(crate) struct IndexingChangePublic {
    /// The URL's id.
    url_id: IndexingUrlId,
    /// The URL.
    url: String,
    /// When the inspection was made that found it.
    changed_at: Timestamp,
    /// The field that changed.
    field: Field,
    /// Its value before; null: nothing.
    #[schema(required)]
    before: Option<String>,
    /// Its value after; null: nothing.
    #[schema(required)]
    after: Option<String>,
    /// Whether that is for the better.
    direction: Direction,
}

impl From<ListedChange> for IndexingChangePublic {
    fn from(change: ListedChange) -> Self {
        let ListedChange {
            id: _,
            url_id,
            url,
            changed_at,
            field,
            before,
            after,
            direction,
        } = change;
        Self {
            url_id,
            url,
            changed_at: changed_at.into(),
            field,
            before,
            after,
            direction,
        }
    }
}

impl Example for IndexingChangePublic {
    fn example() -> Self {
        Self {
            url_id: IndexingUrlId(uuid!("0195e7a1-7a4e-7c31-9d52-3f1f0b6a8e61")),
            url: "https://shop.example/shoes".to_owned(),
            changed_at: datetime!(2026-03-31 04:12:08 UTC).into(),
            field: Field::Verdict,
            before: Some("pass".to_owned()),
            after: Some("neutral".to_owned()),
            direction: Direction::Worsened,
        }
    }
}

impl Example for ChangesRoot {
    fn example() -> Self {
        Self {
            meta: Meta::example(),
        }
    }
}
