//! Pages that lead inside: runs of the API that a worker does, and addresses that are refused.

use std::sync::{Arc, atomic::Ordering};

use pharos_domain::jobs::JobHandler;
use pharos_server::worker::WorkerPace;
use pharos_synthetic::lab::{LOAD_WITHIN, Lab, engine::Engine, handler::LabRuns};
use serde_json::{Value, json};

use super::{PAGE, lab, nothing_is_left, site};
use crate::{
    harness::TestApp,
    jobs::{Crew, connect},
    synthetic::{ask, get, schedule, track},
};

/// A worker with a lab does all runs that were asked for. Each of them may take twice as long as a load: its browser starts before, and ends after.
pub(super) async fn worked_off(app: &TestApp, lab: Lab) {
    let handler: Arc<dyn JobHandler> = Arc::new(LabRuns {
        store: schedule(app),
        engine: Engine::Browser(Arc::new(lab)),
        sealing: app.stores.ports.get().unwrap(),
        artefacts: app.stores.ports.get().unwrap(),
        clock: app.clock.clone(),
    });
    let database = connect(app.database.url()).await;
    let crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    let open = "SELECT count(*)::text FROM runs WHERE status IN ('queued', 'running')";
    let count: usize = app.sql(open).await[0][0].as_ref().unwrap().parse().unwrap();
    for left in (0..count).rev() {
        let ended = format!("(SELECT count(*) <= {left} FROM runs WHERE status IN ('queued', 'running'))");
        app.reaches_within(2 * LOAD_WITHIN, &ended).await;
    }
    drop(crew);
}

const CURIOUS: &str = r#"<!doctype html><html lang="en"><head><title>Curious</title></head><body><h1>Curious</h1>
<img src="/inside" alt="redirected"><script>
fetch('http://' + location.hash.slice(1) + '/direct').catch(() => {});
fetch('http://169.254.169.254/latest/meta-data').catch(() => {});
</script></body></html>"#;

/// From the request to the answer: a run of the API is done by a worker, and what a page leads to inside is refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_leads_a_browser_nowhere_inside() {
    let (secret, visits) = site(&[("/direct", "text/plain", "inside")]).await;
    // The site redirects to an address of the machine that it may not reach.
    let inside: &'static str = Box::leak(format!("http://{secret}/direct").into_boxed_str());
    let curious: &'static str = Box::leak(
        CURIOUS
            .replace("location.hash.slice(1)", &format!("'{secret}'"))
            .into_boxed_str(),
    );
    let pages = Box::leak(Box::new([
        ("/", "text/html", curious),
        ("/inside", "redirect", inside),
    ]));
    let (address, seen) = site(pages).await;
    let app = TestApp::start().await;
    let page = track(&app, "curious").await;
    app.sql(&format!(
        "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"http://{address}/\"')"
    ))
    .await;
    let (lab, work) = lab("curious", address, LOAD_WITHIN);
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    worked_off(&app, lab).await;
    let id = run["run_id"].as_str().unwrap();
    let told = get(&app, &format!("runs/{id}")).await;
    assert_eq!(
        (&told["status"], &told["runtime_error_message"]),
        (&json!("succeeded"), &Value::Null)
    );
    let warnings = told["run_warnings"].to_string();
    assert!(
        warnings.contains("were refused") && warnings.contains("127.0.0.1"),
        "{warnings}"
    );
    assert!(
        seen.load(Ordering::SeqCst) >= 2,
        "the page, and the picture that redirects"
    );
    assert_eq!(
        visits.load(Ordering::SeqCst),
        0,
        "nobody came to what lies inside"
    );
    let resources = get(&app, &format!("runs/{id}/resources")).await;
    let inside: Vec<&Value> = resources["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|resource| {
            let url = resource["url"].as_str().unwrap();
            url.contains(&secret.to_string()) || url.contains("169.254")
        })
        .collect();
    assert!(!inside.is_empty(), "the attempts are told: {resources}");
    assert!(
        inside
            .iter()
            .all(|resource| resource["status_code"] != json!(200)),
        "{inside:?}"
    );
    assert!(
        told["screenshot_url"]
            .as_str()
            .unwrap()
            .contains("/artefacts/synthetic/")
    );
    nothing_is_left(&work).await;
}

/// A page that lies inside, and one that redirects there: the run says that the address is refused, and nobody comes there.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_at_an_address_that_is_refused_says_so() {
    let (secret, visits) = site(&[("/", "text/html", PAGE)]).await;
    let inside: &'static str = Box::leak(format!("http://{secret}/").into_boxed_str());
    let (address, seen) = site(Box::leak(Box::new([("/inside", "redirect", inside)]))).await;
    let app = TestApp::start().await;
    let mut runs = Vec::new();
    for (name, url) in [
        ("lies-inside", inside.to_owned()),
        ("lies-inside-by-name", inside.replace("127.0.0.1", "localhost")),
        ("leads-inside", format!("http://{address}/inside")),
        // A tunnel that is refused, instead of a request.
        ("lies-inside-by-tls", inside.replace("http:", "https:")),
    ] {
        let page = track(&app, name).await;
        app.sql(&format!(
            "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"{url}\"') WHERE id = '{page}'"
        ))
        .await;
        let run = ask(&app, &page, &json!({})).await.with_status(202);
        runs.push((run["run_id"].as_str().unwrap().to_owned(), name));
    }
    let (lab, work) = lab("refused", address, LOAD_WITHIN);
    worked_off(&app, lab).await;
    for (run, name) in &runs {
        let told = get(&app, &format!("runs/{run}")).await;
        assert_eq!(
            (&told["status"], &told["error_code"], &told["runtime_error_code"]),
            (
                &json!("failed"),
                &json!("upstream-error"),
                &json!("address_refused")
            ),
            "{name}: {told}"
        );
        let message = told["runtime_error_message"].as_str().unwrap();
        assert!(
            message.contains("tests reach public addresses alone"),
            "{message}"
        );
        assert!(!message.contains(&secret.to_string()), "{message}");
    }
    assert!(seen.load(Ordering::SeqCst) > 0, "the page that redirects");
    assert_eq!(
        visits.load(Ordering::SeqCst),
        0,
        "nobody came to what lies inside"
    );
    nothing_is_left(&work).await;
}
