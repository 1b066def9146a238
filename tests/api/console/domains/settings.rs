//! Settings of monitoring, and of what browsers send.

use crate::{
    console::{browser::Page, keys::copied},
    harness::TestApp,
};

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

/// The form of what counts as down, as a browser sends it, with other values of some fields.
fn judging(others: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let mut fields = vec![
        ("do", "judgement"),
        ("method", "GET"),
        ("timeout_seconds", "20"),
        ("expected_status_codes", "2xx, 418"),
        ("keyword", "in stock"),
        ("keyword_mode", "absent"),
        ("regions", "local"),
        ("confirmation_checks", "3"),
        ("recovery_checks", "2"),
        ("ssl_warn_days", "30, 7"),
        ("domain_warn_days", ""),
        ("sla_target_pct", "99.9"),
    ];
    for (name, value) in others {
        let field = fields.iter_mut().find(|(known, _)| known == name);
        field.unwrap().1 = *value;
    }
    fields
}

#[tokio::test]
async fn what_counts_as_down_is_set_by_the_rules_of_the_api_with_all_faults_at_once() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser
        .get(&settings)
        .await
        .is(200)
        .is_silent_on("Save what counts");
    browser
        .submit(&settings, &judging(&[]))
        .await
        .is(400)
        .says("Set monitoring up first");
    let monitor = [
        ("do", "uptime"),
        ("enabled", "yes"),
        ("url", "https://shop.example/hats"),
        ("interval_seconds", "300"),
        ("degraded_above_ms", "1500"),
        ("verify_tls", "yes"),
    ];
    browser.submit(&settings, &monitor).await.location();
    browser
        .get(&settings)
        .await
        .is(200)
        .says("Save what counts")
        .says("value=\"2xx, 3xx\"");
    let wrong = judging(&[
        ("method", "HEAD"),
        ("timeout_seconds", "soon"),
        ("expected_status_codes", "600"),
        ("regions", "<b>mars"),
        ("confirmation_checks", "99"),
        ("ssl_warn_days", "30, never"),
        ("sla_target_pct", "101"),
    ]);
    let page = browser.submit(&settings, &wrong).await;
    page.is(400).is_silent_on("<b>mars");
    for field in [
        "timeout_seconds",
        "expected_status_codes",
        "keyword",
        "regions",
        "confirmation_checks",
        "ssl_warn_days",
        "sla_target_pct",
    ] {
        page.says(&format!("href=\"#{field}\""));
    }
    browser
        .submit(&settings, &judging(&[]))
        .await
        .leads_to(&format!("{settings}?saved#judgement"));
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["timeout_seconds"], 20);
    assert_eq!(config["expected_status_codes"], serde_json::json!(["2xx", "418"]));
    assert_eq!(config["follow_redirects"], false);
    assert_eq!(config["keyword"], "in stock");
    assert_eq!(config["keyword_mode"], "absent");
    assert_eq!(config["confirmation_checks"], 3);
    assert_eq!(config["domain_warn_days"], serde_json::json!([]));
    assert_eq!(config["sla_target_pct"], 99.9);
    // The other form's settings are as they were.
    assert_eq!(config["url"], "https://shop.example/hats");
    assert_eq!(config["degraded_above_ms"], 1500);
    assert_eq!(app.trail("domain.configure").await.len(), 2);
}

