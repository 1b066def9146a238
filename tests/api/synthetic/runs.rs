//! Runs and their lists.

use pharos_domain::ids::RunId;
use pharos_synthetic::{conditions::Conditions, lhr, result::RuntimeError, store::Ended};
use serde_json::{Value, json};
use time::Duration;

use super::{MISSING, SHOP, ask, end, get, measured, schedule, track, try_get};
use crate::{
    harness::{TestApp, World, raw},
    jobs::connect,
};

/// Each figure of the API beside the audit of the result that it is from.
pub(super) const FIGURES: [(&str, &str); 8] = [
    ("fcp_ms", "first-contentful-paint"),
    ("lcp_ms", "largest-contentful-paint"),
    ("tbt_ms", "total-blocking-time"),
    ("cls", "cumulative-layout-shift"),
    ("speed_index_ms", "speed-index"),
    ("tti_ms", "interactive"),
    ("max_potential_fid_ms", "max-potential-fid"),
    ("ttfb_ms", "server-response-time"),
];

#[tokio::test]
async fn a_run_tells_what_lighthouse_told() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let asked = ask(&app, &page, &json!({})).await.with_status(202);
    assert_eq!(
        (&asked["kind"], &asked["status"], &asked["credits_charged"]),
        (&json!("synthetic"), &json!("queued"), &json!(25))
    );
    let waiting = get(
        &app,
        asked["poll_path"]
            .as_str()
            .unwrap()
            .split("/synthetic/")
            .nth(1)
            .unwrap(),
    )
    .await;
    assert_eq!(
        [
            &waiting["status"],
            &waiting["trigger"],
            &waiting["requested_url"],
            &waiting["runs_aggregated"]
        ],
        [
            &json!("queued"),
            &json!("api"),
            &json!("https://shop.example/shoes"),
            &json!(0)
        ]
    );
    assert_eq!(
        (&waiting["metrics"]["lcp_ms"], &waiting["categories"]),
        (&Value::Null, &json!({}))
    );
    let run = measured(&app, &page, SHOP).await;
    let told = get(&app, &format!("runs/{run}")).await;
    let raw: Value = serde_json::from_str(SHOP).unwrap();
    for (name, audit) in FIGURES {
        assert_eq!(
            told["metrics"][name],
            json!(raw["audits"][audit]["numericValue"].as_f64()),
            "{name}"
        );
    }
    for (ours, theirs) in [
        ("performance", "performance"),
        ("accessibility", "accessibility"),
        ("best_practices", "best-practices"),
        ("seo", "seo"),
    ] {
        let score = raw["categories"][theirs]["score"].as_f64().unwrap() * 100.0;
        assert_eq!(
            told["categories"][ours]["score"].as_f64(),
            Some(score.round()),
            "{ours}"
        );
        assert_eq!(
            told["categories"][ours]["title"],
            raw["categories"][theirs]["title"]
        );
    }
    assert_eq!(
        [
            &told["run_id"],
            &told["url_id"],
            &told["status"],
            &told["engine"],
            &told["engine_version"],
            &told["gather_mode"],
            &told["benchmark_index"],
            &told["total_bytes"],
            &told["request_count"],
            &told["dom_size"],
            &told["runs_aggregated"],
            &told["variability"],
            &told["metrics"]["inp_ms"],
        ],
        [
            &json!(run),
            &json!(page),
            &json!("succeeded"),
            &json!("lighthouse"),
            &json!("13.5.0"),
            &json!("navigation"),
            &json!(1_536.0),
            &json!(1_737_194),
            &json!(6),
            &json!(909),
            &json!(1),
            &Value::Null,
            &Value::Null,
        ]
    );
    let listed = get(&app, "urls").await;
    assert_eq!(
        (
            &listed["items"][0]["last_run"]["run_id"],
            &listed["items"][0]["last_run"]["status"]
        ),
        (&json!(run), &json!("succeeded"))
    );
}

/// The fields of a run that all runs have: what its caller was told, and how it went on.
#[tokio::test]
async fn a_run_is_read_as_any_other() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let asked = ask(&app, &page, &json!({})).await.with_status(202);
    let id = asked["run_id"].as_str().unwrap();
    let waiting = get(&app, &format!("runs/{id}")).await;
    for (field, value) in asked.as_object().unwrap() {
        assert_eq!(&waiting[field], value, "{field}");
    }
    app.clock.advance(Duration::MINUTE);
    let load = lhr::read(MISSING.as_bytes()).unwrap();
    end(&app, id, load).await;
    let told = get(&app, &format!("runs/{id}")).await;
    assert_eq!(
        [
            &told["status"],
            &told["started_at"],
            &told["finished_at"],
            &told["error_code"],
            &told["error_detail"],
            &told["credits_charged"],
        ],
        [
            &json!("failed"),
            &json!("2026-03-31T09:16:00Z"),
            &json!("2026-03-31T09:16:00Z"),
            &json!("upstream-error"),
            &told["runtime_error_message"],
            &json!(25),
        ]
    );
    assert_eq!(get(&app, "runs").await["items"], json!([told]));
}

