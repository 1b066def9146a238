//! Orders, as careless shops tell of them.

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::Collecting;

/// An order without an id counts each time that it is told, one in dollars is not converted, and one that is told twice counts once.
#[tokio::test(flavor = "multi_thread")]
async fn odd_orders_count_as_they_were_told_and_wrong_ones_are_refused() {
    let collecting = Collecting::start(&[]).await;
    let app = &collecting.app;
    let path = |rest: &str| format!("/domains/{}/analytics/{rest}", app.world.domain);
    let settings = json!({ "enabled": true, "currency": "EUR" });
    app.put(&path("config"), &app.world.key, &settings)
        .send()
        .await
        .ok();
    let order = |properties: &Value| {
        collecting.beacon(&json!({
            "beacon": Uuid::new_v4(),
            "events": [{
                "type": "event", "url": "https://shop.example/thanks", "name": "purchase",
                "properties": properties,
            }],
        }))
    };
    let nameless = json!({ "value": 10, "currency": "EUR" });
    let repeated = json!({ "transaction_id": "T1", "value": 20 });
    let in_dollars = json!({ "transaction_id": "T2", "value": 30, "currency": "USD" });
    for properties in [&nameless, &nameless, &repeated, &repeated, &in_dollars] {
        let beacon = order(properties);
        // A beacon that comes again is the one before.
        for _ in 0..2 {
            assert_eq!(collecting.send(&beacon).await.status, 202, "{properties}");
        }
    }
    for (wrong, place) in [
        (json!({ "transaction_id": "T3", "value": -5 }), "value"),
        (
            json!({ "transaction_id": "T4", "value": 5, "currency": "Euro" }),
            "currency",
        ),
        (
            json!({ "transaction_id": "T5", "items": [{ "item_id": "S1", "price": -1 }] }),
            "items/0/price",
        ),
    ] {
        let refused = collecting.send(&order(&wrong)).await;
        assert_eq!(refused.faults(), [format!("/events/0/properties/{place}")]);
    }

    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    let today = app.now().date();
    let yesterday = today - Duration::DAY;
    let asked = path(&format!(
        "ecommerce/overview?start_date={yesterday}&end_date={today}"
    ));
    let found = app.get(&asked, &app.world.key).send().await.ok();
    for (member, wanted) in [
        ("revenue", json!(40.0)),
        ("orders", json!(4)),
        ("unconverted_orders", json!(1)),
        ("duplicate_orders", json!(1)),
    ] {
        assert_eq!(found[member], wanted, "{member} of {found}");
    }
}
