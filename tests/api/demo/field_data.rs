//! The field data of the demo, whose report it plays itself.

use serde_json::{Value, json};

use super::Demo;
use crate::processes::loads;

/// They are collected as those of Google are; whoever starts the demo is told that they are played, and each page that is followed
/// says so.
pub(super) async fn say_who_played_them(demo: &Demo) {
    let Demo { node, key, .. } = demo;
    let told = "this process plays Search Console and the Chrome UX Report";
    assert!(
        node.lines.iter().any(|line| line.contains(told)),
        "{:?}",
        node.lines
    );

    let is_collected = |urls: &Value| {
        let items = urls["items"].as_array();
        items.is_some_and(|pages| pages.len() == 3 && pages.iter().all(|page| page["status"] == "active"))
    };
    let urls = loads(node, key, &demo.at("crux/urls"), is_collected).await;
    for page in urls["items"].as_array().unwrap() {
        assert_eq!(page["label"], "Played by --demo: no figures of Google", "{page}");
        assert!(page["mobile"]["lcp_ms"].is_number(), "{page}");
    }

    let overview = loads(node, key, &demo.at("crux/overview"), |overview| {
        overview["eligible"] == true
    })
    .await;
    assert_eq!(overview["origin"], "https://demo.localhost");
    for figure in ["lcp_ms", "inp_ms", "cls", "fcp_ms", "ttfb_ms", "rtt_ms"] {
        for devices in ["all", "mobile", "desktop"] {
            assert!(
                overview[devices][figure].is_number(),
                "{figure} of {devices}: {overview}"
            );
        }
    }
    let record = demo.ask("crux/record").await;
    assert_eq!(record["metrics"].as_object().map(serde_json::Map::len), Some(6));
    let history = demo.ask("crux/history").await;
    assert_eq!(
        (
            &history["period_count"],
            history["series"]["lcp"]["p75"][24].is_number()
        ),
        (&json!(25), true),
        "{history}"
    );
    let parts = demo.ask("crux/lcp-breakdown").await;
    assert_eq!(parts["dominant_subpart"], "resource_load_duration", "{parts}");
    let types = demo.ask("crux/navigation-types").await;
    assert!(types["instant_pct"].as_f64() > Some(0.0), "{types}");
}
