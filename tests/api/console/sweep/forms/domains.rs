//! A domain: its rules, settings, reports, and what its modules have.

use crate::console::sweep::{
    pages::{RULE_ON_CLICKS, RULE_ON_FIELD_DATA, RULE_ON_TIMES},
    table::{
        ADMIN, FormRow, MEMBER,
        Sent::{self, Chosen, Kept, Typed},
        VIEWER, form,
    },
};

pub(super) const FORMS: &[FormRow] = &[
    form(
        "/console/domains/{domain_id}/alerts",
        MEMBER,
        &[Chosen("do", "off"), Chosen("rule", "{rule_id}")],
    ),
    form(
        "/console/domains/{domain_id}/alerts/new",
        MEMBER,
        &[
            Kept("form_id"),
            Chosen("module", "uptime"),
            Chosen("metric", "response_ms"),
            Chosen("operator", "gt"),
            Typed("threshold_value", "2000"),
            Chosen("comparison_window", ""),
            Chosen("evaluation_window", "24h"),
            Typed("min_sample", "20"),
            Chosen("severity", "warning"),
            Typed("cooldown_minutes", "60"),
            Typed("name", "Slow"),
        ],
    )
    .on(RULE_ON_TIMES),
    form(
        "/console/domains/{domain_id}/alerts/new",
        MEMBER,
        &[
            Chosen("module", "crux"),
            Chosen("metric", "lcp_ms"),
            Chosen("operator", "gt"),
            Typed("threshold_value", "2500"),
            Chosen("evaluation_window", "latest"),
            Typed("url", "https://shop.example/hats"),
            Chosen("form_factor", "mobile"),
            Chosen("severity", "warning"),
            Typed("cooldown_minutes", "60"),
        ],
    )
    .on(RULE_ON_FIELD_DATA),
    form(
        "/console/domains/{domain_id}/alerts/new",
        MEMBER,
        &[
            Chosen("module", "gsc"),
            Chosen("metric", "clicks"),
            Chosen("operator", "pct_decrease"),
            Typed("threshold_value", "30"),
            Chosen("comparison_window", "previous_28_days"),
            Chosen("search_type", "web"),
            Chosen("severity", "warning"),
            Typed("cooldown_minutes", "60"),
        ],
    )
    .on(RULE_ON_CLICKS),
    form(
        "/console/domains/{domain_id}/alerts/{rule_id}/edit",
        MEMBER,
        &[
            Kept("seen"),
            Chosen("operator", "gt"),
            Typed("threshold_value", "2000"),
            Chosen("comparison_window", ""),
            Chosen("evaluation_window", "24h"),
            Typed("min_sample", "20"),
            Chosen("severity", "warning"),
            Typed("cooldown_minutes", "60"),
            Typed("name", "Slow"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/alerts/new",
        MEMBER,
        &[
            Chosen("do", "draw"),
            Chosen("module", "uptime"),
            Chosen("metric", "response_ms"),
            Chosen("operator", "gt"),
            Typed("threshold_value", "2000"),
        ],
    )
    .on(RULE_ON_TIMES),
    form(
        "/console/domains/{domain_id}/alerts/{rule_id}/edit",
        MEMBER,
        &[
            Kept("seen"),
            Chosen("do", "draw"),
            Chosen("operator", "gt"),
            Typed("threshold_value", "2000"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "uptime"),
            Chosen("seen", ""),
            Chosen("enabled", "yes"),
            Typed("url", "https://shop.example/"),
            Chosen("interval_seconds", "60"),
            Typed("degraded_above_ms", "800"),
            Chosen("verify_tls", "yes"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "judgement"),
            Chosen("method", "GET"),
            Typed("timeout_seconds", "20"),
            Typed("expected_status_codes", "2xx, 301"),
            Chosen("follow_redirects", "yes"),
            Typed("keyword", "in stock"),
            Chosen("keyword_mode", "present"),
            Chosen("regions", "local"),
            Typed("confirmation_checks", "3"),
            Typed("recovery_checks", "2"),
            Typed("ssl_warn_days", "30, 7"),
            Typed("domain_warn_days", "60"),
            Typed("sla_target_pct", "99.9"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "maintenance"),
            Kept("window_id"),
            Typed("window_name", "Deployment"),
            Typed("window_starts_at", "2027-01-31T02:00"),
            Typed("window_ends_at", "2027-01-31T03:00"),
            Chosen("window_recurrence", "weekly"),
            Chosen("window_weekdays", "1"),
            Typed("window_timezone", "Europe/Berlin"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "maintenance-end"),
            Chosen("window", "01900000-0000-7000-8000-000000000999"),
        ],
    )
    .unseen(),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "gsc"),
            Typed("gsc_brand_terms", "shop example"),
            Typed("gsc_brand_regex", "sho+p"),
            Chosen("gsc_search_types", "web"),
            Typed("gsc_excluded_paths", "/cart*"),
            Typed("gsc_min_impressions", "20"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[Chosen("do", "analytics"), Chosen("on", "enabled")],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "analytics-lists"),
            Typed("analytics_currency", "EUR"),
            Typed("analytics_search_params", "q"),
            Typed("analytics_download_extensions", "pdf"),
            Typed("analytics_allowed_hosts", "checkout.example"),
            Typed("analytics_excluded_paths", "/admin/*"),
            Typed("analytics_excluded_ips", "192.0.2.0/24"),
            Typed("analytics_excluded_query_params", "session"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "rum-lists"),
            Typed("rum_sample_rate", "0.5"),
            Typed("rum_ignored_query_params", "session"),
            Typed("rum_url_groups", "/p/* /p/:product"),
            Typed("rum_excluded_paths", "/admin/*"),
            Typed("rum_excluded_countries", "DE"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[Chosen("do", "hosts"), Typed("hosts", "www.shop.example")],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "intervals"),
            Chosen("robots_interval", "1h"),
            Chosen("sitemap_interval", "1d"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[Chosen("do", "verify"), Chosen("method", "mail")],
    ),
    form(
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[Chosen("do", "delete"), Typed("confirm", "other.example")],
    ),
    form("/console/domains/{domain_id}/reports/new", MEMBER, &REPORT),
    form("/console/domains/{domain_id}/reports/preview", MEMBER, &REPORT)
        .unseen()
        .framed(),
    form(
        "/console/domains/{domain_id}/reports/{template_id}",
        ADMIN,
        &[
            Kept("form_id"),
            Chosen("do", "add"),
            Typed("address", "client@shop.example"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/reports/{template_id}",
        ADMIN,
        &[
            Chosen("do", "remove"),
            Chosen("recipient", "01900000-0000-7000-8000-000000000999"),
        ],
    )
    .unseen(),
    form(
        "/console/domains/{domain_id}/reports/{template_id}",
        MEMBER,
        &[Kept("form_id"), Chosen("do", "make")],
    ),
    form(
        "/console/domains/{domain_id}/reports/{template_id}/edit",
        MEMBER,
        &REPORT,
    ),
    form(
        "/console/domains/{domain_id}/reports/{template_id}/delete",
        MEMBER,
        &[],
    )
    .on("/console/domains/{domain_id}/reports/{template_id}/edit"),
    form(
        "/console/domains/{domain_id}/robots",
        VIEWER,
        &[
            Typed("urls", "/cart"),
            Typed("user_agent", "Googlebot"),
            Typed("content", "User-agent: *\nDisallow: /"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/robots/saved",
        MEMBER,
        &[Kept("seen"), Typed("saved", "disallowed /cart Googlebot")],
    ),
    form(
        "/console/domains/{domain_id}/analytics/experiments",
        ADMIN,
        &[
            Kept("form_id"),
            Typed("name", "Shorter titles"),
            Typed("hypothesis", "They bring more visitors."),
            Chosen("primary_metric", "visitors"),
            Chosen("method", "did"),
            Typed("variant_urls", "/products/teapot"),
            Typed("control_urls", "/products/kettle"),
            Typed("pre_start_date", "2026-01-05"),
            Typed("pre_end_date", "2026-02-28"),
            Typed("post_start_date", "2026-03-02"),
            Typed("post_end_date", "2026-03-29"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/analytics/experiments/{experiment_id}",
        ADMIN,
        &[Chosen("do", "evaluate"), Kept("key")],
    ),
    form(
        "/console/domains/{domain_id}/analytics/experiments/{experiment_id}",
        ADMIN,
        &[Chosen("do", "end")],
    ),
    // Nothing is left to be shown once it is sent.
    form(
        "/console/domains/{domain_id}/analytics/experiments/{experiment_id}",
        ADMIN,
        &[Chosen("do", "delete")],
    ),
    now("/console/domains/{domain_id}/uptime/now", &[Kept("key")]),
    now(
        "/console/domains/{domain_id}/synthetic/now",
        &[Kept("key"), Chosen("page", "{url_id}")],
    ),
    now("/console/domains/{domain_id}/gsc/now", &[Kept("key")]),
    now(
        "/console/domains/{domain_id}/indexing/now",
        &[Kept("key"), Typed("urls", "https://shop.example/hats")],
    ),
    now("/console/domains/{domain_id}/robots/now", &[Kept("key")]),
    now("/console/domains/{domain_id}/sitemap/now", &[Kept("key")]),
    watched(
        "/console/domains/{domain_id}/crux/watched",
        &[
            Chosen("do", "add"),
            Typed("url", "https://shop.example/hats"),
            Typed("label", "Hats"),
        ],
    ),
    watched(
        "/console/domains/{domain_id}/indexing/watched",
        &[Chosen("do", "add"), Typed("urls", "https://shop.example/hats")],
    ),
    watched(
        "/console/domains/{domain_id}/sitemap/watched",
        &[Chosen("do", "add"), Typed("url", "https://shop.example/hats.xml")],
    ),
    watched("/console/domains/{domain_id}/crux/watched", &TAKEN_OUT).unseen(),
    watched("/console/domains/{domain_id}/indexing/watched", &TAKEN_OUT).unseen(),
    watched("/console/domains/{domain_id}/sitemap/watched", &TAKEN_OUT).unseen(),
    form(
        "/console/domains/{domain_id}/gsc/connection",
        ADMIN,
        &[
            Chosen("do", "link"),
            Chosen("account", "01900000-0000-7000-8000-000000000999"),
            Chosen("property", "sc-domain:shop.example"),
        ],
    )
    .unseen(),
    form(
        "/console/domains/{domain_id}/synthetic/settings",
        MEMBER,
        &[Chosen("do", "off"), Chosen("page", "{url_id}")],
    ),
    form(
        "/console/domains/{domain_id}/synthetic/settings",
        MEMBER,
        &[
            Chosen("do", "drop"),
            Chosen("budget", "01900000-0000-7000-8000-000000000999"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/synthetic/settings/pages/new",
        MEMBER,
        &[
            Kept("form_id"),
            Typed("url", "https://shop.example/new"),
            Typed("label", "New"),
            Chosen("enabled", "yes"),
            Chosen("schedule", "daily"),
            Chosen("schedule_hour", "3"),
            Chosen("schedule_weekday", "1"),
            Chosen("runs_per_test", "1"),
            Chosen("profile_ids", "mobile"),
            Chosen("categories", "performance"),
            Typed("blocked_url_patterns", "*.ads.example/*"),
        ],
    ),
    form(
        "/console/domains/{domain_id}/synthetic/settings/pages/{url_id}",
        MEMBER,
        &[
            Kept("seen"),
            Typed("label", "Shoes"),
            Chosen("enabled", "yes"),
            Chosen("schedule", "daily"),
            Chosen("schedule_hour", "3"),
            Chosen("schedule_weekday", "1"),
            Chosen("runs_per_test", "1"),
            Chosen("profile_ids", "mobile"),
            Chosen("categories", "performance"),
            Typed("blocked_url_patterns", "*.ads.example/*"),
        ],
    ),
    // A budget that is changed has another id since, so the one that is sent is new.
    form(
        "/console/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
        MEMBER,
        &[
            Kept("form_id"),
            Chosen("metric", "fcp_ms"),
            Typed("limit", "1800"),
            Chosen("direction", "max"),
            Chosen("url_id", "{url_id}"),
            Chosen("profile_id", "mobile"),
        ],
    )
    .to("/console/domains/{domain_id}/synthetic/settings/budgets/new")
    .on("/console/domains/{domain_id}/synthetic/settings/budgets/new"),
];

const TAKEN_OUT: [Sent; 2] = [
    Chosen("do", "remove"),
    Chosen("item", "01900000-0000-7000-8000-000000000999"),
];

/// A form of the list of a module.
const fn watched(address: &'static str, fields: &'static [Sent]) -> FormRow {
    form("/console/domains/{domain_id}/{module}/watched", MEMBER, fields)
        .to(address)
        .on(address)
}

/// A form that has work of a module done now.
const fn now(address: &'static str, fields: &'static [Sent]) -> FormRow {
    form("/console/domains/{domain_id}/{module}/now", MEMBER, fields)
        .to(address)
        .on(address)
}

/// The form has fields for each part of the catalogue besides, whose names have a full stop.
const REPORT: [Sent; 19] = [
    Chosen("form_id", "one"),
    Chosen("version", "1"),
    Chosen("seen", ""),
    Typed("name", "Swept"),
    Typed("description", "For clients."),
    Chosen("default_period", "last_month"),
    Chosen("compare_previous", "yes"),
    Chosen("format", "pdf"),
    Chosen("locale", "de"),
    Typed("logo_url", "https://shop.example/logo.png"),
    Typed("accent_color", "#0a7f5c"),
    Chosen("frequency", "weekly"),
    Chosen("schedule_enabled", "yes"),
    Chosen("weekday", "1"),
    Typed("day_of_month", "1"),
    Chosen("hour", "8"),
    Typed("timezone", "Europe/Berlin"),
    Chosen("section", "notes"),
    Typed("title.notes", "To end with"),
];
