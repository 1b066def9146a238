//! Every page of the console, and who sees it.

use super::table::{
    ADMIN,
    Door::{Keeper, Open, Operator, User},
    MEMBER, PageRow, VIEWER, page,
};

/// The pages by their routes; a route has a row for each page that differs.
pub(super) const PAGES: &[PageRow] = &[
    page("/console", User).answers(303),
    page("/console/", User).answers(303),
    page("/console/style/{digest}.css", Open).at("{style}"),
    page("/console/script/{digest}.js", Open).at("{script}"),
    page("/console/sign-in", Open),
    // Who has given no password yet gives it first.
    page("/console/sign-in/code", Open).answers(303),
    page("/console/forgotten", Open),
    page("/console/welcome/{token}", Open).at("{welcome}"),
    page("/console/consent", User).answers(400),
    page("/console/apps", User),
    page("/console/apps/revoke", User)
        .at("/console/apps/revoke?app=01900000-0000-7000-8000-000000000999")
        .answers(303),
    page("/console/channels", User),
    page("/console/channels/new", Keeper).at("/console/channels/new?workspace={workspace_id}"),
    page("/console/channels/new", Keeper).at("/console/channels/new?workspace={workspace_id}&kind=email"),
    page("/console/channels/new", Keeper).at("/console/channels/new?workspace={workspace_id}&kind=webhook"),
    page("/console/channels/{id}", Keeper),
    page("/console/channels/{id}/edit", Keeper),
    page("/console/account", User),
    page("/console/account/second-factor", User),
    page("/console/switches", Operator),
    page("/console/workspaces/new", User),
    page("/console/w/{workspace_id}", VIEWER),
    page("/console/w/{workspace_id}/notifications", VIEWER),
    page("/console/w/{workspace_id}/notifications", VIEWER)
        .at("/console/w/{workspace_id}/notifications?domain={domain_id}&show=unread"),
    page("/console/w/{workspace_id}/domains/new", ADMIN),
    page("/console/w/{workspace_id}/domains/deleted", ADMIN),
    page("/console/w/{workspace_id}/status-pages", VIEWER),
    page("/console/w/{workspace_id}/status-pages/new", ADMIN),
    page("/console/w/{workspace_id}/status-pages/{page_id}", ADMIN),
    page("/console/w/{workspace_id}/credits", VIEWER),
    page("/console/w/{workspace_id}/refusals", ADMIN),
    page("/console/w/{workspace_id}/audit", ADMIN),
    page("/console/w/{workspace_id}/jobs", ADMIN),
    page("/console/w/{workspace_id}/settings", ADMIN),
    page("/console/w/{workspace_id}/members", VIEWER),
    page("/console/w/{workspace_id}/members/new", ADMIN),
    page("/console/w/{workspace_id}/members/{user_id}", VIEWER),
    page("/console/w/{workspace_id}/keys", VIEWER),
    page("/console/w/{workspace_id}/keys/new", ADMIN),
    page("/console/w/{workspace_id}/keys/{key_id}", VIEWER),
    page("/console/domains/{domain_id}", VIEWER),
    page("/console/domains/{domain_id}/incidents", VIEWER),
    page("/console/domains/{domain_id}/incidents/{incident_id}", VIEWER),
    page("/console/domains/{domain_id}/alerts", VIEWER),
    page("/console/domains/{domain_id}/alerts/new", MEMBER),
    page("/console/domains/{domain_id}/alerts/new", MEMBER).at(RULE_ON_TIMES),
    page("/console/domains/{domain_id}/alerts/new", MEMBER).at(RULE_ON_FIELD_DATA),
    page("/console/domains/{domain_id}/alerts/new", MEMBER).at(RULE_ON_CLICKS),
    page("/console/domains/{domain_id}/alerts/{rule_id}/edit", MEMBER),
    page("/console/domains/{domain_id}/rum/errors", VIEWER),
    page("/console/domains/{domain_id}/rum/errors/{error_id}", VIEWER),
    page("/console/domains/{domain_id}/settings", ADMIN),
    page("/console/domains/{domain_id}/reports", VIEWER),
    page("/console/domains/{domain_id}/reports/runs/{run_id}", VIEWER)
        .at("/console/domains/{domain_id}/reports/runs/{report_run}")
        .answers(303),
    page("/console/domains/{domain_id}/reports/new", MEMBER),
    page("/console/domains/{domain_id}/reports/{template_id}", VIEWER),
    page("/console/domains/{domain_id}/reports/{template_id}/edit", MEMBER),
    page("/console/reports/confirm/{token}", Open).at("{confirm}"),
    page("/console/reports/confirm/{token}", Open)
        .at("/console/reports/confirm/used")
        .answers(410),
    page("/console/reports/unsubscribe/{token}", Open).at("{end_reports}"),
    page("/console/reports/unsubscribe/{token}", Open)
        .at("/console/reports/unsubscribe/none")
        .answers(404),
    page("/console/domains/{domain_id}/gsc/queries", VIEWER),
    page("/console/domains/{domain_id}/gsc/queries/detail", VIEWER)
        .at("/console/domains/{domain_id}/gsc/queries/detail?query=red+shoes"),
    page("/console/domains/{domain_id}/gsc/pages", VIEWER),
    page("/console/domains/{domain_id}/gsc/pages/detail", VIEWER)
        .at("/console/domains/{domain_id}/gsc/pages/detail?url=https://shop.example/shoes/"),
    page("/console/domains/{domain_id}/gsc/opportunities", VIEWER),
    page("/console/domains/{domain_id}/indexing/findings", VIEWER),
    page("/console/domains/{domain_id}/gsc/connection", ADMIN),
    // An answer of Google that this browser did not ask for.
    page("/console/search-console/callback", Open).answers(403),
    page("/console/domains/{domain_id}/synthetic/figures/{metric}", VIEWER)
        .at("/console/domains/{domain_id}/synthetic/figures/lcp_ms"),
    page("/console/domains/{domain_id}/synthetic/tests/{run_id}", VIEWER)
        .at("/console/domains/{domain_id}/synthetic/tests/{lab_run}"),
    page("/console/domains/{domain_id}/synthetic/settings", VIEWER),
    page(
        "/console/domains/{domain_id}/synthetic/settings/pages/new",
        MEMBER,
    ),
    page(
        "/console/domains/{domain_id}/synthetic/settings/pages/{url_id}",
        MEMBER,
    ),
    page(
        "/console/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
        MEMBER,
    ),
    page(
        "/console/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
        MEMBER,
    )
    .at("/console/domains/{domain_id}/synthetic/settings/budgets/new"),
    page("/console/domains/{domain_id}/robots/saved", VIEWER),
    page(
        "/console/domains/{domain_id}/robots/versions/{version_id}",
        VIEWER,
    ),
    page("/console/domains/{domain_id}/analytics/explore", VIEWER),
    page("/console/domains/{domain_id}/analytics/explore", VIEWER)
        .at("/console/domains/{domain_id}/analytics/explore?compare_previous=true&device=desktop&metric=bounce_rate_pct"),
    page("/console/domains/{domain_id}/analytics/funnel", VIEWER),
    page("/console/domains/{domain_id}/analytics/funnel", VIEWER)
        .at("/console/domains/{domain_id}/analytics/funnel?step=page:/&step=page:/a"),
    page("/console/domains/{domain_id}/analytics/journeys", VIEWER),
    page("/console/domains/{domain_id}/analytics/retention", VIEWER),
    page("/console/domains/{domain_id}/analytics/retention", VIEWER)
        .at("/console/domains/{domain_id}/analytics/retention?granularity=day"),
    page("/console/domains/{domain_id}/analytics/realtime", VIEWER),
    page("/console/domains/{domain_id}/analytics/experiments", VIEWER),
    page(
        "/console/domains/{domain_id}/analytics/experiments/{experiment_id}",
        VIEWER,
    ),
    now("/console/domains/{domain_id}/uptime/now"),
    now("/console/domains/{domain_id}/synthetic/now"),
    now("/console/domains/{domain_id}/gsc/now"),
    now("/console/domains/{domain_id}/indexing/now"),
    now("/console/domains/{domain_id}/robots/now"),
    now("/console/domains/{domain_id}/sitemap/now"),
    now("/console/domains/{domain_id}/analytics/now").answers(404),
    page("/console/domains/{domain_id}/{module}/runs/{run_id}", VIEWER)
        .at("/console/domains/{domain_id}/synthetic/runs/{lab_run}"),
    watched("/console/domains/{domain_id}/crux/watched"),
    watched("/console/domains/{domain_id}/indexing/watched"),
    watched("/console/domains/{domain_id}/indexing/watched?q=shoes"),
    watched("/console/domains/{domain_id}/sitemap/watched"),
    watched("/console/domains/{domain_id}/robots/watched").answers(404),
    module("/console/domains/{domain_id}/analytics"),
    module("/console/domains/{domain_id}/rum"),
    module("/console/domains/{domain_id}/crux"),
    module("/console/domains/{domain_id}/synthetic"),
    module("/console/domains/{domain_id}/gsc"),
    module("/console/domains/{domain_id}/indexing"),
    module("/console/domains/{domain_id}/robots"),
    module("/console/domains/{domain_id}/sitemap"),
    module("/console/domains/{domain_id}/happiness").answers(404),
    page("/console/unsubscribe/{token}", Open).at("{unsubscribe}"),
    page("/status/{slug}", Open),
    page("/status/{slug}/incidents", Open),
    page("/status/{slug}/feed.xml", Open),
];

/// Rules of metrics that differ in what they may be narrowed to.
pub(super) const RULE_ON_TIMES: &str =
    "/console/domains/{domain_id}/alerts/new?module=uptime&metric=response_ms";
pub(super) const RULE_ON_FIELD_DATA: &str =
    "/console/domains/{domain_id}/alerts/new?module=crux&metric=lcp_ms";
pub(super) const RULE_ON_CLICKS: &str = "/console/domains/{domain_id}/alerts/new?module=gsc&metric=clicks";

const fn watched(address: &'static str) -> PageRow {
    page("/console/domains/{domain_id}/{module}/watched", VIEWER).at(address)
}

const fn now(address: &'static str) -> PageRow {
    page("/console/domains/{domain_id}/{module}/now", MEMBER).at(address)
}

const fn module(address: &'static str) -> PageRow {
    page("/console/domains/{domain_id}/{module}", VIEWER).at(address)
}
