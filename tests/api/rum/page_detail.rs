//! GET /domains/{domain_id}/rum/pages/detail

use pharos_domain::collect::{
    client::Device,
    view::{ScriptError, View},
};
use serde_json::{Value, json};

use super::{bare_error, path, read, store, view};
use crate::harness::TestApp;

const DAYS: &str = "start_date=2026-03-30&end_date=2026-03-31";

async fn detail(app: &TestApp, query: &str) -> Value {
    read(app, &format!("pages/detail?{DAYS}{query}")).await
}

/// Whether `found` has these members.
fn assert_has(found: &Value, expected: &Value) {
    for (member, value) in expected.as_object().unwrap() {
        assert_eq!(&found[member], value, "{member} of {found}");
    }
}

fn cart(load: i64, app: &TestApp, lcp: f64) -> View {
    let mut view = view(load, app.now());
    (view.path, view.lcp_ms) = ("/cart".to_owned(), Some(lcp));
    let cause = &mut view.cause.lcp;
    cause.element.selector = Some("main>img".to_owned());
    cause.resource_url = Some("https://cdn.example/hero.png".to_owned());
    (cause.ttfb_ms, cause.load_delay_ms) = (Some(100.0), Some(lcp - 300.0));
    (cause.load_duration_ms, cause.render_delay_ms) = (Some(100.0), Some(100.0));
    view
}

/// Worked out by hand: of paints of 900 and 1,700 ms the 75th percentile is 1,500, and the load delay's is 1,200; the means of the
/// parts are 100, 1,000, 100 and 100.
#[tokio::test]
async fn a_page_is_told_with_what_it_owes_its_figures_to() {
    let app = TestApp::start().await;
    let mut second = cart(2, &app, 1_700.0);
    (second.inp_ms, second.cls) = (Some(300.0), Some(0.2));
    second.cause.inp.element.selector = Some("button".to_owned());
    second.cause.inp.element.id = Some("buy".to_owned());
    (second.cause.inp.input_delay_ms, second.cause.inp.processing_ms) = (Some(100.0), Some(200.0));
    second.cause.inp.presentation_ms = Some(0.0);
    second.cause.cls.element.selector = Some("div.banner".to_owned());
    second.cause.cls.shift = Some(0.15);
    second.errors = vec![ScriptError {
        name: Some("TypeError".to_owned()),
        ..bare_error("no session for ada@shop.example")
    }];
    let views = [
        (Device::Mobile, cart(1, &app, 900.0)),
        (Device::Desktop, second),
        (Device::Mobile, view(3, app.now())),
    ];
    store(&app, views).await;
    let found = detail(&app, "&url=https://shop.example/cart?id=7").await;
    assert_has(
        &found,
        &json!({ "url": "https://shop.example/cart", "pageviews": 2, "percentile": "p75" }),
    );
    assert_has(
        &found["vitals"]["all"],
        &json!({ "lcp_ms": 1_500.0, "inp_ms": 300.0 }),
    );
    assert_has(
        &found["vitals"]["mobile"],
        &json!({ "lcp_ms": 900.0, "inp_ms": null }),
    );
    assert_has(
        &found["vitals"]["desktop"],
        &json!({ "lcp_ms": 1_700.0, "cls": 0.2 }),
    );
    assert_eq!(found["ratings"]["inp"]["needs_improvement_pct"], 100.0);
    assert_has(
        &found["lcp"],
        &json!({
            "lcp_ms": 1_500.0, "ttfb_ms": 100.0, "ttfb_share_pct": 7.69,
            "resource_load_delay_ms": 1_200.0, "resource_load_delay_share_pct": 76.92,
            "resource_load_duration_ms": 100.0, "element_render_delay_ms": 100.0, "sample_count": 2,
        }),
    );
    assert_has(
        &found["inp"],
        &json!({
            "inp_ms": 300.0, "input_delay_ms": 100.0, "input_delay_share_pct": 33.33,
            "processing_duration_ms": 200.0, "processing_duration_share_pct": 66.67,
            "presentation_delay_ms": 0.0, "presentation_delay_share_pct": 0.0, "interacted_views_pct": 50.0,
        }),
    );
    let [paint, interaction, shift, error] = [
        "top_lcp_elements",
        "top_interactions",
        "top_shift_elements",
        "top_errors",
    ]
    .map(|list| {
        assert_eq!(found[list].as_array().unwrap().len(), 1, "{list}");
        &found[list][0]
    });
    assert_has(
        paint,
        &json!({
            "element": "main>img", "resource_url": "https://cdn.example/hero.png", "pageviews": 2, "lcp_ms": 1_500.0,
        }),
    );
    assert_has(
        interaction,
        &json!({ "element": "button", "element_id": "buy", "interactions": 1, "slow_interactions": 1, "inp_ms": 300.0 }),
    );
    assert_has(
        shift,
        &json!({ "element": "div.banner", "pageviews": 1, "shift_sum": 0.15, "shift_avg": 0.15 }),
    );
    assert_has(
        error,
        &json!({ "occurrences": 1, "affected_views": 1, "type": "TypeError" }),
    );
    assert!(!error["message"].as_str().unwrap().contains("ada@"), "{error}");
    let days = found["timeline"].as_array().unwrap();
    let days: Vec<_> = days.iter().map(|day| &day["pageviews"]).collect();
    assert_eq!(days, [0, 2]);
    assert_has(
        &found["navigation_types"][0],
        &json!({ "navigation_type": "navigate", "pageviews": 2, "share_pct": 100.0 }),
    );
    assert_has(
        &found["countries"][0],
        &json!({ "country": "DE", "pageviews": 2 }),
    );
    assert_eq!(found["meta"]["percentile_method"], "exact");
}

