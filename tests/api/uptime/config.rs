//! GET and PUT /domains/{domain_id}/uptime/config

use serde_json::{Value, json};

use super::path;
use crate::harness::TestApp;

async fn put(app: &TestApp, body: Value) -> crate::harness::Reply {
    app.put(&path(app, "config"), &app.world.key, &body).send().await
}

#[tokio::test]
async fn without_a_monitor_the_defaults_are_shown_disabled() {
    let app = TestApp::start().await;
    let config = app.get(&path(&app, "config"), &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], false);
    assert_eq!(config["url"], "https://shop.example/");
    assert_eq!(config["interval_seconds"], 60);
    assert_eq!(config["timeout_seconds"], 30);
    assert_eq!(config["expected_status_codes"], json!(["2xx", "3xx"]));
    assert_eq!(config["confirmation_checks"], 2);
    assert_eq!(config["recovery_checks"], 1);
    assert_eq!(config["ssl_warn_days"], json!([30, 14, 7, 3, 1]));
    assert_eq!(config["domain_warn_days"], json!([60, 30, 14, 7]));
    assert_eq!(config["regions"], json!(["local"]));
    assert_eq!(config["updated_at"], Value::Null);
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name() {
    let app = TestApp::start().await;
    let first = put(
        &app,
        json!({ "interval_seconds": 300, "keyword": "in stock", "sla_target_pct": 99.9 }),
    )
    .await
    .ok();
    assert_eq!(
        (&first["enabled"], &first["keyword_mode"]),
        (&json!(true), &json!("present"))
    );
    assert_eq!(first["updated_by"], json!(app.world.owner));
    let second = put(&app, json!({ "keyword": null, "timeout_seconds": 5 }))
        .await
        .ok();
    assert_eq!(
        (&second["keyword"], &second["keyword_mode"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&second["interval_seconds"], &second["sla_target_pct"]),
        (&json!(300), &json!(99.9))
    );
    assert_eq!(
        app.get(&path(&app, "config"), &app.world.key).send().await.ok(),
        second
    );
}

#[tokio::test]
async fn null_empties_what_may_be_null_and_is_refused_elsewhere() {
    let app = TestApp::start().await;
    for nullable in ["keyword", "keyword_mode", "degraded_above_ms", "sla_target_pct"] {
        put(&app, json!({ nullable: null })).await.ok();
    }
    let never = json!({ "enabled": null, "url": null, "regions": null, "maintenance_windows": null });
    assert_eq!(
        put(&app, never).await.faults(),
        ["/enabled", "/maintenance_windows", "/regions", "/url"]
    );
}

#[tokio::test]
async fn every_fault_of_a_configuration_is_named() {
    let app = TestApp::start().await;
    let types = json!({ "enabled": "yes", "interval_seconds": "60", "colour": "red", "timeout_seconds": -1, "id": 1 });
    let want = [
        "/colour",
        "/enabled",
        "/id",
        "/interval_seconds",
        "/timeout_seconds",
    ];
    assert_eq!(put(&app, types).await.faults(), want);
    let values = json!({
        "url": "https://other.example/",
        "interval_seconds": 61,
        "timeout_seconds": 61,
        "regions": ["mars"],
        "expected_status_codes": ["2xx", "teapot"],
        "request_headers": { "Host": "x" },
        "maintenance_windows": [{ "name": "x", "starts_at": "2026-01-02T00:00:00Z", "ends_at": "2026-01-01T00:00:00Z" }],
    });
    let want = [
        "/expected_status_codes/1",
        "/interval_seconds",
        "/maintenance_windows/0/ends_at",
        "/regions/0",
        "/request_headers/Host",
        "/timeout_seconds",
        "/url",
    ];
    assert_eq!(put(&app, values).await.faults(), want);
    app.get(&path(&app, "status"), &app.world.key)
        .send()
        .await
        .problem(404, "uptime-not-found");
}

#[tokio::test]
async fn a_url_must_be_on_the_domain() {
    let app = TestApp::start().await;
    for good in [
        "https://shop.example/a?b=c",
        "http://www.shop.example:8080/",
        "HTTPS://SHOP.EXAMPLE/",
    ] {
        put(&app, json!({ "url": good })).await.ok();
    }
    for bad in [
        "https://shop.example.org/",
        "https://myshop.example/",
        "https://user:secret@shop.example/",
        "https://shop.example/#top",
        "https://127.0.0.1/",
        "ftp://shop.example/",
        "shop.example",
        "",
    ] {
        assert_eq!(put(&app, json!({ "url": bad })).await.faults(), ["/url"], "{bad}");
    }
}

#[tokio::test]
async fn request_headers_are_never_shown() {
    let app = TestApp::start().await;
    let shown = put(&app, json!({ "request_headers": { "X-Token": "hunter2" } })).await;
    assert_eq!(shown.ok()["has_custom_headers"], true);
    assert!(!String::from_utf8_lossy(&shown.body).contains("hunter2"));
    assert_eq!(
        put(&app, json!({ "request_headers": {} })).await.ok()["has_custom_headers"],
        false
    );
}

#[tokio::test]
async fn a_maintenance_window_keeps_its_id() {
    let app = TestApp::start().await;
    let window =
        json!({ "name": "deploy", "starts_at": "2026-04-05T02:00:00Z", "ends_at": "2026-04-05T02:30:00Z" });
    let made =
        put(&app, json!({ "maintenance_windows": [window] })).await.ok()["maintenance_windows"][0].clone();
    assert_eq!(
        (&made["recurrence"], &made["timezone"]),
        (&json!("none"), &json!("UTC"))
    );
    let kept = put(&app, json!({ "maintenance_windows": [made] })).await.ok();
    assert_eq!(kept["maintenance_windows"], json!([made]));
}

#[tokio::test]
async fn only_pharos_gives_a_window_its_id() {
    let app = TestApp::start().await;
    let window = |id: Value| {
        let mut window = json!({
            "name": "deploy", "starts_at": "2026-04-05T02:00:00Z", "ends_at": "2026-04-05T02:30:00Z",
        });
        window["id"] = id;
        json!({ "maintenance_windows": [window.clone(), window] })
    };
    let strange = window(json!("0190f3c2-be82-7075-a196-7d5d4fae2c55"));
    let refused = put(&app, strange).await;
    assert_eq!(
        refused.faults(),
        ["/maintenance_windows/0/id", "/maintenance_windows/1/id"]
    );
    let mut made = window(Value::Null);
    made["maintenance_windows"][0]
        .as_object_mut()
        .unwrap()
        .remove("id");
    made["maintenance_windows"][1]
        .as_object_mut()
        .unwrap()
        .remove("id");
    let made = put(&app, made).await.ok();
    let id = &made["maintenance_windows"][0]["id"];
    assert_ne!(id, &made["maintenance_windows"][1]["id"]);
    let twice = put(&app, window(id.clone())).await;
    assert_eq!(twice.faults(), ["/maintenance_windows/1/id"]);
}

#[tokio::test]
async fn a_url_is_kept_in_its_one_form() {
    let app = TestApp::start().await;
    for (given, kept) in [
        ("HTTPS://SHOP.EXAMPLE", "https://shop.example/"),
        ("https://shop.example:443/a/../b", "https://shop.example/b"),
        ("  https://shop.example/a b\n", "https://shop.example/a%20b"),
        (
            "http://bücher.shop.example/",
            "http://xn--bcher-kva.shop.example/",
        ),
    ] {
        assert_eq!(put(&app, json!({ "url": given })).await.ok()["url"], kept);
    }
}

#[tokio::test]
async fn a_header_that_stands_twice_is_refused() {
    let app = TestApp::start().await;
    let cases = put(
        &app,
        json!({ "request_headers": { "X-Token": "a", "x-token": "b" } }),
    )
    .await;
    assert_eq!(cases.faults(), ["/request_headers/x-token"]);
    let twice = r#"{"request_headers":{"X-Token":"a","X-Token":"b"}}"#;
    let twice = app
        .request("PUT", &path(&app, "config"))
        .key(&app.world.key)
        .body("application/json", twice)
        .send()
        .await;
    assert_eq!(twice.status, 400);
    assert!(String::from_utf8_lossy(&twice.body).contains("X-Token"));
    put(&app, json!({ "request_headers": { "X-Token": " a " } }))
        .await
        .ok();
    let stored = app
        .sql("SELECT settings -> 'request_headers' ->> 'x-token' FROM uptime_monitors")
        .await;
    assert_eq!(stored, [[Some("a".to_owned())]]);
}

#[tokio::test]
async fn two_changes_at_once_both_count() {
    let app = TestApp::start().await;
    put(&app, json!({})).await.ok();
    for round in 2..8_u32 {
        let (a, b) = tokio::join!(
            put(&app, json!({ "confirmation_checks": round })),
            put(&app, json!({ "recovery_checks": round }))
        );
        a.ok();
        b.ok();
        let config = app.get(&path(&app, "config"), &app.world.key).send().await.ok();
        assert_eq!(
            (&config["confirmation_checks"], &config["recovery_checks"]),
            (&json!(round), &json!(round))
        );
    }
}
