//! Many calls at once, as assistants make them.

use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::json;
use tokio::time::sleep;

use super::{found, refusal, tool};
use crate::harness::{TestApp, World, filler};

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

/// The server keeps nothing of a caller for another, though both have a domain of the same name and ask the same.
#[tokio::test]
async fn callers_in_turns_are_each_told_of_their_own() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    for (world, stranger) in [(&app.world, &other), (&other, &app.world)].repeat(2) {
        let by_name = json!({ "domain": "shop.example" });
        let result = tool(&app, &world.key, "domain_health", &by_name).await;
        let link = found(&result)["console"].as_str().unwrap();
        assert!(link.ends_with(&world.domain.to_string()), "{link}");
        let result = tool(&app, &world.key, "spending", &json!({})).await;
        let workspace = &found(&result)["balance"]["workspace_id"];
        assert_eq!(*workspace, world.workspace.to_string());
        let by_id = json!({ "domain": world.domain.to_string() });
        found(&tool(&app, &world.key, "domain_health", &by_id).await);
        let refused = refusal(&tool(&app, &stranger.key, "domain_health", &by_id).await);
        let first = refused["unavailable"].get(0).unwrap_or(&refused);
        assert_eq!(first["problem"], "domain-not-found", "{refused}");
    }
    let (asked, none) = ([&app.world, &other].repeat(6), json!({}));
    let answers = asked.iter().map(|world| tool(&app, &world.key, "domains", &none));
    for (world, result) in asked.iter().zip(join_all(answers).await) {
        let domains = found(&result)["domains"]["items"].as_array().unwrap();
        let ids: Vec<&str> = domains
            .iter()
            .filter_map(|domain| domain["id"].as_str())
            .collect();
        assert_eq!(ids, [world.domain.to_string()]);
    }
}
