//! Forms that no page of ours gave, or that another site sends.

use super::PASSWORD;
use crate::harness::TestApp;

#[tokio::test]
async fn a_form_needs_the_token_of_its_own_browser() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    let origin = browser.origin();
    let mut stranger = app.browser();
    stranger.get("/console/sign-in").await;
    let altered = format!("{}0", &browser.token[..63]);
    let flipped = if altered == browser.token {
        format!("{}1", &altered[..63])
    } else {
        altered
    };
    for token in ["", "x", &stranger.token, &flipped, &browser.token[..62]] {
        let fields = [
            ("token", token),
            ("email", email.as_str()),
            ("password", PASSWORD),
        ];
        let page = browser.clone().post("/console/sign-in", &fields, &origin).await;
        page.is(403).says("This form is out of date");
    }
    // The token without its cookie is nothing.
    let token = browser.token.clone();
    let fields = [
        ("token", token.as_str()),
        ("email", email.as_str()),
        ("password", PASSWORD),
    ];
    app.browser()
        .post("/console/sign-in", &fields, &origin)
        .await
        .is(403);
    browser
        .post("/console/sign-in", &fields, &origin)
        .await
        .leads_to("/console");
}

#[tokio::test]
async fn the_token_of_another_session_changes_nothing() {
    let app = TestApp::start().await;
    let ada = app.person("ada@example.org").await;
    let mut attacker = app.signed_in(ada).await;
    attacker.get("/console/apps").await;
    let mut browser = app.signed_in(app.world.owner).await;
    let origin = browser.origin();
    let fields = [("token", attacker.token.as_str())];
    for path in ["/console/sign-out", "/console/apps/revoke", "/console/consent"] {
        browser
            .post(path, &fields, &origin)
            .await
            .is(403)
            .says("This form is out of date");
        browser.post(path, &[], &origin).await.is(403);
    }
    browser.get("/console/apps").await.is(200);
}

#[tokio::test]
async fn a_form_of_another_origin_is_refused_whatever_it_carries() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get("/console/apps").await;
    let token = browser.token.clone();
    let port = browser.origin().replace("127.0.0.1", "localhost");
    for origin in ["https://evil.example", "null", "", port.as_str()] {
        for path in [
            "/console/sign-out",
            "/console/apps/revoke",
            "/console/consent",
            "/console/sign-in",
        ] {
            let page = browser.post(path, &[("token", token.as_str())], origin).await;
            page.is(403)
                .says("This form came from another address")
                .says(&browser.origin());
        }
    }
    browser.get("/console/apps").await.is(200);
}

/// A change by a form costs nothing, and stands in the audit trail for years.
#[tokio::test(flavor = "multi_thread")]
async fn one_user_sends_as_many_forms_as_an_hour_has_seconds() {
    let app = TestApp::start().await;
    let ada = app.person("ada@example.org").await;
    let mut other = app.signed_in(ada).await;
    other.get("/console/account").await.is(200);
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get("/console/account").await.is(200);
    let tabs = (0..8).map(|_| {
        let mut tab = browser.clone();
        async move {
            for _ in 0..450 {
                tab.submit("/console/account", &[]).await.is(400);
            }
        }
    });
    futures_util::future::join_all(tabs).await;
    let refused = browser.submit("/console/account", &[]).await;
    refused.is(429).says("This was asked for too often");
    assert!(refused.0.header("retry-after").is_some());
    browser.get("/console/account").await.is(200);
    other.submit("/console/account", &[]).await.is(400);
    app.clock.advance(time::Duration::hours(2));
    browser.submit("/console/account", &[]).await.is(400);
}

