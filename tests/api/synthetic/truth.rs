//! Six pages, each of which is at fault in one known way: what is served of a test is what Lighthouse wrote of the same test, and
//! the fault is named.

use std::{io::Read, sync::Arc};

use flate2::read::GzDecoder;
use pharos_artefacts::store::Artefacts;
use pharos_domain::{ids::RunId, jobs::JobHandler};
use pharos_server::worker::WorkerPace;
use pharos_synthetic::{
    kept,
    lab::{LOAD_WITHIN, engine::Engine, handler::LabRuns},
};
use serde_json::{Value, json};
use time::Duration;

use super::{
    ask, get,
    real::{lab, nothing_is_left, site},
    runs::FIGURES,
    schedule, track,
    truth_parts::parts_hold,
};
use crate::{
    harness::TestApp,
    jobs::{Crew, connect},
};

/// A page, the audit that names its fault, and the thing that the audit names.
struct Faulty {
    page: &'static str,
    audit: &'static str,
    thing: Thing,
}

/// The thing that is at fault.
enum Thing {
    /// The file at this path.
    File(&'static str),
    /// The text that Lighthouse has at this place of the audit, served as this member of an item.
    Text {
        place: &'static str,
        member: &'static str,
    },
}

const FAULTY: [Faulty; 6] = [
    Faulty {
        page: "blocking",
        audit: "render-blocking-insight",
        thing: Thing::File("/blocking.css"),
    },
    Faulty {
        page: "unused-style",
        audit: "unused-css-rules",
        thing: Thing::File("/unused.css"),
    },
    Faulty {
        page: "unused-script",
        audit: "unused-javascript",
        thing: Thing::File("/unused.js"),
    },
    Faulty {
        page: "busy",
        audit: "bootup-time",
        thing: Thing::File("/busy.js"),
    },
    Faulty {
        page: "shift",
        audit: "cls-culprits-insight",
        // The first row is the total.
        thing: Thing::Text {
            place: "/details/items/0/items/1/node/selector",
            member: "selector",
        },
    },
    Faulty {
        page: "uncompressed",
        audit: "document-latency-insight",
        thing: Thing::Text {
            place: "/details/items/usesCompression/label",
            member: "label",
        },
    },
];

/// Figures of the API that Lighthouse tells in the audit `metrics`.
const OBSERVED: [(&str, &str); 2] = [
    ("observed_load_ms", "observedLoad"),
    ("observed_dom_content_loaded_ms", "observedDomContentLoaded"),
];

/// The parts of LCP of a text.
const PARTS: [(&str, &str); 2] = [
    ("lcp_ttfb_ms", "timeToFirstByte"),
    ("lcp_render_delay_ms", "elementRenderDelay"),
];

fn document(head: &str, body: &str) -> &'static str {
    let text = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shop</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"description\" content=\"A shop\">\
         {head}</head><body>{body}</body></html>"
    );
    leaked(text)
}

/// A text that stays for as long as the site does.
fn leaked(text: String) -> &'static str {
    text.leak()
}

/// The pages and their files.
fn pages() -> &'static [(&'static str, &'static str, &'static str)] {
    const SHOP: &str = "<main><h1>Shop</h1><p>All kinds of shoes</p></main>";
    let (html, style, script) = ("text/html", "text/css", "text/javascript");
    let late = format!(
        "<div id=\"late\"></div><main><h1>Shop</h1>{}</main><script>\
         setTimeout(() => {{ document.getElementById('late').style.height = '300px'; }}, 1000);</script>",
        "<p>All kinds of shoes</p>".repeat(20)
    );
    let long = format!(
        "<main><h1>Shop</h1>{}</main>",
        "<p>All kinds of shoes</p>".repeat(1_000)
    );
    let pages = vec![
        (
            "/blocking",
            html,
            document("<link rel=\"stylesheet\" href=\"/blocking.css\">", SHOP),
        ),
        (
            "/blocking.css",
            style,
            leaked("body { font-family: sans-serif }\n".repeat(1_000)),
        ),
        (
            "/unused-style",
            html,
            document("<link rel=\"stylesheet\" href=\"/unused.css\">", SHOP),
        ),
        (
            "/unused.css",
            style,
            leaked(".unused { color: red; margin: 1px }\n".repeat(2_000)),
        ),
        (
            "/unused-script",
            html,
            document("<script src=\"/unused.js\"></script>", SHOP),
        ),
        (
            "/unused.js",
            script,
            leaked("(() => function (a) { return a * 7 + 'never called'; });\n".repeat(2_000)),
        ),
        (
            "/busy",
            html,
            document("", &format!("{SHOP}<script src=\"/busy.js\"></script>")),
        ),
        (
            "/busy.js",
            script,
            "const end = performance.now() + 1000; while (performance.now() < end) {}",
        ),
        ("/shift", html, document("", &late)),
        ("/uncompressed", html, document("", &long)),
    ];
    pages.leak()
}