#[tokio::test]
async fn a_maintenance_window_is_added_once_however_often_its_form_is_sent_and_removed() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let monitor = [
        ("do", "uptime"),
        ("enabled", "yes"),
        ("url", "https://shop.example/"),
        ("interval_seconds", "60"),
        ("degraded_above_ms", ""),
    ];
    browser.get(&settings).await.is(200);
    browser.submit(&settings, &monitor).await.location();
    let page = browser.get(&settings).await;
    let id = page.hidden("window_id").unwrap();
    let window = |starts_at: &'static str, recurrence: &'static str, timezone: &'static str| {
        vec![
            ("do", "maintenance"),
            ("window_id", id.as_str()),
            ("window_name", "<b>Night</b>"),
            ("window_starts_at", starts_at),
            ("window_ends_at", "2026-04-06T03:00"),
            ("window_recurrence", recurrence),
            ("window_weekdays", "1"),
            ("window_timezone", timezone),
        ]
    };
    let page = browser
        .submit(&settings, &window("2026-04-06T04:00", "daily", "Mars/Olympus"))
        .await;
    page.is(400).is_silent_on("<b>Night");
    for field in ["window_ends_at", "window_weekdays", "window_timezone"] {
        page.says(&format!("href=\"#{field}\""));
    }
    for time in ["", "soon", "2026-02-30T02:00", "+12026-01-01T02:00"] {
        browser
            .submit(&settings, &window(time, "weekly", "Europe/Berlin"))
            .await
            .is(400)
            .says("href=\"#window_starts_at\"");
    }
    // A double click, or another tab with the same form.
    for _ in 0..2 {
        browser
            .submit(&settings, &window("2026-04-06T02:00", "weekly", "Europe/Berlin"))
            .await
            .leads_to(&format!("{settings}?saved#maintenance_windows"));
    }
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    let windows = config["maintenance_windows"].as_array().unwrap();
    assert_eq!(windows.len(), 1, "{config}");
    assert_eq!(windows[0]["id"], id);
    assert_eq!(windows[0]["starts_at"], "2026-04-06T02:00:00Z");
    assert_eq!(windows[0]["weekdays"], serde_json::json!([1]));
    let page = browser.get(&settings).await;
    page.is(200).says("&lt;b&gt;Night&lt;/b&gt;").says("every week");
    for _ in 0..2 {
        browser
            .submit(&settings, &[("do", "maintenance-end"), ("window", &id)])
            .await
            .leads_to(&format!("{settings}?saved#maintenance_windows"));
    }
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["maintenance_windows"], serde_json::json!([]));
}

#[tokio::test]
async fn search_is_set_up_by_the_rules_of_the_api_with_all_faults_at_once() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser
        .get(&settings)
        .await
        .is(200)
        .says("Save search")
        .says("name=\"gsc_min_impressions\" type=\"text\" value=\"10\"");
    let wrong = [
        ("do", "gsc"),
        ("gsc_brand_terms", "shop"),
        ("gsc_brand_regex", "(?=shop)"),
        ("gsc_excluded_paths", "/cart\ncheckout"),
        ("gsc_min_impressions", "few"),
    ];
    let page = browser.submit(&settings, &wrong).await;
    page.is(400).says("Entry 2: a path that begins with a slash");
    for field in [
        "gsc_brand_regex",
        "gsc_search_types",
        "gsc_excluded_paths",
        "gsc_min_impressions",
    ] {
        page.says(&format!("href=\"#{field}\""));
    }
    let path = format!("/domains/{}/gsc/config", app.world.domain);
    let good = [
        ("do", "gsc"),
        ("gsc_brand_terms", " Shop \n\nshop example\nSHOP"),
        ("gsc_brand_regex", ""),
        ("gsc_search_types", "web"),
        ("gsc_search_types", "image"),
        ("gsc_excluded_paths", "/cart*"),
        ("gsc_min_impressions", "25"),
    ];
    browser
        .submit(&settings, &good)
        .await
        .leads_to(&format!("{settings}?saved#gsc"));
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["brand_terms"], serde_json::json!(["Shop", "shop example"]));
    assert_eq!(config["brand_regex"], serde_json::Value::Null);
    assert_eq!(config["search_types"], serde_json::json!(["web", "image"]));
    assert_eq!(config["excluded_paths"], serde_json::json!(["/cart*"]));
    assert_eq!(config["min_impressions"], 25);
    let trail = app.trail("domain.configure").await;
    assert_eq!(trail.len(), 1);
    assert!(trail[0].1.contains("\"module\": \"gsc\""), "{}", trail[0].1);
}

