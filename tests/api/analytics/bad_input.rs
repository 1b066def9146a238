//! Questions that can't be asked of analytics, and odd ones that can.

use serde_json::{Value, json};

use super::{
    experiments::{design, evaluated, made, posted, visited},
    path,
    reads::get,
    told,
};

const DAYS: &str = "start_date=2026-03-30&end_date=2026-04-03";
const FILTERS: [&str; 11] = [
    "source", "medium", "campaign", "channel", "country", "device", "browser", "os", "page", "referrer",
    "event",
];

#[tokio::test]
async fn a_filter_that_holds_nul_is_refused_by_its_name() {
    let app = told().await;
    for filter in FILTERS {
        let asked = path(&app, &format!("overview?{DAYS}&{filter}=a%00b"));
        let refused = app.get(&asked, &app.world.key).send().await;
        assert_eq!(refused.faults(), [filter]);
    }
}

/// The values have the characters that mean something to SQL and to patterns, and one has 2,000 bytes.
#[tokio::test]
async fn a_filter_of_quotes_and_percent_signs_or_of_great_length_fits_nothing() {
    let app = told().await;
    let long = "%C3%BC".repeat(1_000);
    let is_open = |filter: &&str| !["channel", "country", "device"].contains(filter);
    for filter in FILTERS.into_iter().filter(is_open) {
        for value in ["%27%22%25_%5C%20OR%20true--", "%25", long.as_str()] {
            let found = get(&app, &format!("overview?{DAYS}&{filter}={value}")).await;
            assert_eq!(found["sessions"], 0, "{filter}={value}");
        }
    }
}

#[tokio::test]
async fn a_value_that_a_closed_list_lacks_is_refused_by_every_read_and_by_a_run() {
    let app = told().await;
    for read in [
        "overview",
        "pages",
        "sources",
        "devices",
        "funnel?step=page:/&step=page:/",
    ] {
        let joint = if read.contains('?') { '&' } else { '?' };
        let asked = format!("{read}{joint}{DAYS}&country=usa&device=phone&channel=nope");
        let refused = app.get(&path(&app, &asked), &app.world.key).send().await;
        assert_eq!(refused.faults(), ["channel", "country", "device"], "{read}");
    }
    let asked = path(&app, &format!("overview?{DAYS}&device=phone"));
    let refused = app.get(&asked, &app.world.key).send().await.json();
    let why = refused["errors"][0]["detail"].as_str().unwrap();
    assert!(why.contains("mobile"), "{why}");
    let refused = app
        .request("POST", &path(&app, "reports/pages_full/runs"))
        .key(&app.world.key)
        .header("idempotency-key", "typo")
        .json(&json!({ "device": "phone", "channel": "nope" }))
        .send()
        .await;
    assert_eq!(refused.faults(), ["/channel", "/device"]);
}

#[tokio::test]
async fn a_year_by_the_hour_is_refused_and_told_how_many_days_there_may_be() {
    let app = told().await;
    let year = "start_date=2025-04-04&end_date=2026-04-03&granularity=hour";
    for read in ["timeseries", "ecommerce/overview"] {
        let refused = app.get(&path(&app, &format!("{read}?{year}")), &app.world.key);
        let refused = refused.send().await;
        assert_eq!(refused.faults(), ["granularity"], "{read}");
        let why = refused.json()["errors"][0]["detail"].as_str().unwrap().to_owned();
        assert!(why.contains("at most 14 days"), "{read}: {why}");
    }
}

/// Session 9 tells of its order twice within a minute, session 16 of three orders, one each minute.
#[tokio::test]
async fn a_step_that_is_asked_for_again_is_met_again_later() {
    let app = told().await;
    let step = "step=event:purchase";
    let found = get(&app, &format!("funnel?{DAYS}&{step}&{step}&{step}")).await;
    let steps = found["steps"].as_array().unwrap();
    let sessions: Vec<&Value> = steps.iter().map(|step| &step["sessions"]).collect();
    assert_eq!(sessions, [2, 2, 1]);
    assert_eq!(steps[1]["median_seconds_from_previous"], 60.0);
    // Nobody views the first page twice.
    let found = get(&app, &format!("funnel?{DAYS}&step=page:/&step=page:/")).await;
    assert_eq!(found["steps"][0]["sessions"], 9);
    assert_eq!(found["steps"][1]["sessions"], 0);
}

/// Nobody ordered anything: each day has 0.
#[tokio::test]
async fn a_metric_that_is_the_same_every_day_has_no_verdict() {
    let app = visited().await;
    for metric in ["revenue", "orders", "conversion_rate_pct"] {
        let mut alike = design("mann_whitney");
        alike["primary_metric"] = json!(metric);
        alike["control_urls"] = json!([]);
        let id = made(&app, &alike).await;
        let found = evaluated(&app, &id, metric).await.ok();
        assert_eq!(
            (&found["verdict"], &found["effect_absolute"], &found["p_value"]),
            (&json!("inconclusive"), &Value::Null, &Value::Null),
            "{metric}"
        );
        let warnings = found["warnings"].as_array().unwrap();
        assert!(warnings.contains(&json!("low_volume")), "{metric}: {warnings:?}");
    }
}

#[tokio::test]
async fn a_page_of_an_experiment_is_no_longer_than_is_told() {
    let app = visited().await;
    let mut long = design("did");
    long["variant_urls"] = json!([format!("/{}", "x".repeat(2_000)), "/variant", "/variant#twice"]);
    assert_eq!(
        posted(&app, &long).await.faults(),
        ["/variant_urls/0", "/variant_urls/2"]
    );
    long["variant_urls"] = json!([format!("/{}", "x".repeat(1_999))]);
    made(&app, &long).await;
}

#[tokio::test]
async fn each_member_of_a_body_that_has_none_is_named() {
    let app = visited().await;
    let id = made(&app, &design("did")).await;
    let refused = app
        .request("POST", &path(&app, &format!("experiments/{id}/evaluate")))
        .key(&app.world.key)
        .header("idempotency-key", "curious")
        .json(&json!({ "force": true, "id": id }))
        .send()
        .await;
    assert_eq!(refused.faults(), ["/force", "/id"]);
}
