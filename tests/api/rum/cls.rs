//! GET /domains/{domain_id}/rum/cls/elements

use pharos_domain::collect::{
    client::Device,
    view::{LoadState, View},
};
use serde_json::{Value, json};

use super::{read, store, view};
use crate::harness::TestApp;

fn shifted(app: &TestApp, load: i64, shift: f64, selector: &str) -> View {
    let mut view = view(load, app.now());
    view.cls = Some(shift);
    let cls = &mut view.cause.cls;
    cls.element.selector = Some(selector.to_owned());
    cls.shift = Some(shift);
    cls.shift_at_ms = Some(1_000.0 * shift);
    cls.load_state = Some(LoadState::DomContentLoaded);
    view
}

/// Worked out by hand: shifts of 0.3 and 0.1 on a page that has a CLS of 0.3, 0.1, 0.05 and 0; the third quarter of these is
/// 0.15. A browser that reports no shifts is no part of it.
#[tokio::test]
async fn elements_are_ordered_by_the_sum_of_their_shifts() {
    let app = TestApp::start().await;
    let mut silent = view(5, app.now());
    silent.cls = None;
    store(
        &app,
        [
            (Device::Mobile, shifted(&app, 1, 0.3, "div.banner")),
            (Device::Desktop, shifted(&app, 2, 0.1, "div.banner")),
            (Device::Desktop, shifted(&app, 3, 0.05, "p.late")),
            (Device::Desktop, view(4, app.now())),
            (Device::Desktop, silent),
        ],
    )
    .await;
    let found = read(&app, "cls/elements").await;
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    for (name, wanted) in [
        ("element", json!("div.banner")),
        ("element_id", Value::Null),
        ("pageviews", json!(2)),
        ("low_sample", json!(true)),
        ("shift_sum", json!(0.4)),
        ("shift_avg", json!(0.2)),
        ("cls_p75_pages", json!(0.15)),
        ("avg_shift_time_ms", json!(200.0)),
        ("load_state", json!("dom_content_loaded")),
        (
            "devices",
            json!({ "mobile_pct": 50.0, "desktop_pct": 50.0, "tablet_pct": 0.0, "other_pct": 0.0 }),
        ),
        ("pages_count", json!(1)),
        ("sample_url", json!("https://shop.example/")),
    ] {
        assert_eq!(items[0][name], wanted, "{name}");
    }
    let phones = read(&app, "cls/elements?device=mobile").await;
    assert_eq!(phones["items"][0]["shift_sum"], 0.3);
}
