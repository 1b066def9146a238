//! Budgets.

use serde_json::{Value, json};
use time::Duration;

use super::{MISSING, SHOP, get, measured, measured_as, path, scored, send, track};
use crate::harness::TestApp;

#[tokio::test]
async fn budgets_are_replaced_whole_and_judged_by_each_run() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let other = track(&app, "hats").await;
    assert_eq!(get(&app, "budgets").await["items"], json!([]));
    let wanted = json!({ "items": [
        { "metric": "lcp_ms", "limit": 2_500 },
        { "metric": "performance_score", "limit": 40, "profile_id": "mobile", "url_id": page },
        { "metric": "third_party_requests", "limit": 0, "direction": "max" },
        { "metric": "image_bytes", "limit": 1, "url_id": other },
        { "metric": "inp_ms", "limit": 200 },
    ] });
    let made = send(&app, "PUT", "budgets", &wanted).await.ok();
    let first = &made["items"][0];
    assert_eq!(
        [
            &first["scope"],
            &first["direction"],
            &first["last_result"],
            &first["last_value"]
        ],
        [&json!("domain"), &json!("max"), &json!("unknown"), &Value::Null]
    );
    assert_eq!(
        (&made["items"][1]["scope"], &made["items"][1]["direction"]),
        (&json!("url"), &json!("min"))
    );
    let run = measured(&app, &page, SHOP).await;
    let results = get(&app, &format!("runs/{run}")).await["budget_results"].clone();
    // By hand: 9,648.4535 is 7,148.4535 over; 44 points are enough; one request is one too many; another page's is not asked.
    let told: Vec<Value> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            json!([
                result["metric"],
                result["passed"],
                result["over_by"],
                result["actual"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!(["lcp_ms", false, 7_148.453_5, 9_648.453_5]),
            json!(["performance_score", true, null, 44.0]),
            json!(["third_party_requests", false, 1.0, 1.0]),
            json!(["inp_ms", null, null, null]),
        ]
    );
    let listed = get(&app, "budgets").await;
    let states: Vec<&str> = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|budget| budget["last_result"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["failed", "passed", "failed", "unknown", "unknown"]);
    assert_eq!(listed["items"][0]["last_run_id"], json!(run));
    let overview = get(&app, "overview").await;
    assert_eq!(overview["budgets_exceeded"], json!(2));
    let of = |page: &str| {
        let rows = overview["items"].as_array().unwrap();
        rows.iter().find(|row| row["url_id"] == *page).unwrap()["budget_status"].clone()
    };
    assert_eq!((of(&page), of(&other)), (json!("exceeded"), json!("none")));
    // One that could not be measured says nothing of budgets.
    measured(&app, &page, MISSING).await;
    assert_eq!(get(&app, "budgets").await["items"], listed["items"]);
    // A budget that stays keeps its id and its result; the others are deleted.
    let kept = send(
        &app,
        "PUT",
        "budgets",
        &json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500 }] }),
    )
    .await
    .ok();
    assert_eq!(kept["items"], json!([listed["items"][0]]));
    assert_eq!(
        send(&app, "PUT", "budgets", &json!({ "items": [] })).await.ok()["items"],
        json!([])
    );
}

