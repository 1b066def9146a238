//! Every form of the console, its fields, and who may send it.

use super::{
    pages::{RULE_ON_CLICKS, RULE_ON_FIELD_DATA, RULE_ON_TIMES},
    table::{
        ADMIN,
        Door::{Keeper, Open, Operator, User},
        FormRow, MEMBER,
        Sent::{self, Chosen, Kept, Typed},
        VIEWER, form,
    },
};

/// The forms by their routes; a form of several steps has a row for each that has fields of its own.
pub(super) const FORMS: &[FormRow] = &[
    form(
        "/console/sign-in",
        Open,
        &[
            Chosen("next", "/console/account"),
            Typed("email", "nobody@example.org"),
            Typed("password", "correct horse battery staple"),
        ],
    ),
    form(
        "/console/sign-in/code",
        Open,
        &[Chosen("next", "/console/account"), Chosen("code", "123456")],
    )
    .unseen(),
    form("/console/sign-out", User, &[]).on("/console/account"),
    form(
        "/console/forgotten",
        Open,
        &[Typed("email", "nobody@example.org")],
    )
    .absent(),
    form(
        "/console/welcome/{token}",
        Open,
        &[
            Typed("password", "another horse battery staple"),
            Typed("again", "another horse battery staple"),
        ],
    )
    .to("{welcome}")
    .on("{welcome}"),
    form(
        "/console/consent",
        User,
        &[
            Chosen("request", "altered"),
            Chosen("scope", "read:uptime"),
            Chosen("workspace", "{workspace_id}"),
            Chosen("tick", "read"),
            Chosen("decision", "approve"),
        ],
    )
    .unseen(),
    form(
        "/console/apps/revoke",
        User,
        &[Chosen("app", "01900000-0000-7000-8000-000000000999")],
    )
    .unseen(),
    form("/console/channels/new", Keeper, &MAIL)
        .on("/console/channels/new?workspace={workspace_id}&kind=email"),
    form("/console/channels/new", Keeper, &WEBHOOK)
        .on("/console/channels/new?workspace={workspace_id}&kind=webhook"),
    form("/console/channels/{id}", Keeper, &[Chosen("do", "test")]),
    form(
        "/console/channels/{id}",
        Keeper,
        &[
            Chosen("do", "again"),
            Chosen("delivery", "01900000-0000-7000-8000-000000000999"),
        ],
    )
    .unseen(),
    form(
        "/console/channels/{id}/edit",
        Keeper,
        &[
            Kept("seen"),
            Typed("name", "On call"),
            Typed("target_to", "on-call@shop.example"),
            Chosen("domain", ""),
            Chosen("min_severity", "warning"),
            Chosen("module", "uptime"),
            Typed("quiet_hours", "22:00-07:00 Europe/Berlin"),
        ],
    ),
    form(
        "/console/account",
        User,
        &[
            Chosen("do", "password"),
            Typed("present", "correct horse battery staple"),
            Typed("password", "another horse battery staple"),
            Typed("again", "another horse battery staple"),
        ],
    ),
    form(
        "/console/account",
        User,
        &[Chosen("do", "end"), Chosen("session", "{session}")],
    ),
    form(
        "/console/account/second-factor",
        User,
        &[
            Chosen("do", "begin"),
            Typed("present", "correct horse battery staple"),
        ],
    ),
    form(
        "/console/account/second-factor",
        User,
        &[Chosen("do", "confirm"), Chosen("code", "123456")],
    )
    .unseen(),
    form(
        "/console/account/second-factor",
        User,
        &[
            Chosen("do", "off"),
            Chosen("present", "correct horse battery staple"),
            Chosen("code", "123456"),
        ],
    )
    .unseen(),
    form(
        "/console/switches",
        Operator,
        &[
            Chosen("switch", "read-only-mode"),
            Chosen("do", "throw"),
            Typed("confirm", "read-only-mode"),
        ],
    ),
    form("/console/workspaces/new", User, &[Typed("name", "Second")]),
    form(
        "/console/w/{workspace_id}/domains/new",
        ADMIN,
        &[
            Typed("hostname", "added.example"),
            Typed("display_name", "Added"),
        ],
    ),
    form(
        "/console/w/{workspace_id}/domains/deleted",
        ADMIN,
        &[Chosen("domain", "{deleted}")],
    ),
    form("/console/w/{workspace_id}/status-pages/new", ADMIN, &STATUS_PAGE),
    form(
        "/console/w/{workspace_id}/status-pages/{page_id}",
        ADMIN,
        &STATUS_PAGE,
    ),
    form(
        "/console/w/{workspace_id}/status-pages/{page_id}/delete",
        ADMIN,
        &[],
    )
    .on("/console/w/{workspace_id}/status-pages/{page_id}"),
    form(
        "/console/w/{workspace_id}/jobs",
        ADMIN,
        &[Chosen("job", "{job}")],
    ),
    form(
        "/console/w/{workspace_id}/settings",
        ADMIN,
        &[Typed("name", "Example")],
    ),
    form(
        "/console/w/{workspace_id}/members/new",
        ADMIN,
        &[
            Typed("email", "added@example.org"),
            Typed("name", "Added"),
            Chosen("role", "viewer"),
        ],
    ),
    form(
        "/console/w/{workspace_id}/members/{user_id}",
        VIEWER,
        &[
            Chosen("do", "change"),
            Chosen("role", "viewer"),
            Typed("credit_cap", "100"),
        ],
    ),
    form(
        "/console/w/{workspace_id}/keys/new",
        ADMIN,
        &[
            Kept("id"),
            Typed("name", "Deployments"),
            Chosen("tier", "read"),
            Chosen("scope", "write:uptime"),
            Typed("expires", "2027-01-31"),
            Typed("allowlist", "203.0.113.0/24"),
        ],
    ),
    form(
        "/console/w/{workspace_id}/keys/{key_id}",
        ADMIN,
        &[Chosen("do", "rotate"), Chosen("grace", "24h")],
    ),
    form(
        "/console/domains/{domain_id}/alerts",
        MEMBER,
        &[Chosen("do", "off"), Chosen("rule", "{rule_id}")],
    ),
    form(
        "/console/domains/{domain_id}/alerts/new",
        MEMBER,
        &[
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
        "/console/domains/{domain_id}/settings",
        ADMIN,
        &[
            Chosen("do", "uptime"),
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
        &[Chosen("do", "analytics"), Chosen("on", "enabled")],
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
        &[Chosen("do", "add"), Typed("address", "client@shop.example")],
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
        &[Chosen("do", "make")],
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
    form("/console/reports/confirm/{token}", Open, &[])
        .to("/console/reports/confirm/used")
        .unseen()
        .by_link(),
    form("/console/reports/unsubscribe/{token}", Open, &[])
        .to("/console/reports/unsubscribe/none")
        .unseen()
        .by_link(),
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
            Chosen("metric", "fcp_ms"),
            Typed("limit", "1800"),
            Chosen("direction", "max"),
            Chosen("url_id", "{url_id}"),
            Chosen("profile_id", "mobile"),
        ],
    )
    .to("/console/domains/{domain_id}/synthetic/settings/budgets/new")
    .on("/console/domains/{domain_id}/synthetic/settings/budgets/new"),
    form("/console/unsubscribe/{token}", Open, &[])
        .to("{unsubscribe}")
        .on("{unsubscribe}")
        .by_link(),
];

const MAIL: [Sent; 8] = [
    Chosen("workspace", "{workspace_id}"),
    Chosen("kind", "email"),
    Typed("name", "Readers"),
    Typed("target_to", "readers@shop.example"),
    Chosen("domain", "{domain_id}"),
    Chosen("min_severity", "warning"),
    Chosen("module", "uptime"),
    Typed("quiet_hours", "22:00-07:00 Europe/Berlin"),
];

const WEBHOOK: [Sent; 6] = [
    Chosen("workspace", "{workspace_id}"),
    Chosen("kind", "webhook"),
    Typed("name", "Receiver"),
    Typed("target_url", "https://receiver.example/hook"),
    Chosen("min_severity", "warning"),
    Typed("quiet_hours", ""),
];

const STATUS_PAGE: [Sent; 3] = [
    Typed("title", "How we do"),
    Typed("slug", "how-we-do"),
    Chosen("domain", "{domain_id}"),
];

/// The form has fields for each part of the catalogue besides, whose names have a full stop.
const REPORT: [Sent; 17] = [
    Chosen("version", "1"),
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
