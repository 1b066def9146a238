//! The times at which the report is asked, and the handling of wrong answers.

use std::time::Duration as StdDuration;

use pharos_vitals::crux::turns::Turn;
use serde_json::{Value, json};
use time::Duration;
use tokio::time::timeout;

use super::{collected, get, report::Report, turns, watch};
use crate::harness::TestApp;

#[tokio::test]
async fn an_origin_is_asked_for_once_a_day_and_its_weeks_once_a_week() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let first = report.asked();
    let methods = |asked: &[(String, Value)]| {
        let histories = asked
            .iter()
            .filter(|(path, _)| path.ends_with("queryHistoryRecord"));
        (asked.len(), histories.count())
    };
    assert_eq!(methods(&first), (8, 4));
    assert_eq!(first[0].1, json!({ "origin": "https://shop.example" }));
    assert_eq!(first[4].1["collectionPeriodCount"], 40);
    assert_eq!(watch(&app, &report).round().await.unwrap(), 0, "not due");
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    assert_eq!(methods(&report.asked()), (4, 0), "there is no new week");
}

#[tokio::test]
async fn an_origin_of_www_stands_in_and_says_so() {
    let app = TestApp::start().await;
    collected(&app, &["https://www.shop.example"]).await;
    let overview = get(&app, "overview").await;
    assert_eq!(
        (&overview["origin"], &overview["origin_source"]),
        (&json!("https://www.shop.example"), &json!("www_fallback"))
    );
}

#[tokio::test]
async fn an_origin_that_the_report_writes_in_another_way_says_so() {
    let app = TestApp::start().await;
    let report = Report::of(&["https://shop.example/"]).await;
    report.normalizes("https://shop.example", "https://shop.example/");
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let overview = get(&app, "overview").await;
    assert_eq!(
        (&overview["origin"], &overview["origin_source"]),
        (&json!("https://shop.example"), &json!("normalized"))
    );
    assert_eq!(
        get(&app, "record").await["url_normalized"],
        "https://shop.example/"
    );
}

/// An answer about another origin, a period that is to come, shares of more than all, something that is no record, and none.
#[tokio::test]
async fn a_wrong_answer_leaves_what_was_known() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let before = get(&app, "record").await;
    let record = |key: &str, year: i32, density: f64| {
        json!({ "record": {
            "key": { "origin": key },
            "metrics": { "largest_contentful_paint": { "histogram": [
                { "start": 0, "end": 2_500, "density": density },
                { "start": 2_500, "end": 4_000, "density": 0.5 },
                { "start": 4_000, "density": 0.5 },
            ] } },
            "collectionPeriod": {
                "firstDate": { "year": year, "month": 3, "day": 2 }, "lastDate": { "year": year, "month": 3, "day": 29 }
            }
        } })
        .to_string()
    };
    for (status, body, reason) in [
        (200, record("https://other.example", 2026, 0.0), "another origin"),
        (
            200,
            record("https://shop.example", 2027, 0.0),
            "collection period",
        ),
        (200, record("https://shop.example", 2026, 1.0), "sum of shares"),
        (200, "<html>".to_owned(), "no record"),
        (200, "{\"record\": {".to_owned(), "no record"),
        (500, String::new(), "500"),
        (400, "API key not valid: test-key".to_owned(), "400"),
    ] {
        report.answers(status, "", &body);
        app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
            .await;
        app.clock.advance(Duration::days(1));
        assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
        let failure = app.sql("SELECT last_failure FROM crux_targets").await[0][0]
            .clone()
            .unwrap();
        assert!(failure.contains(reason), "{failure}");
        assert!(!failure.contains("test-key"), "{failure}");
    }
    assert_eq!(get(&app, "record").await, before);
    report.is_well();
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let rows = app.sql("SELECT failures, last_failure FROM crux_targets").await;
    assert_eq!(rows[0], [Some("0".to_owned()), None]);
}