/// A page that keeps a budget does not hide one that exceeds it, whichever was tested last.
#[tokio::test]
async fn a_budget_is_exceeded_while_the_newest_test_of_a_page_exceeds_it() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let wanted = json!({ "items": [{ "metric": "performance_score", "limit": 80 }] });
    send(&app, "PUT", "budgets", &wanted).await.ok();
    let slow = measured_as(&app, &shoes, "mobile", scored(50.0)).await;
    app.clock.advance(Duration::MINUTE);
    let fast = measured_as(&app, &hats, "mobile", scored(90.0)).await;
    // Not a profile of the page's own: nobody watches it.
    measured_as(&app, &hats, "desktop", scored(10.0)).await;
    let told = async || {
        let (budget, overview) = (get(&app, "budgets").await, get(&app, "overview").await);
        let budget = &budget["items"][0];
        let statuses: Vec<Value> = overview["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["budget_status"].clone())
            .collect();
        (
            budget["last_result"].clone(),
            budget["last_value"].clone(),
            budget["last_run_id"].clone(),
            overview["budgets_exceeded"].clone(),
            statuses,
        )
    };
    let exceeded = (
        json!("failed"),
        json!(50.0),
        json!(slow),
        json!(1),
        vec![json!("within"), json!("exceeded")],
    );
    assert_eq!(told().await, exceeded);
    // A test without a result says nothing of budgets.
    app.clock.advance(Duration::MINUTE);
    measured(&app, &shoes, MISSING).await;
    assert_eq!(told().await, exceeded);
    app.clock.advance(Duration::MINUTE);
    let again = measured_as(&app, &shoes, "mobile", scored(85.0)).await;
    assert_eq!(
        told().await,
        (
            json!("passed"),
            json!(85.0),
            json!(again),
            json!(0),
            vec![json!("within"), json!("within")],
        )
    );
    // Who is let go is watched no longer.
    app.clock.advance(Duration::MINUTE);
    measured_as(&app, &shoes, "mobile", scored(50.0)).await;
    send(&app, "DELETE", &format!("urls/{shoes}"), &Value::Null)
        .await
        .ok();
    assert_eq!(
        told().await,
        (
            json!("passed"),
            json!(90.0),
            json!(fast),
            json!(0),
            vec![json!("within")]
        )
    );
}

/// Nobody waits for the next test to learn whether what is there keeps a bound.
#[tokio::test]
async fn a_budget_that_is_set_or_changed_is_judged_by_the_tests_before_it() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let slow = measured_as(&app, &shoes, "mobile", scored(50.0)).await;
    app.clock.advance(Duration::MINUTE);
    let fast = measured_as(&app, &hats, "mobile", scored(90.0)).await;
    let put = async |limit: u32, url_id: Option<&str>, profile_id: Option<&str>| {
        let budget = json!({
            "metric": "performance_score", "limit": limit, "url_id": url_id, "profile_id": profile_id
        });
        let made = send(&app, "PUT", "budgets", &json!({ "items": [budget] }))
            .await
            .ok();
        let overview = get(&app, "overview").await;
        let budget = &made["items"][0];
        (
            budget["last_result"].clone(),
            budget["last_value"].clone(),
            budget["last_run_id"].clone(),
            overview["budgets_exceeded"].clone(),
        )
    };
    let failed = (json!("failed"), json!(50.0), json!(slow), json!(1));
    assert_eq!(put(80, None, None).await, failed);
    let passed = (json!("passed"), json!(90.0), json!(fast), json!(0));
    assert_eq!(put(50, None, None).await, passed, "the bound itself is kept");
    assert_eq!(
        put(80, Some(&*hats), Some("mobile")).await,
        passed,
        "another page's"
    );
    let unknown = (json!("unknown"), Value::Null, Value::Null, json!(0));
    assert_eq!(put(80, None, Some("desktop")).await, unknown);
    let run = get(&app, &format!("runs/{slow}")).await;
    assert_eq!(run["budget_results"], json!([]), "there was none at its time");
}

