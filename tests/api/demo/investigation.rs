//! An assistant that knows of the demo nothing but a question, and finds the slow release that was planted in its history by
//! tools alone.

use std::net::SocketAddr;

use serde_json::{Value, json};
use time::Date;

use super::Demo;
use crate::{
    harness::Key,
    mcp::{found, message_to},
};

const SHOP: &str = "demo.localhost";
/// A change in percent from which on a week is slower than the one before.
const SLOWER: f64 = 30.0;

/// Whoever asks, with a key.
struct Assistant<'a> {
    address: SocketAddr,
    key: &'a Key,
}

impl Assistant<'_> {
    async fn result(&self, method: &str, params: &Value) -> Value {
        let request = message_to(self.address, method, params).key(self.key);
        request.send_unchecked().await.ok()["result"].clone()
    }

    /// The findings of a tool.
    async fn ask(&self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let result = self.result("tools/call", &params).await;
        let answer = found(&result);
        let link = answer["console"].as_str().unwrap();
        assert!(link.contains("/console"), "{tool}: {link}");
        assert!(answer["credits"]["cost"].is_u64(), "{tool}: {answer}");
        answer.clone()
    }
}

/// By how many percent a figure changed; 0 where it is not among the changes.
fn change(compared: &Value, figure: &str) -> f64 {
    let changes = compared["vitals"]["changes"]
        .as_array()
        .unwrap_or_else(|| panic!("no vitals: {compared}"));
    let of_figure = changes.iter().find(|change| change["figure"] == figure);
    of_figure.map_or(0.0, |change| change["change_pct"].as_f64().unwrap())
}

/// The days that were slow: their LCP is 1.4 times that of most days, or more.
fn slow_days(days: &[Value]) -> Vec<String> {
    let lcp = |day: &Value| day["lcp_ms"].as_f64().unwrap();
    let mut sorted: Vec<f64> = days.iter().map(lcp).collect();
    sorted.sort_by(f64::total_cmp);
    let usual = sorted[sorted.len() / 2];
    days.iter()
        .filter(|day| lcp(day) > 1.4 * usual)
        .map(|day| day["date"].as_str().unwrap().to_owned())
        .collect()
}

/// The days of the release, as the demo's history has them: from 20 to 15 days before its first start.
fn planted(today: Date) -> Vec<String> {
    (15..=20)
        .rev()
        .map(|ago| (today - time::Duration::days(ago)).to_string())
        .collect()
}

