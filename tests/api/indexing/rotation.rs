//! The rotation: whose turn it is, what it may spend, what becomes of failures.

use pharos_search::indexing::inspector::InspectError;
use serde_json::{Value, json};
use time::{Duration, macros::datetime};

use super::{
    add, get, link,
    played::{Played, indexed, not_indexed},
    rotation,
};
use crate::harness::TestApp;

fn urls(count: usize) -> Vec<String> {
    (0..count)
        .map(|at| format!("https://shop.example/{at:03}"))
        .collect()
}

async fn add_all(app: &TestApp, urls: &[String]) {
    let named: Vec<&str> = urls.iter().map(String::as_str).collect();
    add(app, &named).await.with_status(201);
}

async fn used(app: &TestApp) -> Value {
    get(app, "overview").await["inspector_quota"]["used"].clone()
}

#[tokio::test]
async fn new_urls_go_first_in_rounds_that_follow_each_other() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let old = urls(3);
    add_all(&app, &old).await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), old);
    app.clock.advance(Duration::days(2));
    let new: Vec<String> = urls(33).split_off(3);
    add_all(&app, &new).await;
    // A round has 24 of them. All that was inspected before is due by now, and waits.
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), new[..24]);
    assert_eq!(
        rotation(&app, &played).round().await.unwrap(),
        0,
        "the next round is a moment away"
    );
    app.clock.advance(Duration::seconds(6));
    rotation(&app, &played).round().await.unwrap();
    let mut second = played.asked();
    assert_eq!(second.split_off(6), old);
    assert_eq!(second, new[24..]);
    assert_eq!(get(&app, "overview").await["urls_inspected"], 33);
}

#[tokio::test]
async fn a_url_that_is_refused_is_put_off_and_the_others_go_on() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(6);
    played.fails(&all[1], InspectError::Refused("400".to_owned()));
    add_all(&app, &all).await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked().len(), 6);
    let listed = get(&app, "urls").await;
    let refused = &listed["items"][1];
    assert_eq!(
        (
            &refused["verdict"],
            &refused["last_error_code"],
            &refused["next_inspection_at"]
        ),
        (
            &Value::Null,
            &json!("invalid-request"),
            &json!("2026-03-31T15:15:00Z")
        )
    );
    assert_eq!(listed["items"][2]["verdict"], "pass");
    // It is asked for again, and that it failed is forgotten.
    played.says(&all[1], not_indexed("Soft 404", "SOFT_404"));
    app.clock.advance(Duration::hours(7));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), [all[1].clone()]);
    let listed = get(&app, "urls").await;
    assert_eq!(
        (
            &listed["items"][1]["coverage_reason"],
            &listed["items"][1]["last_error_code"]
        ),
        (&json!("soft_404"), &Value::Null)
    );
}

/// An issue as long as any is kept, with a NUL at its end, for which something longer is stored.
#[tokio::test]
async fn a_text_at_its_longest_keeps_no_inspection_of_the_round_from_the_store() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(3);
    let message = format!("{}\0", "a".repeat(499));
    let mut odd = indexed(&all[1], "2026-03-29T08:00:00Z");
    odd["inspectionResult"]["richResultsResult"] = json!({ "verdict": "FAIL", "detectedItems": [{
        "richResultType": "Product snippets",
        "items": [{ "issues": [{ "severity": "ERROR", "issueMessage": message }] }],
    }] });
    played.says(&all[1], odd);
    add_all(&app, &all).await;
    rotation(&app, &played).round().await.unwrap();
    let listed = get(&app, "urls").await;
    for at in 0..3 {
        assert_eq!(listed["items"][at]["verdict"], "pass", "{at}");
    }
}

#[tokio::test]
async fn an_upstream_that_wants_a_pause_gets_it() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(9)).await;
    played.says_to_all(Some(InspectError::Busy {
        retry_after: Some(Duration::minutes(30)),
    }));
    rotation(&app, &played).round().await.unwrap();
    // Four at once; then nobody is asked for, and what was not used is there again.
    assert_eq!(played.asked().len(), 4);
    assert_eq!(used(&app).await, 4);
    let listed = get(&app, "urls").await;
    assert_eq!(
        (
            &listed["items"][0]["last_error_code"],
            &listed["items"][8]["last_error_code"]
        ),
        (&json!("rate-limited"), &Value::Null)
    );
    played.says_to_all(None);
    app.clock.advance(Duration::minutes(29));
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 0);
    app.clock.advance(Duration::minutes(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked().len(), 9);
    assert_eq!(
        get(&app, "urls").await["items"][0]["last_error_code"],
        Value::Null
    );
}

