//! The parts of a test beside its figures, held to what Lighthouse wrote of the same test.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use super::{get, truth::is_that};
use crate::harness::TestApp;

/// How many frames and items are served at most.
const MOST: usize = 20;

/// Holds all that is served of a test, but for its figures.
pub(super) async fn parts_hold(app: &TestApp, run: &str, written: &Value) {
    let told = get(app, &format!("runs/{run}")).await;
    summary_holds(&told, written);
    sums_hold(&told, &written["audits"]);
    let list = async |name: &str| get(app, &format!("runs/{run}/{name}")).await;
    audits_hold(rows(&list("audits").await, "items"), written);
    opportunities_hold(rows(&list("opportunities").await, "items"), &written["audits"]);
    let resources = list("resources").await;
    resources_hold(rows(&resources, "items"), written);
    assert_eq!(resources["summary"], told["resource_summary"]);
    parties_hold(rows(&list("third-parties").await, "items"), written);
    filmstrip_holds(&list("filmstrip").await, &written["audits"]);
}

fn rows<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The items of an audit's table.
fn items<'a>(audits: &'a Value, audit: &str) -> &'a [Value] {
    rows(&audits[audit]["details"], "items")
}

/// A word of Lighthouse in the form of ours.
fn snake_case(word: &Value) -> Value {
    let Some(word) = word.as_str() else {
        return Value::Null;
    };
    let mut snake = String::new();
    let mut was_small = false;
    for letter in word.chars() {
        if letter.is_ascii_uppercase() && was_small {
            snake.push('_');
        }
        was_small = letter.is_ascii_lowercase();
        snake.push(if letter == '-' {
            '_'
        } else {
            letter.to_ascii_lowercase()
        });
    }
    json!(snake)
}

/// A number as it is served where only whole ones are.
fn whole(value: &Value) -> Value {
    json!(value.as_f64().map(f64::round))
}

fn same(served: &Value, written: &Value, name: &str) {
    assert!(is_that(served, written), "{name}: {served}, not {written}");
}

fn without_query(url: &Value) -> Value {
    json!(url.as_str().and_then(|url| url.split(['?', '#']).next()))
}

fn summary_holds(told: &Value, written: &Value) {
    for (ours, theirs) in [
        ("requested_url", "requestedUrl"),
        ("main_document_url", "mainDocumentUrl"),
        ("final_url", "finalDisplayedUrl"),
        ("gather_mode", "gatherMode"),
        ("engine_version", "lighthouseVersion"),
    ] {
        assert!(
            written[theirs].is_string() && told[ours] == written[theirs],
            "{ours}: {told}"
        );
    }
    let moment = |value: &Value| OffsetDateTime::parse(value.as_str().unwrap(), &Rfc3339).unwrap();
    let apart = moment(&told["fetched_at"]) - moment(&written["fetchTime"]);
    assert!(apart.abs() < Duration::SECOND, "{}", told["fetched_at"]);
    for warning in rows(written, "runWarnings") {
        assert!(rows(told, "run_warnings").contains(warning), "{warning}: {told}");
    }
    assert_eq!(
        (&told["runtime_error_code"], &written["runtimeError"]),
        (&Value::Null, &Value::Null)
    );
    same(
        &told["duration_ms"],
        &whole(&written["timing"]["total"]),
        "duration_ms",
    );
    let audits = &written["audits"];
    let tasks = rows(&audits["long-tasks"]["details"]["debugData"], "tasks");
    assert_eq!(told["long_tasks_count"], json!(tasks.len()));
    let elements = &audits["dom-size-insight"]["details"]["debugData"]["totalElements"];
    assert!(elements.is_number());
    same(&told["dom_size"], elements, "dom_size");
    let categories = written["categories"].as_object().unwrap();
    assert_eq!(told["categories"].as_object().unwrap().len(), categories.len());
    for (name, category) in categories {
        let ours = snake_case(&json!(name));
        let served = &told["categories"][ours.as_str().unwrap()];
        assert_eq!(served["title"], category["title"], "{name}");
    }
}