#[tokio::test]
async fn a_page_that_answers_404_has_no_scores() {
    let app = TestApp::start().await;
    let page = track(&app, "gone").await;
    let run = measured(&app, &page, MISSING).await;
    let told = get(&app, &format!("runs/{run}")).await;
    assert_eq!(
        [
            &told["status"],
            &told["runtime_error_code"],
            &told["categories"]["performance"]["score"],
            &told["metrics"]["fcp_ms"],
            &told["total_bytes"],
        ],
        [
            &json!("failed"),
            &json!("errored_document_request"),
            &Value::Null,
            &Value::Null,
            &Value::Null,
        ]
    );
    let overview = get(&app, "overview").await;
    assert_eq!(
        [
            &overview["urls_total"],
            &overview["runs_30d"],
            &overview["failed_runs_30d"],
            &overview["items"][0]["last_status"],
            &overview["items"][0]["performance_score"],
        ],
        [&json!(1), &json!(1), &json!(1), &json!("failed"), &Value::Null]
    );
}

/// A page may have a NUL wherever it has words, and PostgreSQL keeps no text with one.
#[tokio::test]
async fn a_reason_with_a_nul_is_kept() {
    let app = TestApp::start().await;
    let page = track(&app, "odd").await;
    let mut load = lhr::read(MISSING.as_bytes()).unwrap();
    load.summary.runtime_error = Some(RuntimeError {
        code: "not_html".to_owned(),
        message: "served as text/\0odd".to_owned(),
    });
    let measured = ask(&app, &page, &json!({})).await.with_status(202);
    let measured = measured["run_id"].as_str().unwrap().to_owned();
    end(&app, &measured, load).await;
    let failed = ask(&app, &page, &json!({})).await.with_status(202);
    let failed = failed["run_id"].as_str().unwrap().to_owned();
    let (id, schedule): (RunId, _) = (failed.parse().unwrap(), schedule(&app));
    assert!(schedule.begin(id, app.now()).await.unwrap().is_some());
    let ended = Ended::Failed {
        code: "upstream-error".to_owned(),
        detail: "the page said \0".to_owned(),
    };
    assert!(schedule.end(id, &ended, app.now()).await.unwrap());
    for (run, detail) in [
        (measured, "served as text/\u{fffd}odd"),
        (failed, "the page said \u{fffd}"),
    ] {
        let told = get(&app, &format!("runs/{run}")).await;
        assert_eq!(
            (&told["status"], &told["error_detail"]),
            (&json!("failed"), &json!(detail))
        );
    }
}

#[tokio::test]
async fn the_lists_of_a_run_are_those_of_the_result() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let run = measured(&app, &page, SHOP).await;
    let audits = get(
        &app,
        &format!("runs/{run}/audits?category=performance&outcome=failed"),
    )
    .await;
    let ids: Vec<&str> = audits["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|audit| audit["audit_id"].as_str().unwrap())
        .collect();
    assert!(
        ids.contains(&"largest-contentful-paint") && ids.contains(&"render-blocking-insight"),
        "{ids:?}"
    );
    assert!(!ids.contains(&"document-title"), "{ids:?}");
    // It counts for accessibility, which comes first by name, and for SEO.
    for (category, weight, group) in [
        ("accessibility", 7.0, "a11y-names-labels"),
        ("seo", 1.0, "seo-content"),
    ] {
        let audits = get(&app, &format!("runs/{run}/audits?category={category}")).await;
        let rows = audits["items"].as_array().unwrap();
        let title = rows.iter().find(|audit| audit["audit_id"] == "document-title");
        let title = title.unwrap_or_else(|| panic!("it does not count for {category}"));
        assert_eq!(
            [&title["category"], &title["weight"], &title["group"]],
            [&json!(category), &json!(weight), &json!(group)]
        );
    }
    let all = get(&app, &format!("runs/{run}/audits")).await;
    let rows = all["items"].as_array().unwrap().iter();
    let titles: Vec<&Value> = rows
        .filter(|audit| audit["audit_id"] == "document-title")
        .collect();
    assert_eq!(titles.len(), 1, "it is listed once");
    let opportunities = get(&app, &format!("runs/{run}/opportunities")).await;
    assert_eq!(
        (
            &opportunities["items"][0]["savings_ms"],
            &opportunities["items"][0]["kind"]
        ),
        (&json!(7_000.0), &json!("insight"))
    );
    let resources = get(&app, &format!("runs/{run}/resources")).await;
    assert_eq!(resources["items"].as_array().unwrap().len(), 6);
    assert_eq!(resources["items"][1]["render_blocking"], json!(true));
    assert_eq!(
        resources["summary"],
        get(&app, &format!("runs/{run}")).await["resource_summary"]
    );
    let parties = get(&app, &format!("runs/{run}/third-parties")).await;
    // By hand: 5,212 of 1,737,194 bytes are 0.30 %.
    assert_eq!(
        (
            &parties["third_party_bytes"],
            &parties["third_party_share_pct"],
            &parties["items"][0]["is_first_party"]
        ),
        (&json!(5_212), &json!(0.3), &json!(true))
    );
    for list in [
        "audits",
        "opportunities",
        "resources",
        "third-parties",
        "filmstrip",
    ] {
        try_get(&app, &format!("runs/{}/{list}", uuid::Uuid::now_v7()))
            .await
            .problem(404, "synthetic-run-not-found");
    }
    let waiting = ask(&app, &page, &json!({})).await.with_status(202);
    let waiting = waiting["run_id"].as_str().unwrap();
    for list in [
        "audits",
        "opportunities",
        "resources",
        "third-parties",
        "filmstrip",
    ] {
        assert_eq!(
            get(&app, &format!("runs/{waiting}/{list}")).await["items"],
            json!([]),
            "{list}"
        );
    }
}

