//! The real thing: Lighthouse on Chromium, as a node runs them.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use pharos_domain::jobs::JobHandler;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use pharos_server::worker::WorkerPace;
use pharos_synthetic::{
    lab::{LOAD_WITHIN, Lab, LabSettings, LoadError, LoadOrder, engine::Engine, handler::LabRuns},
    lhr,
    median::{Moments, middle},
    page::{Category, PageSettings},
    profile::Profile,
    secrets::PageSecrets,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};

use super::{ask, get, schedule, track};
use crate::{
    harness::{
        TestApp, newer_node,
        openssl::{TlsSite, Vault},
    },
    jobs::{Crew, connect},
};

/// As long as something may take on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

fn folder() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().join("crates/synthetic/core/lab")
}

fn chromium() -> PathBuf {
    std::env::var_os("PHAROS_TEST_CHROMIUM").map_or_else(|| "/usr/bin/chromium".into(), PathBuf::from)
}

/// A lab of its own, which reaches this address of the machine and nothing else of it.
pub(super) fn lab(name: &str, site: SocketAddr, load_within: Duration) -> (Lab, PathBuf) {
    let work = std::env::temp_dir().join(format!("pharos-lab-{name}-{}", std::process::id()));
    let settings = LabSettings {
        folder: folder(),
        chromium: Some(chromium()),
        sandbox: true,
        work: work.clone(),
        load_within,
    };
    let policy = AddressPolicy::public().permitting_exactly(site);
    let lab = Lab::open(settings, NameResolver::system().unwrap(), policy).unwrap();
    (lab, work)
}

/// A site with these pages, which counts who comes.
pub(super) async fn site(
    pages: &'static [(&'static str, &'static str, &'static str)],
) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let counted = Arc::clone(&counted);
            tokio::spawn(async move {
                let mut head = vec![0; 16_384];
                let read = stream.read(&mut head).await.unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                counted.fetch_add(1, Ordering::SeqCst);
                let wanted = head.split(' ').nth(1).unwrap_or_default();
                let wanted = wanted.split('?').next().unwrap_or_default();
                let found = pages.iter().find(|(path, ..)| *path == wanted);
                let answer = match found {
                    Some((_, "hang", _)) => {
                        sleep(PATIENCE).await;
                        return;
                    }
                    Some((_, "endless", begin)) => {
                        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
                        let mut answered = stream.write_all(format!("{head}{begin}").as_bytes()).await;
                        while answered.is_ok() {
                            sleep(Duration::from_millis(100)).await;
                            answered = stream.write_all(b"<p>More</p>").await;
                        }
                        return;
                    }
                    Some((_, "huge", kind)) => {
                        let head = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 5000000000\r\nConnection: close\r\n\r\n"
                        );
                        let chunk = vec![b' '; 65_536];
                        let mut answered = stream.write_all(head.as_bytes()).await;
                        while answered.is_ok() {
                            answered = stream.write_all(&chunk).await;
                        }
                        return;
                    }
                    Some((_, "redirect", to)) => format!(
                        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    ),
                    Some((_, kind, body)) => format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    ),
                    None => {
                        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
                    }
                };
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    (address, count)
}

/// The processes whose command line names a folder.
pub(super) fn processes_of(folder: &Path) -> Vec<String> {
    let name = folder.to_str().unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(name) {
            found.push(line);
        }
    }
    found
}

/// Waits until nothing is left of the loads of a folder: no process, and no profile.
pub(super) async fn nothing_is_left(work: &Path) {
    let deadline = Instant::now() + PATIENCE;
    let own = work.join(std::process::id().to_string());
    loop {
        let (processes, folders) = (
            processes_of(work),
            std::fs::read_dir(&own).map_or(0, Iterator::count),
        );
        if processes.is_empty() && folders == 0 {
            break;
        }
        assert!(Instant::now() < deadline, "{processes:?}, {folders} folders");
        sleep(Duration::from_millis(50)).await;
    }
    std::fs::remove_dir_all(work).unwrap();
}

const PAGE: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="A shop">
<link rel="stylesheet" href="/style.css?token=secret"></head>
<body><main><h1>Shop</h1><p>All kinds of shoes</p></main><script src="/busy.js"></script></body></html>"#;
const BUSY: &str = "const end = performance.now() + 300; while (performance.now() < end) {}";

