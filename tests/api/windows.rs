//! Which days a read is about, from the query to the answer. It is 2026-03-31, 09:15 UTC.
//!
//! Which days parameters mean is tested where they are resolved (`pharos_domain::window`); here, that nothing between
//! the wire and that changes it.

use pharos_http::{openapi::document::document, registry::Registry};
use serde_json::{Value, json};
use time::macros::datetime;

use crate::harness::{Reply, TestApp, filler};

async fn ask(app: &TestApp, query: &str) -> Reply {
    let path = format!("/domains/{}/windowed{query}", app.world.domain);
    app.get(&path, &app.world.key).send_unchecked().await
}

fn cache(reply: &Reply) -> &str {
    reply.ok();
    reply.header("x-cache").unwrap()
}

#[tokio::test]
async fn an_answer_says_which_days_it_is_about() {
    let app = TestApp::with(vec![filler::windowed()]).await;
    assert_eq!(
        ask(&app, "?period=this_month&compare_previous=true").await.ok(),
        json!({
            "range_start": "2026-03-01", "range_end": "2026-03-31", "generated_at": "2026-03-31T09:15:00Z",
            "period": "this_month", "clamped_from": null,
            "compare_range_start": "2026-02-01", "compare_range_end": "2026-02-28", "compare_mode": "calendar_month",
            "range_end_partial": true, "data_through": null,
        })
    );
    // Uptime is kept for 12 months.
    let clamped = ask(&app, "?start_date=2020-02-29&end_date=2026-03-30").await.ok();
    assert_eq!(
        (
            &clamped["range_start"],
            &clamped["clamped_from"],
            &clamped["range_end_partial"]
        ),
        (&json!("2025-03-31"), &json!("2020-02-29"), &json!(false))
    );
}

#[tokio::test]
async fn every_fault_of_a_window_is_named_at_once() {
    let app = TestApp::with(vec![filler::windowed()]).await;
    for (query, faults) in [
        ("?from=2026-03-01&to=2026-03-31", &["from", "to"][..]),
        ("?days=7", &["days"]),
        ("?period_days=0&period_days=3", &["period_days", "period_days"]),
        (
            "?start_date=2026-02-31&end_date=2026-03-01T00:00:00Z",
            &["end_date", "start_date"],
        ),
        ("?start_date=2026-04-01", &["start_date"]),
        (
            "?start_date=2026-03-20&end_date=2026-03-19&from=x",
            &["end_date", "from"],
        ),
        ("?period=last_week&end_date=2026-03-19", &["period"]),
        (
            "?start_date=%FF&compare_mode=year",
            &["compare_mode", "start_date"],
        ),
    ] {
        assert_eq!(ask(&app, query).await.faults(), faults, "{query}");
    }
    let hint = ask(&app, "?from=2026-03-01").await.json()["detail"].to_string();
    assert!(hint.contains("start_date and end_date"), "{hint}");
}

#[tokio::test]
async fn the_cache_keeps_days_not_their_names() {
    let app = TestApp::with(vec![filler::windowed()]).await;
    assert_eq!(cache(&ask(&app, "?period_days=30").await), "MISS");
    for same in [
        "",
        "?start_date=2026-03-02",
        "?end_date=2026-03-31&period_days=30",
    ] {
        assert_eq!(cache(&ask(&app, same).await), "HIT", "{same}");
    }
    for other in [
        "?period_days=29",
        "?period=last_30_days",
        "?compare_previous=true",
    ] {
        assert_eq!(cache(&ask(&app, other).await), "MISS", "{other}");
    }
}

#[tokio::test]
async fn what_was_asked_before_midnight_is_not_answered_after_it() {
    let app = TestApp::with(vec![filler::windowed()]).await;
    app.clock.advance(datetime!(2026-03-31 23:59:50 UTC) - app.now());
    let before = ask(&app, "?period_days=1").await;
    assert_eq!(cache(&before), "MISS");
    app.clock.advance(time::Duration::seconds(5));
    assert_eq!(cache(&ask(&app, "?period_days=1").await), "HIT");
    app.clock.advance(time::Duration::seconds(5));
    let after = ask(&app, "?period_days=1").await;
    assert_eq!(cache(&after), "MISS");
    assert_eq!(
        (&before.json()["range_start"], &after.json()["range_start"]),
        (&json!("2026-03-31"), &json!("2026-04-01"))
    );
}

#[test]
fn the_document_describes_the_parameters() {
    let registry = Registry::new(vec![filler::windowed()]).unwrap();
    let document = document(&registry, "/");
    let operation = &document["paths"]["/api/public/v1/domains/{domain_id}/windowed"]["get"];
    assert_eq!(operation["x-window"], "full");
    let parameters = operation["parameters"].as_array().unwrap();
    let schema = |name: &str| -> Value {
        let found = parameters
            .iter()
            .find(|parameter| parameter["name"] == name)
            .unwrap();
        assert_eq!(
            (&found["in"], &found["required"]),
            (&json!("query"), &json!(false)),
            "{name}"
        );
        assert!(found["description"].is_string(), "{name}");
        found["schema"].clone()
    };
    assert_eq!(
        schema("period_days"),
        json!({ "type": "integer", "minimum": 1, "maximum": 365, "default": 30 })
    );
    for date in ["start_date", "end_date"] {
        assert_eq!(schema(date), json!({ "type": "string", "format": "date" }));
    }
    assert_eq!(schema("period"), json!({ "$ref": "#/components/schemas/Period" }));
    let schemas = &document["components"]["schemas"];
    assert_eq!(
        schemas["Period"]["enum"],
        json!([
            "last_7_days",
            "last_30_days",
            "last_90_days",
            "this_week",
            "last_week",
            "this_month",
            "last_month"
        ])
    );
    assert_eq!(
        schema("compare_previous"),
        json!({ "type": "boolean", "default": false })
    );
    assert_eq!(
        schema("compare_mode"),
        json!({ "$ref": "#/components/schemas/CompareMode" })
    );
    assert_eq!(
        schemas["CompareMode"]["enum"],
        json!(["previous_period", "calendar_month"])
    );
    let meta = &schemas["Meta"];
    assert_eq!(
        meta["required"].as_array().unwrap().len(),
        10,
        "every member is always there"
    );
}
