//! Metrics of beacons, on a node that collects.

use serde_json::json;
use uuid::Uuid;

use super::Recording;
use crate::harness::{Request, TestApp};

const CHROME: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const EVENTS: &str = "//collect/events";
const BEACONS: &str = "pharos_beacons_total";

/// A visit, one of a bot, one of a site that nobody has, and vitals, which the site does not want.
#[tokio::test(flavor = "multi_thread")]
async fn beacons_are_counted_by_what_became_of_them() {
    let app = TestApp::start().await;
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    let enabled = app.put(&config, &app.world.key, &json!({ "enabled": true }));
    let settings = enabled.send().await.ok();
    let key = settings["site_key"].as_str().unwrap();
    let recording = Recording::start(&app, "ingest");
    for (path, site, agent, status) in [
        (EVENTS, key, CHROME, 202),
        (EVENTS, key, "curl/8.5.0", 202),
        (EVENTS, "pst_zzzzzzzzzzzzzzzzzzzzzz", CHROME, 404),
        ("//collect/vitals", key, CHROME, 202),
    ] {
        let beacon = json!({
            "site": site,
            "beacon": Uuid::new_v4(),
            "load": "9f86d081884c7d65",
            "events": [{ "type": "pageview", "url": "https://shop.example/" }],
        });
        let request = Request::new(recording.node.address, "POST", path)
            .header("user-agent", agent)
            .json(&beacon);
        assert_eq!(request.send_unchecked().await.status, status, "{path}: {agent}");
    }
    let scrape = recording
        .until(async |scrape| scrape.sum(BEACONS, &[]) == Some(4.0))
        .await;
    scrape.is_sound(&app);
    for (kind, outcome) in [
        ("events", "stored"),
        ("events", "bot"),
        ("events", "refused"),
        ("vitals", "left_out"),
    ] {
        scrape.is(BEACONS, &[("kind", kind), ("outcome", outcome)], 1.0);
    }
    scrape.is("pharos_beacon_batch_size_sum", &[("kind", "events")], 1.0);
}