/// The figures that are read are those of the result, which shows the planted faults: a stylesheet that blocks painting, a script
/// that keeps the main thread busy.
#[tokio::test(flavor = "multi_thread")]
async fn figures_are_those_of_lighthouse() {
    let (address, _) = site(&[
        ("/", "text/html", PAGE),
        ("/style.css", "text/css", "body { font-family: sans-serif }"),
        ("/busy.js", "text/javascript", BUSY),
    ])
    .await;
    let (lab, work) = lab("figures", address, LOAD_WITHIN);
    assert_eq!(
        lab.versions().lighthouse,
        pharos_synthetic::profile::LIGHTHOUSE_VERSION
    );
    let page = PageSettings::of(format!("http://{address}/"));
    let order = LoadOrder {
        page: &page,
        secrets: &PageSecrets::default(),
        profile: Profile::named("mobile").unwrap(),
    };
    let result = lab.result(order).await.unwrap();
    nothing_is_left(&work).await;
    let (raw, load): (Value, _) = (
        serde_json::from_slice(&result).unwrap(),
        lhr::read(&result).unwrap(),
    );
    assert_eq!(raw["runtimeError"], Value::Null);
    for (name, audit) in [
        ("fcp_ms", "first-contentful-paint"),
        ("lcp_ms", "largest-contentful-paint"),
        ("tbt_ms", "total-blocking-time"),
        ("cls", "cumulative-layout-shift"),
        ("speed_index_ms", "speed-index"),
        ("tti_ms", "interactive"),
        ("max_potential_fid_ms", "max-potential-fid"),
        ("ttfb_ms", "server-response-time"),
        ("total_bytes", "total-byte-weight"),
    ] {
        let told = raw["audits"][audit]["numericValue"].as_f64();
        assert!(told.is_some(), "{audit}: {}", raw["audits"][audit]);
        assert_eq!(load.summary.figures.get(name).copied(), told, "{name}");
    }
    let score = raw["categories"]["performance"]["score"].as_f64().unwrap();
    assert_eq!(load.summary.figures["performance_score"], (score * 100.0).round());
    assert!(load.summary.long_tasks_count >= Some(1), "{:?}", load.summary);
    let broken: Vec<&str> = load
        .lists
        .audits
        .iter()
        .filter(|audit| audit.outcome == pharos_synthetic::result::AuditOutcome::Error)
        .map(|audit| audit.audit_id.as_str())
        .collect();
    assert_eq!(broken, [""; 0], "Node.js is new enough for every audit");
    let blocking = load
        .lists
        .resources
        .iter()
        .find(|resource| resource.url.ends_with("/style.css"))
        .unwrap();
    assert!(blocking.render_blocking && blocking.status_code == Some(200));
    assert!(!String::from_utf8_lossy(&serde_json::to_vec(&load.lists.resources).unwrap()).contains("secret"));
    assert!(!load.images.frames.is_empty() && load.images.last.is_some());
    assert_eq!(
        raw["configSettings"]["throttling"]["cpuSlowdownMultiplier"],
        json!(4)
    );
    assert_eq!(raw["configSettings"]["screenEmulation"]["width"], json!(412));
}

/// The load in the middle is the one that Lighthouse's own `computeMedianRun` picks, over loads that are made up.
#[tokio::test]
async fn the_load_in_the_middle_is_lighthouses_own() {
    let mut random = fastrand::Rng::with_seed(7);
    let tests: Vec<Vec<[f64; 2]>> = (0..200)
        .map(|_| {
            let mut moment = || f64::from(random.u32(1..40)) * 100.0;
            (0..5).map(|_| [moment(), moment()]).collect()
        })
        .collect();
    let script = format!(
        "import {{computeMedianRun}} from '{}/node_modules/lighthouse/core/lib/median-run.js';
        const tests = {};
        console.log(JSON.stringify(tests.map((test) => {{
            const runs = test.map(([fcp, tti], at) => ({{at, audits: {{
                'first-contentful-paint': {{numericValue: fcp}}, interactive: {{numericValue: tti}}}}}}));
            return computeMedianRun(runs).at;
        }})));",
        folder().display(),
        serde_json::to_string(&tests).unwrap()
    );
    let output = Command::new(newer_node())
        .args(["--input-type=module", "-e", &script])
        .output()
        .await
        .unwrap();
    let expected: Vec<usize> = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    for (test, expected) in tests.iter().zip(expected) {
        let moments: Vec<Moments> = test.iter().map(|&[fcp, tti]| Moments { fcp, tti }).collect();
        assert_eq!(middle(&moments), Some(expected), "{test:?}");
    }
}

