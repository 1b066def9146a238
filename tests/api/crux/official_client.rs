//! The report that tests talk to, as Google's own client sees it: with the discovery document that this client ships.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;

use super::report::Report;
use crate::harness::{clients, python};

#[tokio::test]
async fn googles_client_understands_the_report() {
    let report = Report::of(&["https://shop.example"]).await;
    let output = Command::new(python())
        .arg(clients("query_crux.py"))
        .arg(format!("http://{}", report.address))
        .stderr(Stdio::inherit())
        .output()
        .await
        .unwrap();
    assert!(output.status.success());
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        said,
        json!({
            "lcp": 2_900, "cls": "0.05", "last": { "year": 2026, "month": 3, "day": 29 },
            "weeks": 3, "gap": [null, "NaN"], "unknown": 404, "undocumented": [],
        })
    );
    // What Pharos sends is what this client sends.
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
