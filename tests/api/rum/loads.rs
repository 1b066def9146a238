//! GET /domains/{domain_id}/rum/resources, /requests, /third-parties and /long-tasks

use pharos_domain::collect::{
    client::Device,
    view::{FrameKind, InvokerType, LongFrame, Resource, ResourcePhases, ResourceType, Script, ScriptError},
};
use serde_json::{Value, json};

use super::{bare_error, path, read, store, view};
use crate::harness::TestApp;

pub(super) fn resource(url: &str, kind: ResourceType, duration_ms: f64) -> Resource {
    Resource {
        url: url.to_owned(),
        kind,
        method: None,
        start_ms: 0.0,
        duration_ms,
        phases: None,
        protocol: None,
        is_render_blocking: None,
        is_cached: None,
        status: None,
    }
}

fn open(resource: Resource, transfer_bytes: u32) -> Resource {
    Resource {
        phases: Some(ResourcePhases {
            dns_ms: 1.0,
            connect_ms: 2.0,
            tls_ms: 1.0,
            ttfb_ms: 10.0,
            download_ms: 20.0,
            transfer_bytes,
            decoded_bytes: 900,
        }),
        protocol: Some("h2".to_owned()),
        is_render_blocking: Some(true),
        is_cached: Some(transfer_bytes == 0),
        ..resource
    }
}

const OURS: &str = "https://shop.example/app.js";
const GTM: &str = "https://www.googletagmanager.com/gtm.js";

/// Two views with scripts: ours over the network and out of the cache, and one that no page may know of; one view without.
async fn some_scripts(app: &TestApp) {
    let mut one = view(1, app.now());
    one.resources = vec![
        open(resource(OURS, ResourceType::Script, 100.0), 300),
        resource(GTM, ResourceType::Script, 40.0),
        resource("https://api.other.example/t.png", ResourceType::Image, 60.0),
    ];
    let mut two = view(2, app.now());
    two.path = "/about".to_owned();
    two.resources = vec![open(resource(OURS, ResourceType::Script, 20.0), 0)];
    store(
        app,
        [one, two, view(3, app.now())].map(|view| (Device::Desktop, view)),
    )
    .await;
}

/// Worked out by hand: scripts took 20, 40 and 100 ms, on the mean 53.3; three quarters of them at most 70.
#[tokio::test]
async fn resources_are_grouped_and_what_no_page_may_know_is_no_zero() {
    let app = TestApp::start().await;
    some_scripts(&app).await;
    let found = read(&app, "resources").await;
    assert_eq!(found["total"], 2);
    for (name, wanted) in [
        ("key", json!("script")),
        ("resource_type", json!("script")),
        ("requests", json!(3)),
        ("pages_count", json!(2)),
        ("avg_duration_ms", json!(53.3)),
        ("p75_duration_ms", json!(70.0)),
        ("avg_transfer_bytes", json!(150.0)),
        ("avg_decoded_bytes", json!(900.0)),
        ("total_transfer_bytes", json!(300)),
        ("cache_hit_pct", json!(50.0)),
        ("render_blocking_pct", json!(100.0)),
        ("is_third_party", json!(false)),
        ("timing_restricted_pct", json!(33.33)),
        (
            "protocol_split",
            json!([
                { "protocol": "h2", "requests": 2, "share_pct": 66.67 },
                { "protocol": null, "requests": 1, "share_pct": 33.33 },
            ]),
        ),
        (
            "phases",
            json!({ "dns_ms": 1.0, "connect_ms": 2.0, "tls_ms": 1.0, "ttfb_ms": 10.0, "download_ms": 20.0 }),
        ),
    ] {
        assert_eq!(found["items"][0][name], wanted, "{name}");
    }
    let hosts = read(&app, "resources?group_by=host").await;
    let restricted = &hosts["items"][1];
    assert_eq!(restricted["is_third_party"], true);
    for name in [
        "avg_transfer_bytes",
        "total_transfer_bytes",
        "cache_hit_pct",
        "render_blocking_pct",
    ] {
        assert_eq!(restricted[name], Value::Null, "{name}");
    }
    let urls = read(&app, "resources?group_by=url&url=https://shop.example/about").await;
    assert_eq!(
        (&urls["total"], &urls["items"][0]["key"]),
        (&json!(1), &json!(OURS))
    );
    let wrong = app
        .get(&path(&app, "resources?group_by=size"), &app.world.key)
        .send()
        .await;
    assert_eq!(wrong.faults(), ["group_by"]);
}

/// Worked out by hand: of 10, 20, 30 and 40 ms the percentiles are 25, 32.5 and 38.5.
#[tokio::test]
async fn requests_of_one_path_are_one_row_whatever_its_ids() {
    let app = TestApp::start().await;
    let mut asked = view(1, app.now());
    let statuses = [
        (10.0, Some(200)),
        (20.0, Some(404)),
        (30.0, Some(0)),
        (40.0, None),
    ];
    asked.resources = (1..)
        .zip(statuses)
        .map(|(id, (ms, status))| Resource {
            method: Some("GET".to_owned()),
            status,
            ..resource(
                &format!("https://shop.example/api/carts/{id}"),
                ResourceType::Fetch,
                ms,
            )
        })
        .collect();
    asked.resources.push(resource(OURS, ResourceType::Script, 9.0));
    store(&app, [(Device::Desktop, asked)]).await;
    let found = read(&app, "requests").await;
    assert_eq!(
        found["items"],
        json!([{
            "method": "GET", "path_template": "/api/carts/:id", "host": "shop.example", "requests": 4, "low_sample": true,
            "p50_ms": 25.0, "p75_ms": 32.5, "p95_ms": 38.5, "status_2xx": 1, "status_3xx": 0, "status_4xx": 1,
            "status_5xx": 0, "failed": 1, "failure_rate_pct": 66.67, "avg_response_bytes": null, "pages_count": 1,
        }])
    );
}