fn sums_hold(told: &Value, audits: &Value) {
    let sums = rows(told, "resource_summary");
    let theirs = items(audits, "resource-summary");
    assert!(!sums.is_empty() && sums.len() == theirs.len(), "{sums:?}");
    for (sum, theirs) in sums.iter().zip(theirs) {
        assert_eq!(sum["type"], snake_case(&theirs["resourceType"]));
        same(&sum["count"], &theirs["requestCount"], "count");
        same(
            &sum["transfer_bytes"],
            &whole(&theirs["transferSize"]),
            "transfer_bytes",
        );
    }
    // Lighthouse has the icon among no resources.
    let unpacked: f64 = items(audits, "network-requests")
        .iter()
        .filter(|request| !request["url"].as_str().unwrap().ends_with("/favicon.ico"))
        .map(|request| request["resourceSize"].as_f64().unwrap_or(0.0).round())
        .sum();
    let total = sums.iter().find(|sum| sum["type"] == json!("total")).unwrap();
    same(&total["resource_bytes"], &json!(unpacked), "resource_bytes");

    let work = rows(told, "main_thread");
    let theirs = items(audits, "mainthread-work-breakdown");
    assert!(!work.is_empty() && work.len() == theirs.len(), "{work:?}");
    for theirs in theirs {
        let group = snake_case(&theirs["group"]);
        let served = work.iter().find(|work| work["group"] == group).unwrap();
        same(&served["duration_ms"], &theirs["duration"], "duration_ms");
    }
}

fn audits_hold(served: &[Value], written: &Value) {
    // An audit that counts for several is told of the first by name.
    let categories: BTreeMap<&String, &Value> = written["categories"].as_object().unwrap().iter().collect();
    for row in served {
        let id = row["audit_id"].as_str().unwrap();
        let audit = &written["audits"][id];
        let name = |field: &str| format!("{id}, {field}");
        for (ours, theirs) in [
            ("title", "title"),
            ("description", "description"),
            ("display_value", "displayValue"),
            ("explanation", "explanation"),
            ("error_message", "errorMessage"),
        ] {
            assert_eq!(row[ours], audit[theirs], "{}", name(ours));
        }
        assert_eq!(
            row["score_display_mode"],
            snake_case(&audit["scoreDisplayMode"]),
            "{id}"
        );
        assert_eq!(row["numeric_unit"], audit["numericUnit"], "{id}");
        let count = audit["details"]["items"].as_array().map(Vec::len);
        assert_eq!(row["items_count"], json!(count), "{id}");
        let place = categories.iter().find_map(|(category, found)| {
            let mut places = rows(found, "auditRefs").iter();
            Some((category, places.find(|place| place["id"] == json!(id))?))
        });
        let (category, group, weight) =
            place.map_or((Value::Null, &Value::Null, 0.0), |(category, place)| {
                (
                    snake_case(&json!(category)),
                    &place["group"],
                    place["weight"].as_f64().unwrap(),
                )
            });
        assert_eq!((&row["category"], &row["group"]), (&category, group), "{id}");
        assert_eq!(row["weight"].as_f64(), Some(weight), "{id}");
    }
}

fn opportunities_hold(served: &[Value], audits: &Value) {
    assert!(!served.is_empty());
    for row in served {
        let id = row["insight_id"].as_str().unwrap();
        let audit = &audits[id];
        assert_eq!(row["title"], audit["title"], "{id}");
        same(&row["guidance_level"], &audit["guidanceLevel"], id);
        for (ours, theirs) in [
            ("fcp_ms", "FCP"),
            ("lcp_ms", "LCP"),
            ("tbt_ms", "TBT"),
            ("cls", "CLS"),
            ("inp_ms", "INP"),
        ] {
            same(&row["metric_savings"][ours], &audit["metricSavings"][theirs], id);
        }
        let details = &audit["details"];
        if details["overallSavingsMs"].is_number() {
            same(&row["savings_ms"], &details["overallSavingsMs"], id);
        }
        if details["overallSavingsBytes"].is_number() {
            same(&row["savings_bytes"], &whole(&details["overallSavingsBytes"]), id);
        }
        let table = rows(details, "items");
        if table.is_empty() || !table.iter().all(|item| item["url"].is_string()) {
            continue;
        }
        let named = rows(row, "items");
        assert_eq!(named.len(), table.len().min(MOST), "{id}");
        for (named, theirs) in named.iter().zip(table) {
            assert_eq!(named["url"], without_query(&theirs["url"]), "{id}");
            same(&named["wasted_bytes"], &whole(&theirs["wastedBytes"]), id);
            same(&named["wasted_ms"], &theirs["wastedMs"], id);
            if theirs["totalBytes"].is_number() {
                same(&named["total_bytes"], &whole(&theirs["totalBytes"]), id);
            }
        }
    }
}

