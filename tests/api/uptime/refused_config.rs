//! PUT /domains/{domain_id}/uptime/config refuses bad settings, and says where the fault is.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use time::Duration;

use super::path;
use crate::harness::{Reply, TestApp};

async fn put(app: &TestApp, body: &Value) -> Reply {
    app.put(&path(app, "config"), &app.world.key, body).send().await
}

/// A window of half an hour, with these members changed.
fn window(change: &Value) -> Value {
    let mut window = json!({
        "name": "deploy", "starts_at": "2026-04-05T02:00:00Z", "ends_at": "2026-04-05T02:30:00Z",
    });
    let members = change.as_object().unwrap().clone();
    window.as_object_mut().unwrap().extend(members);
    window
}

async fn state(app: &TestApp) -> Value {
    let status = app.get(&path(app, "status"), &app.world.key).send().await.ok();
    status["state"].clone()
}

#[tokio::test]
async fn a_maintenance_window_that_cannot_be_is_refused_where_its_fault_is() {
    let app = TestApp::start().await;
    for (change, members) in [
        (json!({ "ends_at": "2026-04-05T01:59:59Z" }), &["ends_at"][..]),
        (json!({ "ends_at": "2026-04-05T02:00:00Z" }), &["ends_at"]),
        (json!({ "ends_at": "2026-04-05T02:00:00.9Z" }), &["ends_at"]),
        (
            json!({ "recurrence": "daily", "ends_at": "2026-04-06T02:00:01Z" }),
            &["ends_at"],
        ),
        (json!({ "starts_at": "2026-02-31T02:00:00Z" }), &["starts_at"]),
        (json!({ "starts_at": "2026-04-05 02:00" }), &["starts_at"]),
        (json!({ "starts_at": 1_775_354_400 }), &["starts_at"]),
        // Beyond the year 9999, and before the year 0, once they are in UTC.
        (json!({ "ends_at": "9999-12-31T23:59:59-01:00" }), &["ends_at"]),
        (
            json!({ "starts_at": "0000-01-01T00:00:00+01:00" }),
            &["starts_at"],
        ),
        (json!({ "timezone": "Mars/Olympus" }), &["timezone"]),
        (json!({ "timezone": "" }), &["timezone"]),
        (json!({ "timezone": "../../etc/passwd" }), &["timezone"]),
        (json!({ "recurrence": "yearly" }), &["recurrence"]),
        (
            json!({ "recurrence": "weekly", "weekdays": [8] }),
            &["weekdays/0"],
        ),
        (
            json!({ "recurrence": "weekly", "weekdays": [0] }),
            &["weekdays/0"],
        ),
        (
            json!({ "recurrence": "weekly", "weekdays": vec![1; 8] }),
            &["weekdays"],
        ),
        (
            json!({ "recurrence": "weekly", "weekdays": [-1] }),
            &["weekdays/0"],
        ),
        (json!({ "weekdays": [1] }), &["weekdays"]),
        (json!({ "name": "x".repeat(101) }), &["name"]),
        (json!({ "id": "7" }), &["id"]),
        (json!({ "colour": "red" }), &["colour"]),
        (
            json!({ "name": "é".repeat(101), "ends_at": "2026-04-05T02:00:00Z", "weekdays": [8], "timezone": "Mars" }),
            &["ends_at", "name", "timezone", "weekdays/0"],
        ),
    ] {
        let good = window(&json!({}));
        let refused = put(&app, &json!({ "maintenance_windows": [good, window(&change)] })).await;
        let want: Vec<String> = members
            .iter()
            .map(|member| format!("/maintenance_windows/1/{member}"))
            .collect();
        assert_eq!(refused.faults(), want, "{change}");
    }
    let config = app.get(&path(&app, "config"), &app.world.key).send().await.ok();
    assert_eq!(config["updated_at"], Value::Null, "nothing was stored");
}

#[tokio::test]
async fn fifty_maintenance_windows_are_fine_and_more_are_not() {
    let app = TestApp::start().await;
    for (count, fine) in [(50, true), (51, false), (1_000, false)] {
        let windows = vec![window(&json!({})); count];
        let reply = put(&app, &json!({ "maintenance_windows": windows })).await;
        if fine {
            let kept = reply.ok();
            assert_eq!(kept["maintenance_windows"].as_array().unwrap().len(), count);
        } else {
            assert_eq!(reply.faults(), ["/maintenance_windows"], "{count}");
        }
    }
}