/// Every part says what its own read says of the page.
#[tokio::test]
async fn the_parts_are_those_of_their_own_reads() {
    let app = TestApp::start().await;
    let views = (0..7).map(|load| {
        let mut view = cart(load, &app, 1_000.0);
        view.cause.lcp.element.selector = Some(format!("img.of-{load}"));
        (Device::Mobile, view)
    });
    store(&app, views).await;
    store(&app, [(Device::Mobile, view(8, app.now()))]).await;
    let of_page = "url=https://shop.example/cart&device=mobile";
    let found = detail(&app, &format!("&{of_page}")).await;
    let paints = read(&app, &format!("lcp/elements?{DAYS}&{of_page}")).await;
    assert_eq!(
        (&found["pageviews"], paints["items"].as_array().unwrap().len()),
        (&json!(7), 7)
    );
    assert_eq!(
        found["top_lcp_elements"].as_array().unwrap()[..],
        paints["items"].as_array().unwrap()[..5]
    );
    for part in ["lcp", "inp"] {
        let mut own = read(&app, &format!("{part}?{DAYS}&{of_page}")).await;
        for beside in ["meta", "percentile"] {
            own.as_object_mut().unwrap().remove(beside);
        }
        assert_eq!(found[part], own, "{part}");
    }
}

#[tokio::test]
async fn a_page_of_which_nothing_was_received_has_no_views() {
    let app = TestApp::start().await;
    store(&app, [(Device::Mobile, cart(1, &app, 900.0))]).await;
    for page in ["none&device=mobile", "cart&device=desktop"] {
        let found = detail(&app, &format!("&url=https://shop.example/{page}")).await;
        assert_has(
            &found,
            &json!({ "pageviews": 0, "top_lcp_elements": [], "countries": [] }),
        );
        assert_eq!(
            (
                &found["vitals"]["all"],
                &found["lcp"]["ttfb_share_pct"],
                &found["inp"]["inp_ms"]
            ),
            (&Value::Null, &Value::Null, &Value::Null)
        );
    }
}

#[tokio::test]
async fn a_page_needs_an_address() {
    let app = TestApp::start().await;
    let refused = app
        .get(&path(&app, "pages/detail?device=tv"), &app.world.key)
        .send()
        .await;
    assert_eq!(refused.status, 400);
    let faults: Vec<Value> = refused.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["parameter"].clone())
        .collect();
    assert!(
        faults.contains(&json!("url")) && faults.contains(&json!("device")),
        "{faults:?}"
    );
}
