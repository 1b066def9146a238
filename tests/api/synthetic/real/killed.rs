//! Nodes at work: runs whose browser or whose node is killed in the middle end once, and nothing of them is left; and no other job waits
//! for a browser.

use std::{
    fs::{self, Permissions},
    io::Write as _,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use pharos_synthetic::lab::LOAD_WITHIN;
use serde_json::json;

use super::{
    PAGE, PATIENCE, chromium, ends::signal_browser, folder, inside::worked_off, lab, left, nothing_is_left,
    site, waited, within,
};
use crate::{
    harness::{Node, Site, TestApp, newer_node},
    synthetic::{ask, get, track},
    uptime::{self, check::watch},
};

/// Has all pages lie at this URL from now on.
async fn lead(app: &TestApp, url: &str) {
    app.sql(&format!(
        "UPDATE synthetic_urls SET settings = jsonb_set(settings, '{{url}}', '\"{url}\"')"
    ))
    .await;
}

/// How the only run stands: its status, its results, and how often it was begun.
async fn standing(app: &TestApp) -> Vec<Vec<Option<String>>> {
    app.sql(
        "SELECT r.status, (SELECT count(*) FROM synthetic_results AS t WHERE t.run_id = r.id)::text, j.attempts::text
         FROM runs AS r JOIN jobs AS j ON j.run_id = r.id",
    )
    .await
}

fn told(words: [&str; 3]) -> Vec<Vec<Option<String>>> {
    vec![words.map(|word| Some(word.to_owned())).to_vec()]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_browser_is_killed_fails_once_and_says_why() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let app = TestApp::start().await;
    let page = track(&app, "hangs").await;
    lead(&app, &format!("http://{address}/")).await;
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    let (lab, work) = lab("killed", address, LOAD_WITHIN);
    tokio::join!(worked_off(&app, lab), signal_browser(&work, "KILL"));
    let run = get(&app, &format!("runs/{}", run["run_id"].as_str().unwrap())).await;
    let why = run["runtime_error_message"].as_str().unwrap();
    assert!(why.contains("Chromium ended by itself (SIGKILL)"), "{why}");
    assert_eq!(standing(&app).await, told(["failed", "0", "1"]));
    nothing_is_left(&work).await;
}

/// The folders of loads of all nodes that have their folders here.
fn loads(place: &Path) -> Vec<PathBuf> {
    // Below the folder of the account lies that of each process.
    let accounts = within(place);
    let processes = accounts.iter().flat_map(|account| within(account));
    processes.flat_map(|process| within(&process)).collect()
}

/// Those that hold anything. One that a node left lies in a folder of the node's account, where a load of another account can
/// empty it and no more.
fn written(place: &Path) -> Vec<PathBuf> {
    let mut loads = loads(place);
    loads.retain(|load| !within(load).is_empty());
    loads
}

/// A node that measures pages of this machine, and keeps all that it writes here.
fn node(app: &TestApp, place: &Path, roles: &str) -> Node {
    let (lighthouse, browser, data) = (folder(), chromium(), place.with_extension("data"));
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
        ("PHAROS_LAB_FOLDER", lighthouse.to_str().unwrap()),
        ("PHAROS_CHROMIUM", browser.to_str().unwrap()),
        ("PHAROS_DATA_FOLDER", data.to_str().unwrap()),
        ("TMPDIR", place.to_str().unwrap()),
        ("PHAROS_JOB_CONCURRENCY", "1"),
    ];
    Node::start(&["--roles", roles], &environment)
}