#[tokio::test]
async fn a_report_that_answers_nothing_leaves_what_was_known_and_is_asked_again() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let before = get(&app, "record").await;
    let collect = async || {
        app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
            .await;
        app.clock.advance(Duration::days(1));
        assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
        app.sql("SELECT failures, (last_failure IS NULL)::text FROM crux_targets")
            .await
    };
    let told = |failures: &str, is_well: &str| vec![Some(failures.to_owned()), Some(is_well.to_owned())];
    report.hangs_up();
    assert_eq!(collect().await, [told("1", "false")]);
    assert_eq!(get(&app, "record").await, before);
    report.is_well();
    assert_eq!(collect().await, [told("0", "true")]);
}

#[tokio::test]
async fn wrong_answers_about_phones_keep_those_about_computers_from_nothing() {
    let app = TestApp::start().await;
    let report = Report::of(&["https://shop.example"]).await;
    report.confuses_phones();
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let overview = get(&app, "overview").await;
    assert_eq!(overview["mobile"], Value::Null);
    assert!(overview["desktop"]["lcp_ms"].is_number(), "{overview}");
    let weeks = app
        .sql("SELECT DISTINCT form_factor FROM crux_figures WHERE grain = 'week' ORDER BY form_factor")
        .await;
    assert_eq!(
        weeks,
        [["all"], ["desktop"]].map(|row| row.map(|name| Some(name.to_owned())))
    );
    let failures = app.sql("SELECT failures FROM crux_targets").await;
    assert_eq!(failures[0][0].as_deref(), Some("0"));
}

#[tokio::test]
async fn an_origin_that_is_in_the_report_no_more_is_not_eligible_and_keeps_its_history() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    report.forgets("https://shop.example");
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let overview = get(&app, "overview").await;
    for member in [
        "all",
        "mobile",
        "collection_period_end",
        "form_factors",
        "comparison",
    ] {
        assert_eq!(overview[member], Value::Null, "{member}");
    }
    assert_eq!(
        (
            &overview["eligible"],
            &overview["assessment"]["desktop"]["status"]
        ),
        (&json!(false), &json!("insufficient_data"))
    );
    assert_eq!(get(&app, "record").await["eligible"], json!(false));
    assert_eq!(get(&app, "history").await["period_count"], 25);
    // A request that fails afterwards brings no old figures back.
    report.answers(500, "", "");
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let failures = app.sql("SELECT failures FROM crux_targets").await;
    assert_eq!(failures[0], [Some("1".to_owned())]);
    let record = get(&app, "record?form_factor=desktop").await;
    assert_eq!(record["eligible"], json!(false));
}

/// Phones had figures 40 days ago for the last time.
#[tokio::test]
async fn devices_that_the_newest_record_has_not_have_no_figures() {
    let app = TestApp::start().await;
    collected(&app, &["https://shop.example"]).await;
    app.sql(
        "UPDATE crux_figures SET period_end = period_end - 40 WHERE form_factor = 'mobile' AND grain = 'day'",
    )
    .await;
    let overview = get(&app, "overview").await;
    assert_eq!(
        (
            &overview["mobile"],
            &overview["desktop"]["lcp_ms"],
            &overview["collection_period_end"],
            &overview["assessment"]["mobile"]["status"],
        ),
        (
            &Value::Null,
            &json!(1_900.0),
            &json!("2026-03-29"),
            &json!("insufficient_data"),
        )
    );
    let record = get(&app, "record?form_factor=mobile").await;
    assert_eq!(
        (&record["eligible"], &record["metrics"]),
        (&json!(false), &json!({}))
    );
}

#[tokio::test]
async fn a_report_that_asks_for_a_pause_gets_it() {
    let app = TestApp::start().await;
    let report = Report::of(&["https://shop.example"]).await;
    report.answers(429, "retry-after: 3600\r\n", "{}");
    let watch = watch(&app, &report);
    assert_eq!(watch.round().await.unwrap(), 1);
    let pause = "next_collection_at - asked_at = interval '1 hour'";
    let rows = app
        .sql(&format!("SELECT ({pause})::text, status FROM crux_targets"))
        .await;
    assert_eq!(rows[0], [Some("true".to_owned()), Some("error".to_owned())]);
    report.is_well();
    report.asked();
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    watch.round().await.unwrap();
    assert_eq!(report.asked().len(), 0, "it is not asked before the hour is over");
}