#[tokio::test]
async fn runs_are_listed_by_page_profile_status_and_trigger() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let mut runs = Vec::new();
    for (page, result) in [(&shoes, SHOP), (&shoes, MISSING), (&hats, SHOP)] {
        runs.push(measured(&app, page, result).await);
        app.clock.advance(Duration::MINUTE);
    }
    let ids = async |query: &str| -> Vec<String> {
        let found = get(&app, &format!("runs{query}")).await;
        let items = found["items"].as_array().unwrap().iter();
        items
            .map(|run| run["run_id"].as_str().unwrap().to_owned())
            .collect()
    };
    let [first, second, third] = [&runs[0], &runs[1], &runs[2]].map(String::clone);
    assert_eq!(ids("").await, [third.clone(), second.clone(), first.clone()]);
    assert_eq!(
        ids(&format!("?url_id={shoes}")).await,
        [second.clone(), first.clone()]
    );
    assert_eq!(ids("?status=failed").await, std::slice::from_ref(&second));
    assert_eq!(
        ids(&format!("?url_id={shoes}&status=succeeded&trigger=api")).await,
        std::slice::from_ref(&first)
    );
    assert_eq!(ids("?profile_id=desktop").await, [""; 0]);
    assert_eq!(ids("?trigger=schedule").await, [""; 0]);
    let unknown = "runs?profile_id=tablet&status=late&trigger=alarm";
    assert_eq!(
        try_get(&app, unknown).await.faults(),
        ["profile_id", "status", "trigger"]
    );
    let page = get(&app, "runs?limit=2").await;
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(ids(&format!("?limit=2&cursor={cursor}")).await, [first]);
}

#[tokio::test]
async fn pictures_are_links_that_expire() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let run = measured(&app, &page, SHOP).await;
    let filmstrip = get(&app, &format!("runs/{run}/filmstrip")).await;
    assert_eq!(filmstrip["expires_at"], json!("2026-03-31T09:30:00Z"));
    assert_eq!(filmstrip["items"][0]["timing_ms"], json!(375));
    let link = filmstrip["final_screenshot"]["image_url"].as_str().unwrap();
    let base = format!("http://{}", app.address);
    let target = link.strip_prefix(&base).unwrap().to_owned();
    let fetch_of = async |target: &str| {
        let text = raw(
            app.address,
            format!("GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").as_bytes(),
        )
        .await;
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert!(fetch_of(&target).await.contains("200"), "no credential is needed");
    let altered = target.replace("final.jpg", "frame-0.jpg");
    assert!(fetch_of(&altered).await.contains("403"));
    let longer = target.replace("until=1", "until=2");
    assert!(fetch_of(&longer).await.contains("403"));
    assert!(
        fetch_of("/artefacts/synthetic/../../secret.key?until=1&signature=a")
            .await
            .contains("404")
    );
    let shown = get(&app, &format!("runs/{run}")).await["screenshot_url"].clone();
    assert_eq!(shown, json!(link));
    app.clock.advance(Duration::minutes(15));
    assert!(fetch_of(&target).await.contains("410"));
    let again = get(&app, &format!("runs/{run}/filmstrip")).await;
    let fresh = again["final_screenshot"]["image_url"]
        .as_str()
        .unwrap()
        .strip_prefix(&base)
        .unwrap()
        .to_owned();
    assert!(fetch_of(&fresh).await.contains("200"));
    // Pictures are kept for 90 days, figures for longer.
    app.clock.advance(Duration::days(90));
    try_get(&app, &format!("runs/{run}/filmstrip"))
        .await
        .problem(410, "report-result-expired");
    let old = get(&app, &format!("runs/{run}")).await;
    assert_eq!(
        (&old["screenshot_url"], &old["status"]),
        (&Value::Null, &json!("succeeded"))
    );
}