fn resources_hold(served: &[Value], written: &Value) {
    let audits = &written["audits"];
    let requests = items(audits, "network-requests");
    assert!(!served.is_empty() && served.len() == requests.len(), "{served:?}");
    let blocking = items(audits, "render-blocking-insight");
    for (row, theirs) in served.iter().zip(requests) {
        let url = &theirs["url"];
        assert_eq!(row["url"], without_query(url));
        for (ours, theirs) in [
            ("protocol", &theirs["protocol"]),
            ("mime_type", &theirs["mimeType"]),
            ("status_code", &theirs["statusCode"]),
            ("entity", &theirs["entity"]),
            ("resource_type", &snake_case(&theirs["resourceType"])),
            ("priority", &snake_case(&theirs["priority"])),
            (
                "from_cache",
                &json!(theirs["cache"].as_str().map(|cache| cache != "none")),
            ),
            (
                "render_blocking",
                &json!(blocking.iter().any(|blocking| blocking["url"] == *url)),
            ),
        ] {
            assert_eq!(row[ours], *theirs, "{url}, {ours}");
        }
        let is_others = rows(written, "entities")
            .iter()
            .any(|entity| entity["name"] == theirs["entity"] && entity["isFirstParty"] != json!(true));
        assert_eq!(row["is_third_party"], json!(is_others), "{url}");
        let (start, end) = (&theirs["networkRequestTime"], &theirs["networkEndTime"]);
        same(&row["start_ms"], start, "start_ms");
        same(&row["end_ms"], end, "end_ms");
        let took = row["duration_ms"].as_f64().unwrap();
        let written = end.as_f64().unwrap() - start.as_f64().unwrap();
        assert!((took - written).abs() < 0.001, "{url}: {took}, not {written}");
        same(
            &row["transfer_bytes"],
            &whole(&theirs["transferSize"]),
            "transfer_bytes",
        );
        same(
            &row["resource_bytes"],
            &whole(&theirs["resourceSize"]),
            "resource_bytes",
        );
    }
}

fn parties_hold(served: &[Value], written: &Value) {
    let requests = items(&written["audits"], "network-requests");
    assert!(!served.is_empty());
    for party in served {
        let entity = rows(written, "entities")
            .iter()
            .find(|entity| entity["name"] == party["entity"]);
        let entity = entity.unwrap();
        for (ours, theirs) in [
            ("is_first_party", "isFirstParty"),
            ("is_unrecognized", "isUnrecognized"),
        ] {
            assert_eq!(
                party[ours],
                json!(entity[theirs].as_bool().unwrap_or(false)),
                "{ours}"
            );
        }
        for name in ["category", "homepage"] {
            assert_eq!(party[name], entity[name], "{name}");
        }
        let time = items(&written["audits"], "third-parties-insight")
            .iter()
            .find(|row| row["entity"] == party["entity"])
            .map_or(&Value::Null, |row| &row["mainThreadTime"]);
        same(&party["main_thread_ms"], time, "main_thread_ms");
        let own = || {
            requests
                .iter()
                .filter(|request| request["entity"] == party["entity"])
        };
        assert_eq!(party["request_count"], json!(own().count()));
        let bytes: f64 = own()
            .map(|request| request["transferSize"].as_f64().unwrap_or(0.0).round())
            .sum();
        same(&party["transfer_bytes"], &json!(bytes), "transfer_bytes");
    }
}

fn filmstrip_holds(served: &Value, audits: &Value) {
    let (frames, theirs) = (rows(served, "items"), items(audits, "screenshot-thumbnails"));
    assert!(
        !frames.is_empty() && frames.len() == theirs.len().min(MOST),
        "{frames:?}"
    );
    for (frame, theirs) in frames.iter().zip(theirs) {
        same(&frame["timing_ms"], &theirs["timing"], "timing_ms");
    }
    assert!(served["final_screenshot"]["image_url"].is_string());
}
