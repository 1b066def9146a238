//! PageSpeed Insights, played by this machine in the form that its discovery document `pagespeedonline.v5` gives. The official
//! client of Google is asked to talk to it, too.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    process::Stdio,
    sync::{Arc, Mutex},
};

use pharos_artefacts::store::Artefacts;
use pharos_domain::{
    ids::RunId,
    jobs::{ClaimedJob, JobHandler, NewJob},
    module::Module,
    secret::Secret,
};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_server::worker::WorkerPace;
use pharos_synthetic::{
    kept,
    lab::{engine::Engine, handler::LabRuns},
    pagespeed::{PageSpeed, WARNING},
    run::{self, Order},
};
use serde_json::{Value, json};
use time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    process::Command,
};
use url::Url;

use super::{SHOP, ask, get, schedule, send, track};
use crate::{
    harness::{TestApp, clients, python},
    jobs::{Crew, connect},
};

/// A request: path and query, without the parameters that a client adds by itself.
type Asked = (String, Vec<(String, String)>);

/// The API.
struct Google {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Answers to the next requests instead, as status, headers and body.
    instead: VecDeque<(u16, &'static str, String)>,
    asked: Vec<Asked>,
}

impl Google {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state }
    }

    fn answers_once(&self, status: u16, headers: &'static str, body: &Value) {
        let answer = (status, headers, body.to_string());
        self.state.lock().unwrap().instead.push_back(answer);
    }

    /// The requests to it since the last time.
    fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.state.lock().unwrap().asked)
    }

    /// The handler whose tests it does.
    fn handler(&self, app: &TestApp) -> Arc<dyn JobHandler> {
        let client = PageSpeed::new(
            NameResolver::system().unwrap(),
            AddressPolicy::public().permitting_exactly(self.address),
            &TrustAnchors::web(),
            Url::parse(&format!("http://{}/", self.address)).unwrap(),
            Secret::from("test-key".to_owned()),
        );
        Arc::new(LabRuns {
            store: schedule(app),
            engine: Engine::PageSpeed(Arc::new(client.unwrap())),
            sealing: app.stores.ports.get().unwrap(),
            artefacts: app.stores.ports.get().unwrap(),
            clock: app.clock.clone(),
        })
    }

    /// A worker that does them.
    async fn crew(&self, app: &TestApp) -> Crew {
        let database = connect(app.database.url()).await;
        Crew::start(&database, "local", WorkerPace::default(), vec![self.handler(app)]).await
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 4_096];
        match stream.read(&mut part).await {
            Ok(read) if read > 0 => request.extend_from_slice(&part[..read]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&request).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default();
    let (status, headers, answer) = answer(target, &state);
    let answer = format!(
        "HTTP/1.1 {status} Status\r\ncontent-type: application/json; charset=UTF-8\r\n{headers}content-length: {}\r\n\
         connection: close\r\n\r\n{answer}",
        answer.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}

fn answer(target: &str, state: &Mutex<State>) -> (u16, &'static str, String) {
    let url = Url::parse(&format!("http://google.example{target}")).unwrap();
    let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let part = |name: &str| {
        let found = query.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let (key, page) = (part("key"), part("url"));
    let mut state = state.lock().unwrap();
    let own = ["key", "alt"];
    let asked = query
        .into_iter()
        .filter(|(name, _)| !own.contains(&name.as_str()));
    state.asked.push((url.path().to_owned(), asked.collect()));
    if let Some(instead) = state.instead.pop_front() {
        return instead;
    }
    if url.path() != "/pagespeedonline/v5/runPagespeed" {
        return (404, "", refusal(404, "Not found.", "notFound").to_string());
    }
    if key != "test-key" {
        let refused = refusal(
            400,
            "API key not valid. Please pass a valid API key.",
            "badRequest",
        );
        return (400, "", refused.to_string());
    }
    if page.ends_with("/unpainted") {
        return (500, "", unpainted().to_string());
    }
    let told = json!({
        "captchaResult": "CAPTCHA_NOT_NEEDED",
        "kind": "pagespeedonline#result",
        "id": page,
        "lighthouseResult": as_documented(),
        "analysisUTCTimestamp": "2026-03-31T09:15:00.000Z",
    });
    (200, "", told.to_string())
}

fn refusal(status: u16, message: &str, reason: &str) -> Value {
    json!({ "error": {
        "code": status, "message": message,
        "errors": [{ "message": message, "domain": "global", "reason": reason }],
    } })
}

fn unpainted() -> Value {
    let message = "Lighthouse returned error: NO_FCP. The page did not paint any content.";
    refusal(500, message, "lighthouseError")
}

/// The shop's result, without what the document does not have.
fn as_documented() -> Value {
    let mut result: Value = serde_json::from_str(SHOP).unwrap();
    let members = result.as_object_mut().unwrap();
    members.retain(|name, _| !["gatherMode", "trimmed"].contains(&name.as_str()));
    for audit in members["audits"].as_object_mut().unwrap().values_mut() {
        let audit = audit.as_object_mut().unwrap();
        audit.retain(|name, _| !["scoringOptions", "guidanceLevel"].contains(&name.as_str()));
    }
    for category in members["categories"].as_object_mut().unwrap().values_mut() {
        category.as_object_mut().unwrap().remove("supportedModes");
    }
    result
}

/// Asks for a test of a page, and waits until it is over.
async fn tested(app: &TestApp, page: &str) -> Value {
    let run = ask(app, page, &json!({})).await.with_status(202);
    let id = run["run_id"].as_str().unwrap();
    app.reaches(&format!(
        "EXISTS (SELECT FROM runs WHERE id = '{id}' AND status NOT IN ('queued', 'running'))"
    ))
    .await;
    get(app, &format!("runs/{id}")).await
}

/// Pharos asks as Google's own client asks, and the played API answers as documented.
#[tokio::test]
async fn googles_client_understands_pagespeed_and_asks_as_we_do() {
    let google = Google::start().await;
    let output = Command::new(python())
        .arg(clients("query_pagespeed.py"))
        .arg(format!("http://{}", google.address))
        .stderr(Stdio::inherit())
        .output()
        .await
        .unwrap();
    assert!(output.status.success());
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        said,
        json!({ "score": 0.44, "unpainted": 500, "undocumented": [] })
    );
    let sorted = |(path, mut query): Asked| {
        query.sort();
        (path, query)
    };
    let theirs = sorted(google.asked().swap_remove(0));
    let app = TestApp::start().await;
    let _crew = google.crew(&app).await;
    let page = track(&app, "shoes").await;
    tested(&app, &page).await;
    assert_eq!(sorted(google.asked().swap_remove(0)), theirs);
}

#[tokio::test]
async fn a_page_is_measured_by_google_as_by_a_browser_of_ones_own() {
    let google = Google::start().await;
    let app = TestApp::start().await;
    let _crew = google.crew(&app).await;
    let page = track(&app, "shoes").await;
    // A quota that is used up for a moment is waited for, and is no attempt.
    let used_up = refusal(429, "Quota exceeded.", "rateLimitExceeded");
    google.answers_once(429, "retry-after: 1\r\n", &used_up);
    let told = tested(&app, &page).await;
    assert_eq!(google.asked().len(), 2);
    assert_eq!(
        [
            &told["status"],
            &told["engine"],
            &told["engine_version"],
            &told["run_warnings"],
            &told["categories"]["performance"]["score"],
            &told["total_bytes"],
            &told["benchmark_index"],
        ],
        [
            &json!("succeeded"),
            &json!("lighthouse"),
            &json!("13.5.0"),
            &json!([WARNING]),
            &json!(44),
            &json!(1_737_194),
            &json!(1_536.0),
        ]
    );
    let audits: Value = serde_json::from_str(SHOP).unwrap();
    assert_eq!(
        told["metrics"]["lcp_ms"],
        audits["audits"]["largest-contentful-paint"]["numericValue"]
    );
    // All that Lighthouse wrote is kept beside the pictures.
    let artefacts: Arc<Artefacts> = app.stores.ports.get().unwrap();
    let run = told["run_id"].as_str().unwrap().parse().unwrap();
    let key = kept::key(app.world.domain, run, kept::REPORT).unwrap();
    let report = artefacts.get(&key).await.unwrap().unwrap();
    assert!(report.starts_with(&[0x1f, 0x8b]), "gzip");

    let unpainted = track(&app, "unpainted").await;
    let told = tested(&app, &unpainted).await;
    assert_eq!(
        [
            &told["status"],
            &told["runtime_error_code"],
            &told["metrics"]["lcp_ms"],
        ],
        [&json!("failed"), &json!("no_fcp"), &Value::Null]
    );
}

/// From the row of the test before to the answer: a test says where its conditions are others.
#[tokio::test]
async fn an_older_lighthouse_and_a_faster_machine_before_are_told() {
    let google = Google::start().await;
    let app = TestApp::start().await;
    let _crew = google.crew(&app).await;
    let page = track(&app, "shoes").await;
    let told = tested(&app, &page).await;
    assert_eq!(told["run_warnings"], json!([WARNING]), "there was none before");
    app.sql(
        r#"UPDATE synthetic_runs SET summary = summary || '{"engine_version": "12.8.2", "benchmark_index": 4000}'"#,
    )
    .await;
    let told = tested(&app, &page).await;
    let warnings = told["run_warnings"].as_array().unwrap();
    let text = |at: usize| warnings[at].as_str().unwrap();
    assert_eq!((warnings.len(), text(0)), (3, WARNING), "{warnings:?}");
    assert!(
        text(1).contains("13.5.0") && text(1).contains("12.8.2"),
        "{warnings:?}"
    );
    assert!(text(2).contains("1536, not 4000"), "{warnings:?}");
}

/// Each machine is slower by less than a quarter than the one before it. The median of the five before is 2,060.
#[tokio::test]
async fn a_machine_that_slows_down_bit_by_bit_is_told() {
    let google = Google::start().await;
    let app = TestApp::start().await;
    let _crew = google.crew(&app).await;
    let page = track(&app, "shoes").await;
    for index in [9_000, 2_400, 2_200, 2_060, 1_900, 1_800] {
        let run = tested(&app, &page).await;
        app.sql(&format!(
            r#"UPDATE synthetic_runs SET summary = summary || '{{"benchmark_index": {index}}}' WHERE id = '{}'"#,
            run["run_id"].as_str().unwrap()
        ))
        .await;
        app.clock.advance(Duration::MINUTE);
    }
    let told = tested(&app, &page).await;
    let warnings = told["run_warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[1].as_str().unwrap().contains("1536, not 2060"),
        "{warnings:?}"
    );
}

/// The overview has failed tests as well.
#[tokio::test]
async fn a_test_that_fails_outdates_what_is_kept_of_its_domain() {
    let (google, app) = (Google::start().await, TestApp::start().await);
    let order = Order {
        run_id: RunId::generate(),
        domain_id: app.world.domain,
    };
    let NewJob {
        id, kind, payload, ..
    } = run::job(order, app.world.workspace);
    let job = ClaimedJob {
        id,
        kind,
        payload,
        attempt: 1,
    };
    let touched = google.handler(&app).touched(&job);
    assert_eq!(touched, [(app.world.domain, Module::Synthetic)]);
}

#[tokio::test]
async fn a_test_that_google_does_not_do_says_why() {
    let google = Google::start().await;
    let app = TestApp::start().await;
    let _crew = google.crew(&app).await;
    let page = track(&app, "shoes").await;
    google.answers_once(400, "", &refusal(400, "API key not valid.", "badRequest"));
    let told = tested(&app, &page).await;
    assert_eq!(told["status"], json!("failed"));
    let why = told["error_detail"].as_str().unwrap();
    assert!(
        why.contains("400 Bad Request (badRequest)") && !why.contains("key"),
        "{why}"
    );
    google.answers_once(200, "", &json!({ "kind": "pagespeedonline#result" }));
    let told = tested(&app, &page).await;
    assert_eq!(told["status"], json!("failed"));
    google.asked();

    let cookie = json!({ "cookie": "session=secret" });
    send(&app, "PUT", &format!("urls/{page}"), &cookie).await.ok();
    let told = tested(&app, &page).await;
    let why = told["error_detail"].as_str().unwrap();
    assert!(why.contains("not public"), "{why}");
    assert_eq!(google.asked().len(), 0, "a page with a cookie is not asked for");
}