/// The app's day is Tuesday, 2026-03-31, 09:15 UTC. 24 March was a Tuesday; April has 30 days.
#[tokio::test]
async fn what_is_left_out_of_a_recurrence_is_taken_from_its_start() {
    let app = TestApp::start().await;
    let weekly = window(&json!({
        "recurrence": "weekly", "starts_at": "2026-03-24T09:00:00Z", "ends_at": "2026-03-24T09:30:00Z",
    }));
    put(&app, &json!({ "maintenance_windows": [weekly] })).await.ok();
    assert_eq!(state(&app).await, "maintenance");
    app.clock.advance(Duration::DAY);
    assert_eq!(state(&app).await, "pending");
    let monthly = window(&json!({
        "recurrence": "monthly", "starts_at": "2026-01-31T09:00:00Z", "ends_at": "2026-01-31T09:30:00Z",
    }));
    put(&app, &json!({ "maintenance_windows": [monthly] })).await.ok();
    app.clock.advance(Duration::days(28));
    assert_eq!(state(&app).await, "pending", "29 April");
    app.clock.advance(Duration::DAY);
    assert_eq!(state(&app).await, "maintenance", "30 April");
}

#[tokio::test]
async fn a_url_that_leads_inside_is_refused_with_its_reason() {
    let app = TestApp::start().await;
    for (url, reason) in [
        ("http://10.0.0.1/", "names their network in probe_networks"),
        (
            "http://169.254.169.254/latest/meta-data/",
            "only public addresses",
        ),
        ("http://[::1]/", "only public addresses"),
        ("http://[fd00:ec2::254]/", "only public addresses"),
        ("http://2130706433/", "only public addresses"),
        ("http://0177.0.0.1/", "only public addresses"),
        ("http://0x7f.1/", "only public addresses"),
        ("http://127.1/", "only public addresses"),
        ("http://[::ffff:127.0.0.1]/", "only public addresses"),
        ("http://[::ffff:a9fe:a9fe]/", "only public addresses"),
        ("http://[64:ff9b::10.0.0.1]/", "only public addresses"),
        ("http://localhost/", "names networks in probe_networks"),
        ("http://shop.example.localhost/", "only public names"),
        ("http://metadata.google.internal/", "only public names"),
        ("https://:secret@shop.example/", "user name or password"),
        ("https://shop.example/#top", "fragment"),
        ("https://shop.example:0/", "port 0"),
        ("https://shop.example.evil.example/", "not on the domain"),
        ("https://example/", "only public names"),
        ("https://8.8.8.8/", "not on the domain"),
        ("gopher://shop.example/", "http:// or https://"),
        ("//shop.example/", "not an absolute URL"),
    ] {
        let refused = put(&app, &json!({ "url": url })).await;
        assert_eq!(refused.faults(), ["/url"], "{url}");
        let detail = refused.json()["errors"][0]["detail"].to_string();
        assert!(detail.contains(reason), "{url}: {detail}");
    }
    for (url, reasons) in [
        (
            "https://shop.example@10.0.0.1/",
            ["user name or password", "only public addresses"],
        ),
        ("file:///etc/passwd", ["http:// or https://", "must name a host"]),
        (
            "https://user@other.example/",
            ["not on the domain", "user name or password"],
        ),
    ] {
        let refused = put(&app, &json!({ "url": url })).await;
        assert_eq!(refused.faults(), ["/url", "/url"], "{url}");
        for (at, reason) in reasons.into_iter().enumerate() {
            let detail = refused.json()["errors"][at]["detail"].to_string();
            assert!(detail.contains(reason), "{url}: {detail}");
        }
    }
    let long = format!("https://shop.example/{}", "x".repeat(2_048));
    assert_eq!(put(&app, &json!({ "url": long })).await.faults(), ["/url"]);
}