#[tokio::test]
async fn a_report_that_is_asked_too_often_is_left_alone_for_a_minute() {
    let app = TestApp::start().await;
    let report = Report::of(&["https://shop.example"]).await;
    report.answers(429, "", "{}");
    let watch = watch(&app, &report);
    assert_eq!(watch.round().await.unwrap(), 1);
    assert_eq!(report.asked().len(), 1);
    report.is_well();
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    let again = timeout(StdDuration::from_secs(3), watch.round()).await;
    assert!(again.is_err(), "it waits for its turn");
    assert_eq!(report.asked().len(), 0);
}

#[tokio::test]
async fn a_domain_that_is_deleted_is_not_asked_for() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.sql("UPDATE domains SET deleted_at = now()").await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 0);
}

const HOUR: StdDuration = StdDuration::from_secs(3_600);

/// An hour lies between two turns, so that no machine is slow enough to blur them.
#[tokio::test]
async fn all_nodes_take_their_turns_from_one_quota() {
    let app = TestApp::start().await;
    let (one, other) = (turns(&app), turns(&app));
    assert_eq!(
        one.take(HOUR, HOUR).await.unwrap(),
        Turn::In(StdDuration::ZERO),
        "it is the first"
    );
    let Turn::In(wait) = other.take(HOUR, HOUR * 3).await.unwrap() else {
        panic!("a turn that is near enough is given");
    };
    assert!(wait > HOUR / 2 && wait <= HOUR, "{wait:?}");
    for _ in 0..2 {
        let Turn::NotYet(wait) = one.take(HOUR, HOUR).await.unwrap() else {
            panic!("one that is too far off is not");
        };
        assert!(wait > HOUR && wait <= HOUR * 2, "and takes no turn: {wait:?}");
    }
    app.sql("UPDATE crux_turns SET next_at = now() + interval '2 days'")
        .await;
    assert_eq!(
        one.take(HOUR, HOUR).await.unwrap(),
        Turn::In(StdDuration::ZERO),
        "the clock was set back: nobody asks for a pause of more than a day"
    );
}

#[tokio::test]
async fn a_pause_that_one_node_is_asked_for_holds_for_all() {
    let app = TestApp::start().await;
    let report = Report::of(&["https://shop.example"]).await;
    report.answers(429, "retry-after: 3600\r\n", "{}");
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    report.is_well();
    report.asked();
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    // The watch of another node: its client knows of no pause.
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    assert_eq!(report.asked().len(), 0);
}

/// The report gives 40 weeks. Five weeks later there are five more, and none of the old ones is gone.
#[tokio::test]
async fn weeks_that_the_report_no_longer_gives_are_kept() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    // In two steps, so that no week takes the place of another.
    for days in [-10_000, 9_965] {
        app.sql(&format!(
            "UPDATE crux_figures SET period_end = period_end + {days} WHERE grain = 'week'"
        ))
        .await;
    }
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    report.asked();
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let asked = report.asked();
    let (_, history) = asked
        .iter()
        .find(|(path, _)| path.ends_with("queryHistoryRecord"))
        .unwrap();
    assert_eq!(
        history["collectionPeriodCount"], 6,
        "the missing ones, and one again"
    );
    let weeks = app
        .sql(
            "SELECT count(*)::text, (max(period_end) - min(period_end))::text FROM crux_figures
            WHERE grain = 'week' AND form_factor = 'all'",
        )
        .await;
    assert_eq!(weeks[0], [Some("45".to_owned()), Some((44 * 7).to_string())]);
    assert_eq!(
        get(&app, "history?periods=40").await["period_count"],
        40,
        "as many as may be asked for"
    );
}