/// Whether a number is the one that Lighthouse wrote: who reads a decimal may be wrong in its last binary digits.
pub(super) fn is_that(served: &Value, written: &Value) -> bool {
    match (served.as_f64(), written.as_f64()) {
        (Some(served), Some(written)) => (served - written).abs() <= written.abs() * 4.0 * f64::EPSILON,
        (None, None) => served.is_null(),
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_served_is_what_lighthouse_wrote_and_planted_faults_are_named() {
    let (address, _) = site(pages()).await;
    let app = TestApp::start().await;
    let mut runs = Vec::new();
    for Faulty { page, .. } in &FAULTY {
        let tracked = track(&app, page).await;
        app.sql(&format!(
            "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"http://{address}/{page}\"') \
             WHERE id = '{tracked}'"
        ))
        .await;
        let run = ask(&app, &tracked, &json!({})).await.with_status(202);
        runs.push(run["run_id"].as_str().unwrap().to_owned());
        // No caller may ask for so many in a minute.
        app.clock.advance(Duration::MINUTE);
    }
    let (lab, work) = lab("truth", address, LOAD_WITHIN);
    let artefacts: Arc<Artefacts> = app.stores.ports.get().unwrap();
    let handler: Arc<dyn JobHandler> = Arc::new(LabRuns {
        store: schedule(&app),
        engine: Engine::Browser(Arc::new(lab)),
        sealing: app.stores.ports.get().unwrap(),
        artefacts: Arc::clone(&artefacts),
        clock: app.clock.clone(),
    });
    let database = connect(app.database.url()).await;
    let crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    for (faulty, run) in FAULTY.iter().zip(&runs) {
        app.reaches(&format!(
            "EXISTS (SELECT FROM runs WHERE id = '{run}' AND status NOT IN ('queued', 'running'))"
        ))
        .await;
        let id: RunId = run.parse().unwrap();
        let key = kept::key(app.world.domain, id, kept::REPORT).unwrap();
        let report = artefacts.get(&key).await.unwrap().expect("a report");
        let mut written = Vec::new();
        GzDecoder::new(&*report).read_to_end(&mut written).unwrap();
        let written: Value = serde_json::from_slice(&written).unwrap();
        holds(&app, faulty, run, &written).await;
    }
    drop(crew);
    nothing_is_left(&work).await;
}

/// Holds what is served of a test to what Lighthouse wrote of it.
async fn holds(app: &TestApp, faulty: &Faulty, run: &str, written: &Value) {
    let Faulty { page, audit, thing } = faulty;
    let told = get(app, &format!("runs/{run}")).await;
    assert_eq!(told["status"], json!("succeeded"), "{page}: {told}");
    let audits = &written["audits"];
    let mut pairs: Vec<(&str, &Value, &Value)> = FIGURES
        .iter()
        .map(|(name, audit)| (*name, &told["metrics"][*name], &audits[*audit]["numericValue"]))
        .collect();
    let metrics = &audits["metrics"]["details"]["items"][0];
    for (name, theirs) in OBSERVED {
        pairs.push((name, &told["metrics"][name], &metrics[theirs]));
    }
    let parts = audits["lcp-breakdown-insight"]["details"]["items"][0]["items"]
        .as_array()
        .unwrap();
    for (name, theirs) in PARTS {
        let part = parts
            .iter()
            .find(|part| part["subpart"] == json!(theirs))
            .unwrap();
        pairs.push((name, &told["metrics"][name], &part["duration"]));
    }
    pairs.push((
        "total_bytes",
        &told["total_bytes"],
        &audits["total-byte-weight"]["numericValue"],
    ));
    let requests = &audits["diagnostics"]["details"]["items"][0]["numRequests"];
    pairs.push(("request_count", &told["request_count"], requests));
    let index = &written["environment"]["benchmarkIndex"];
    pairs.push(("benchmark_index", &told["benchmark_index"], index));
    for (name, served, theirs) in pairs {
        assert!(
            !theirs.is_null() && is_that(served, theirs),
            "{page}, {name}: {served}, not {theirs}"
        );
    }
    for (ours, theirs) in [
        ("performance", "performance"),
        ("accessibility", "accessibility"),
        ("best_practices", "best-practices"),
        ("seo", "seo"),
    ] {
        let score = written["categories"][theirs]["score"].as_f64().unwrap() * 100.0;
        let served = &told["categories"][ours]["score"];
        assert_eq!(served.as_f64(), Some(score.round()), "{page}, {ours}");
    }
    parts_hold(app, run, written).await;

    let listed = get(app, &format!("runs/{run}/audits")).await;
    let listed = listed["items"].as_array().unwrap();
    assert_eq!(listed.len(), audits.as_object().unwrap().len(), "{page}");
    for served in listed {
        let id = served["audit_id"].as_str().unwrap();
        for (ours, theirs) in [("score", "score"), ("numeric_value", "numericValue")] {
            let (served, theirs) = (&served[ours], &audits[id][theirs]);
            assert!(is_that(served, theirs), "{page}, {id}: {served}, not {theirs}");
        }
    }

    let found = get(app, &format!("runs/{run}/opportunities")).await;
    let found = found["items"].as_array().unwrap();
    let named = found.iter().find(|found| found["insight_id"] == json!(audit));
    let named = named.unwrap_or_else(|| panic!("{page}: {audit} is not among {found:?}"));
    let items = named["items"].as_array().unwrap();
    let names_it = |item: &Value| match thing {
        Thing::File(path) => item["url"].as_str().is_some_and(|url| url.ends_with(*path)),
        Thing::Text { place, member } => audits[*audit]
            .pointer(place)
            .is_some_and(|text| text.is_string() && item[*member] == *text),
    };
    assert!(
        items.iter().any(names_it),
        "{page}: the fault is not among {items:?}"
    );
}
