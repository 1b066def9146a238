//! Real-user monitoring of the demo, whose views are generated.

use pharos_domain::module::Module;
use pharos_http::spec::Verb;
use pharos_server::registry::registry;
use serde_json::Value;

use super::Demo;
use crate::processes::loads;

const BELOW: &str = "/domains/{domain_id}/";
/// A page that has all that pages can have: shifts, errors, interactions.
const PAGE: &str = "http://demo.localhost:7071/product/arc";

/// Every read of the module has rows in each of its lists, and the figures of those that need more than a view's metrics.
pub(super) async fn have_something_to_show_in_every_read(demo: &Demo) {
    let registry = registry().unwrap();
    let reads = registry
        .operations()
        .iter()
        .map(|operation| operation.spec)
        .filter(|spec| spec.module == Module::Rum && spec.method == Verb::Get);
    let mut asked = 0;
    for spec in reads {
        let rest = spec.path.strip_prefix(BELOW).unwrap();
        let rest = match rest {
            "rum/pages/detail" => format!("{rest}?url={PAGE}"),
            "rum/distribution" => format!("{rest}?metric=lcp"),
            "rum/errors/{error_id}" => format!("rum/errors/{}", thrown(demo).await),
            _ => rest.to_owned(),
        };
        let found = read(demo, &rest).await;
        let mut empty = Vec::new();
        empty_lists(&found, "", &mut empty);
        match rest.as_str() {
            // Lists of what the owner of the site left out.
            "rum/config" => assert_eq!(found["enabled"], true, "{found}"),
            // Nothing caused the error.
            _ if rest.starts_with("rum/errors/") => assert_eq!(empty, ["/causes"], "{rest}: {found}"),
            _ => assert!(empty.is_empty(), "{rest}: {empty:?} of {found}"),
        }
        asked += 1;
    }
    assert!(asked >= 30, "{asked} reads");

    assert_eq!(read(demo, "rum/has-data").await["has_data"], true);
    resources_are_those_of_the_shop(demo).await;
    long_frames_have_scripts(demo).await;
    some_pages_are_restored(demo).await;
    whoever_waits_leaves_sooner(demo).await;
}

/// The answer to a read. One that is refused for coming too soon is asked for again.
async fn read(demo: &Demo, rest: &str) -> Value {
    loads(&demo.node, &demo.key, &demo.at(rest), Value::is_object).await
}

/// The id of an error of a script.
async fn thrown(demo: &Demo) -> String {
    let errors = read(demo, "rum/errors").await;
    let mut errors = rows(&errors).iter();
    let thrown = errors.find(|error| error["source"] == "source").unwrap();
    thrown["error_id"].as_str().unwrap().to_owned()
}

fn rows(list: &Value) -> &[Value] {
    list["items"].as_array().unwrap()
}

/// The row whose member `name` ends so.
fn row<'a>(list: &'a Value, name: &str, end: &str) -> &'a Value {
    let mut rows = rows(list).iter();
    let found = rows.find(|row| row[name].as_str().is_some_and(|text| text.ends_with(end)));
    found.unwrap_or_else(|| panic!("no {name} ends in {end}: {list}"))
}