/// Paths with a query were taken before, and never fitted.
#[tokio::test]
async fn a_path_that_was_taken_before_keeps_nobody_from_saving_the_rest_of_search() {
    let app = TestApp::start().await;
    app.sql(&format!(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at)
        VALUES ('{}', '{{\"brand_terms\": [], \"brand_regex\": null, \"search_types\": [\"web\"],
            \"excluded_paths\": [\"/cart?step=2\"], \"min_impressions\": 10}}', '2026-03-01Z', '2026-03-01Z')",
        app.world.domain
    ))
    .await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser.get(&settings).await.is(200).says("/cart?step=2");
    let with = |paths: &'static str| {
        [
            ("do", "gsc"),
            ("gsc_brand_terms", "shop"),
            ("gsc_brand_regex", ""),
            ("gsc_search_types", "web"),
            ("gsc_excluded_paths", paths),
            ("gsc_min_impressions", "25"),
        ]
    };
    browser
        .submit(&settings, &with("/cart?step=2\n/shoes"))
        .await
        .leads_to(&format!("{settings}?saved#gsc"));
    browser
        .submit(&settings, &with("/cart?step=2\n/cart?step=3"))
        .await
        .is(400)
        .says("Entry 2: a path that begins with a slash");
    let path = format!("/domains/{}/gsc/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(
        config["excluded_paths"],
        serde_json::json!(["/cart?step=2", "/shoes"])
    );
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

#[tokio::test]
async fn what_is_taken_of_visits_and_speed_is_set_with_all_faults_at_once_and_switches_nothing_on() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser
        .get(&settings)
        .await
        .is(200)
        .says("name=\"analytics_currency\" type=\"text\" value=\"USD\"");
    let wrong = [
        ("do", "analytics-lists"),
        ("analytics_currency", "euro"),
        ("analytics_allowed_hosts", "checkout.example\n<b>"),
        ("analytics_excluded_ips", "192.0.2.0/24\nhere"),
    ];
    let page = browser.submit(&settings, &wrong).await;
    page.is(400)
        .says("href=\"#analytics_currency\"")
        .says("Entry 2: a host such as shop.example")
        .says("Entry 2: an address, or a network")
        .is_silent_on("<b>");
    let visits = [
        ("do", "analytics-lists"),
        ("analytics_currency", "EUR"),
        ("analytics_search_params", "q\nsuche"),
        ("analytics_excluded_ips", "192.0.2.7"),
    ];
    let saved = format!("{settings}?saved#collection");
    browser.submit(&settings, &visits).await.leads_to(&saved);
    let path = format!("/domains/{}/analytics/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], false);
    assert_eq!(config["currency"], "EUR");
    assert_eq!(config["search_params"], serde_json::json!(["q", "suche"]));
    assert_eq!(config["download_extensions"], serde_json::json!([]));

    let wrong = [
        ("do", "rum-lists"),
        ("rum_sample_rate", "half"),
        ("rum_url_groups", "/p/* /p/:product\n/q/*"),
        ("rum_excluded_countries", "Germany"),
    ];
    let page = browser.submit(&settings, &wrong).await;
    page.is(400)
        .says("href=\"#rum_sample_rate\"")
        .says("Entry 2: a path that begins with a slash")
        .says("Entry 1: a code of ISO 3166-1");
    let speed = [
        ("do", "rum-lists"),
        ("rum_sample_rate", "0.25"),
        ("rum_url_groups", "/p/*  /p/:product"),
        ("rum_excluded_countries", "DE\nFR"),
    ];
    browser.submit(&settings, &speed).await.leads_to(&saved);
    let path = format!("/domains/{}/rum/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], false);
    assert_eq!(config["sample_rate"], 0.25);
    assert_eq!(
        config["url_groups"],
        serde_json::json!([{ "pattern": "/p/*", "label": "/p/:product" }])
    );
    assert_eq!(config["excluded_countries"], serde_json::json!(["DE", "FR"]));
    // The switches leave the lists as they are.
    let on = [("do", "rum"), ("on", "enabled")];
    browser.submit(&settings, &on).await.leads_to(&saved);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], true);
    assert_eq!(config["sample_rate"], 0.25);
}

