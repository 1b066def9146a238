//! POST /domains/{domain_id}/crux/lookup

use std::sync::Arc;

use pharos_domain::jobs::JobHandler;
use pharos_server::worker::WorkerPace;
use pharos_vitals::crux::lookup::Lookups;
use serde_json::{Value, json};

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
        client: Some(client(report)),
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
