//! Figures over time, and how pages stand.

use serde_json::{Value, json};
use time::Duration;

use super::{MISSING, SHOP, get, measured, measured_as, scored, send, track, try_get};
use crate::harness::TestApp;

#[tokio::test]
async fn points_are_medians_of_the_runs_of_a_day() {
    let app = TestApp::start().await;
    try_get(&app, "timeseries")
        .await
        .problem(404, "synthetic-not-found");
    let page = track(&app, "shoes").await;
    assert_eq!(get(&app, "timeseries?period_days=7").await["series"], json!([]));
    // 31 March: 90 and 80; a failed one counts for nothing. The day before: 40, 50 and 70.
    for score in [90.0, 80.0] {
        measured_as(&app, &page, "mobile", scored(score)).await;
    }
    measured(&app, &page, MISSING).await;
    measured_as(&app, &page, "desktop", scored(10.0)).await;
    app.clock.advance(Duration::DAY);
    for score in [50.0, 70.0, 40.0] {
        measured_as(&app, &page, "mobile", scored(score)).await;
    }
    let query = "timeseries?period_days=7&profile_id=mobile&metrics=performance_score,inp_ms";
    let told = get(&app, query).await;
    assert_eq!(
        told["series"],
        json!([
            {
                "url_id": page, "profile_id": "mobile", "metric": "performance_score", "unit": "points",
                "points": [
                    { "bucket_start": "2026-03-31T00:00:00Z", "median": 85.0, "min": 80.0, "max": 90.0, "runs": 2 },
                    { "bucket_start": "2026-04-01T00:00:00Z", "median": 50.0, "min": 40.0, "max": 70.0, "runs": 3 },
                ],
            },
            {
                "url_id": page, "profile_id": "mobile", "metric": "inp_ms", "unit": "ms",
                "points": [
                    { "bucket_start": "2026-03-31T00:00:00Z", "median": null, "min": null, "max": null, "runs": 2 },
                    { "bucket_start": "2026-04-01T00:00:00Z", "median": null, "min": null, "max": null, "runs": 3 },
                ],
            },
        ])
    );
    assert_eq!(
        (&told["meta"]["range_start"], &told["meta"]["range_end"]),
        (&json!("2026-03-26"), &json!("2026-04-01"))
    );
    assert_eq!(
        told["meta"]["data_through"],
        json!("2026-04-01T09:15:00Z"),
        "when the newest of them ended"
    );
    // Both days lie in the week from Monday, 30 March: of 40, 50, 70, 80 and 90 the middle is 70.
    let weeks = get(
        &app,
        "timeseries?period_days=7&profile_id=mobile&metrics=performance_score&granularity=week",
    )
    .await;
    assert_eq!(
        weeks["series"][0]["points"],
        json!([{ "bucket_start": "2026-03-30T00:00:00Z", "median": 70.0, "min": 40.0, "max": 90.0, "runs": 5 }])
    );
    let runs = get(
        &app,
        "timeseries?period_days=7&profile_id=desktop&metrics=performance_score&granularity=run",
    )
    .await;
    assert_eq!(
        runs["series"][0]["points"][0]["bucket_start"],
        json!("2026-03-31T09:15:00Z")
    );
    assert_eq!(
        get(&app, "timeseries?period_days=7").await["series"]
            .as_array()
            .unwrap()
            .len(),
        8
    );
    let refused = try_get(&app, "timeseries?metrics=fun").await;
    let why = refused.problem(400, "invalid-request")["detail"].to_string();
    assert!(
        why.starts_with(
            "\"Parameter metrics: not a list of these with commas between, without spaces: performance_score, "
        ),
        "{why}"
    );
    assert_eq!(
        try_get(
            &app,
            "timeseries?period_days=0&profile_id=tablet&metrics=lcp_ms,fun,cls&granularity=month"
        )
        .await
        .faults(),
        ["granularity", "metrics", "period_days", "profile_id"]
    );
    let twice = get(
        &app,
        "timeseries?period_days=7&profile_id=mobile&metrics=cls,lcp_ms,cls",
    )
    .await;
    let named: Vec<&Value> = twice["series"]
        .as_array()
        .unwrap()
        .iter()
        .map(|series| &series["metric"])
        .collect();
    assert_eq!(named, [&json!("cls"), &json!("lcp_ms")]);
    let other = format!("timeseries?period_days=7&url_id={}", uuid::Uuid::now_v7());
    let none = get(&app, &other).await;
    assert_eq!(
        (&none["series"], &none["meta"]["data_through"]),
        (&json!([]), &Value::Null)
    );
    send(&app, "DELETE", &format!("urls/{page}"), &Value::Null)
        .await
        .ok();
    let deleted = get(&app, "timeseries?period_days=7").await;
    assert_eq!(deleted["series"], json!([]), "its page is tracked no longer");
}

