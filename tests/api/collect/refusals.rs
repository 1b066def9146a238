//! Refusals of collection, and how they are told.

use std::{io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Collecting;
use crate::harness::{Reply, Request};

pub(super) fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// A site whose visits are stored.
async fn storing(environment: &[(&str, &str)]) -> Collecting {
    let collecting = Collecting::start(environment).await;
    let app = &collecting.app;
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    let enabled = json!({ "enabled": true });
    app.put(&config, &app.world.key, &enabled).send().await.ok();
    collecting
}

/// Status and suffix of a refusal, which any script may read.
fn refusal(reply: &Reply) -> (u16, String) {
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    assert_eq!(reply.json()["status"], reply.status);
    (reply.status, reply.suffix())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_refusal_is_a_problem() {
    let collecting = Collecting::start(&[]).await;
    let post = |kind: &str, body: Vec<u8>| collecting.request("POST", "/collect/events").body(kind, body);
    let sound = collecting.beacon(&json!({})).to_string().into_bytes();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(1_000), "}".repeat(1_000)).into_bytes();
    let bomb = gzip(&vec![b' '; 60 * 1024 * 1024]);
    assert!(bomb.len() < 64 * 1024, "{}", bomb.len());
    let half = gzip(&sound)[..40].to_vec();
    let latin = b"{\"site\": \"Gr\xfc\xdfe\"}".to_vec();
    let unknown = collecting
        .beacon(&json!({"site": "pst_zzzzzzzzzzzzzzzzzzzzzz"}))
        .to_string();
    for (what, request, status, suffix) in [
        (
            "a gzip bomb",
            post("text/plain", bomb).header("content-encoding", "gzip"),
            413,
            "payload-too-large",
        ),
        (
            "half of a gzip body",
            post("text/plain", half).header("content-encoding", "gzip"),
            400,
            "invalid-request",
        ),
        (
            "another coding",
            post("text/plain", sound.clone()).header("content-encoding", "br"),
            415,
            "unsupported-media-type",
        ),
        (
            "too large",
            post("text/plain", vec![b' '; 64 * 1024 + 1]),
            413,
            "payload-too-large",
        ),
        (
            "a form",
            post("multipart/form-data", sound.clone()),
            415,
            "unsupported-media-type",
        ),
        ("1,000 levels", post("text/plain", deep), 400, "invalid-request"),
        ("Latin-1", post("text/plain", latin), 400, "invalid-request"),
        (
            "no JSON",
            post("application/json", b"NaN".to_vec()),
            400,
            "invalid-request",
        ),
        (
            "an unknown site",
            post("text/plain", unknown.into_bytes()),
            404,
            "not-found",
        ),
        (
            "a wrong secret",
            post("text/plain", sound.clone()).header("x-pharos-site-secret", "pss_no"),
            404,
            "not-found",
        ),
        (
            "another method",
            collecting.request("GET", "/collect/events"),
            405,
            "method-not-allowed",
        ),
        (
            "another method",
            collecting.request("DELETE", "/js/x.js"),
            405,
            "method-not-allowed",
        ),
    ] {
        let reply = request.send_unchecked().await;
        assert_eq!(refusal(&reply), (status, suffix.to_owned()), "{what}");
    }
    let faults = collecting.send(&json!({"beacon": 7, "load": "x"})).await.json()["errors"].clone();
    let pointers: Vec<&Value> = faults
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| &fault["pointer"])
        .collect();
    assert_eq!(pointers, ["/beacon", "/load", "/site"]);
    let sound = collecting.send(&collecting.beacon(&json!({}))).await;
    assert_eq!(sound.status, 202, "none of them stops another");
}

