//! POST /collect/vitals, as hostile pages send it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Collecting, privacy::dump, refusals::gzip};
use crate::harness::Reply;

impl Collecting {
    async fn vitals(&self, body: String) -> Reply {
        let request = self.request("POST", "/collect/vitals");
        request
            .body("text/plain;charset=UTF-8", body)
            .send_unchecked()
            .await
    }

    /// A view of the page `/` with these members, by this load.
    fn view(&self, load: u8, members: &Value) -> Value {
        let mut view = json!({ "url": "https://shop.example/" });
        view.as_object_mut()
            .unwrap()
            .extend(members.as_object().unwrap().clone());
        json!({ "site": self.key, "beacon": Uuid::new_v4(), "load": format!("{load:016x}"), "view": view })
    }
}

async fn measuring() -> Collecting {
    measuring_as(&json!({})).await
}

/// A site with these settings.
async fn measuring_as(settings: &Value) -> Collecting {
    let collecting = Collecting::start(&[]).await;
    let app = &collecting.app;
    let config = format!("/domains/{}/rum/config", app.world.domain);
    app.put(&config, &app.world.key, settings).send().await.ok();
    collecting
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_can_not_be_were_not_measured() {
    let collecting = measuring().await;
    let long = "slowly ".repeat(7_000);
    for (load, members) in [
        (
            1,
            json!({ "lcp": { "value": -1 }, "inp": { "value": 1e12 }, "cls": { "value": 900 } }),
        ),
        (2, json!({ "inp": { "value": 80 }, "cls": { "value": 0 } })),
        (
            3,
            json!({ "lcp": { "value": 700, "attribution": { "target": long } } }),
        ),
        (4, json!({ "errors": [{ "message": "late", "stack": long }] })),
    ] {
        let reply = collecting
            .vitals(collecting.view(load, &members).to_string())
            .await;
        assert_eq!(reply.status, 202, "{load}");
    }
    let rows = collecting
        .app
        .sql("SELECT lcp_ms, inp_ms, cls FROM rum_views ORDER BY load_id")
        .await;
    let text = |value: &str| Some(value.to_owned());
    assert_eq!(
        rows,
        [
            vec![None, None, None],
            vec![None, text("80"), text("0")],
            vec![text("700"), None, None],
            vec![None, None, None],
        ]
    );
    let lengths =
        "SELECT max(length(t.value)), max(length(g.stack)) FROM rum_texts AS t, rum_error_groups AS g";
    let lengths = collecting.app.sql(lengths).await;
    let [element, stack] = [0, 1].map(|at| lengths[0][at].as_ref().unwrap().parse::<usize>().unwrap());
    // A selector ends with a whole word.
    assert!((290..=300).contains(&element), "{element}");
    assert_eq!(stack, 4_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn beacons_of_another_form_are_refused_and_store_nothing() {
    let collecting = measuring().await;
    let address = format!("https://shop.example/{}", "x".repeat(60_000));
    for (members, pointers) in [
        (json!({ "lcp": { "value": "2500" } }), vec!["/view/lcp/value"]),
        (json!({ "url": address }), vec!["/view/url"]),
        (
            json!({ "cls": 0.1, "navigation": "teleport" }),
            vec!["/view/cls", "/view/navigation"],
        ),
    ] {
        let reply = collecting.vitals(collecting.view(1, &members).to_string()).await;
        assert_eq!(reply.faults(), pointers);
    }
    let sound = collecting
        .view(1, &json!({ "lcp": { "value": 700 } }))
        .to_string();
    let no_number = collecting.vitals(sound.replace("700", "NaN")).await;
    assert_eq!(no_number.status, 400, "JSON has no such number");
    let selector = json!({ "lcp": { "value": 700, "attribution": { "target": "x".repeat(100_000) } } });
    let stack = json!({ "errors": [{ "message": "late", "stack": "x".repeat(1024 * 1024) }] });
    let packed = collecting
        .request("POST", "/collect/vitals")
        .header("content-encoding", "gzip")
        .body(
            "text/plain",
            gzip(collecting.view(1, &stack).to_string().as_bytes()),
        );
    for large in [
        collecting.vitals(collecting.view(1, &selector).to_string()).await,
        packed.send_unchecked().await,
    ] {
        assert_eq!(
            (large.status, large.suffix().as_str()),
            (413, "payload-too-large")
        );
    }
    assert!(collecting.app.sql("SELECT FROM rum_views").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn excluded_paths_store_nothing_and_grouped_pages_are_one() {
    let collecting = measuring_as(&json!({
        "excluded_paths": ["/admin/*"], "url_groups": [{ "pattern": "/p/*", "label": "/p/:product" }],
    }))
    .await;
    for (load, path) in [(1, "/admin/users"), (2, "/p/1"), (3, "/p/2?ref=x")] {
        let members = json!({ "url": format!("https://shop.example{path}") });
        let reply = collecting
            .vitals(collecting.view(load, &members).to_string())
            .await;
        assert_eq!(reply.status, 202, "{path}");
    }
    let pages = collecting
        .app
        .sql("SELECT t.value, count(*)::text FROM rum_views AS v JOIN rum_texts AS t ON t.id = v.page GROUP BY 1")
        .await;
    let text = |value: &str| Some(value.to_owned());
    assert_eq!(pages, [vec![text("https://shop.example/p/:product"), text("2")]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_has_switched_it_off_stores_nothing() {
    let collecting = measuring_as(&json!({ "enabled": false })).await;
    let members = json!({ "lcp": { "value": 700 } });
    let reply = collecting.vitals(collecting.view(1, &members).to_string()).await;
    assert_eq!(reply.status, 202);
    assert!(collecting.app.sql("SELECT FROM rum_views").await.is_empty());
}

/// Every text that a page may tell names somebody here.
#[tokio::test(flavor = "multi_thread")]
async fn no_text_of_a_view_names_a_person() {
    const MAIL: &str = "ada@shop.example";
    const SESSION: &str = "9f86d081884c7d659a2feaa0c55ad015";
    let collecting = measuring().await;
    let text = format!("{MAIL} {SESSION}");
    let address = |host: &str| format!("https://{host}/of/ada%40shop.example/{SESSION}?by={MAIL}#{SESSION}");
    let script = json!({
        "duration": 60, "sourceURL": address("cdn.example"), "sourceFunctionName": text, "invoker": text,
        "invokerType": "event-listener",
    });
    let element = |target: &str| {
        let mut element = json!({ "elementId": text, "elementClass": text });
        element[target] = json!(text);
        element
    };
    let mut painted = element("target");
    painted["url"] = json!(address("cdn.example"));
    let mut clicked = element("interactionTarget");
    clicked["longestScript"] = script.clone();
    let mut shifted = element("largestShiftTarget");
    shifted["largestShiftValue"] = json!(0.1);
    let members = json!({
        "url": address("shop.example"), "referrer": address("search.example"),
        "lcp": { "value": 700, "attribution": painted },
        "inp": { "value": 80, "attribution": clicked },
        "cls": { "value": 0.1, "attribution": shifted },
        "ttfb": { "value": 9, "attribution": {
            "nextHopProtocol": MAIL, "serverTiming": [{ "name": text, "duration": 5 }],
        } },
        "errors": [{
            "message": text, "type": text, "filename": address("cdn.example"), "line": 1, "column": 2, "causes": [text],
            "stack": format!("{text}\n    at {MAIL} ({}:1:2)", address("cdn.example")),
        }],
        "resources": [{ "name": address("api.example"), "duration": 5, "nextHopProtocol": MAIL }],
        "long_frames": [{ "duration": 60, "scripts": [script] }],
        "not_restored_reasons": [{ "reason": text }],
    });
    let reply = collecting.vitals(collecting.view(1, &members).to_string()).await;
    assert_eq!(reply.status, 202);
    let rows = dump(&collecting.app).await;
    for table in [
        "rum_views",
        "rum_lcp",
        "rum_inp",
        "rum_cls",
        "rum_server_timings",
        "rum_error_groups",
        "rum_resources",
        "rum_scripts",
        "rum_reasons",
    ] {
        assert!(rows.contains(&format!("public.{table} (")), "{table}: {rows}");
    }
    assert!(
        rows.contains("https://shop.example/of/[redacted]/[redacted]"),
        "{rows}"
    );
    for named in ["ada@", "ada%40", SESSION] {
        assert!(!rows.contains(named), "{named}: {rows}");
    }
}

/// A site may count all of its visitors.
#[tokio::test(flavor = "multi_thread")]
async fn browsers_that_ask_not_to_be_tracked_are_left_alone_where_the_site_says_so() {
    for (respects, views) in [(true, "1"), (false, "3")] {
        let collecting = measuring_as(&json!({ "respect_dnt": respects })).await;
        for (load, header, value) in [(1, "dnt", "1"), (2, "sec-gpc", "1"), (3, "dnt", "0")] {
            let request = collecting
                .request("POST", "/collect/vitals")
                .header(header, value)
                .json(&collecting.view(load, &json!({})));
            assert_eq!(request.send_unchecked().await.status, 202, "{header}: {value}");
        }
        let stored = collecting.app.sql("SELECT count(*) FROM rum_views").await;
        assert_eq!(stored, [[Some(views.to_owned())]], "respect_dnt: {respects}");
    }
}