#[tokio::test]
async fn headers_that_would_change_the_request_are_refused() {
    let app = TestApp::start().await;
    for (name, value) in [
        ("X-Probe", "a\r\nHost: inside"),
        ("X-Probe", "a\nb"),
        ("X-Probe", "a\u{7f}"),
        ("X-Probe\r\nHost", "inside"),
        ("X Probe", "a"),
        ("X-Probe:", "a"),
        ("", "a"),
        ("Host", "inside"),
        ("hOST", "inside"),
        ("Content-Length", "7"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "upgrade"),
        ("Upgrade", "h2c"),
        ("Proxy-Authorization", "Basic eDp5"),
    ] {
        let refused = put(&app, &json!({ "request_headers": { name: value } })).await;
        assert_eq!(
            refused.faults(),
            [format!("/request_headers/{name}")],
            "{name}: {value}"
        );
    }
    let long = put(
        &app,
        &json!({ "request_headers": { "X-Probe": "x".repeat(4_097) } }),
    )
    .await;
    assert_eq!(long.faults(), ["/request_headers/X-Probe"]);
    for (count, fine) in [(20, true), (21, false), (101, false)] {
        let headers: Map<String, Value> = (0..count).map(|n| (format!("X-{n}"), json!("a"))).collect();
        let reply = put(&app, &json!({ "request_headers": headers })).await;
        if fine {
            reply.ok();
        } else {
            assert_eq!(reply.faults(), ["/request_headers"], "{count}");
        }
    }
}

#[tokio::test]
async fn all_that_cannot_be_is_said_at_once() {
    let app = TestApp::start().await;
    let bad = json!({
        "url": "https://user:secret@shop.example/",
        "interval_seconds": 45,
        "timeout_seconds": 1,
        "expected_status_codes": [],
        "keyword": "x".repeat(10_240),
        "regions": [],
        "confirmation_checks": 0,
        "recovery_checks": 11,
        "degraded_above_ms": 60_001,
        "ssl_warn_days": [3_651],
        "domain_warn_days": vec![1; 21],
        "sla_target_pct": 100.1,
        "maintenance_windows": [
            window(&json!({ "timezone": "Mars/Olympus" })),
            window(&json!({ "ends_at": "2026-04-05T02:00:00Z" })),
        ],
        "request_headers": { "Host": "inside", "X-Probe": "a\r\nb" },
    });
    let want = [
        "/confirmation_checks",
        "/degraded_above_ms",
        "/domain_warn_days",
        "/expected_status_codes",
        "/interval_seconds",
        "/keyword",
        "/maintenance_windows/0/timezone",
        "/maintenance_windows/1/ends_at",
        "/recovery_checks",
        "/regions",
        "/request_headers/Host",
        "/request_headers/X-Probe",
        "/sla_target_pct",
        "/ssl_warn_days/0",
        "/timeout_seconds",
        "/url",
    ];
    let refused = put(&app, &bad).await;
    assert_eq!(refused.faults(), want);
    assert!(!String::from_utf8_lossy(&refused.body).contains("secret"));
}

/// A header's name and its value have faults of their own, and no fault keeps another header's from being told.
#[tokio::test]
async fn the_faults_of_a_headers_name_and_of_its_value_are_both_told() {
    let app = TestApp::start().await;
    let headers =
        json!({ "Host": "\n", "X-Up": "1", "a b": "\n", "x-up": "\n", "x-long": "x".repeat(4_097) });
    let refused = put(&app, &json!({ "request_headers": headers })).await;
    let want = ["Host", "Host", "a b", "a b", "x-long", "x-up", "x-up"];
    let want = want.map(|name| format!("/request_headers/{name}"));
    assert_eq!(refused.faults(), want);
    let told: BTreeSet<String> = refused.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            format!(
                "{} {}",
                fault["pointer"].as_str().unwrap(),
                fault["detail"].as_str().unwrap()
            )
        })
        .collect();
    for want in [
        "/request_headers/Host a check sets this header itself",
        "/request_headers/Host not visible ASCII, spaces and tabs alone",
        "/request_headers/x-up given more than once: upper and lower case are the same here",
        "/request_headers/x-up not visible ASCII, spaces and tabs alone",
        "/request_headers/a b not visible ASCII, spaces and tabs alone",
        "/request_headers/x-long longer than 4096 characters",
    ] {
        assert!(told.contains(want), "{want}: {told:?}");
    }
}
