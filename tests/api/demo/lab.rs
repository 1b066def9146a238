//! The lab of the demo, which measures its first shop by a real Lighthouse.

use serde_json::Value;

use super::Demo;
use crate::{harness::Request, processes::loads};

/// The shop is measured on each profile from the first start on, and every read of the module has something to show.
pub(super) async fn measures_the_shop(demo: &Demo) {
    let Demo { node, key, .. } = demo;
    let have_ended = |runs: &Value| {
        let runs = runs["items"].as_array();
        runs.is_some_and(|runs| runs.len() >= 2 && runs.iter().all(|run| run["finished_at"].is_string()))
    };
    let runs = loads(node, key, &demo.at("synthetic/runs"), have_ended).await;
    let mut profiles = Vec::new();
    for run in runs["items"].as_array().unwrap() {
        assert_eq!(run["status"], "succeeded", "{run}");
        let warnings = run["run_warnings"].to_string();
        assert!(
            !warnings.contains("were refused"),
            "the lab reaches all of the shop: {warnings}"
        );
        let asked = run["requested_url"].as_str().unwrap();
        assert!(asked.starts_with("http://demo.localhost:"), "{asked}");
        for category in ["performance", "accessibility", "best_practices", "seo"] {
            assert!(run["categories"][category]["score"].is_u64(), "{category}: {run}");
        }
        for figure in ["fcp_ms", "lcp_ms", "tbt_ms", "cls", "speed_index_ms", "ttfb_ms"] {
            assert!(run["metrics"][figure].is_number(), "{figure}: {run}");
        }
        profiles.push(run["profile_id"].as_str().unwrap());
    }
    // In an hour that begins meanwhile it is measured again.
    profiles.sort_unstable();
    profiles.dedup();
    assert_eq!(profiles, ["desktop", "mobile"]);

    let newest = &runs["items"][0];
    let link = newest["screenshot_url"].as_str().unwrap();
    let path = format!("/{}", &link[link.find("/artefacts/").unwrap()..]);
    let picture = Request::new(node.address, "GET", &path).send_unchecked().await;
    assert_eq!(picture.status, 200);
    assert!(picture.body.starts_with(&[0xff, 0xd8]), "a JPEG");
    let id = newest["run_id"].as_str().unwrap();
    for list in [
        "audits",
        "opportunities",
        "resources",
        "third-parties",
        "filmstrip",
    ] {
        let found = demo.ask(&format!("synthetic/runs/{id}/{list}")).await;
        assert!(
            found["items"].as_array().is_some_and(|items| !items.is_empty()),
            "{list}: {found}"
        );
    }
    let overview = demo.ask("synthetic/overview").await;
    let standings = overview["items"].as_array().unwrap();
    assert_eq!(standings.len(), 2, "{overview}");
    for standing in standings {
        assert_eq!(standing["label"], "Demo shop", "{standing}");
        assert!(standing["performance_score"].is_u64(), "{standing}");
    }
    let series = demo.ask("synthetic/timeseries").await;
    assert_eq!(
        series["series"].as_array().map(Vec::len),
        Some(8),
        "two profiles, four metrics: {series}"
    );
}