/// The state that the form of a section was filled from.
fn seen(page: &Page, section: &str) -> String {
    let text = page.text();
    let (_, rest) = text
        .split_once(&format!("name=\"do\" value=\"{section}\""))
        .unwrap();
    let (_, rest) = rest.split_once("name=\"seen\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn of_two_tabs_with_the_settings_the_second_undoes_nothing_and_saves_what_else_it_has() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let both = browser.get(&settings).await;
    let [monitoring, search] = ["uptime", "gsc"].map(|section| seen(&both, section));
    let monitored = |url: &'static str| {
        [
            ("do", "uptime"),
            ("seen", monitoring.as_str()),
            ("enabled", "yes"),
            ("url", url),
            ("interval_seconds", "60"),
            ("degraded_above_ms", ""),
            ("verify_tls", "yes"),
        ]
    };
    let searched = |least: &'static str| {
        [
            ("do", "gsc"),
            ("seen", search.as_str()),
            ("gsc_brand_terms", "shop"),
            ("gsc_brand_regex", ""),
            ("gsc_search_types", "web"),
            ("gsc_excluded_paths", ""),
            ("gsc_min_impressions", least),
        ]
    };
    let saved = format!("{settings}?saved#uptime");
    browser
        .submit(&settings, &monitored("https://shop.example/first"))
        .await
        .leads_to(&saved);
    browser
        .submit(&settings, &monitored("https://shop.example/second"))
        .await
        .is(400)
        .says("This was changed meanwhile")
        .says("https://shop.example/second");
    browser
        .submit(&settings, &searched("25"))
        .await
        .leads_to(&format!("{settings}?saved#gsc"));
    browser
        .submit(&settings, &searched("50"))
        .await
        .is(400)
        .says("This was changed meanwhile");
    let page = browser.get(&settings).await;
    page.is(200)
        .says("value=\"https://shop.example/first\"")
        .says("name=\"gsc_min_impressions\" type=\"text\" value=\"25\"");
    // Judgement, lists, switches and intervals are guarded in the same way.
    for section in [
        "judgement",
        "analytics-lists",
        "rum-lists",
        "hosts",
        "analytics",
        "rum",
        "intervals",
    ] {
        let fields = [
            ("do", section),
            ("seen", monitoring.as_str()),
            ("method", "GET"),
            ("keyword_mode", "present"),
            ("timeout_seconds", "20"),
            ("expected_status_codes", "2xx"),
            ("regions", "local"),
            ("confirmation_checks", "2"),
            ("recovery_checks", "2"),
            ("analytics_currency", "EUR"),
            ("rum_sample_rate", "1"),
            ("on", "enabled"),
            ("robots_interval", "6h"),
            ("sitemap_interval", "1d"),
        ];
        browser
            .submit(&settings, &fields)
            .await
            .is(400)
            .says("This was changed meanwhile");
    }
}

#[tokio::test]
async fn a_switch_that_was_turned_off_stays_off_when_another_tab_saves_its_own() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let saved = format!("{settings}?saved#collection");
    let before = seen(&browser.get(&settings).await, "analytics");
    let first = [("do", "analytics"), ("seen", before.as_str()), ("on", "enabled")];
    browser.submit(&settings, &first).await.leads_to(&saved);
    let stale = [
        ("do", "analytics"),
        ("seen", before.as_str()),
        ("on", "enabled"),
        ("on", "store_page_titles"),
    ];
    browser
        .submit(&settings, &stale)
        .await
        .is(400)
        .says("This was changed meanwhile");
    let path = format!("/domains/{}/analytics/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["store_page_titles"], false);
    let now = seen(&browser.get(&settings).await, "analytics");
    let again = [
        ("do", "analytics"),
        ("seen", now.as_str()),
        ("on", "enabled"),
        ("on", "store_page_titles"),
    ];
    browser.submit(&settings, &again).await.leads_to(&saved);
}

/// Between the look at the list and the change of it lies time, too.
#[tokio::test]
async fn a_list_of_hosts_undoes_nothing_that_is_changed_while_it_is_saved() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let seen = seen(&browser.get(&settings).await, "hosts");
    let fields = [
        ("do", "hosts"),
        ("seen", seen.as_str()),
        ("hosts", "www.shop.example"),
    ];
    let change = format!(
        "SELECT FROM domains WHERE id = '{0}' FOR NO KEY UPDATE;
         INSERT INTO crawl_hosts (domain_id, origin, position) VALUES ('{0}', 'https://www.shop.example', 0),
             ('{0}', 'https://cdn.shop.example', 1)",
        app.world.domain
    );
    let page = app.amid(&change, browser.submit(&settings, &fields)).await;
    page.is(400).says("This was changed meanwhile");
    let listed = app.sql("SELECT origin FROM crawl_hosts ORDER BY position").await;
    let expected = ["https://www.shop.example", "https://cdn.shop.example"];
    assert_eq!(listed, expected.map(|origin| [Some(origin.to_owned())]));
}