/// Collects the places of lists without an entry.
fn empty_lists(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) if items.is_empty() => found.push(place.to_owned()),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                empty_lists(item, &format!("{place}/{number}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                empty_lists(member, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

async fn resources_are_those_of_the_shop(demo: &Demo) {
    let files = read(demo, "rum/resources?group_by=url").await;
    let hero = row(&files, "key", "/pictures/hero.svg");
    let elements = read(demo, "rum/lcp/elements").await;
    let largest = row(&elements, "element", "#hero");
    assert_eq!(largest["resource_url"], hero["key"]);
    assert!(hero["requests"].as_u64() > Some(1_000), "{hero}");
    let tag = row(&files, "key", "/tag.js");
    assert_eq!(
        (&tag["is_third_party"], &tag["avg_transfer_bytes"]),
        (&Value::Bool(true), &Value::Null),
        "{tag}"
    );
    assert!(
        row(&files, "key", "/style.css")["render_blocking_pct"] == 100.0,
        "{files}"
    );

    // The script of the slow release against that of the week before.
    let today = demo.days[1];
    let of_days = async |first: i64, last: i64| {
        let [start, end] = [first, last].map(|ago| today - time::Duration::days(ago));
        let days = format!("rum/resources?group_by=url&start_date={start}&end_date={end}");
        let files = read(demo, &days).await;
        row(&files, "key", "/shop.js")["avg_transfer_bytes"]
            .as_f64()
            .unwrap()
    };
    let (usual, slow) = (of_days(28, 23).await, of_days(19, 16).await);
    assert!(slow > 100.0 * usual, "{slow} bytes against {usual}");

    let requests = read(demo, "rum/requests").await;
    let stock = row(&requests, "path_template", "/api/stock");
    let of = |status: &str| stock[status].as_u64().unwrap();
    assert!(
        of("status_5xx") > 0 && of("status_2xx") > 10 * of("status_5xx"),
        "{stock}"
    );
    row(&requests, "path_template", "/api/voucher");

    let parties = read(demo, "rum/third-parties").await;
    let party = row(&parties, "provider", "tags.localhost");
    for figure in ["share_of_views_pct", "long_task_ms", "script_duration_ms"] {
        assert!(party[figure].as_f64() > Some(0.0), "{figure}: {party}");
    }
}

async fn long_frames_have_scripts(demo: &Demo) {
    let frames = read(demo, "rum/long-tasks?group_by=script").await;
    let is_of_others = |file: &str| row(&frames, "key", file)["is_third_party"].clone();
    assert_eq!(
        (is_of_others("/tag.js"), is_of_others("/shop.js")),
        (true.into(), false.into())
    );
    for figure in [
        "avg_blocking_ms_per_view",
        "views_with_any_pct",
        "supported_views_pct",
    ] {
        assert!(frames[figure].as_f64() > Some(0.0), "{figure}: {frames}");
    }
    let series = read(demo, "rum/timeseries?metrics=long_task_ms").await;
    let points = series["series"][0]["points"].as_array().unwrap();
    assert!(
        points.iter().any(|point| point["value"].as_f64() > Some(100.0)),
        "{series}"
    );
}

async fn some_pages_are_restored(demo: &Demo) {
    let found = read(demo, "rum/bfcache").await;
    let rate = found["hit_rate_pct"].as_f64().unwrap();
    assert!((20.0..95.0).contains(&rate), "{found}");
    let reasons = found["reasons"].as_array().unwrap();
    for reason in ["unload-listener", "response-cache-control-no-store"] {
        assert!(
            reasons.iter().any(|told| told["reason"] == reason),
            "{reason}: {found}"
        );
    }
    let ways = read(demo, "rum/navigation-types").await;
    for way in [
        "navigate",
        "reload",
        "back_forward",
        "back_forward_cache",
        "restore",
    ] {
        row(&ways, "navigation_type", way);
    }
}

async fn whoever_waits_leaves_sooner(demo: &Demo) {
    let found = read(demo, "rum/engagement/correlation").await;
    assert!(
        found["spearman_rho"].as_f64().is_some_and(|rho| rho < -0.05),
        "{found}"
    );
    let buckets = found["buckets"].as_array().unwrap();
    assert!(
        buckets
            .iter()
            .any(|bucket| bucket["conversion_rate_pct"].as_f64() > Some(0.0)),
        "{found}"
    );
    let engagement = read(demo, "rum/engagement").await;
    for figure in ["rage_click_views_pct", "dead_click_views_pct", "bounce_rate_pct"] {
        assert!(engagement[figure].as_f64() > Some(0.0), "{figure}: {engagement}");
    }
    // Each cause of a bad value is known.
    let impact = read(demo, "rum/impact").await;
    for metric in ["lcp", "inp", "cls"] {
        let worst = row(&impact, "metric", metric);
        assert!(worst["suspected_cause"].is_string(), "{worst}");
    }
}
