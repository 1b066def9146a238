//! A queue of the worst pages: two that never end, and two of 5 GB, which the site sends without having them. Each run ends once and
//! with its reason, and the page behind them is measured.

use std::{net::SocketAddr, time::Duration};

use pharos_synthetic::lab::LOAD_WITHIN;
use serde_json::json;

use super::{PAGE, inside::worked_off, lab, nothing_is_left, site};
use crate::{
    harness::TestApp,
    synthetic::{ask, get, track},
};

/// For how long a lab waits for pages that never end.
const PATIENT_FOR: Duration = Duration::from_secs(10);

/// A page of the queue, and how its run ends.
struct Queued {
    page: &'static str,
    /// The words of which its reason has some; none: it succeeds.
    reasons: &'static [&'static str],
    /// How many results it has.
    results: &'static str,
}

static NEVER_END: [Queued; 2] = [
    Queued {
        page: "more",
        reasons: &["the page was not measured within 10 seconds"],
        results: "0",
    },
    Queued {
        page: "endless",
        reasons: &["the page was not measured within 10 seconds"],
        results: "0",
    },
];

static END: [Queued; 3] = [
    Queued {
        page: "heavy",
        // A busy machine may take too long to take so much.
        reasons: &[
            "the page takes more than 128 MiB",
            "the page was not measured within 150 seconds",
        ],
        results: "0",
    },
    // Nothing is shown in its place, and Lighthouse says so.
    Queued {
        page: "download",
        reasons: &["net::ERR_ABORTED"],
        results: "1",
    },
    Queued {
        page: "shop",
        reasons: &[],
        results: "1",
    },
];

/// Asks for a run of each of these pages, in their order.
async fn queued(app: &TestApp, address: SocketAddr, pages: &[Queued]) -> Vec<String> {
    let mut runs = Vec::new();
    for Queued { page, .. } in pages {
        let id = track(app, page).await;
        app.sql(&format!(
            "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"http://{address}/{page}\"') WHERE id = '{id}'"
        ))
        .await;
        let run = ask(app, &id, &json!({})).await.with_status(202);
        runs.push(run["run_id"].as_str().unwrap().to_owned());
    }
    runs
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_never_end_and_pages_of_5_gb_end_once_and_the_page_behind_them_is_measured() {
    let (address, _) = site(&[
        (
            "/more",
            "endless",
            "<!doctype html><title>More</title><h1>More</h1>",
        ),
        (
            "/endless",
            "text/html",
            "<!doctype html><title>Endless</title><script>for (;;) {}</script>",
        ),
        (
            "/heavy",
            "text/html",
            "<!doctype html><title>Heavy</title><h1>Heavy</h1><script src=\"/huge.js\"></script>",
        ),
        ("/huge.js", "huge", "text/javascript"),
        ("/download", "huge", "application/zip"),
        ("/shop", "text/html", PAGE),
    ])
    .await;
    let app = TestApp::start().await;
    let mut ended = Vec::new();
    // Pages that never end have a lab of their own, since one that is as patient as a node takes minutes for them.
    for (name, pages, within) in [
        ("never-end", NEVER_END.as_slice(), PATIENT_FOR),
        ("end", END.as_slice(), LOAD_WITHIN),
    ] {
        let runs = queued(&app, address, pages).await;
        let (lab, work) = lab(name, address, within);
        worked_off(&app, lab).await;
        nothing_is_left(&work).await;
        ended.extend(pages.iter().zip(runs));
    }
    for (queued, run) in ended {
        let Queued {
            page,
            reasons,
            results,
        } = queued;
        let status = if reasons.is_empty() { "succeeded" } else { "failed" };
        let told = get(&app, &format!("runs/{run}")).await;
        assert_eq!(told["status"], status, "{page}: {told}");
        let why = told["error_detail"].as_str().unwrap_or_default();
        let is_told = reasons.iter().any(|reason| why.contains(reason));
        assert_eq!(is_told, !reasons.is_empty(), "{page}: {why}");
        let rows = app
            .sql(&format!(
                "SELECT r.status, (SELECT count(*) FROM synthetic_results AS t WHERE t.run_id = r.id)::text, j.attempts::text
                 FROM runs AS r JOIN jobs AS j ON j.run_id = r.id WHERE r.id = '{run}'"
            ))
            .await;
        let once = [status, *results, "1"].map(|word| Some(word.to_owned()));
        assert_eq!(rows, [once], "{page}");
    }
}
