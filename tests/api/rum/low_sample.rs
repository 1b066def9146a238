//! The mark of figures that are of few views.

use pharos_domain::collect::{
    client::Device,
    view::{Interaction, LoadState, Resource, ResourceType, View},
};
use serde_json::json;

use super::{
    loads::{frame, resource},
    read, store, view,
};
use crate::harness::TestApp;

/// A view of which each figure can be told: with a largest paint, an interaction, a shift, a request and a long frame.
fn whole(app: &TestApp, load: i64) -> View {
    let mut view = view(load, app.now());
    (view.inp_ms, view.cls) = (Some(100.0), Some(0.1));
    let cause = &mut *view.cause;
    (cause.lcp.ttfb_ms, cause.lcp.render_delay_ms) = (Some(200.0), Some(800.0));
    cause.lcp.element.selector = Some("h1".to_owned());
    cause.inp.element.selector = Some("button#buy".to_owned());
    cause.inp.interaction = Some(Interaction::Pointer);
    cause.inp.load_state = Some(LoadState::Complete);
    cause.cls.element.selector = Some("div.banner".to_owned());
    (cause.cls.shift, cause.cls.shift_at_ms) = (Some(0.1), Some(100.0));
    cause.cls.load_state = Some(LoadState::Complete);
    view.resources = vec![Resource {
        method: Some("GET".to_owned()),
        status: Some(200),
        ..resource("https://shop.example/api/cart", ResourceType::Fetch, 10.0)
    }];
    view.long_frames = Some(vec![frame(Vec::new())]);
    view
}

/// 49 views of phones and 50 of computers, which are alike.
#[tokio::test]
async fn figures_of_fewer_than_fifty_are_marked_and_no_others() {
    let app = TestApp::start().await;
    let views = (1..=99).map(|load| {
        let device = if load <= 49 {
            Device::Mobile
        } else {
            Device::Desktop
        };
        (device, whole(&app, load))
    });
    store(&app, views).await;
    for (rest, place) in [
        ("pages", "/items/0/low_sample"),
        ("countries", "/items/0/low_sample"),
        ("lcp", "/low_sample"),
        ("lcp/elements", "/items/0/low_sample"),
        ("inp", "/low_sample"),
        ("inp/elements", "/items/0/low_sample"),
        ("cls/elements", "/items/0/low_sample"),
        ("ttfb", "/low_sample"),
        ("resources", "/items/0/low_sample"),
        ("requests", "/items/0/low_sample"),
        ("long-tasks", "/items/0/low_sample"),
    ] {
        for (device, is_low) in [("mobile", true), ("desktop", false)] {
            let found = read(&app, &format!("{rest}?device={device}")).await;
            assert_eq!(found.pointer(place), Some(&json!(is_low)), "{rest} of {device}");
        }
    }
}
