//! GET /domains/{domain_id}/rum/ttfb

use pharos_domain::collect::{
    client::Device,
    view::{ServerTiming, View},
};
use serde_json::{Value, json};

use super::{read, store, view};
use crate::harness::TestApp;

fn answered(app: &TestApp, load: i64, ms: f64, redirects: Option<u16>) -> View {
    let mut view = view(load, app.now());
    view.ttfb_ms = Some(ms);
    view.protocol = Some("h2".to_owned());
    let ttfb = &mut view.cause.ttfb;
    ttfb.waiting_ms = Some(0.1 * ms);
    ttfb.request_ms = Some(0.9 * ms);
    ttfb.redirects = redirects;
    ttfb.server_timings = vec![ServerTiming {
        name: "db".to_owned(),
        duration_ms: 0.5 * ms,
    }];
    view
}

/// Worked out by hand: of 100, 200 and 400 ms the third quarter is 300 ms, and the mean 700/3.
#[tokio::test]
async fn parts_are_those_worked_out_by_hand() {
    let app = TestApp::start().await;
    let views = [
        answered(&app, 1, 100.0, Some(0)),
        answered(&app, 2, 200.0, Some(2)),
        answered(&app, 3, 400.0, None),
    ];
    store(&app, views.map(|view| (Device::Desktop, view))).await;
    let found = read(&app, "ttfb").await;
    for (name, wanted) in [
        ("sample_count", json!(3)),
        ("ttfb_ms", json!(300.0)),
        ("waiting_ms", json!(30.0)),
        ("request_ms", json!(270.0)),
        ("dns_ms", Value::Null),
        ("redirected_pct", json!(50.0)),
        (
            "server_timing",
            json!([{ "name": "db", "avg_ms": 116.7, "p75_ms": 150.0, "pageviews": 3 }]),
        ),
        (
            "by_country",
            json!([{ "key": "DE", "pageviews": 3, "ttfb_ms": 300.0 }]),
        ),
        (
            "by_protocol",
            json!([{ "key": "h2", "pageviews": 3, "ttfb_ms": 300.0 }]),
        ),
    ] {
        assert_eq!(found[name], wanted, "{name}");
    }
    assert_eq!(found["items"][29]["request_ms"], 270.0);
}
