//! Lab tests by a real Lighthouse: how long they wait, how long a load takes, how they end, and what their browsers are refused.

use serde_json::json;
use time::OffsetDateTime;

use super::Recording;
use crate::{
    harness::TestApp,
    synthetic::{
        ask,
        real::{chromium, folder, site},
        track,
    },
};

const RUNS: &str = "pharos_lab_runs_total";
/// It asks for an address that no node goes to.
const CURIOUS: &str = r#"<!doctype html><html lang="en"><head><title>Curious</title></head><body><h1>Curious</h1>
<script>fetch('http://169.254.169.254/latest/meta-data').catch(() => {});</script></body></html>"#;
const HEAVY: &str = "<!doctype html><title>Heavy</title><h1>Heavy</h1><script src=\"/huge.js\"></script>";
/// Two hours in seconds, for which all tests have waited; and an hour more, which is not over meanwhile.
const WAITED: std::ops::Range<f64> = 7_200.0..10_800.0;

#[tokio::test(flavor = "multi_thread")]
async fn waits_loads_and_ends_of_lab_tests_are_told() {
    let (address, _) = site(&[
        ("/", "text/html", CURIOUS),
        ("/heavy", "text/html", HEAVY),
        ("/huge.js", "huge", "text/javascript"),
    ])
    .await;
    let app = TestApp::start().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    for page in ["", "missing", "heavy"] {
        let id = track(&app, page).await;
        app.sql(&format!(
            "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"http://{address}/{page}\"') WHERE id = '{id}'"
        ))
        .await;
        ask(&app, &id, &json!({})).await.with_status(202);
    }
    app.sql("UPDATE synthetic_runs SET requested_at = now() - interval '2 hours'")
        .await;
    app.sql("UPDATE jobs SET run_at = now() - interval '2 hours'")
        .await;

    let (lighthouse, browser) = (folder(), chromium());
    let lab = [
        ("PHAROS_LAB_FOLDER", lighthouse.to_str().unwrap()),
        ("PHAROS_CHROMIUM", browser.to_str().unwrap()),
    ];
    // A node without the role leaves them where they are, and tells how old the queue is.
    let waits = Recording::start_with(&app, "api", &lab);
    let scrape = waits
        .until(async |scrape| scrape.sum("pharos_jobs_due", &[]) == Some(3.0))
        .await;
    let age = scrape.sum("pharos_jobs_oldest_due_age_seconds", &[]).unwrap();
    assert!(WAITED.contains(&age), "{age}");
    assert_eq!(scrape.sum(RUNS, &[]), None, "it measures nothing");

    let measures = Recording::start_with(&app, "api,lab", &lab);
    for ended in 1..=3 {
        app.reaches(&format!(
            "(SELECT count(*) >= {ended} FROM runs WHERE status IN ('succeeded', 'failed'))"
        ))
        .await;
    }
    let scrape = measures
        .until(async |scrape| scrape.sum(RUNS, &[]) == Some(3.0))
        .await;
    scrape.is_sound(&app);
    for result in ["measured", "unmeasurable", "failed"] {
        scrape.is(RUNS, &[("result", result)], 1.0);
    }
    scrape.is("pharos_lab_wait_seconds_count", &[], 3.0);
    let waited = scrape.sum("pharos_lab_wait_seconds_sum", &[]).unwrap() / 3.0;
    assert!(WAITED.contains(&waited), "{waited}");
    // The heavy page has no load that came to its end.
    scrape.is("pharos_lab_load_seconds_count", &[], 2.0);
    let took = scrape.sum("pharos_lab_load_seconds_sum", &[]).unwrap();
    assert!(took > 0.0, "{took}");
    let refused = scrape.sum("pharos_lab_refused_requests_total", &[]);
    assert!(refused >= Some(1.0), "{refused:?}");
    let kind = ("kind", "synthetic");
    scrape.is("pharos_jobs_claimed_total", &[kind], 3.0);
}