fn ran(url: &str, duration_ms: f64) -> Script {
    Script {
        url: Some(url.to_owned()),
        function: None,
        invoker: None,
        invoker_type: Some(InvokerType::UserCallback),
        duration_ms,
        forced_layout_ms: 5.0,
    }
}

pub(super) fn frame(scripts: Vec<Script>) -> LongFrame {
    LongFrame {
        kind: FrameKind::LongAnimationFrame,
        start_ms: 10.0,
        duration_ms: 200.0,
        blocking_ms: 150.0,
        style_layout_ms: Some(20.0),
        scripts,
    }
}

#[tokio::test]
async fn third_parties_are_named_and_their_work_is_counted() {
    let app = TestApp::start().await;
    let mut one = view(1, app.now());
    one.resources = vec![
        resource(OURS, ResourceType::Script, 100.0),
        resource(GTM, ResourceType::Script, 40.0),
        resource("https://a.other.example/t.png", ResourceType::Image, 60.0),
        resource("https://b.other.example/t.png", ResourceType::Image, 60.0),
    ];
    one.long_frames = Some(vec![frame(vec![ran(GTM, 30.0), ran(OURS, 90.0)])]);
    one.errors = vec![ScriptError {
        filename: Some(GTM.to_owned()),
        ..bare_error("x is undefined")
    }];
    store(
        &app,
        [one, view(2, app.now())].map(|view| (Device::Desktop, view)),
    )
    .await;
    let found = read(&app, "third-parties").await;
    assert_eq!(
        found["items"],
        json!([
            {
                "provider": "other.example", "category": "other", "hosts": ["a.other.example", "b.other.example"],
                "requests": 2, "pages_count": 1, "share_of_views_pct": 50.0, "transfer_bytes": null,
                "p75_duration_ms": 60.0, "render_blocking_requests": 0, "long_task_ms": 0.0, "script_duration_ms": 0.0,
                "error_count": 0, "first_seen_at": "2026-03-31T09:15:00Z",
            },
            {
                "provider": "Google Tag Manager", "category": "tag_manager", "hosts": ["www.googletagmanager.com"],
                "requests": 1, "pages_count": 1, "share_of_views_pct": 50.0, "transfer_bytes": null,
                "p75_duration_ms": 40.0, "render_blocking_requests": 0, "long_task_ms": 200.0, "script_duration_ms": 30.0,
                "error_count": 1, "first_seen_at": "2026-03-31T09:15:00Z",
            },
        ])
    );
}

/// Worked out by hand. Two of three views tell of frames, and one of these has some: two of 200 ms, which block 150 ms each. Our
/// script runs 90 and 50 ms of them, so that 67.5 and 37.5 ms of the blocking are its.
#[tokio::test]
async fn long_frames_are_told_by_page_and_by_script() {
    let app = TestApp::start().await;
    let mut busy = view(1, app.now());
    busy.long_frames = Some(vec![
        frame(vec![ran(GTM, 30.0), ran(OURS, 90.0)]),
        frame(vec![ran(OURS, 50.0)]),
    ]);
    let mut quiet = view(2, app.now());
    quiet.long_frames = Some(Vec::new());
    store(
        &app,
        [busy, quiet, view(3, app.now())].map(|view| (Device::Desktop, view)),
    )
    .await;
    let found = read(&app, "long-tasks").await;
    assert_eq!(
        (
            &found["avg_blocking_ms_per_view"],
            &found["views_with_any_pct"],
            &found["supported_views_pct"]
        ),
        (&json!(150.0), &json!(50.0), &json!(66.67))
    );
    assert_eq!(
        found["items"],
        json!([{
            "key": "https://shop.example/", "entry_type": "long_animation_frame", "count": 2, "views_affected": 1,
            "low_sample": true, "total_duration_ms": 400.0, "total_blocking_ms": 300.0, "p75_duration_ms": 200.0,
            "avg_style_layout_ms": 20.0, "avg_forced_layout_ms": 7.5, "top_invoker_type": "user_callback",
            "is_third_party": false,
        }])
    );
    let scripts = read(&app, "long-tasks?group_by=script").await;
    let ours = &scripts["items"][0];
    assert_eq!(
        (
            &ours["key"],
            &ours["count"],
            &ours["total_duration_ms"],
            &ours["total_blocking_ms"]
        ),
        (&json!(OURS), &json!(2), &json!(140.0), &json!(105.0))
    );
    assert_eq!(
        (
            &scripts["items"][1]["is_third_party"],
            &scripts["items"][1]["total_blocking_ms"]
        ),
        (&json!(true), &json!(22.5))
    );
    let url = app.get(
        &path(&app, "long-tasks?url=https://shop.example/"),
        &app.world.key,
    );
    assert_eq!(url.send().await.faults(), ["url"], "it is no parameter of these");
}