/// The upstream's day ends at 7:00 UTC in April.
#[tokio::test]
async fn the_rotation_leaves_a_part_of_the_day_to_runs() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(5);
    add_all(&app, &all).await;
    app.sql("INSERT INTO indexing_quota (site_url, day, used, rotation) VALUES ('sc-domain:shop.example', '2026-03-31', 1900, 1797)")
        .await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), all[..3]);
    assert_eq!(used(&app).await, 1903);
    app.clock.advance(Duration::hours(12));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), Vec::<String>::new());
    app.clock.advance(Duration::hours(10));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), all[3..]);
    assert_eq!(used(&app).await, 2);
}

#[tokio::test]
async fn a_domain_that_is_deleted_or_lost_its_permission_is_left_alone() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(1)).await;
    app.sql("UPDATE search_properties SET status = 'permission_lost'")
        .await;
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 0);
    app.sql("UPDATE search_properties SET status = 'connected'").await;
    app.sql("UPDATE domains SET deleted_at = now()").await;
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 0);
    app.sql("UPDATE domains SET deleted_at = NULL").await;
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 1);
    assert_eq!(played.asked().len(), 1);
}

/// How many inspected URLs each day counts.
async fn counted(app: &TestApp) -> Vec<Vec<Option<String>>> {
    app.sql("SELECT day::text, inspected::text FROM indexing_days ORDER BY day")
        .await
}

fn day(day: &str, inspected: &str) -> Vec<Option<String>> {
    vec![Some(day.to_owned()), Some(inspected.to_owned())]
}

/// To work out how a domain stands reads all of its URLs.
#[tokio::test]
async fn rounds_that_follow_each_other_are_counted_once_a_minute_and_at_their_end() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(80)).await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(counted(&app).await, Vec::<Vec<Option<String>>>::new());
    app.clock.advance(Duration::seconds(30));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(counted(&app).await, Vec::<Vec<Option<String>>>::new());
    app.clock.advance(Duration::seconds(31));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(counted(&app).await, [day("2026-03-31", "72")]);
    app.clock.advance(Duration::seconds(6));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(counted(&app).await, [day("2026-03-31", "80")]);
}

/// The last round of a series finds that the property's inspections of the day are used up.
#[tokio::test]
async fn a_series_that_ends_without_an_inspection_is_counted() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(30)).await;
    app.sql("INSERT INTO indexing_quota (site_url, day, used, rotation) VALUES ('sc-domain:shop.example', '2026-03-31', 1776, 1776)")
        .await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(counted(&app).await, Vec::<Vec<Option<String>>>::new());
    let told = async || get(&app, "timeseries?days=2").await["points"][1].clone();
    assert_eq!(told().await["inspected"], Value::Null);
    app.clock.advance(Duration::seconds(6));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked().len(), 24);
    assert_eq!(counted(&app).await, [day("2026-03-31", "24")]);
    let told = told().await;
    assert_eq!(
        (&told["date"], &told["inspected"]),
        (&json!("2026-03-31"), &json!(24)),
        "the answer of before is not given again"
    );
}

#[tokio::test]
async fn a_series_over_midnight_is_counted_on_both_days() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(30)).await;
    app.clock.advance(datetime!(2026-03-31 23:59:57 UTC) - app.now());
    rotation(&app, &played).round().await.unwrap();
    app.clock.advance(Duration::seconds(6));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(
        counted(&app).await,
        [day("2026-03-31", "24"), day("2026-04-01", "30")]
    );
}

#[tokio::test]
async fn a_round_opens_the_account_once() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(9)).await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!((played.asked().len(), played.opened()), (9, 1));
}

#[tokio::test]
async fn a_round_whose_account_cannot_be_opened_spends_nothing() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(3)).await;
    played.is_closed(InspectError::NoAccess("unlinked".to_owned()));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!((played.asked().len(), used(&app).await), (0, json!(0)));
    let sites = app
        .sql("SELECT failures::text, last_failure FROM indexing_sites")
        .await;
    let why = "the account can't read the property: unlinked";
    assert_eq!(sites, [[Some("1".to_owned()), Some(why.to_owned())]]);
}