/// A browser without scripts sends a form as often as its button is pressed.
#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_makes_one_of_what_is_made() {
    let app = TestApp::start().await;
    app.verified().await;
    let workspace = app.world.workspace.to_string();
    let domain = app.world.domain.to_string();
    app.grant(1_000).await;
    let config = format!("/domains/{domain}/analytics/config");
    let nothing = serde_json::json!({});
    app.put(&config, &app.world.key, &nothing).send().await.ok();
    let site = format!("/console/domains/{domain}");
    let browser = app.signed_in(app.world.owner).await;
    for (page, to, fields, made) in [
        (
            "/console/workspaces/new".to_owned(),
            "/console/workspaces/new".to_owned(),
            vec![("name", "Twice")],
            "workspaces WHERE name = 'Twice'",
        ),
        (
            app.of_workspace("domains/new"),
            app.of_workspace("domains/new"),
            vec![("hostname", "twice.example"), ("display_name", "")],
            "domains WHERE hostname = 'twice.example'",
        ),
        (
            app.of_workspace("status-pages/new"),
            app.of_workspace("status-pages/new"),
            vec![("title", "Twice"), ("slug", "twice"), ("domain", domain.as_str())],
            "status_pages WHERE slug = 'twice'",
        ),
        (
            format!("/console/channels/new?workspace={workspace}&kind=webhook"),
            "/console/channels/new".to_owned(),
            vec![
                ("workspace", workspace.as_str()),
                ("kind", "webhook"),
                ("name", "Twice"),
                ("target_url", "https://receiver.example/hook"),
                ("min_severity", "warning"),
            ],
            "alert_channels WHERE name = 'Twice'",
        ),
        (
            format!("{site}/alerts/new?module=uptime&metric=consecutive_failures"),
            format!("{site}/alerts/new"),
            vec![
                ("module", "uptime"),
                ("metric", "consecutive_failures"),
                ("operator", "gte"),
                ("threshold_value", "2"),
                ("evaluation_window", "latest"),
                ("severity", "critical"),
                ("cooldown_minutes", "60"),
                ("name", "Twice"),
            ],
            "alert_rules",
        ),
        (
            format!("{site}/analytics/experiments"),
            format!("{site}/analytics/experiments"),
            vec![
                ("name", "Twice"),
                ("hypothesis", ""),
                ("primary_metric", "visitors"),
                ("method", "did"),
                ("variant_urls", "/teapot"),
                ("control_urls", "/kettle"),
                ("pre_start_date", ""),
                ("pre_end_date", "2026-02-28"),
                ("post_start_date", "2026-03-02"),
                ("post_end_date", ""),
            ],
            "analytics_experiments",
        ),
        (
            format!("{site}/reports/new"),
            format!("{site}/reports/new"),
            vec![
                ("version", "1"),
                ("name", "Twice"),
                ("default_period", "last_month"),
                ("format", "pdf"),
                ("locale", "de"),
                ("accent_color", "#0a7f5c"),
                ("frequency", ""),
                ("section", "notes"),
                ("on.notes", "yes"),
                ("title.notes", "To end with"),
                ("widget.notes", "text"),
                ("on.notes.text", "yes"),
                ("config.notes.text.text", "A sentence."),
            ],
            "report_templates WHERE name = 'Twice'",
        ),
        (
            format!("{site}/synthetic/settings/pages/new"),
            format!("{site}/synthetic/settings/pages/new"),
            vec![
                ("url", "https://shop.example/twice"),
                ("label", "Twice"),
                ("enabled", "yes"),
                ("schedule", "daily"),
                ("schedule_hour", "3"),
                ("schedule_weekday", ""),
                ("runs_per_test", "1"),
                ("profile_ids", "mobile"),
                ("categories", "performance"),
                ("blocked_url_patterns", ""),
            ],
            "synthetic_urls WHERE settings ->> 'label' = 'Twice'",
        ),
        (
            format!("{site}/synthetic/settings/budgets/new"),
            format!("{site}/synthetic/settings/budgets/new"),
            vec![
                ("metric", "lcp_ms"),
                ("limit", "2500"),
                ("direction", ""),
                ("url_id", ""),
                ("profile_id", "mobile"),
            ],
            "synthetic_budgets",
        ),
    ] {
        let (mut one, mut two) = (browser.clone(), browser.clone());
        let form_id = one.get(&page).await.hidden("form_id").expect(&page);
        two.token.clone_from(&one.token);
        let fields = [&[("form_id", form_id.as_str())], &fields[..]].concat();
        let (one, two) = tokio::join!(one.submit(&to, &fields), two.submit(&to, &fields));
        assert_eq!(one.location(), two.location(), "{to}");
        let rows = app.sql(&format!("SELECT count(*)::text FROM {made}")).await;
        assert_eq!(rows[0][0].as_deref(), Some("1"), "{to}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_told_on_a_page() {
    let app = TestApp::start().await;
    let mut browser = app.browser();
    for path in ["/console/nothing", "/console/style/0.txt", "/console/welcome"] {
        browser.get(path).await.is(404).says("There is no such page");
    }
    let page = browser.get("/console/sign-in").await.text();
    let style = page
        .split_once("rel=\"stylesheet\" href=\"")
        .unwrap()
        .1
        .split('"')
        .next()
        .unwrap();
    let style = browser.get(style).await;
    assert_eq!(style.0.header("content-type"), Some("text/css; charset=utf-8"));
    assert_eq!(
        style.0.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    assert!(!style.text().contains("url(") && !style.text().contains("@import"));
    let long = "a".repeat(300_000);
    browser
        .submit("/console/sign-in", &[("email", long.as_str())])
        .await
        .is(400);
}
