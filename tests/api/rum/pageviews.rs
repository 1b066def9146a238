//! GET /domains/{domain_id}/rum/pageviews

use pharos_domain::collect::{
    client::Device,
    view::{Connection, Navigation},
};
use serde_json::{Value, json};
use time::Duration;

use super::{path, store, view};
use crate::harness::TestApp;

async fn pageviews(app: &TestApp, query: &str) -> Value {
    app.get(
        &path(app, &format!("pageviews?start_date=2026-03-30{query}")),
        &app.world.key,
    )
    .send()
    .await
    .ok()
}

#[tokio::test]
async fn a_view_is_told_to_the_minute_and_without_whose_it_was() {
    let app = TestApp::start().await;
    let mut told = view(1, app.now());
    told.referrer = Some("https://mail.example/inbox".to_owned());
    (told.connection, told.navigation) = (Some(Connection::ThreeG), Navigation::Reload);
    (told.inp_ms, told.load_ms, told.viewport) = (Some(96.0), Some(2_000.04), Some((390, 844)));
    told.engagement.interactions = Some(3);
    let mut hidden = view(-2, app.now() - Duration::MINUTE);
    (hidden.lcp_ms, hidden.fcp_ms, hidden.was_hidden) = (None, None, true);
    store(&app, [told, hidden].map(|view| (Device::Mobile, view))).await;
    let found = pageviews(&app, "").await;
    assert_eq!(
        found["items"][0],
        json!({
            "pageview_id": "0000000000000001", "viewed_at": "2026-03-31T09:15:00Z",
            "url": "https://shop.example/", "referrer": "https://mail.example/inbox",
            "device": "mobile", "browser": "Chrome", "browser_version": "140", "os": null, "country": "DE",
            "connection": "3g", "navigation_type": "reload",
            "lcp_ms": 1_000.0, "inp_ms": 96.0, "cls": 0.0, "fcp_ms": 800.0, "ttfb_ms": 200.0,
            "dom_content_loaded_ms": null, "load_ms": 2_000.0, "viewport_width": 390, "viewport_height": 844,
            "error_count": 0, "interaction_count": 3, "was_hidden": false,
        })
    );
    let hidden = &found["items"][1];
    assert_eq!(hidden["pageview_id"], "fffffffffffffffe");
    assert_eq!(
        (
            &hidden["lcp_ms"],
            &hidden["was_hidden"],
            &hidden["interaction_count"]
        ),
        (&Value::Null, &json!(true), &Value::Null)
    );
    assert_eq!(
        (&hidden["referrer"], &hidden["connection"]),
        (&Value::Null, &Value::Null)
    );
}

/// Within a minute views are in the order of their numbers, so that no cursor tells more of their time.
#[tokio::test]
async fn each_view_comes_once_whatever_the_size_of_a_page() {
    let app = TestApp::start().await;
    let minute = app
        .now()
        .replace_second(0)
        .unwrap()
        .replace_nanosecond(0)
        .unwrap();
    let told = [(1, 50), (5, 10), (3, 30), (4, -20), (2, -70), (-6, -70)];
    let views = told.map(|(load, seconds)| {
        (
            Device::Mobile,
            view(load, minute - Duration::MINUTE + Duration::seconds(seconds)),
        )
    });
    store(&app, views).await;
    let wanted = ["5", "3", "1", "4", "2", "fffffffffffffffa"];
    for limit in [1, 2, 3, 6, 50] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let found = pageviews(&app, &format!("&limit={limit}{cursor}")).await;
            for item in found["items"].as_array().unwrap() {
                seen.push(
                    item["pageview_id"]
                        .as_str()
                        .unwrap()
                        .trim_start_matches('0')
                        .to_owned(),
                );
            }
            let Some(next) = found["next_cursor"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(seen, wanted, "by {limit}");
    }
    let found = pageviews(&app, "&url=https://shop.example/none").await;
    assert_eq!(found["items"], json!([]));
}
