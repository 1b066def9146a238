//! A page that shows what it was sent: nothing that is stored or served of a test has its secrets.

use std::sync::Arc;

use pharos_artefacts::store::Artefacts;
use pharos_synthetic::kept;
use serde_json::{Value, json};

use super::{SHOP, ask, get, load::Stage, real::nothing_is_left, send, track};
use crate::harness::TestApp;

/// Parts of the secrets, and of `staging:hunter2/more?` as the header has it.
const SECRETS: [&str; 4] = [
    "hunter2",
    "very-secret",
    "c3RhZ2luZzpodW50ZXIy",
    "dmVyeS1zZWNyZXQ",
];

/// The shop's result, of a shop that tells everybody what it was sent.
fn echo() -> Value {
    let mut result: Value = serde_json::from_str(SHOP).unwrap();
    let dump = "authorization: Basic c3RhZ2luZzpodW50ZXIyL21vcmU/, cookie: session=very-secret";
    result["requestedUrl"] = json!("http://127.0.0.1:8897/shop.html?again=hunter2%2Fmore%3F");
    result["finalDisplayedUrl"] = json!("http://127.0.0.1:8897/very-secret");
    result["runWarnings"] = json!([dump, "hunter2/more?", "dmVyeS1zZWNyZXQ="]);
    let audits = &mut result["audits"];
    audits["errors-in-console"]["explanation"] = json!(format!("{{\"dump\":\"{dump}\"}}"));
    audits["server-response-time"]["displayValue"] = json!(dump);
    audits["network-requests"]["details"]["items"][0]["url"] =
        json!("http://127.0.0.1:8897/very-secret/hunter2%2Fmore%3F");
    let blocking = &mut audits["render-blocking-insight"]["details"]["items"][0];
    blocking["url"] = json!("http://127.0.0.1:8897/hunter2%2fmore%3f");
    blocking["node"] = json!({ "type": "node", "selector": "#very-secret", "nodeLabel": dump });
    result
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_echoes_of_its_secrets_is_kept_nowhere() {
    let (app, stage) = (TestApp::start().await, Stage::set("echoes"));
    stage.write(&stage.folder.join("echo.json"), &echo().to_string());
    let page = track(&app, "echoes").await;
    let secrets = json!({
        "basic_auth": { "username": "staging", "password": "hunter2/more?" }, "cookie": "session=very-secret",
    });
    send(&app, "PUT", &format!("urls/{page}"), &secrets).await.ok();
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    let run = run["run_id"].as_str().unwrap();
    let node = stage.node(&app).await;
    app.reaches("NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'running'))")
        .await;
    drop(node);

    let stored = app
        .sql(&format!(
            "SELECT to_jsonb(r)::text, to_jsonb(s)::text, to_jsonb(t)::text
             FROM runs AS r JOIN synthetic_runs AS s USING (id) JOIN synthetic_results AS t ON t.run_id = r.id
             WHERE r.id = '{run}'"
        ))
        .await;
    let mut told: Vec<String> = stored[0].iter().flatten().cloned().collect();
    for list in ["", "/audits", "/opportunities", "/resources", "/third-parties"] {
        told.push(get(&app, &format!("runs/{run}{list}")).await.to_string());
    }
    for text in &told {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
    let summary = get(&app, &format!("runs/{run}")).await;
    assert_eq!(summary["status"], json!("succeeded"));
    assert_eq!(summary["final_url"], json!("http://127.0.0.1:8897/REDACTED"));
    assert_eq!(summary["run_warnings"][1], json!("REDACTED"));
    let artefacts: Arc<Artefacts> = app.stores.ports.get().unwrap();
    let report = kept::key(app.world.domain, run.parse().unwrap(), kept::REPORT).unwrap();
    assert_eq!(artefacts.get(&report).await.unwrap(), None);
    nothing_is_left(&stage.work).await;
    std::fs::remove_dir_all(&stage.folder).unwrap();
}
