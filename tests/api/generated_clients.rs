//! Clients that are generated from the document, and call the real server: TypeScript at its strictest, and Python under
//! `mypy --strict`. `tests/clients` holds what they run.

use std::{path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{process::Command, time::timeout};

use crate::{fixtures, harness::TestApp};

/// To generate, to compile and to call, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

async fn calls(program: &str, script: &str) {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let client = Command::new(program)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(script))
        .args([format!("http://{}", app.address), app.world.key.secret.clone()])
        .arg(app.world.domain.to_string())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output();
    let done = timeout(PATIENCE, client).await.expect("in time");
    let done = done.unwrap_or_else(|error| panic!("{program}: {error}; run `cargo xtask test`"));
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "its error stands above, or here: {said}");
    let lines: Vec<Value> = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    assert_eq!(
        lines,
        [
            json!({ "pieces": true }),
            json!({ "checks": ["down", "down"] }),
            json!({ "interval": 300 }),
            json!({ "problem": true }),
            json!({ "refused": "invalid_client" }),
        ]
    );
}

#[tokio::test]
async fn a_strict_typescript_client_is_generated_and_calls() {
    calls("node", "typescript_client.mjs").await;
}

#[tokio::test]
async fn a_typed_python_client_is_generated_and_calls() {
    let python = std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    calls(&python, "python_client.py").await;
}
