//! GET /domains/{domain_id}/analytics/outbound-links

use pharos_analytics::{
    actions::{ActionKind, ActionsQuery, MOST_ACTIONS},
    filter::Filters,
    filter_texts::FilterTexts,
    store::{ActionStore, SiteStore},
};
use pharos_domain::{
    identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope, window::DataThrough,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::ApiResult,
    spec::{Bucket, Credits, OperationSpec, Paging, Window},
};

use crate::{
    links::{LinkPublic, LinksRoot},
    missing,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsOutboundLinks",
    path: "/domains/{domain_id}/analytics/outbound-links",
    module: Module::Analytics,
    summary: "The links to other hosts that were followed",
    description: "The 1,000 that were followed most often, those first; `total_links` says how many there are. A file on another \
                  host is a download, and not among them.",
    scope: Some(Scope::ReadAnalytics),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 300,
    paging: Paging::Single,
    window: Window::Full,
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
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
    let through = found.last_at.map(|last_at| last_at.min(asked.window.end()));
    let root = LinksRoot::new(&found, asked.meta(None, through.map(DataThrough::from)));
    let items = found.rows.into_iter().map(LinkPublic::from).collect();
    Ok(Page::single(items).with(root))
}