#[tokio::test]
async fn a_score_is_compared_with_the_median_of_the_five_before() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let row = async || get(&app, "overview").await["items"][0].clone();
    assert_eq!(row().await["last_run_id"], Value::Null);
    measured(&app, &page, SHOP).await;
    let first = row().await;
    assert_eq!(
        [
            &first["performance_score"],
            &first["accessibility_score"],
            &first["lcp_ms"],
            &first["cls"],
            &first["ttfb_ms"],
            &first["score_change"],
            &first["budget_status"],
            &first["next_run_at"],
            &first["last_run_at"],
        ],
        [
            &json!(44),
            &json!(100),
            &json!(9_648.453_5),
            &json!(0.167_552_363_329_888_2),
            &json!(14.0),
            &Value::Null,
            &json!("none"),
            &Value::Null,
            &json!("2026-03-31T09:15:00Z"),
        ]
    );
    // The five before the last: 90, 80, 70, 60 and 50, without the 44 before them. Their median is 70.
    for score in [50.0, 60.0, 70.0, 80.0, 90.0, 75.0] {
        app.clock.advance(Duration::MINUTE);
        measured_as(&app, &page, "mobile", scored(score)).await;
    }
    let last = row().await;
    assert_eq!(
        (&last["performance_score"], &last["score_change"]),
        (&json!(75), &json!(5.0))
    );
    // Another major version of Lighthouse may weigh scores otherwise: there is nothing to compare with.
    app.clock.advance(Duration::MINUTE);
    let mut load = scored(60.0);
    load.summary.engine_version = Some("14.0.0".to_owned());
    measured_as(&app, &page, "mobile", load).await;
    let first_of_its_kind = row().await;
    assert_eq!(first_of_its_kind["score_change"], Value::Null);
    let changes = async |filter: &str| {
        get(&app, &format!("timeseries?period_days=7{filter}")).await["engine_changes"].clone()
    };
    let change = json!([{
        "url_id": page, "profile_id": "mobile", "changed_at": first_of_its_kind["last_run_at"], "engine_major": 14,
    }]);
    assert_eq!(changes("").await, change);
    assert_eq!(
        changes(&format!("&profile_id=mobile&url_id={page}")).await,
        change
    );
    assert_eq!(changes("&profile_id=desktop").await, json!([]));
}

/// One page has very many, since two nodes with two versions test it in turn.
#[tokio::test]
async fn a_change_of_lighthouse_is_told_however_many_there_are_of_others() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let first = measured_as(&app, &hats, "mobile", scored(60.0)).await;
    app.sql(&format!(
        "INSERT INTO synthetic_runs (
            id, domain_id, url_id, url, profile_id, form_factor, trigger, status, requested_at, finished_at, summary
        )
        SELECT gen_random_uuid(), r.domain_id, '{shoes}', 'https://shop.example/shoes', 'mobile', 'mobile', 'schedule', 'succeeded',
            t.at, t.at, r.summary || jsonb_build_object('engine_version', CASE n % 2 WHEN 0 THEN '13.5.0' ELSE '14.0.0' END)
        FROM synthetic_runs AS r
        CROSS JOIN generate_series(1, 1200) AS n
        CROSS JOIN LATERAL (SELECT '2026-03-31 01:00Z'::timestamptz + n * interval '1 second' AS at) AS t
        WHERE r.id = '{first}'"
    ))
    .await;
    app.clock.advance(Duration::MINUTE);
    let mut load = scored(60.0);
    load.summary.engine_version = Some("14.0.0".to_owned());
    measured_as(&app, &hats, "mobile", load).await;
    let changes = async |filter: &str| {
        let told = get(&app, &format!("timeseries?period_days=7{filter}")).await;
        told["engine_changes"].as_array().unwrap().clone()
    };
    let of_hats = changes(&format!("&url_id={hats}")).await;
    assert_eq!(of_hats.len(), 1);
    assert_eq!(of_hats[0]["changed_at"], json!("2026-03-31T09:16:00Z"));
    let all = changes("").await;
    assert_eq!((all.len(), all.last()), (1_200, of_hats.first()));
}