/// "Why did checkout slow down?", by the steps of the prompt for that question.
pub(super) async fn finds_the_slow_release_by_tools_alone(demo: &Demo) {
    let assistant = Assistant {
        address: demo.node.address,
        key: &demo.key,
    };

    let params = json!({ "name": "why_did_it_slow_down", "arguments": { "domain": SHOP } });
    let prompt = assistant.result("prompts/get", &params).await;
    let steps = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    for named in [
        SHOP,
        "compare_windows",
        "page_speed",
        "script_errors",
        "uptime",
        "call_operation getGscTimeseries",
        "`deploy`",
    ] {
        assert!(steps.contains(named), "{named}: {steps}");
    }

    // The newest weeks, until one was slower than the one before.
    let mut newer: Vec<(f64, Value)> = Vec::new();
    let mut window = json!({ "domain": SHOP });
    let slower = loop {
        let compared = assistant.ask("compare_windows", &window).await;
        let lcp = change(&compared, "vitals.all.lcp_ms");
        if lcp > SLOWER {
            break compared;
        }
        assert!(newer.len() < 4, "no week is slower than another: {newer:?}");
        let (start, end) = (&compared["before"]["start_date"], &compared["before"]["end_date"]);
        window = json!({ "domain": SHOP, "start_date": start, "end_date": end });
        newer.push((lcp, compared));
    };
    let (change_after, week_after) = newer.last().expect("the newest week is no slower");
    assert!(*change_after < -SLOWER, "it was taken back: {week_after}");

    // Every page is slower, and so is the first byte of each: it is neither one page nor what one loads.
    let pages = slower["pages"]["changes"].as_array().unwrap();
    let mut looked_at = 0;
    for page in pages {
        let views = |of: &str| page[of].as_u64().unwrap();
        if views("pageviews_before") < 100 || views("pageviews_after") < 100 {
            continue;
        }
        looked_at += 1;
        for vital in ["lcp_ms", "ttfb_ms"] {
            // A page has fewer views than the site, so its percentiles vary more.
            let change = page[vital]["change_pct"].as_f64().unwrap();
            assert!(change > SLOWER / 2.0, "{vital} of {page}");
        }
    }
    assert!(looked_at >= 3, "{slower}");

    // By day, and checkout itself.
    let (start, end) = (&slower["before"]["start_date"], &week_after["after"]["end_date"]);
    let arguments = json!({ "domain": SHOP, "start_date": start, "end_date": end, "search": "/checkout" });
    let speed = assistant.ask("site_speed", &arguments).await;
    let days = speed["vitals"]["items"].as_array().unwrap();
    assert_eq!(days.len(), 21, "no day is left out: {}", speed["notes"]);
    let slow = slow_days(days);
    assert!(
        demo.days.into_iter().any(|day| slow == planted(day)),
        "{slow:?} of {days:?}"
    );
    let url = speed["pages"]["items"][0]["url"].as_str().unwrap();
    assert!(url.ends_with("/checkout"), "{url}");
    let page = async |start: &Value, end: &Value| {
        let arguments = json!({ "domain": SHOP, "url": url, "start_date": start, "end_date": end });
        assistant.ask("page_speed", &arguments).await
    };
    let usual = page(start, &slower["before"]["end_date"]).await;
    let (first, last) = (json!(slow.first()), json!(slow.last()));
    let released = page(&first, &last).await;
    for vital in ["lcp_ms", "fcp_ms", "ttfb_ms"] {
        let of = |page: &Value| page["page"]["vitals"]["all"][vital].as_f64().unwrap();
        let times = of(&released) / of(&usual);
        assert!((1.3..2.8).contains(&times), "{vital} is {times} times the usual");
    }
    let element = |page: &Value| page["largest_elements"]["items"][0]["element"].clone();
    assert_eq!(element(&released), element(&usual), "the page shows the same");

    // Nothing else fits: no script failed, and the site was not down.
    let of_these_days = json!({ "domain": SHOP, "start_date": first, "end_date": last });
    let errors = assistant.ask("script_errors", &of_these_days).await;
    assert_eq!(errors["errors"]["totals"]["occurrences"], 0, "{errors}");
    let uptime = assistant.ask("uptime", &of_these_days).await;
    assert_eq!(uptime["availability"]["downtime_seconds"], 0, "{uptime}");
    assert_eq!(uptime["incidents"]["items"], json!([]), "{uptime}");

    // A release does: it came as the slow days began, and the next one as they ended. Both came at midnight in UTC, which is still the
    // day before in California.
    let domains = assistant.ask("domains", &json!({})).await;
    let domains = domains["domains"]["items"].as_array().unwrap();
    let shop = domains.iter().find(|domain| domain["domain"] == SHOP).unwrap();
    let arguments = json!({ "operation_id": "getGscTimeseries", "parameters": {
        "domain_id": shop["id"], "start_date": start, "end_date": end,
    } });
    let series = assistant.ask("call_operation", &arguments).await;
    let events = series["answer"]["annotations"].as_array().unwrap();
    let releases: Vec<&Value> = events.iter().filter(|event| event["kind"] == "deploy").collect();
    let slow_from = days.iter().position(|day| day["date"] == first).unwrap();
    let usual_until = &days[slow_from - 1]["date"];
    assert_eq!(
        json!(releases),
        json!([
            { "date": usual_until, "kind": "deploy", "label": "2.4.0" },
            { "date": last, "kind": "deploy", "label": "2.4.1" },
        ])
    );
}