/// The host of `Origin` counts, and where a browser sends none that of `Referer`.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_hosts_are_refused_unless_the_settings_allow_them() {
    let collecting = Collecting::start(&[]).await;
    let app = &collecting.app;
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    let settings = json!({ "enabled": true, "allowed_hosts": ["pay.example"] });
    app.put(&config, &app.world.key, &settings).send().await.ok();
    for (header, page, is_taken) in [
        ("origin", "https://shop.example", true),
        ("origin", "https://pay.example", true),
        ("referer", "https://pay.example/cart?step=2", true),
        ("origin", "https://evil.example", false),
        ("referer", "https://evil.example/shop.example", false),
        ("origin", "null", false),
    ] {
        let beacon = collecting.beacon(&json!({ "beacon": Uuid::new_v4() }));
        let request = collecting.request("POST", "/collect/events").header(header, page);
        let reply = request.json(&beacon).send_unchecked().await;
        if is_taken {
            assert_eq!(reply.status, 202, "{header}: {page}");
        } else {
            assert_eq!(refusal(&reply), (403, "forbidden".to_owned()), "{header}: {page}");
        }
    }
    let stored = app.sql("SELECT count(*)::text FROM analytics_hits").await;
    assert_eq!(stored, [[Some("3".to_owned())]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_wanted_is_answered_like_what_is_stored() {
    let collecting = Collecting::start(&[]).await;
    let beacon = collecting.beacon(&json!({}));
    let plain = collecting.send(&beacon).await;
    let packed = collecting
        .request("POST", "/collect/events")
        .header("content-encoding", "gzip");
    let packed = packed
        .body("application/json", gzip(beacon.to_string().as_bytes()))
        .send_unchecked()
        .await;
    for reply in [plain, packed] {
        assert_eq!((reply.status, reply.body.len()), (202, 0));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_may_send_from_any_origin() {
    let collecting = Collecting::start(&[]).await;
    for (path, methods) in [
        ("/collect/events", "POST, OPTIONS"),
        ("/collect/vitals", "POST, OPTIONS"),
    ] {
        let asked = collecting
            .request("OPTIONS", path)
            .header("origin", "https://shop.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type");
        let reply = asked.send_unchecked().await;
        assert_eq!(
            (reply.status, reply.header("access-control-allow-origin")),
            (204, Some("*"))
        );
        assert_eq!(reply.header("access-control-allow-methods"), Some(methods));
        let headers = reply.header("access-control-allow-headers").unwrap();
        assert!(
            headers.contains("Content-Type") && !headers.to_lowercase().contains("secret"),
            "{headers}"
        );
    }
}

/// From one address, or of one site: two small beacons, or one with as many rows as both count for.
#[tokio::test(flavor = "multi_thread")]
async fn too_many_are_told_when_to_come_again() {
    let event = json!({"type": "pageview", "url": "https://shop.example/"});
    for limit in [
        "PHAROS_COLLECT_ROWS_PER_HOUR",
        "PHAROS_COLLECT_ROWS_OF_SITE_PER_HOUR",
    ] {
        for (events, taken) in [(1, 2), (20, 1)] {
            let collecting = storing(&[(limit, "20")]).await;
            let beacon = collecting.beacon(&json!({ "events": vec![event.clone(); events] }));
            for _ in 0..taken {
                assert_eq!(collecting.send(&beacon).await.status, 202, "{limit}, {events}");
            }
            let reply = collecting.send(&beacon).await;
            assert_eq!(
                refusal(&reply),
                (429, "rate-limited".to_owned()),
                "{limit}, {events}"
            );
            let seconds: u32 = reply.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=7_200).contains(&seconds), "{limit}, {events}: {seconds}");
            assert_eq!(reply.json()["retry_after_seconds"], seconds);
        }
    }
}

/// A node writes how many there were now and then, and at its end.
#[tokio::test(flavor = "multi_thread")]
async fn bots_are_answered_as_people_are_and_counted_apart() {
    let collecting = storing(&[]).await;
    let bots = [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "curl/8.5.0",
    ];
    for bot in bots {
        let request = Request::new(collecting.node.address, "POST", "//collect/events");
        let request = request
            .header("user-agent", bot)
            .json(&collecting.beacon(&json!({})));
        let reply = request.send_unchecked().await;
        assert_eq!((reply.status, reply.body.len()), (202, 0), "{bot}");
    }
    collecting.node.signal("TERM");
    let Collecting { app, node, .. } = collecting;
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
    let counted = app.sql("SELECT sum(beacons)::text FROM collect_bots").await;
    assert_eq!(counted, [[Some("2".to_owned())]]);
    assert!(app.sql("SELECT FROM analytics_hits").await.is_empty());
}

/// The API is served by nodes of the role `api` alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_collects_serves_no_api() {
    let collecting = Collecting::start(&[]).await;
    let me = crate::harness::Request::new(collecting.node.address, "GET", "/me");
    assert_eq!(me.send_unchecked().await.status, 404);
    assert_eq!(
        collecting.request("GET", "/livez").send_unchecked().await.status,
        200
    );
}
