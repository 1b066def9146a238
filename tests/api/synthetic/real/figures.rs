//! Figures: those of Lighthouse, also of a page of ill will, and none of a site that nobody vouches for.

use std::net::SocketAddr;

use pharos_synthetic::{
    lab::{LOAD_WITHIN, handler::kept},
    lhr::{self, Load},
    median::{Moments, middle},
    page::{Category, PageSettings},
    profile::{PROFILES, ThrottlingMethod},
};
use serde_json::{Value, json};
use tokio::process::Command;

use super::{PAGE, folder, lab, nothing_is_left, ordered, site};
use crate::harness::{
    newer_node,
    openssl::{TlsSite, Vault},
};

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
    let result = ordered(&lab, &page, "mobile").await.unwrap();
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

/// A version of Lighthouse that is pinned anew may emulate other devices and networks.
#[tokio::test]
async fn devices_and_networks_are_those_of_lighthouse() {
    let script = format!(
        "import {{screenEmulationMetrics, throttling, userAgents}} from '{}/node_modules/lighthouse/core/config/constants.js';
        console.log(JSON.stringify({{
            mobile: [throttling.mobileSlow4G, screenEmulationMetrics.mobile, userAgents.mobile],
            desktop: [throttling.desktopDense4G, screenEmulationMetrics.desktop, userAgents.desktop],
        }}));",
        folder().display()
    );
    let output = Command::new(newer_node())
        .args(["--input-type=module", "-e", &script])
        .output()
        .await
        .unwrap();
    let theirs: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    for profile in &PROFILES {
        let [network, screen, user_agent] =
            [0_usize, 1, 2].map(|at| &theirs[profile.form_factor.as_str()][at]);
        assert_eq!(
            [
                f64::from(profile.viewport_width),
                f64::from(profile.viewport_height),
                profile.device_scale_factor
            ]
            .map(Some),
            ["width", "height", "deviceScaleFactor"].map(|name| screen[name].as_f64()),
            "{}",
            profile.id
        );
        assert_eq!(*user_agent, json!(profile.user_agent), "{}", profile.id);
        // A load that is not throttled has no network.
        if profile.throttling_method != ThrottlingMethod::Provided {
            assert_eq!(
                [profile.rtt_ms, profile.throughput_kbps, profile.cpu_slowdown].map(Some),
                ["rttMs", "throughputKbps", "cpuSlowdownMultiplier"].map(|name| network[name].as_f64()),
                "{}",
                profile.id
            );
        }
    }
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

/// Three loads of a page, of which the one is kept that Lighthouse itself would keep of the same results.
#[tokio::test(flavor = "multi_thread")]
async fn of_three_loads_the_one_is_kept_that_lighthouse_would_keep() {
    let (address, _) = site(&[
        ("/", "text/html", PAGE),
        ("/style.css", "text/css", "body { font-family: sans-serif }"),
        ("/busy.js", "text/javascript", BUSY),
    ])
    .await;
    let (lab, work) = lab("median", address, LOAD_WITHIN);
    let page = PageSettings {
        categories: vec![Category::Performance],
        ..PageSettings::of(format!("http://{address}/"))
    };
    let mut results = Vec::new();
    for _ in 0..3 {
        results.push(ordered(&lab, &page, "mobile-observed").await.unwrap());
    }
    nothing_is_left(&work).await;
    let folder_of_results = tempfile::tempdir().unwrap();
    for (at, result) in results.iter().enumerate() {
        std::fs::write(folder_of_results.path().join(format!("{at}.json")), result).unwrap();
    }
    let script = format!(
        "import {{readFileSync}} from 'node:fs';
        import {{computeMedianRun}} from '{}/node_modules/lighthouse/core/lib/median-run.js';
        const runs = [0, 1, 2].map((at) => JSON.parse(readFileSync(`{}/${{at}}.json`, 'utf8')));
        console.log(runs.indexOf(computeMedianRun(runs)));",
        folder().display(),
        folder_of_results.path().display()
    );
    let output = Command::new(newer_node())
        .args(["--input-type=module", "-e", &script])
        .output()
        .await
        .unwrap();
    let expected: usize = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let loads: Vec<Load> = results.iter().map(|result| lhr::read(result).unwrap()).collect();
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        assert_ne!(
            loads[one].summary.figures, loads[other].summary.figures,
            "each load is another"
        );
    }
    let expected = loads[expected].clone();
    let firsts: Vec<f64> = loads.iter().map(|load| load.summary.figures["fcp_ms"]).collect();
    let kept_load = kept(loads).unwrap();
    assert_eq!(kept_load.summary.figures, expected.summary.figures);
    assert_eq!(kept_load.lists, expected.lists, "all of it is of one load");
    assert_eq!(kept_load.summary.runs_aggregated, 3);
    let spread = kept_load.summary.variability.unwrap()["fcp_ms"];
    assert_eq!(
        (spread.min, spread.max),
        (
            firsts.iter().copied().fold(f64::INFINITY, f64::min),
            firsts.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        )
    );
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
    let load = lhr::read(&ordered(&lab, &page, "desktop").await.unwrap()).unwrap();
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

/// A page whose certificate nobody vouches for is not measured: the result says why.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_is_wrong_is_the_reason_of_no_figures() {
    let vault = Vault::new("Unknown");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let site = TlsSite::start(&vault, "site", &[]);
    let address = SocketAddr::from(([127, 0, 0, 1], site.port));
    let (lab, work) = lab("tls", address, LOAD_WITHIN);
    let page = PageSettings::of(format!("https://{address}/page"));
    let load = lhr::read(&ordered(&lab, &page, "desktop").await.unwrap()).unwrap();
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
