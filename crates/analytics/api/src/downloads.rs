//! GET /domains/{domain_id}/analytics/downloads

use pharos_analytics::{
    actions::{ActionKind, ActionsQuery},
    filter::Filters,
    filter_texts::FilterTexts,
    store::{ActionStore, SiteStore},
};
use pharos_domain::{
    identity::DomainAccess,
    page::{Page, PageRequest, Position},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::ApiResult,
    spec::{OperationSpec, Paging},
};

use crate::{
    READ,
    links::{LinkPublic, LinksRoot},
    meta, missing, place,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsDownloads",
    path: "/domains/{domain_id}/analytics/downloads",
    summary: "The files that were downloaded",
    description: "Links to files whose extension is among the settings' `download_extensions`, on whatever host; those that were \
                  followed most often first. `total_clicks` and `extensions` are of all of them, whatever the page.",
    paging: Paging::Cursor {
        max: 1_000,
        default: 1_000,
    },
    ..READ
};

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(filters): Query<FilterTexts>,
    page: PageRequest<i64, String>,
    sites: Port<dyn SiteStore>,
    actions: Port<dyn ActionStore>,
) -> ApiResult<Page<LinkPublic, LinksRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let query = ActionsQuery {
        window: asked.window,
        filters: &filters,
        kind: ActionKind::Download,
        name: None,
        rows: page.rows(),
        after: page.after.as_ref().map(|after| (after.key, after.id.as_str())),
        currency: &site.settings.currency,
    };
    let found = actions.actions(&access, &query).await?;
    let root = LinksRoot::new(&found, meta(&asked, found.last_at));
    let rows = Page::cut(found.rows, &page, |row| Position {
        key: place(row),
        id: row.name.clone(),
    });
    Ok(Page {
        items: rows.items.into_iter().map(LinkPublic::from).collect(),
        next_cursor: rows.next_cursor,
        has_more: rows.has_more,
        extra: root,
    })
}
