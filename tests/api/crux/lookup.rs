//! POST /domains/{domain_id}/crux/lookup

use std::sync::Arc;

use pharos_domain::jobs::JobHandler;
use pharos_server::worker::WorkerPace;
use pharos_vitals::crux::lookup::Lookups;
use serde_json::{Value, json};
use time::Duration;

use super::{client, collected, collection, get, path, report::Report};
use crate::{
    harness::{Reply, TestApp},
    jobs::{Crew, connect},
};

async fn ask(app: &TestApp, key: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, "lookup"))
        .key(&app.world.key)
        .header("idempotency-key", key)
        .json(body)
        .send()
        .await
}

async fn worker(app: &TestApp, report: &Report) -> Crew {
    let database = connect(app.database.url()).await;
    let handler: Arc<dyn JobHandler> = Arc::new(Lookups {
        store: collection(app),
        client: Some(client(app, report)),
        clock: app.clock.clone(),
    });
    Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_looked_up_without_being_followed() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    report.knows("https://shop.example/blue");
    let body = json!({ "url": "https://shop.example/blue", "form_factor": "mobile" });
    let run = ask(&app, "one", &body).await.with_status(202);
    assert_eq!(
        (&run["kind"], &run["result"], &run["credits_charged"]),
        (&json!("crux_lookup"), &Value::Null, &json!(25))
    );
    assert_eq!(
        ask(&app, "one", &body).await.with_status(202),
        run,
        "the same key, the same run"
    );
    let crew = worker(&app, &report).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let last = get(&app, "record").await["last_run"].clone();
    assert_eq!(
        (&last["run_id"], &last["status"]),
        (&run["run_id"], &json!("succeeded"))
    );
    assert_eq!(
        (
            &last["result"]["key"]["url"],
            &last["result"]["metrics"]["lcp"]["p75"]
        ),
        (&json!("https://shop.example/blue"), &json!(2_900.0))
    );
    drop(crew);
    assert_eq!(get(&app, "urls").await["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lookup_says_by_which_address_the_report_knows_the_page() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    report.knows("https://shop.example/blue");
    report.normalizes("https://shop.example/blue?size=9", "https://shop.example/blue");
    ask(&app, "one", &json!({ "url": "https://shop.example/blue?size=9" }))
        .await
        .with_status(202);
    let _crew = worker(&app, &report).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let last = get(&app, "record").await["last_run"].clone();
    let read = get(&app, "record?scope=url&url=https://shop.example/blue%3Fsize%3D9").await;
    for record in [&last["result"], &read] {
        assert_eq!(
            (&record["key"]["url"], &record["url_normalized"]),
            (
                &json!("https://shop.example/blue?size=9"),
                &json!("https://shop.example/blue")
            )
        );
    }
}

/// PostgreSQL keeps no NUL.
#[tokio::test(flavor = "multi_thread")]
async fn a_lookup_ends_whatever_the_report_makes_of_an_address() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    report.knows("https://shop.example/blue\0");
    report.normalizes("https://shop.example/blue", "https://shop.example/blue\0");
    ask(&app, "one", &json!({ "url": "https://shop.example/blue" }))
        .await
        .with_status(202);
    let _crew = worker(&app, &report).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let read = get(&app, "record?scope=url&url=https://shop.example/blue").await;
    assert_eq!(read["url_normalized"], "https://shop.example/blue\u{fffd}");
}

/// `last_run` tells the newest alone.
#[tokio::test(flavor = "multi_thread")]
async fn records_of_several_lookups_are_read_by_the_pages_that_they_are_of() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    let pages = ["https://shop.example/blue", "https://shop.example/red"];
    for (key, page) in ["one", "two"].into_iter().zip(pages) {
        report.knows(page);
        ask(&app, key, &json!({ "url": page, "form_factor": "mobile" }))
            .await
            .with_status(202);
    }
    let _crew = worker(&app, &report).await;
    app.reaches("(SELECT count(*) FROM runs WHERE status = 'succeeded') = 2")
        .await;
    for page in pages {
        let found = get(&app, &format!("record?scope=url&form_factor=mobile&url={page}")).await;
        assert_eq!(
            (&found["key"]["url"], &found["metrics"]["lcp"]["p75"]),
            (&json!(page), &json!(2_900.0))
        );
    }
    let other = path(
        &app,
        &format!("record?scope=url&form_factor=desktop&url={}", pages[0]),
    );
    let refused = app.get(&other, &app.world.key).send().await;
    refused.problem(404, "crux-url-not-found");
}

