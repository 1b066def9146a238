//! Many calls of one caller at once, as assistants make them.

use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::json;
use tokio::time::sleep;

use super::{found, tool};
use crate::harness::{TestApp, filler};

/// The API refuses the sixth heavy query of a credential. A refusal for a moment is waited out here, so that results alone do not
/// tell whether there was one.
#[tokio::test]
async fn tools_that_are_called_at_once_wait_for_each_other() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let call = json!({
        "operation_id": "getHeavy",
        "parameters": { "domain_id": app.world.domain.to_string(), "takes_ms": 500 },
    });
    let asked = (0..12).map(|_| tool(&app, &app.world.key, "call_operation", &call));
    for result in join_all(asked).await {
        assert!(found(&result)["answer"]["count"].is_u64(), "{result}");
    }
    app.write_refusals().await;
    let refused = app.sql("SELECT r::text FROM refused_requests AS r").await;
    assert!(refused.is_empty(), "{refused:?}");
}

/// Another server asks for the same caller, of which this one knows nothing.
#[tokio::test]
async fn a_refusal_for_a_moment_is_waited_out() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let slow = format!("/domains/{}/heavy?takes_ms=3000", app.world.domain);
    let elsewhere = join_all((0..5).map(|_| app.get(&slow, &app.world.key).send_unchecked()));
    let call = json!({
        "operation_id": "getHeavy",
        "parameters": { "domain_id": app.world.domain.to_string() },
    });
    let here = async {
        sleep(Duration::from_millis(500)).await;
        tool(&app, &app.world.key, "call_operation", &call).await
    };
    let (_, result) = join(elsewhere, here).await;
    assert!(found(&result)["answer"]["count"].is_u64(), "{result}");
}