const CURIOUS: &str = r#"<!doctype html><html lang="en"><head><title>Curious</title></head><body><h1>Curious</h1>
<img src="/inside" alt="redirected"><script>
fetch('http://' + location.hash.slice(1) + '/direct').catch(() => {});
fetch('http://169.254.169.254/latest/meta-data').catch(() => {});
try { new WebSocket('ws://' + location.hash.slice(1) + '/socket') } catch {}
navigator.serviceWorker?.register('/worker.js').catch(() => {});
</script></body></html>"#;

/// From the request to the answer: a run of the API is done by a worker, and what a page leads to inside is refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_leads_a_browser_nowhere_inside() {
    let (secret, visits) = site(&[
        ("/direct", "text/plain", "inside"),
        ("/socket", "text/plain", "inside"),
    ])
    .await;
    // The site redirects to an address of the machine that it may not reach.
    let inside: &'static str = Box::leak(format!("http://{secret}/direct").into_boxed_str());
    let curious: &'static str = Box::leak(
        CURIOUS
            .replace("location.hash.slice(1)", &format!("'{secret}'"))
            .into_boxed_str(),
    );
    let worker: &'static str = Box::leak(
        format!(
            "for (const path of ['direct', 'socket']) fetch('http://{secret}/' + path).catch(() => {{}});"
        )
        .into_boxed_str(),
    );
    let pages = Box::leak(Box::new([
        ("/", "text/html", curious),
        ("/inside", "redirect", inside),
        ("/worker.js", "text/javascript", worker),
    ]));
    let (address, seen) = site(pages).await;
    let app = TestApp::start().await;
    let page = track(&app, "curious").await;
    app.sql(&format!(
        "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"http://{address}/\"')"
    ))
    .await;
    let (lab, work) = lab("curious", address, LOAD_WITHIN);
    let handler: Arc<dyn JobHandler> = Arc::new(LabRuns {
        store: schedule(&app),
        engine: Engine::Browser(Arc::new(lab)),
        sealing: app.stores.ports.get().unwrap(),
        artefacts: app.stores.ports.get().unwrap(),
        clock: app.clock.clone(),
    });
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    let database = connect(app.database.url()).await;
    let crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    app.reaches("NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'running'))")
        .await;
    drop(crew);
    let id = run["run_id"].as_str().unwrap();
    let told = get(&app, &format!("runs/{id}")).await;
    assert_eq!(
        (&told["status"], &told["runtime_error_message"]),
        (&json!("succeeded"), &Value::Null)
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
    let handler: Arc<dyn JobHandler> = Arc::new(LabRuns {
        store: schedule(&app),
        engine: Engine::Browser(Arc::new(lab)),
        sealing: app.stores.ports.get().unwrap(),
        artefacts: app.stores.ports.get().unwrap(),
        clock: app.clock.clone(),
    });
    let database = connect(app.database.url()).await;
    let crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    app.reaches("NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'running'))")
        .await;
    drop(crew);
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

/// A page that never answers, one that never ends, and one whose script never ends: the loads are ended, and nothing of them stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_hangs_is_ended_with_all_that_belongs_to_it() {
    let (address, _) = site(&[
        ("/", "hang", ""),
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
    ])
    .await;
    let (lab, work) = lab("hangs", address, Duration::from_secs(6));
    let load = async |path: &str| {
        let page = PageSettings::of(format!("http://{address}{path}"));
        let order = LoadOrder {
            page: &page,
            secrets: &PageSecrets::default(),
            profile: Profile::named("desktop").unwrap(),
        };
        lab.result(order).await.unwrap_err()
    };
    let errors: [LoadError; 3] = tokio::join!(load("/"), load("/more"), load("/endless")).into();
    for error in errors {
        assert!(matches!(error, LoadError::Timeout(_)), "{error}");
    }
    nothing_is_left(&work).await;
}

const ILL_WILL: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ill will</title></head>
<body><h1>Ill will</h1><iframe src="/file.zip" title="A download"></iframe><script>
for (let at = 0; at < 20; at++) alert(at);
document.querySelector('h1').textContent = 'Ill will, and half of an emoji \ud83d';
document.body.insertAdjacentHTML('beforeend', '<i></i>'.repeat(100000));
</script></body></html>"#;