/// The report is two days old, so that nothing newer than what is known can be had.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_of_the_newest_period_is_not_asked_for_again() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    report.knows("https://shop.example/blue");
    report.asked();
    let _crew = worker(&app, &report).await;
    let mut runs = 0_u32;
    let mut look_up = async |body: Value| {
        runs += 1;
        app.clock.advance(Duration::MINUTE);
        ask(&app, &runs.to_string(), &body).await.with_status(202);
        let found = format!(
            "(SELECT count(*) FROM crux_lookups
              WHERE (record #>> '{{figures,metrics,lcp,p75}}')::numeric = 2900) = {runs}"
        );
        app.reaches(&found).await;
        report.asked().len()
    };
    let mobile = |body: Value| {
        let mut body = body;
        body["form_factor"] = json!("mobile");
        body
    };
    let origin = mobile(json!({ "origin": "https://shop.example" }));
    let page = mobile(json!({ "url": "https://shop.example/blue" }));
    assert_eq!(look_up(origin.clone()).await, 0, "its domain follows it");
    assert_eq!(look_up(page.clone()).await, 1, "nobody knows it");
    assert_eq!(look_up(page.clone()).await, 0, "it was looked up");
    app.clock.advance(Duration::days(1));
    assert_eq!(look_up(page).await, 1, "there may be a newer one");
    assert_eq!(look_up(origin).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_not_in_the_report_is_looked_up_with_nothing_found() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    ask(&app, "one", &json!({ "origin": "https://www.shop.example" }))
        .await
        .with_status(202);
    let _crew = worker(&app, &report).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let last = get(&app, "record").await["last_run"].clone();
    assert_eq!(
        (&last["status"], &last["result"]),
        (&json!("succeeded"), &Value::Null)
    );
}

/// That the report has none is known then, and no reason to look it up once more.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_a_lookup_did_not_find_has_a_record_that_is_not_eligible() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    let page = "https://shop.example/blue";
    ask(&app, "one", &json!({ "url": page })).await.with_status(202);
    let _crew = worker(&app, &report).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let found = get(&app, &format!("record?scope=url&url={page}")).await;
    assert_eq!(
        (
            &found["eligible"],
            &found["key"]["url"],
            &found["collection_period_end"],
            &found["metrics"]
        ),
        (&json!(false), &json!(page), &Value::Null, &json!({}))
    );
    let other = path(&app, &format!("record?scope=url&form_factor=mobile&url={page}"));
    let refused = app.get(&other, &app.world.key).send().await;
    refused.problem(404, "crux-url-not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_refused_ends_the_run_with_a_reason() {
    let app = TestApp::start().await;
    let report = collected(&app, &[]).await;
    report.answers(
        403,
        "",
        r#"{"error": {"code": 403, "status": "PERMISSION_DENIED", "details": [{"reason": "SERVICE_DISABLED"}]}}"#,
    );
    ask(&app, "one", &json!({ "url": "https://shop.example/" }))
        .await
        .with_status(202);
    let _crew = worker(&app, &report).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'failed')")
        .await;
    let last = get(&app, "record").await["last_run"].clone();
    assert_eq!(last["error_code"], "upstream-error");
    assert!(
        last["error_detail"]
            .as_str()
            .unwrap()
            .contains("SERVICE_DISABLED"),
        "{last}"
    );
}

#[tokio::test]
async fn either_a_page_or_an_origin_of_the_domain_is_looked_up() {
    let app = TestApp::start().await;
    collected(&app, &[]).await;
    for (number, body) in [
        json!({}),
        json!({ "url": "https://shop.example/", "origin": "https://shop.example" }),
        json!({ "url": "https://other.example/" }),
        json!({ "origin": "https://shop.example/blue" }),
        json!({ "url": "https://shop.example/", "form_factor": "phone" }),
    ]
    .iter()
    .enumerate()
    {
        ask(&app, &number.to_string(), body)
            .await
            .problem(400, "invalid-request");
    }
}
