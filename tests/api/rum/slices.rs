//! GET /domains/{domain_id}/rum/countries, devices, browsers, connections, navigation-types

use pharos_domain::collect::{
    Beacon,
    client::Device,
    view::{Connection, Navigation, View},
};
use serde_json::{Value, json};

use super::{beacon, path, store, store_beacons, view};
use crate::harness::TestApp;

async fn list(app: &TestApp, which: &str) -> Value {
    app.get(&path(app, which), &app.world.key).send().await.ok()
}

/// Two views of phones in Germany over 4G, of 1,000 and 5,000 ms; and one of a desktop, of which the browser says little.
async fn some_views(app: &TestApp) {
    let told = |view: View| -> Beacon<View> { beacon(app, Device::Mobile, view) };
    let mut fast = view(1, app.now());
    fast.connection = Some(Connection::FourG);
    (fast.rtt_ms, fast.protocol) = (Some(75.0), Some("h3".to_owned()));
    (fast.device_memory, fast.viewport) = (Some(2.0), Some((390, 844)));
    let mut slow = view(2, app.now());
    slow.connection = Some(Connection::FourG);
    (slow.rtt_ms, slow.protocol) = (Some(300.0), Some("h2".to_owned()));
    (slow.device_memory, slow.viewport) = (Some(8.0), Some((767, 844)));
    (slow.lcp_ms, slow.inp_ms) = (Some(5_000.0), Some(300.0));
    slow.navigation = Navigation::Reload;
    let mut bare = view(3, app.now());
    (bare.lcp_ms, bare.cls, bare.viewport) = (Some(2_600.0), None, Some((1_280, 800)));
    let mut bare = beacon(app, Device::Desktop, bare);
    bare.client.country = None;
    bare.client.browser = Some("Firefox".to_owned());
    bare.client.browser_version = Some("128".to_owned());
    bare.client.os = Some("Linux".to_owned());
    let [fast, mut slow] = [fast, slow].map(told);
    slow.client.browser_version = Some("141".to_owned());
    store_beacons(app, &[fast, slow, bare]).await;
}

fn keys(rows: &Value) -> Vec<(&str, u64)> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| (row["key"].as_str().unwrap(), row["pageviews"].as_u64().unwrap()))
        .collect()
}

/// Worked out by hand. The 75th percentile of 1,000 and 5,000 ms is 4,000.
#[tokio::test]
async fn countries_have_the_vitals_of_their_views() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = list(&app, "countries").await;
    let [germany, unknown] = found["items"].as_array().unwrap().as_slice() else {
        panic!("{found}");
    };
    assert_eq!(
        *germany,
        json!({
            "country": "DE", "country_name": "Germany", "key": "DE", "label": "Germany",
            "pageviews": 2, "share_pct": 66.67,
            "lcp_ms": 4_000.0, "inp_ms": 300.0, "cls": 0.0, "fcp_ms": 800.0, "ttfb_ms": 200.0,
            "ratings": {
                "lcp": { "good_pct": 50.0, "needs_improvement_pct": 0.0, "poor_pct": 50.0, "sample_count": 2 },
                "inp": { "good_pct": 0.0, "needs_improvement_pct": 100.0, "poor_pct": 0.0, "sample_count": 1 },
                "cls": { "good_pct": 100.0, "needs_improvement_pct": 0.0, "poor_pct": 0.0, "sample_count": 2 },
            },
            "low_sample": true,
        })
    );
    assert_eq!(
        (&unknown["country"], &unknown["country_name"], &unknown["key"]),
        (&Value::Null, &json!("Unknown"), &json!("unknown"))
    );
    assert_eq!(
        (&unknown["cls"], &unknown["inp_ms"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&found["total"], &found["truncated"], &found["percentile"]),
        (&json!(2), &json!(false), &json!("p75"))
    );
    assert_eq!(
        (&found["meta"]["percentile_method"], &found["has_more"]),
        (&json!("exact"), &json!(false))
    );
    let found = list(&app, "countries?device=desktop").await;
    assert_eq!(keys(&found["items"]), [("unknown", 1)]);
    assert_eq!(found["items"][0]["share_pct"], 100.0);
    let found = list(&app, "countries?country=FR").await;
    assert_eq!((&found["items"], &found["total"]), (&json!([]), &json!(0)));
    for nowhere in ["usa", "QQ", ""] {
        let asked = path(&app, &format!("countries?country={nowhere}"));
        let refused = app.get(&asked, &app.world.key).send().await;
        assert_eq!(refused.faults(), ["country"], "{nowhere}");
    }
}

#[tokio::test]
async fn devices_are_told_by_class_memory_and_width() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = list(&app, "devices").await;
    assert_eq!(keys(&found["items"]), [("mobile", 2), ("desktop", 1)]);
    assert_eq!(found["items"][0]["device"], "mobile");
    let mut memory = keys(&found["by_memory"]);
    memory.sort_unstable();
    assert_eq!(memory, [("high", 1), ("low", 1), ("unknown", 1)]);
    let unknown = found["by_memory"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["key"] == "unknown");
    assert_eq!(unknown.unwrap()["memory_class"], Value::Null);
    assert_eq!(keys(&found["by_viewport"]), [("small", 2), ("large", 1)]);
    assert_eq!(found["by_viewport"][1]["viewport_class"], "large");
}

