//! Experiments: made, evaluated, ended and deleted by forms.

use pharos_domain::role::Role;
use serde_json::{Value, json};

use crate::harness::TestApp;

const GOOD: [(&str, &str); 10] = [
    ("name", "<b>Shorter</b> titles"),
    ("hypothesis", "They bring more visitors."),
    ("primary_metric", "visitors"),
    ("method", "did"),
    ("variant_urls", "https://shop.example/teapot#top\r\n"),
    ("control_urls", "/kettle"),
    ("pre_start_date", ""),
    ("pre_end_date", "2026-02-28"),
    ("post_start_date", "2026-03-02"),
    ("post_end_date", ""),
];

/// The form with one field that is otherwise.
fn with(field: &'static str, value: &'static str) -> Vec<(&'static str, &'static str)> {
    let fields = GOOD.iter().copied();
    fields
        .map(|(name, good)| (name, if name == field { value } else { good }))
        .collect()
}

async fn listed(app: &TestApp, query: &str) -> Value {
    let path = format!("/domains/{}/analytics/experiments{query}", app.world.domain);
    app.get(&path, &app.world.key).send().await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_is_made_evaluated_ended_and_deleted_by_the_rules_of_the_api() {
    let app = TestApp::start().await;
    app.grant(1_000).await;
    let path = format!("/console/domains/{}/analytics/experiments", app.world.domain);
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin
        .get(&path)
        .await
        .is(200)
        .says("Visits of the site are not measured");
    admin
        .submit(&path, &GOOD)
        .await
        .is(400)
        .says("Measure them first, or choose a metric of search or of vitals");
    let made = app.sql("SELECT count(*)::text FROM analytics_experiments").await;
    assert_eq!(made[0][0].as_deref(), Some("0"));
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    let visitors = format!("/console/domains/{}/analytics", app.world.domain);
    admin.get(&visitors).await.is(200);
    admin
        .get(&path)
        .await
        .is(200)
        .says("No experiment yet")
        .is_silent_on("Visits of the site are not measured");
    for (field, value, why) in [
        ("name", "", "One line of 1 to 200 characters."),
        ("variant_urls", "", "Name one page at least."),
        ("variant_urls", "teapot", "Entry 1: neither a path"),
        (
            "control_urls",
            "",
            "This method compares with pages that did not change",
        ),
        ("pre_end_date", "soon", "Not a day as YYYY-MM-DD"),
        ("post_start_date", "2026-02-01", "Lies not after pre_end_date"),
    ] {
        admin
            .submit(&path, &with(field, value))
            .await
            .is(400)
            .says(why)
            .is_silent_on("<b>Shorter");
    }
    admin.submit(&path, &with("method", "guess")).await.is(400);
    assert_eq!(listed(&app, "").await["items"], json!([]));

    admin.submit(&path, &GOOD).await.leads_to(&format!("{path}?made"));
    let made = app.sql("SELECT id::text FROM analytics_experiments").await;
    assert_eq!(made.len(), 1);
    let id = made[0][0].clone().unwrap();
    let one = format!("{path}/{id}");
    admin
        .get(&path)
        .await
        .is(200)
        .says("&lt;b&gt;Shorter&lt;/b&gt; titles")
        .says("Draft");
    let page = admin.get(&one).await;
    page.is(200)
        .says("It was not evaluated yet")
        .says("/teapot")
        .says("costs the workspace 25 credits");
    let key = page.hidden("key").unwrap();
    for _ in 0..2 {
        let evaluate = [("do", "evaluate"), ("key", key.as_str())];
        admin.submit(&one, &evaluate).await.leads_to(&one);
    }
    let evaluations = app
        .sql("SELECT count(*) FROM credit_log WHERE operation = 'evaluateExperiment'")
        .await;
    assert_eq!(evaluations[0][0].as_deref(), Some("1"), "the same form again");
    admin
        .get(&one)
        .await
        .is(200)
        .says("There is no effect to draw")
        .says("Verdict")
        .says("Enough days are over since the change for a verdict.")
        .says("28 February 2026")
        .says("Against pages that did not change (difference in differences)");
    app.sql(
        "UPDATE analytics_evaluations
         SET outcome = outcome || '{\"effect_absolute\": 5.5, \"ci_low\": 2.25, \"ci_high\": 8.75}'",
    )
    .await;
    admin
        .get(&one)
        .await
        .is(200)
        .says("5.50, between 2.25 and 8.75: all of it lies above 0")
        .is_silent_on("There is no effect to draw");

    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer.get(&one).await.is(200).is_silent_on("Evaluate now");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    for browser in [&mut viewer, &mut member] {
        browser.get(&path).await.is(200).is_silent_on("A new experiment");
        browser.submit(&path, &GOOD).await.is(403);
        browser.submit(&one, &[("do", "delete")]).await.is(403);
    }
    admin.get(&one).await.is(200);
    admin.submit(&one, &[("do", "end")]).await.leads_to(&one);
    admin
        .get(&one)
        .await
        .is(200)
        .says("Completed")
        .is_silent_on("End it");
    let ended = listed(&app, &format!("/{id}")).await;
    assert_eq!(ended["status"], "completed", "{ended}");
    admin
        .submit(&one, &[("do", "delete")])
        .await
        .leads_to(&format!("{path}?deleted"));
    admin.get(&one).await.is(404);
    admin.submit(&one, &[("do", "delete")]).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_being_worked_out_says_how_much_of_it_is_done() {
    let app = TestApp::start().await;
    app.grant(1_000).await;
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    let path = format!("/console/domains/{}/analytics/experiments", app.world.domain);
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin.get(&path).await.is(200);
    admin
        .submit(&path, &with("method", "bsts"))
        .await
        .leads_to(&format!("{path}?made"));
    let made = app.sql("SELECT id::text FROM analytics_experiments").await;
    let one = format!("{path}/{}", made[0][0].as_deref().unwrap());
    let key = admin.get(&one).await.hidden("key").unwrap();
    let evaluate = [("do", "evaluate"), ("key", key.as_str())];
    admin.submit(&one, &evaluate).await.leads_to(&one);
    app.sql("UPDATE analytics_evaluations SET progress_pct = 36.4")
        .await;
    admin.get(&one).await.is(200).says("36% is done");

    let day = |date: &str, observed: f64| {
        json!({
            "date": date, "observed": observed, "expected": 100.0, "expected_low": 90.0, "expected_high": 110.0,
            "effect": null, "cumulative_effect": null,
        })
    };
    let details = json!({
        "posterior_prob_effect": 0.9, "average_actual": 120.0, "average_predicted": 100.0, "average_predicted_low": 90.0,
        "average_predicted_high": 110.0, "cumulative_actual": 120.0, "cumulative_predicted": 100.0,
        "cumulative_predicted_low": 90.0, "cumulative_predicted_high": 110.0, "cumulative_effect": 20.0,
        "cumulative_effect_low": 10.0, "cumulative_effect_high": 30.0, "relative_effect_pct_low": null,
        "relative_effect_pct_high": null, "samples": 1000, "seasonal_period": 7, "covariates": ["control"],
        "pre_fit_mape_pct": null,
        "series": [day("2026-02-28", 98.5), day("2026-03-02", 120.0)],
    });
    let found = json!({ "details": details, "p_value": 0.000_03, "warnings": ["seasonality_mismatch"] });
    app.sql(&format!(
        "UPDATE analytics_evaluations
         SET status = 'completed', completed_at = requested_at, outcome = outcome || '{found}'"
    ))
    .await;
    admin
        .get(&one)
        .await
        .is(200)
        .says("<b>Seasonality mismatch</b>: the days compared are not whole weeks")
        .says("less than 0.0001")
        .says("2 Mar\nExpected: 100.00\nExpected at least: 90.00\nExpected at most: 110.00\nObserved: 120.00")
        .says(">The change</text>");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_whose_visits_are_not_measured_has_experiments_by_metrics_of_search() {
    let app = TestApp::start().await;
    let path = format!("/console/domains/{}/analytics/experiments", app.world.domain);
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin.get(&path).await.is(200);
    admin
        .submit(&path, &with("primary_metric", "gsc_clicks"))
        .await
        .leads_to(&format!("{path}?made"));
    let made = listed(&app, "").await;
    assert_eq!(made["items"][0]["primary_metric"], "gsc_clicks");
}
