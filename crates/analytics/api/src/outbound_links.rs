//! GET /domains/{domain_id}/analytics/outbound-links

use pharos_analytics::{
    actions::{ActionKind, ActionsQuery, MOST_ACTIONS},
    filter::Filters,
    filter_texts::FilterTexts,
    store::{ActionStore, SiteStore},
};
use pharos_domain::{identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::ApiResult,
    spec::{OperationSpec, Paging},
};

use crate::{
    READ,
    links::{LinkPublic, LinksRoot},
    meta, missing,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsOutboundLinks",
    path: "/domains/{domain_id}/analytics/outbound-links",
    summary: "The links to other hosts that were followed",
    description: "The 1,000 that were followed most often, those first; `total_links` says how many there are. A file on another \
                  host is a download, and not among them.",
    paging: Paging::Single,
    ..READ
};

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    actions: Port<dyn ActionStore>,
) -> ApiResult<Page<LinkPublic, LinksRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let query = ActionsQuery {
        window: asked.window,
        filters: &filters,
        kind: ActionKind::Outbound,
        name: None,
        rows: i64::try_from(MOST_ACTIONS).unwrap_or(i64::MAX),
        after: None,
        currency: &site.settings.currency,
    };
    let found = actions.actions(&access, &query).await?;
    let root = LinksRoot::new(&found, meta(&asked, found.last_at));
    let items = found.rows.into_iter().map(LinkPublic::from).collect();
    Ok(Page::single(items).with(root))
}
