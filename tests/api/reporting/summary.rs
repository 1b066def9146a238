//! The summary of a site where much goes wrong: each rule says its sentence, from the module to the report.

use pharos_domain::collect::client::Device;
use serde_json::{Value, json};
use time::{Duration, macros::datetime};

use super::{data::widget, maker};
use crate::{
    fixtures,
    harness::{
        TestApp,
        openssl::{TlsSite, Vault},
    },
    robots, rum,
    uptime::{self, certificates, registration},
};

/// Pages get slower with a release, the promise is broken, much ends soon, and robots.txt keeps everybody out.
async fn trouble(app: &TestApp) {
    let config = uptime::path(app, "config");
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    // An outage that is over; that of the fixtures goes on.
    let statuses = (0..).zip([200, 503, 503, 200, 200]);
    let check = |(minute, status): (i64, u16)| {
        let at = datetime!(2026-03-12 10:00 UTC) + Duration::minutes(minute);
        uptime::check(app.world.domain, at, status)
    };
    uptime::store(app, statuses.map(check).collect()).await;
    // Before the fixtures, in which there is nobody to ask.
    registration::ask(app, "2026-04-10T08:00:00Z").await;
    fixtures::fill(app).await;
    let promise = json!({ "sla_target_pct": 99.9 });
    app.put(&config, &app.world.key, &promise).send().await.ok();

    let vault = Vault::new("Test_Root");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let site = TlsSite::start(&vault, "site", &[]);
    certificates::check_site(app, &vault, &site, true).await;
    app.sql(
        r#"UPDATE uptime_certificates SET sighting = regexp_replace(
            sighting::text, '"valid_until": "[^"]*"', '"valid_until": "2026-04-10T08:00:00Z"', 'g')::jsonb"#,
    )
    .await;

    app.sql(
        "UPDATE analytics_experiments AS e SET status = CASE
            WHEN e.id = (SELECT f.id FROM analytics_experiments AS f ORDER BY f.id LIMIT 1) THEN 'running' ELSE 'draft' END",
    )
    .await;
    app.sql(&format!(
        "INSERT INTO rum_releases (domain_id, name, released_at) VALUES ('{}', '2026.3', '2026-03-16 10:00Z')",
        app.world.domain,
    ))
    .await;
    let mut views = Vec::new();
    for day in 1..=30 {
        let at = datetime!(2026-02-18 12:00 UTC) + Duration::days(day);
        let (lcp_ms, count) = if at > datetime!(2026-03-16 10:00 UTC) {
            (6_000.0, 5)
        } else {
            (1_500.0, 1)
        };
        for number in 0..count {
            let mut view = rum::view(1_000 + day * 10 + number, at);
            (view.lcp_ms, view.inp_ms, view.cls) = (Some(lcp_ms), Some(900.0), Some(0.5));
            views.push((Device::Mobile, view));
        }
    }
    rum::store(app, views).await;

    app.clock.advance(Duration::MINUTE);
    robots::see(app, 200, "User-agent: *\nDisallow: /\n", app.now()).await;
    app.sql("UPDATE robots_sites SET issue_counts = jsonb_set(issue_counts, '{error}', '2')")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_rule_says_its_sentence() {
    let app = TestApp::start().await;
    trouble(&app).await;
    let march = json!({ "start_date": "2026-03-01", "end_date": "2026-03-31" });
    let found = widget(&app, "overview", "summary", &json!({}), &march).await;
    let told = sentences(&found);
    for (kind, words) in [
        ("change", " by "),
        ("cause", " and lasted "),
        (
            "cause",
            "Google began to roll out the March 2026 core update on 27 Mar 2026.",
        ),
        ("cause", "Release “2026.3” came on 16 Mar 2026, "),
        (
            "cause",
            "The change of the experiment “Shorter titles” was there from 2 Mar 2026 on.",
        ),
        ("action", "Availability was "),
        ("action", "The certificate ends in "),
        ("action", "The registration of the domain ends in "),
        ("action", "The site does not pass the Core Web Vitals"),
        ("action", "robots.txt has 2 errors."),
        ("action", "robots.txt keeps Googlebot out"),
    ] {
        let is_told = told.iter().any(|(of, text)| *of == kind && text.contains(words));
        assert!(is_told, "{kind}: {words} is not among {told:?}");
    }

    // At most eight of a kind are told, the most severe first, so open alerts have their turn when one of them is critical.
    app.sql("UPDATE alert_history SET severity = 'critical' WHERE resolved_at IS NULL")
        .await;
    let found = widget(&app, "overview", "summary", &json!({}), &march).await;
    let told = sentences(&found);
    let open = told
        .iter()
        .any(|(kind, text)| *kind == "action" && text.ends_with(" still open."));
    assert!(open, "no open alert is among {told:?}");
}

/// Kind and text of each sentence of a summary.
fn sentences(summary: &Value) -> Vec<(&str, &str)> {
    let items = summary["data"]["items"].as_array().unwrap().iter();
    items
        .map(|item| (item["kind"].as_str().unwrap(), item["text"].as_str().unwrap()))
        .collect()
}

/// The site has been failing since the monitor looks at it: there are no days before, no promise and no alert rule.
#[tokio::test(flavor = "multi_thread")]
async fn an_outage_under_way_is_told_of_without_anything_to_compare() {
    let app = TestApp::start().await;
    let config = uptime::path(&app, "config");
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    let failing = [2, 1].map(|minutes| {
        let at = app.now() - Duration::minutes(minutes);
        uptime::check(app.world.domain, at, 503)
    });
    uptime::store(&app, failing.into()).await;
    let march = json!({ "start_date": "2026-03-01", "end_date": "2026-03-31" });
    let found = widget(&app, "overview", "summary", &json!({}), &march).await;
    let items = found["data"]["items"].as_array().unwrap();
    for (begin, end) in [
        (
            "The site is down since 31 Mar 2026 ",
            " (HTTP 5xx), and was when this report was made.",
        ),
        ("Availability was ", ", below 99%."),
    ] {
        let is_told = items.iter().any(|item| {
            let text = item["text"].as_str().unwrap();
            item["kind"] == "action" && text.starts_with(begin) && text.ends_with(end)
        });
        assert!(is_told, "{begin}{end} is not among {items:?}");
    }
    let meta = &found["data"]["meta"];
    assert_eq!(meta["range_end_partial"], true, "{meta}");
    assert!(meta["data_through"].is_string(), "{meta}");
}

/// The rules name widgets of other groups, and take their figures by the names of columns.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_summary_and_the_pages_look_at_is_there() {
    let app = TestApp::start().await;
    assert_eq!(maker(&app).await.catalogue.missing(), [""; 0]);
}
