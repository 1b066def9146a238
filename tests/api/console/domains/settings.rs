//! Settings of monitoring, and of what browsers send.

use crate::{console::keys::copied, harness::TestApp};

#[tokio::test]
async fn monitoring_is_set_up_by_the_rules_of_the_api_and_costs_nothing() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser
        .get(&settings)
        .await
        .is(200)
        .says("value=\"https://shop.example/\"");
    let form = |url: &'static str, interval: &'static str, slow: &'static str| {
        vec![
            ("do", "uptime"),
            ("enabled", "yes"),
            ("url", url),
            ("interval_seconds", interval),
            ("degraded_above_ms", slow),
            ("verify_tls", "yes"),
        ]
    };
    for (fields, field) in [
        (form("", "60", ""), "#url"),
        (form("https://other.example/", "60", ""), "#url"),
        (form("ftp://shop.example/", "60", ""), "#url"),
        (form("https://<b>.shop.example/", "60", ""), "#url"),
        (form("https://shop.example/", "61", ""), "#interval_seconds"),
        (form("https://shop.example/", "60", "soon"), "#degraded_above_ms"),
        (form("https://shop.example/", "60", "0"), "#degraded_above_ms"),
    ] {
        browser
            .submit(&settings, &fields)
            .await
            .is(400)
            .says(field)
            .is_silent_on("<b>.shop");
    }
    let none = app.sql("SELECT count(*) FROM uptime_monitors").await;
    assert_eq!(none[0][0].as_deref(), Some("0"));
    browser
        .submit(&settings, &form("https://shop.example/hats", "60", "1500"))
        .await
        .leads_to(&format!("{settings}?saved#uptime"));
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], true);
    assert_eq!(config["url"], "https://shop.example/hats");
    assert_eq!(config["interval_seconds"], 60);
    assert_eq!(config["degraded_above_ms"], 1500);
    assert_eq!(config["updated_by"], app.world.owner.to_string());
    let used = app
        .sql("SELECT coalesce(sum(cost), 0) FROM credit_log WHERE operation = 'updateUptimeConfig'")
        .await;
    assert_eq!(used[0][0].as_deref(), Some("0"));
    // Off again: what the API has kept of it is outdated.
    let off = [
        ("do", "uptime"),
        ("url", "https://shop.example/hats"),
        ("interval_seconds", "300"),
        ("degraded_above_ms", ""),
    ];
    browser.submit(&settings, &off).await.location();
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], false);
    assert_eq!(config["verify_tls"], false);
    assert_eq!(config["degraded_above_ms"], serde_json::Value::Null);
    let trail = app.trail("domain.configure").await;
    assert_eq!(trail.len(), 2);
    assert_eq!(trail[0].0, format!("user:{}", app.world.owner));
    assert!(trail[0].1.contains("\"module\": \"uptime\""), "{}", trail[0].1);
}

#[tokio::test]
async fn what_browsers_send_is_switched_on_and_off() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let page = browser.get(&settings).await;
    assert!(!page.boxes("on", true).contains(&"enabled".to_owned()));
    let tag = copied(&page, "script-tag")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    assert!(tag.starts_with("<script defer src=\"http://"), "{tag}");
    for (module, operation) in [("analytics", "analytics/config"), ("rum", "rum/config")] {
        let saved = format!("{settings}?saved#collection");
        let on = [
            ("do", module),
            ("on", "enabled"),
            ("on", "store_page_titles"),
            ("on", "respect_dnt"),
        ];
        browser.submit(&settings, &on).await.leads_to(&saved);
        let path = format!("/domains/{}/{operation}", app.world.domain);
        let config = app.get(&path, &app.world.key).send().await.ok();
        assert_eq!(config["enabled"], true, "{module}");
        browser
            .submit(&settings, &[("do", module)])
            .await
            .leads_to(&saved);
        let config = app.get(&path, &app.world.key).send().await.ok();
        assert_eq!(config["enabled"], false, "{module}");
    }
    assert_eq!(app.trail("domain.configure").await.len(), 4);
    app.move_to_plan_without_uptime().await;
    browser
        .get(&settings)
        .await
        .is(200)
        .is_silent_on("Save monitoring")
        .is_silent_on("script-tag");
    for module in ["uptime", "analytics", "rum"] {
        browser.submit(&settings, &[("do", module)]).await.is(400);
    }
}
