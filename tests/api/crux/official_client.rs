//! The report that tests talk to, as Google's own client sees it: with the discovery document that this client ships.

use std::{fs, process::Stdio};

use serde_json::{Value, json};
use tokio::process::Command;

use super::{collected, path, report::Report, watch};
use crate::harness::{TestApp, clients, python};

/// Google's client, as it is told by a report, and as it judges these requests to one.
async fn told(report: &Report, sent: &[(String, Value)]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sent.json");
    fs::write(&file, json!(sent).to_string()).unwrap();
    let output = Command::new(python())
        .arg(clients("query_crux.py"))
        .arg(format!("http://{}", report.address))
        .arg(&file)
        .stderr(Stdio::inherit())
        .output()
        .await
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn googles_client_understands_the_report() {
    let report = Report::of(&["https://shop.example"]).await;
    assert_eq!(
        told(&report, &[]).await,
        json!({
            "lcp": 2_900, "cls": "0.05", "last": { "year": 2026, "month": 3, "day": 29 },
            "weeks": 3, "gap": [null, "NaN"], "unknown": 404, "undocumented": [], "faults": [],
        })
    );
    // The report takes the requests of this client.
    let asked = report.asked();
    assert_eq!(
        asked[0],
        (
            "/v1/records:queryRecord".to_owned(),
            json!({ "origin": "https://shop.example", "formFactor": "PHONE" })
        )
    );
    assert_eq!(
        asked[1].1,
        json!({ "origin": "https://shop.example", "collectionPeriodCount": 3 })
    );
}

/// The origin and a page of it, each with records and weeks.
#[tokio::test]
async fn pharos_asks_as_the_document_of_googles_client_has_it() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let page = json!({ "url": "https://shop.example/blue" });
    let followed = app.request("POST", &path(&app, "urls")).key(&app.world.key);
    followed.json(&page).send().await.with_status(201);
    report.knows("https://shop.example/blue");
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let sent = report.asked();
    for member in ["origin", "url", "formFactor", "collectionPeriodCount"] {
        assert!(
            sent.iter().any(|(_, body)| !body[member].is_null()),
            "{member} is in none of {sent:?}"
        );
    }
    assert_eq!(told(&report, &sent).await["faults"], json!([]));
}

#[tokio::test]
async fn googles_client_understands_the_report_of_the_demo() {
    let report = Report::of_the_demo("shop.example", &["/"]).await;
    let said = told(&report, &[]).await;
    assert_eq!(said["undocumented"], json!([]));
    assert_eq!((&said["weeks"], &said["unknown"]), (&json!(3), &json!(404)));
    assert_eq!(said["last"], json!({ "year": 2026, "month": 3, "day": 29 }));
    assert!(
        (2_000.0..3_000.0).contains(&said["lcp"].as_f64().unwrap()),
        "{said}"
    );
    assert!(said["cls"].is_string() && said["gap"][1].is_number(), "{said}");
}