/// Dialogs, a download, a text that is none and 100,000 elements keep nobody from measuring the page. The download is kept
/// nowhere.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_ill_will_is_measured_all_the_same() {
    let (address, _) = site(&[
        ("/", "text/html", ILL_WILL),
        ("/file.zip", "application/zip", "PK"),
    ])
    .await;
    let (lab, work) = lab("ill-will", address, LOAD_WITHIN);
    let page = PageSettings {
        // Other categories look at each element.
        categories: vec![Category::Performance],
        ..PageSettings::of(format!("http://{address}/"))
    };
    let order = LoadOrder {
        page: &page,
        secrets: &PageSecrets::default(),
        profile: Profile::named("desktop").unwrap(),
    };
    let load = lhr::read(&lab.result(order).await.unwrap()).unwrap();
    assert_eq!(load.summary.runtime_error, None);
    assert!(
        load.summary.dom_size >= Some(100_000),
        "{:?}",
        load.summary.dom_size
    );
    let index = lab.benchmark_index().await.unwrap();
    assert!((1.0..100_000.0).contains(&index), "{index}");
    nothing_is_left(&work).await;
}

/// Sends a signal to the browser of a load, as soon as it listens.
async fn signal_browser(work: &Path, signal: &str) {
    let own = work.join(std::process::id().to_string());
    let deadline = Instant::now() + PATIENCE;
    let browser = loop {
        let listens = std::fs::read_dir(&own)
            .into_iter()
            .flatten()
            .flatten()
            .any(|load| load.path().join("profile/DevToolsActivePort").exists());
        let found = std::fs::read_dir("/proc").unwrap().flatten().find(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            // Its children say what type they are of.
            line.contains(&format!("--user-data-dir={}", own.display())) && !line.contains("--type=")
        });
        match found {
            Some(entry) if listens => break entry.file_name().into_string().unwrap(),
            _ => assert!(Instant::now() < deadline, "the browser does not start"),
        }
        sleep(Duration::from_millis(50)).await;
    };
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -{signal} {browser}")])
        .status()
        .await
        .unwrap();
    assert!(sent.success());
}

/// A browser that dies, and one that stands still, in the middle of a load.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_crashes_or_stands_still_ends_its_load_with_the_reason() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let page = PageSettings::of(format!("http://{address}/"));
    for (signal, within, reasons) in [
        ("KILL", LOAD_WITHIN, ["Chromium ended by itself (SIGKILL)"; 2]),
        // Lighthouse may tire of it first.
        (
            "STOP",
            Duration::from_secs(30),
            [
                "was not measured within 30 seconds",
                "Waiting for DevTools protocol response",
            ],
        ),
    ] {
        let (lab, work) = lab(signal, address, within);
        let order = LoadOrder {
            page: &page,
            secrets: &PageSecrets::default(),
            profile: Profile::named("desktop").unwrap(),
        };
        let (result, ()) = tokio::join!(lab.result(order), signal_browser(&work, signal));
        let error = result.unwrap_err().to_string();
        assert!(reasons.iter().any(|reason| error.contains(reason)), "{error}");
        nothing_is_left(&work).await;
    }
}

/// A script of 5 GB is cut off, and figures of a part of the page are none of the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_too_heavy_is_not_measured_by_halves() {
    let (address, _) = site(&[
        (
            "/",
            "text/html",
            "<!doctype html><title>Heavy</title><h1>Heavy</h1><script src=\"/huge.js\"></script>",
        ),
        ("/huge.js", "huge", "text/javascript"),
    ])
    .await;
    let (lab, work) = lab("heavy", address, LOAD_WITHIN);
    let page = PageSettings::of(format!("http://{address}/"));
    let order = LoadOrder {
        page: &page,
        secrets: &PageSecrets::default(),
        profile: Profile::named("desktop").unwrap(),
    };
    let error = lab.result(order).await.unwrap_err();
    assert!(matches!(error, LoadError::TooHeavy), "{error}");
    nothing_is_left(&work).await;
}

/// A page whose certificate nobody vouches for is not measured: the result says why.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_is_wrong_is_the_reason_of_no_figures() {
    let vault = Vault::new("Unknown");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let site = TlsSite::start(&vault, "site", &[]);
    let address = SocketAddr::from(([127, 0, 0, 1], site.port));
    let (lab, work) = lab("tls", address, LOAD_WITHIN);
    let page = PageSettings::of(format!("https://{address}/page"));
    let order = LoadOrder {
        page: &page,
        secrets: &PageSecrets::default(),
        profile: Profile::named("desktop").unwrap(),
    };
    let load = lhr::read(&lab.result(order).await.unwrap()).unwrap();
    let error = load.summary.runtime_error.unwrap();
    assert_eq!(error.code, "insecure_document_request");
    assert!(
        error.message.contains("ERR_CERT_AUTHORITY_INVALID"),
        "{}",
        error.message
    );
    assert!(load.summary.figures.is_empty(), "{:?}", load.summary.figures);
    nothing_is_left(&work).await;
}

