//! GET /domains/{domain_id}/rum/inp and what lies below it

use pharos_domain::collect::{
    client::Device,
    view::{Interaction, InvokerType, LoadState, Script, Subpart, View},
};
use serde_json::{Value, json};

use super::{read, store, view};
use crate::harness::TestApp;

/// A view whose slowest interaction has phases of 1, 6 and 3 tenths of `ms`.
fn interacted(app: &TestApp, load: i64, ms: f64, selector: Option<&str>) -> View {
    let mut view = view(load, app.now());
    view.inp_ms = Some(ms);
    let inp = &mut view.cause.inp;
    inp.element.selector = selector.map(ToOwned::to_owned);
    inp.interaction = Some(Interaction::Pointer);
    inp.load_state = Some(LoadState::Complete);
    inp.input_delay_ms = Some(0.1 * ms);
    inp.processing_ms = Some(0.6 * ms);
    inp.presentation_ms = Some(0.3 * ms);
    view
}

fn script(url: &str, duration_ms: f64) -> Script {
    Script {
        url: Some(url.to_owned()),
        function: Some("buy".to_owned()),
        invoker: Some("BUTTON#buy.onclick".to_owned()),
        invoker_type: Some(InvokerType::EventListener),
        duration_ms,
        forced_layout_ms: 10.0,
    }
}

async fn some_views(app: &TestApp) {
    let mut slow = interacted(app, 1, 600.0, Some("button#buy"));
    slow.cause.inp.script_ms = Some(500.0);
    let ours = script("https://shop.example/app.js", 300.0);
    slow.cause.inp.longest_script = Some((ours, Some(Subpart::ProcessingDuration)));
    let mut slower = interacted(app, 2, 400.0, Some("button#buy"));
    let theirs = script("https://www.googletagmanager.com/gtm.js", 100.0);
    slower.cause.inp.longest_script = Some((theirs, Some(Subpart::InputDelay)));
    let mut quick = interacted(app, 3, 100.0, None);
    quick.cause.inp.interaction = Some(Interaction::Keyboard);
    quick.cause.inp.load_state = Some(LoadState::Loading);
    let ours = script("https://shop.example/app.js", 50.0);
    quick.cause.inp.longest_script = Some((ours, None));
    let views = [slow, slower, quick, view(4, app.now())];
    store(app, views.map(|view| (Device::Desktop, view))).await;
}

/// Worked out by hand: of 100, 400 and 600 ms the third quarter is 500 ms, and so with the phases; means are theirs too.
#[tokio::test]
async fn phases_are_those_worked_out_by_hand() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "inp").await;
    for (name, wanted) in [
        ("sample_count", json!(3)),
        ("low_sample", json!(true)),
        ("inp_ms", json!(500.0)),
        ("input_delay_ms", json!(50.0)),
        ("processing_duration_ms", json!(300.0)),
        ("presentation_delay_ms", json!(150.0)),
        ("input_delay_share_pct", json!(10.0)),
        ("processing_duration_share_pct", json!(60.0)),
        ("presentation_delay_share_pct", json!(30.0)),
        ("script_duration_ms", json!(500.0)),
        ("style_layout_duration_ms", Value::Null),
        ("interacted_views_pct", json!(75.0)),
    ] {
        assert_eq!(found[name], wanted, "{name}");
    }
    assert_eq!(
        found["by_interaction_type"],
        json!([
            { "interaction_type": "pointer", "interactions": 2, "share_pct": 66.67, "inp_ms": 550.0 },
            { "interaction_type": "keyboard", "interactions": 1, "share_pct": 33.33, "inp_ms": 100.0 },
        ])
    );
    assert_eq!(
        found["by_load_state"][1],
        json!({ "load_state": "loading", "interactions": 1, "inp_ms": 100.0 })
    );
    assert_eq!(found["items"].as_array().unwrap().len(), 30);
}

#[tokio::test]
async fn elements_are_ordered_by_their_slow_interactions() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "inp/elements").await;
    let items = found["items"].as_array().unwrap();
    for (name, wanted) in [
        ("element", json!("button#buy")),
        ("interaction_type", json!("pointer")),
        ("interactions", json!(2)),
        ("slow_interactions", json!(2)),
        ("poor_interactions", json!(1)),
        ("inp_ms", json!(550.0)),
        ("load_state_top", json!("complete")),
        ("pages_count", json!(1)),
        ("sample_url", json!("https://shop.example/")),
    ] {
        assert_eq!(items[0][name], wanted, "{name}");
    }
    assert_eq!(
        (&items[1]["element"], &items[1]["slow_interactions"]),
        (&Value::Null, &json!(0)),
        "a node that left the page has no selector"
    );
}

#[tokio::test]
async fn scripts_are_those_of_slow_interactions_and_their_providers_are_named() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "inp/scripts").await;
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    for (name, wanted) in [
        ("script_url", json!("https://shop.example/app.js")),
        ("function_name", json!("buy")),
        ("invoker", json!("BUTTON#buy.onclick")),
        ("invoker_type", json!("event_listener")),
        ("provider", Value::Null),
        ("is_third_party", json!(false)),
        ("interactions", json!(1)),
        ("total_duration_ms", json!(300.0)),
        ("avg_duration_ms", json!(300.0)),
        ("forced_style_layout_ms", json!(10.0)),
        ("subpart", json!("processing_duration")),
    ] {
        assert_eq!(items[0][name], wanted, "{name}");
    }
    assert_eq!(
        (&items[1]["provider"], &items[1]["is_third_party"]),
        (&json!("Google Tag Manager"), &json!(true))
    );
}