/// Whoever knows the ids of another workspace's run reaches nothing of it from a domain of their own, nor a file that lies beside it by
/// a link that was signed for theirs.
#[tokio::test]
async fn another_workspaces_run_and_its_pictures_are_not_found() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let run = measured(&app, &page, SHOP).await;
    let stranger = World::create(&app.stores, app.now()).await;
    let seen = async |rest: &str| {
        let path = format!("/domains/{}/synthetic/{rest}", stranger.domain);
        app.get(&path, &stranger.key).send().await
    };
    for list in [
        "",
        "/audits",
        "/opportunities",
        "/resources",
        "/third-parties",
        "/filmstrip",
    ] {
        seen(&format!("runs/{run}{list}"))
            .await
            .problem(404, "synthetic-run-not-found");
    }
    seen(&format!("urls/{page}"))
        .await
        .problem(404, "synthetic-url-not-found");
    let told = get(&app, &format!("runs/{run}")).await;
    let link = told["screenshot_url"].as_str().unwrap();
    let path = format!("/{}", &link[link.find("/artefacts/").unwrap()..]);
    let theirs = path.replace(&app.world.domain.to_string(), &stranger.domain.to_string());
    assert_ne!(path, theirs);
    for (path, status) in [(&path, 200), (&theirs, 403)] {
        assert_eq!(app.request("GET", path).send_unchecked().await.status, status);
    }
}

#[tokio::test]
async fn a_run_ends_once() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let run = measured(&app, &page, SHOP).await;
    let ended = Ended::Failed {
        code: "upstream-error".to_owned(),
        detail: "too late".to_owned(),
    };
    let id = run.parse().unwrap();
    assert!(!schedule(&app).end(id, &ended, app.now()).await.unwrap());
    assert_eq!(schedule(&app).begin(id, app.now()).await.unwrap(), None);
    assert_eq!(
        get(&app, &format!("runs/{run}")).await["status"],
        json!("succeeded")
    );
    let failing = ask(&app, &page, &json!({})).await.with_status(202);
    let failing = failing["run_id"].as_str().unwrap();
    let id = failing.parse().unwrap();
    schedule(&app).begin(id, app.now()).await.unwrap().unwrap();
    assert!(schedule(&app).end(id, &ended, app.now()).await.unwrap());
    let told = get(&app, &format!("runs/{failing}")).await;
    assert_eq!(
        (
            &told["status"],
            &told["runtime_error_message"],
            &told["runtime_error_code"]
        ),
        (&json!("failed"), &json!("too late"), &Value::Null)
    );
}

/// A test is told the conditions of the newest before it that succeeded, so that it can say where its own are others.
#[tokio::test]
async fn a_test_knows_the_conditions_of_the_one_before() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let before = async || {
        let run = ask(&app, &page, &json!({})).await.with_status(202);
        let id = run["run_id"].as_str().unwrap().parse().unwrap();
        let assignment = schedule(&app).begin(id, app.now()).await.unwrap();
        assignment.unwrap().before
    };
    assert_eq!(before().await, None);
    measured(&app, &page, SHOP).await;
    app.clock.advance(Duration::MINUTE);
    measured(&app, &page, MISSING).await;
    let expected = Conditions {
        engine_version: Some("13.5.0".to_owned()),
        benchmark_index: Some(1_536.0),
    };
    assert_eq!(before().await, Some(expected));
}

/// A test that was asked for 12 months before this UTC day is kept, and what is a second older goes with its lists.
#[tokio::test]
async fn runs_are_kept_for_twelve_months() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let mut runs = Vec::new();
    for asked in ["2025-03-30 23:59:59Z", "2025-03-31 00:00:00Z"] {
        let run = measured(&app, &page, SHOP).await;
        app.sql(&format!(
            "UPDATE synthetic_runs SET requested_at = '{asked}' WHERE id = '{run}'"
        ))
        .await;
        runs.push(run);
    }
    let database = connect(app.database.url()).await;
    let steps = database.groups().iter().flat_map(|group| group.upkeep);
    for step in steps.filter(|step| step.name == "lab tests") {
        (step.run)(&database, app.now()).await.unwrap();
    }
    try_get(&app, &format!("runs/{}", runs[0]))
        .await
        .problem(404, "synthetic-run-not-found");
    try_get(&app, &format!("runs/{}", runs[1])).await.ok();
    let lists = app.sql("SELECT count(*)::text FROM synthetic_results").await;
    assert_eq!(lists[0][0].as_deref(), Some("1"));
}