/// Starts a script of a load, as a node does.
fn start(script: &Path, home: &Path) -> Child {
    Command::new(newer_node())
        .arg(script)
        .env("HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// The order to load a page of an address, with so many MiB of memory and of disk.
fn order(address: SocketAddr, load: &Path, [memory_mib, disk_mib]: [u32; 2]) -> String {
    let order = json!({
        "lighthouse": folder(), "chromium": chromium(), "proxy": address.to_string(), "folder": load,
        // Whoever runs the tests may be root; these are about the end alone.
        "sandbox": false, "memory_mib": memory_mib, "disk_mib": disk_mib, "url": format!("http://{address}/"), "settings": {},
    });
    format!("{order}\n")
}

/// As much as a load may take in earnest.
const ENOUGH: [u32; 2] = [3_072, 1_024];

/// A load that may take so much ends with this reason.
async fn is_ended(work: &Path, most: [u32; 2], reason: &str) {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let mut child = start(&folder().join("run.mjs"), work);
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(order(address, work, most).as_bytes())
        .await
        .unwrap();
    let mut told = String::new();
    let mut stdout = child.stdout.take().unwrap();
    timeout(PATIENCE, stdout.read_to_string(&mut told))
        .await
        .unwrap()
        .unwrap();
    assert!(told.contains(reason), "{told}");
    child.wait().await.unwrap();
    let deadline = Instant::now() + PATIENCE;
    while !processes_of(work).is_empty() {
        assert!(Instant::now() < deadline, "{:?}", processes_of(work));
        sleep(Duration::from_millis(50)).await;
    }
    std::fs::remove_dir_all(work).unwrap();
}

/// No browser is so small.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_takes_too_much_memory_is_ended_and_says_so() {
    let work = std::env::temp_dir().join(format!("pharos-lab-memory-{}", std::process::id()));
    std::fs::create_dir_all(&work).unwrap();
    let reason = "it took more than 50 MiB of memory, and the browser was ended";
    is_ended(&work, [50, ENOUGH[1]], reason).await;
}

/// A page can have a browser store what no network brought: here it lies in the profile before the browser starts.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_takes_too_much_disk_is_ended_and_says_so() {
    let work = std::env::temp_dir().join(format!("pharos-lab-disk-{}", std::process::id()));
    let storage = work.join("profile/Default/IndexedDB");
    std::fs::create_dir_all(&storage).unwrap();
    std::fs::write(storage.join("stored"), vec![1; 8 * 1024 * 1024]).unwrap();
    let reason = "it took more than 8 MiB of disk, and the browser was ended";
    is_ended(&work, [ENOUGH[0], 8], reason).await;
}

/// A node that is killed closes the pipe that its loads listen to: they end by themselves, and remove what they wrote,
/// although much fails by then, and nobody reads of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_ends_with_the_node_that_began_it() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let work = std::env::temp_dir().join(format!("pharos-lab-orphan-{}", std::process::id()));
    let load = work.join("load");
    std::fs::create_dir_all(&load).unwrap();
    let script = std::fs::read_to_string(folder().join("run.mjs")).unwrap();
    let fails = "process.stdin.once('end', () => setInterval(() => { throw new Error('the browser is gone'); }, 20));";
    let file = work.join("run.mjs");
    std::fs::write(&file, format!("{fails}\n{script}")).unwrap();
    let mut child = start(&file, &load);
    let pipes = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(order(address, &load, ENOUGH).as_bytes())
        .await
        .unwrap();
    let port = load.join("profile/DevToolsActivePort");
    let deadline = Instant::now() + PATIENCE;
    while !port.exists() {
        assert!(Instant::now() < deadline, "the browser does not start");
        sleep(Duration::from_millis(50)).await;
    }
    drop((stdin, pipes));
    let ended = timeout(PATIENCE, child.wait()).await;
    if ended.is_err() {
        child.kill().await.unwrap();
    }
    assert!(ended.is_ok(), "it does not end by itself");
    while !processes_of(&work).is_empty() || load.exists() {
        assert!(Instant::now() < deadline, "{:?}", processes_of(&work));
        sleep(Duration::from_millis(50)).await;
    }
    std::fs::remove_dir_all(&work).unwrap();
}