#[tokio::test]
async fn all_faults_of_budgets_are_told_at_once() {
    let app = TestApp::start().await;
    track(&app, "shoes").await;
    let bad = json!({ "items": [
        { "metric": "lcp_ms", "limit": 2_500 },
        { "metric": "lcp_ms", "limit": 3_000 },
        { "metric": "performance_score", "limit": 101 },
        { "metric": "cls", "limit": 0.1, "url_id": uuid::Uuid::now_v7() },
    ] });
    assert_eq!(
        send(&app, "PUT", "budgets", &bad).await.faults(),
        ["/items/1/metric", "/items/2/limit", "/items/3/url_id"]
    );
    let bad = json!({ "items": [{ "metric": "lcp_ms", "limit": -1 }, { "metric": "ttl", "limit": 1, "profile_id": "tablet" }] });
    assert_eq!(
        send(&app, "PUT", "budgets", &bad).await.faults(),
        ["/items/0/limit", "/items/1/metric", "/items/1/profile_id"]
    );
    // A fault that the schema finds in one hides no fault of the others.
    let bad = json!({ "items": [
        { "limit": 1, "url_id": uuid::Uuid::now_v7() },
        { "metric": "lcp_ms", "limit": 1 },
        { "metric": "lcp_ms" },
        { "metric": "performance_score", "limit": 101 },
    ] });
    assert_eq!(
        send(&app, "PUT", "budgets", &bad).await.faults(),
        [
            "/items/0/metric",
            "/items/0/url_id",
            "/items/2/limit",
            "/items/2/metric",
            "/items/3/limit"
        ]
    );
    let many: Vec<Value> = (0..201)
        .map(|limit| json!({ "metric": "lcp_ms", "limit": limit }))
        .collect();
    assert!(
        send(&app, "PUT", "budgets", &json!({ "items": many }))
            .await
            .faults()
            .contains(&"/items".to_owned())
    );
    // JSON has no such number.
    let none = app
        .request("PUT", &path(&app, "budgets"))
        .key(&app.world.key)
        .body(
            "application/json",
            r#"{"items":[{"metric":"lcp_ms","limit":NaN}]}"#,
        );
    assert_eq!(none.send().await.faults(), [""]);
    assert_eq!(
        get(&app, "budgets").await["items"],
        json!([]),
        "nothing was changed"
    );
}

/// Nodes are upgraded one by one: one of the next version may have judged what this one does not know.
#[tokio::test]
async fn a_budget_of_a_later_version_is_passed_over() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let wanted = json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500 }] });
    send(&app, "PUT", "budgets", &wanted).await.ok();
    let run = measured(&app, &page, SHOP).await;
    let later = r#"UPDATE synthetic_runs SET budgets = budgets ||
        '{"budget_id": "0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31", "metric": "of_tomorrow", "limit": 1, "actual": 2, "over_by": 1,
            "passed": false}'"#;
    app.sql(later).await;
    let results = get(&app, &format!("runs/{run}")).await["budget_results"].clone();
    let metrics: Vec<&Value> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| &result["metric"])
        .collect();
    assert_eq!(metrics, [&json!("lcp_ms")]);
}

/// The same of a budget that was made there: the others are listed, and judged.
#[tokio::test]
async fn a_budget_that_was_made_by_a_later_version_stops_no_other() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let wanted = json!({ "items": [
        { "metric": "lcp_ms", "limit": 2_500 },
        { "metric": "image_bytes", "limit": 1 },
    ] });
    send(&app, "PUT", "budgets", &wanted).await.ok();
    app.sql("UPDATE synthetic_budgets SET metric = 'of_tomorrow' WHERE metric = 'image_bytes'")
        .await;
    let listed = get(&app, "budgets").await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    assert_eq!(listed["items"][0]["metric"], "lcp_ms");
    let run = measured(&app, &page, SHOP).await;
    let results = get(&app, &format!("runs/{run}")).await["budget_results"].clone();
    assert_eq!(results.as_array().unwrap().len(), 1);
    assert_eq!(results[0]["metric"], "lcp_ms");
    // A change would lose the other.
    let other = json!({ "items": [{ "metric": "lcp_ms", "limit": 3_000 }] });
    send(&app, "PUT", "budgets", &other)
        .await
        .problem(500, "internal-error");
    let kept = app.sql("SELECT count(*)::text FROM synthetic_budgets").await;
    assert_eq!(kept, [[Some("2".to_owned())]]);
}