#[tokio::test]
async fn browsers_are_told_by_family_version_or_system_and_with_what_they_measure() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = list(&app, "browsers").await;
    assert_eq!(keys(&found["items"]), [("Chrome", 2), ("Firefox", 1)]);
    let firefox = &found["items"][1];
    assert_eq!(
        (&firefox["browser"], &firefox["browser_version"], &firefox["os"]),
        (&json!("Firefox"), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (
            &firefox["supports_lcp"],
            &firefox["supports_cls"],
            &firefox["cls"]
        ),
        (&json!(true), &json!(false), &Value::Null)
    );
    let found = list(&app, "browsers?group_by=browser_version").await;
    let mut versions = keys(&found["items"]);
    versions.sort_unstable();
    assert_eq!(
        versions,
        [("Chrome 140", 1), ("Chrome 141", 1), ("Firefox 128", 1)]
    );
    let firefox = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["browser"] == "Firefox")
        .unwrap();
    assert_eq!(
        (&firefox["supports_inp"], &firefox["browser_version"]),
        (&json!(false), &json!("128"))
    );
    let found = list(&app, "browsers?group_by=os").await;
    assert_eq!(keys(&found["items"]), [("unknown", 2), ("Linux", 1)]);
    assert_eq!(
        (&found["items"][1]["os"], &found["items"][1]["browser"]),
        (&json!("Linux"), &Value::Null)
    );
    let refused = app
        .get(&path(&app, "browsers?group_by=engine"), &app.world.key)
        .send()
        .await;
    assert_eq!(refused.faults(), ["group_by"]);
}

#[tokio::test]
async fn connections_are_told_by_type_protocol_and_round_trip() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = list(&app, "connections").await;
    assert_eq!(keys(&found["items"]), [("4g", 2), ("unknown", 1)]);
    assert_eq!(
        (&found["items"][0]["connection"], &found["items"][1]["connection"]),
        (&json!("4g"), &json!("unknown"))
    );
    let mut protocols = keys(&found["by_protocol"]);
    protocols.sort_unstable();
    assert_eq!(protocols, [("h2", 1), ("h3", 1), ("unknown", 1)]);
    let mut bands = keys(&found["by_rtt_band"]);
    bands.sort_unstable();
    assert_eq!(bands, [("high", 1), ("low", 1), ("unknown", 1)], "75 ms is low");
}

/// On both sides of each bound of memory, width and round trip.
#[tokio::test]
async fn classes_end_where_they_say() {
    let app = TestApp::start().await;
    let measured = [
        (2.0, 767, 75.0),
        (4.0, 768, 76.0),
        (4.0, 1_279, 275.0),
        (8.0, 1_280, 276.0),
    ];
    let views = (1..).zip(measured).map(|(load, (memory, width, rtt))| {
        let mut view = view(load, app.now());
        (view.device_memory, view.rtt_ms) = (Some(memory), Some(rtt));
        view.viewport = Some((width, 800));
        (Device::Desktop, view)
    });
    store(&app, views).await;
    let devices = list(&app, "devices").await;
    let connections = list(&app, "connections").await;
    for (rows, wanted) in [
        (&devices["by_memory"], [("high", 1), ("low", 1), ("mid", 2)]),
        (
            &devices["by_viewport"],
            [("large", 1), ("medium", 2), ("small", 1)],
        ),
        (
            &connections["by_rtt_band"],
            [("high", 1), ("low", 1), ("medium", 2)],
        ),
    ] {
        let mut found = keys(rows);
        found.sort_unstable();
        assert_eq!(found, wanted);
    }
}

#[tokio::test]
async fn ways_to_a_page_are_told() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = list(&app, "navigation-types").await;
    assert_eq!(keys(&found["items"]), [("navigate", 2), ("reload", 1)]);
    assert_eq!(
        (
            &found["items"][1]["navigation_type"],
            &found["items"][1]["lcp_ms"]
        ),
        (&json!("reload"), &json!(5_000.0))
    );
}

/// The limit of a route, by address.
#[tokio::test]
async fn the_twenty_first_read_of_a_minute_is_refused_by_its_route() {
    let app = TestApp::start().await;
    for _ in 0..20 {
        list(&app, "countries").await;
    }
    let refused = app.get(&path(&app, "countries"), &app.world.key).send().await;
    let problem = refused.problem(429, "rate-limited");
    assert_eq!(problem["bucket"], "rum-read");
    assert!(problem["retry_after_seconds"].as_u64().unwrap() >= 1, "{problem}");
    // Another route has a limit of its own.
    list(&app, "navigation-types").await;
}

/// A server may send what its browser can't have measured.
#[tokio::test]
async fn a_metric_that_a_browser_does_not_measure_is_null_whatever_was_sent() {
    let app = TestApp::start().await;
    let mut sent = view(1, app.now());
    (sent.inp_ms, sent.cls) = (Some(40.0), Some(0.02));
    let mut sent = beacon(&app, Device::Desktop, sent);
    sent.client.browser = Some("Firefox".to_owned());
    sent.client.browser_version = Some("143".to_owned());
    store_beacons(&app, &[sent]).await;
    let found = list(&app, "browsers?group_by=browser_version").await;
    let firefox = &found["items"][0];
    assert_eq!(
        (&firefox["lcp_ms"], &firefox["inp_ms"], &firefox["cls"]),
        (&json!(1_000.0), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (
            &firefox["ratings"]["lcp"]["sample_count"],
            &firefox["ratings"]["cls"]["sample_count"]
        ),
        (&json!(1), &json!(0))
    );
}
