//! Signing in, accounts, apps, channels, workspaces, and the links in mails.

use crate::console::sweep::table::{
    ADMIN,
    Door::{Keeper, Open, Operator, User},
    FormRow, MEMBER,
    Sent::{self, Chosen, Kept, Typed},
    VIEWER, form,
};

pub(super) const FORMS: &[FormRow] = &[
    form(
        "/console/w/{workspace_id}/notifications",
        MEMBER,
        &[
            Chosen("do", "read"),
            Chosen("domain", "{domain_id}"),
            Chosen("notification", "01900000-0000-7000-8000-000000000999"),
        ],
    )
    .unseen(),
    form(
        "/console/w/{workspace_id}/notifications",
        MEMBER,
        &[Chosen("do", "all"), Chosen("domain", "{domain_id}")],
    )
    .on("/console/w/{workspace_id}/notifications?domain={domain_id}"),
    form(
        "/console/w/{workspace_id}/notifications",
        MEMBER,
        &[Chosen("do", "all")],
    )
    .unseen(),
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
    ),
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
    form(
        "/console/channels/{id}",
        Keeper,
        &[Kept("form_id"), Chosen("do", "test")],
    ),
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
    form(
        "/console/workspaces/new",
        User,
        &[Kept("form_id"), Typed("name", "Second")],
    ),
    form(
        "/console/w/{workspace_id}/domains/new",
        ADMIN,
        &[
            Kept("form_id"),
            Typed("hostname", "added.example"),
            Typed("display_name", "Added"),
        ],
    ),
    form(
        "/console/w/{workspace_id}/domains/deleted",
        ADMIN,
        &[Chosen("form_id", "one"), Chosen("domain", "{deleted}")],
    ),
    form(
        "/console/w/{workspace_id}/status-pages/new",
        ADMIN,
        &[
            Kept("form_id"),
            Chosen("seen", ""),
            Typed("title", "How we do"),
            Typed("slug", "how-we-do"),
            Chosen("domain", "{domain_id}"),
        ],
    ),
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
        &[Chosen("form_id", "one"), Chosen("job", "{job}")],
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
            Kept("form_id"),
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
            Kept("seen"),
            Chosen("role", "viewer"),
            Typed("credit_cap", "100"),
            Chosen("form_id", "one"),
        ],
    ),
    form(
        "/console/w/{workspace_id}/keys/new",
        ADMIN,
        &[
            Kept("form_id"),
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
        &[
            Chosen("do", "rotate"),
            Chosen("grace", "24h"),
            Chosen("form_id", "one"),
        ],
    ),
    form("/console/reports/confirm/{token}", Open, &[])
        .to("{confirm}")
        .on("{confirm}")
        .by_link(),
    form("/console/reports/unsubscribe/{token}", Open, &[])
        .to("{end_reports}")
        .on("{end_reports}")
        .by_link(),
    form("/console/unsubscribe/{token}", Open, &[])
        .to("{unsubscribe}")
        .on("{unsubscribe}")
        .by_link(),
];

const MAIL: [Sent; 9] = [
    Kept("form_id"),
    Chosen("workspace", "{workspace_id}"),
    Chosen("kind", "email"),
    Typed("name", "Readers"),
    Typed("target_to", "readers@shop.example"),
    Chosen("domain", "{domain_id}"),
    Chosen("min_severity", "warning"),
    Chosen("module", "uptime"),
    Typed("quiet_hours", "22:00-07:00 Europe/Berlin"),
];

const WEBHOOK: [Sent; 7] = [
    Kept("form_id"),
    Chosen("workspace", "{workspace_id}"),
    Chosen("kind", "webhook"),
    Typed("name", "Receiver"),
    Typed("target_url", "https://receiver.example/hook"),
    Chosen("min_severity", "warning"),
    Typed("quiet_hours", ""),
];

const STATUS_PAGE: [Sent; 4] = [
    Chosen("seen", ""),
    Typed("title", "How we do"),
    Typed("slug", "how-we-do"),
    Chosen("domain", "{domain_id}"),
];