/// A folder for what nodes write. Its path is short, since a socket of the browser lies within, and open to the account that runs it.
fn place(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("lab-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    place
}

/// Waits until a browser of these nodes listens.
async fn listens(place: &Path) {
    waited(|| {
        let mut loads = loads(place).into_iter();
        let listens = loads.any(|load| load.join("profile/DevToolsActivePort").exists());
        (!listens).then(|| "the browser does not start".to_owned())
    })
    .await;
}

/// Kills a node, and waits until nothing is left of its loads.
async fn kill(node: Node, place: &Path) {
    node.signal("KILL");
    assert_eq!(node.end(PATIENCE), None);
    waited(|| left(place, &written(place))).await;
}

/// The browser is busy for minutes, and a worker has room for one job.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_answers_keeps_no_job_but_lab_tests_waiting() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let (app, watched) = (TestApp::start().await, Site::open().await);
    app.clock.advance(time::OffsetDateTime::now_utc() - app.now());
    watch(&app, &watched, &["local"]).await;
    let page = track(&app, "hangs").await;
    lead(&app, &format!("http://{address}/")).await;
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    let place = place("busy");
    let node = node(&app, &place, "api,worker,lab");
    listens(&place).await;
    let check = app
        .request("POST", &uptime::path(&app, "check"))
        .key(&app.world.key)
        .header("idempotency-key", "now")
        .json(&json!({}));
    check.send().await.with_status(202);
    app.reaches("EXISTS (SELECT FROM jobs WHERE kind = 'uptime_check' AND state = 'succeeded')")
        .await;
    let run = get(&app, &format!("runs/{}", run["run_id"].as_str().unwrap())).await;
    assert_eq!(run["status"], "running", "{run}");
    kill(node, &place).await;
    for folder in [&place, &place.with_extension("data")] {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_node_is_killed_is_done_once_by_another() {
    let (address, _) = site(&[("/", "hang", ""), ("/shop", "text/html", PAGE)]).await;
    let app = TestApp::start().await;
    app.clock.advance(time::OffsetDateTime::now_utc() - app.now());
    let place = place("killed");
    let page = track(&app, "hangs").await;
    lead(&app, &format!("http://{address}/")).await;
    ask(&app, &page, &json!({})).await.with_status(202);

    let killed = node(&app, &place, "api,lab");
    listens(&place).await;
    kill(killed, &place).await;
    assert_eq!(standing(&app).await, told(["running", "0", "1"]));

    lead(&app, &format!("http://{address}/shop")).await;
    // Its lease is over.
    app.sql("UPDATE jobs SET leased_until = now() WHERE state = 'running'")
        .await;
    let second = node(&app, &place, "api,lab");
    app.reaches("EXISTS (SELECT FROM runs WHERE status NOT IN ('queued', 'running'))")
        .await;
    second.signal("TERM");
    assert_eq!(second.end(PATIENCE), Some(0));
    assert_eq!(standing(&app).await, told(["succeeded", "1", "2"]));
    assert_eq!(left(&place, &written(&place)), None);
    for folder in [&place, &place.with_extension("data")] {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// The account that loads run in where this one may take any.
const NOBODY: u32 = 65_534;

#[test]
fn what_an_abandoned_load_wrote_is_removed_though_its_folder_itself_cannot_be() {
    let place = std::env::temp_dir().join(format!("pharos-abandoned-{}", std::process::id()));
    let (written, deep) = (place.join("load"), place.join("load/profile/deep"));
    for module in ["lighthouse", "puppeteer-core"] {
        let module = place.join("node_modules").join(module);
        fs::create_dir_all(&module).unwrap();
        fs::write(module.join("index.js"), "module.exports = {};").unwrap();
    }
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("cookies"), "").unwrap();
    let script = include_str!("../../../../crates/synthetic/core/lab/run.mjs");
    fs::write(place.join("run.mjs"), script).unwrap();
    let mut load = Command::new(newer_node());
    load.arg(place.join("run.mjs"))
        .stdin(Stdio::piped())
        .process_group(0);
    if fs::metadata(&place).unwrap().uid() == 0 {
        for entry in [
            &written,
            &place.join("load/profile"),
            &deep,
            &deep.join("cookies"),
        ] {
            chown(entry, Some(NOBODY), None).unwrap();
        }
        load.uid(NOBODY);
    }
    fs::set_permissions(&place, Permissions::from_mode(0o555)).unwrap();
    let order = json!({ "folder": written, "lighthouse": place, "chromium": "/bin/false", "proxy": "", "sandbox": true });
    let mut child = load.spawn().unwrap();
    // Whoever gave the order is gone at once.
    writeln!(child.stdin.take().unwrap(), "{order}").unwrap();
    child.wait().unwrap();
    let left = within(&written);
    fs::set_permissions(&place, Permissions::from_mode(0o755)).unwrap();
    fs::remove_dir_all(&place).unwrap();
    assert!(left.is_empty(), "{left:?}");
}
