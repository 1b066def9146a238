//! GET /credits/prices

use pharos_http::spec::{Credits, Verb};
use pharos_server::registry::registry;
use serde_json::{Value, json};

use crate::{fixtures, harness::TestApp};

#[tokio::test]
async fn every_operation_has_its_price_in_the_order_of_the_registry() {
    let app = TestApp::start().await;
    let page = app.get("/credits/prices", &app.world.key).send().await.ok();
    let registry = registry().unwrap();
    let want: Vec<Value> = registry
        .operations()
        .iter()
        .map(|operation| {
            let spec = operation.spec;
            json!({
                "method": spec.method.as_str(),
                "route": spec.path,
                "cost": spec.credits.price(),
                "price_class": match spec.credits {
                    Credits::Free => "free",
                    Credits::Cheap => "cheap",
                    Credits::Heavy => "heavy",
                    Credits::Dispatch => "dispatch",
                },
                "required_scope": spec.scope.map(|scope| scope.as_str()),
                "bucket": spec.bucket.as_str(),
            })
        })
        .collect();
    assert_eq!(
        page,
        json!({ "items": want, "next_cursor": null, "has_more": false })
    );
}

#[tokio::test]
async fn a_read_costs_what_the_list_says() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let page = app.get("/credits/prices", &app.world.key).send().await.ok();
    let prices = page["items"].as_array().unwrap();
    for operation in registry().unwrap().operations() {
        let spec = operation.spec;
        if spec.method != Verb::Get {
            continue;
        }
        let price = prices
            .iter()
            .find(|price| price["route"] == spec.path && price["method"] == "GET");
        let path = app.world.target(operation.spec.path);
        let reply = app.get(&path, &app.world.key).send().await;
        assert_eq!(reply.status, spec.success, "{path}");
        let cost = reply.header("x-credits-cost").unwrap();
        assert_eq!(price.unwrap()["cost"].to_string(), cost, "{path}");
    }
}
