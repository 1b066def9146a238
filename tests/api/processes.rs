//! The real binary: two nodes, signals, recovery, the demo.

use std::{
    fs::File,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use pharos_domain::timestamp::Timestamp;
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio_postgres::NoTls;

use crate::{
    harness::{ClockBehind, Key, Node, Request, Site, TestApp, binary},
    uptime::{check, check::watch, store},
};

/// They wait in the kernel while the node has no time for them; none is turned away to try again a second later.
#[tokio::test(flavor = "multi_thread")]
async fn a_burst_of_connections_is_taken() {
    let app = TestApp::start().await;
    let node = Node::start(
        &["--roles", "api"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
    );
    node.signal("STOP");
    let within = Duration::from_millis(900);
    let waiting: Result<Vec<_>, _> = (0..500)
        .map(|_| std::net::TcpStream::connect_timeout(&node.address, within))
        .collect();
    node.signal("CONT");
    assert_eq!(waiting.unwrap().len(), 500);
}

/// A key revoked through one process is refused by another on the first call after the command returned.
#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_refuse_a_revoked_key_on_the_first_call() {
    const ROUNDS: usize = 200;
    let app = TestApp::start().await;
    let environment = [("PHAROS_DATABASE_URL", app.database.url())];
    let nodes = [
        Node::start(&["--roles", "api"], &environment),
        Node::start(&["--roles", "api"], &environment),
    ];
    let mut refused = 0;
    for round in 0..ROUNDS {
        let key = app
            .world
            .key(
                &app.stores,
                &[pharos_domain::scope::Scope::ReadDomains],
                app.now(),
            )
            .await;
        let me = async |node: &Node| {
            Request::new(node.address, "GET", "/me")
                .key(&key)
                .send()
                .await
                .status
        };
        for node in &nodes {
            // Twice, so that the second call is answered from the node's memory.
            assert_eq!((me(node).await, me(node).await), (200, 200));
        }
        let revoke = ["admin", "key", "revoke", &key.id.to_string()].map(str::to_owned);
        let status = Command::new(binary())
            .envs(environment)
            .args(revoke)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        let (first, second) = (&nodes[round % 2], &nodes[(round + 1) % 2]);
        refused += usize::from(me(first).await == 401 && me(second).await == 401);
    }
    assert_eq!(refused, ROUNDS);
}

/// Checks, alert rules, registrations and jobs are done when they are due by the database, and stamped by it, though the
/// node's machine says that they are due tomorrow.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_a_day_behind_the_database_does_what_is_due() {
    let app = TestApp::start().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    let site =
        Site::saying(|_| "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned())
            .await;
    watch(&app, &site, &["local"]).await;
    let before = app.now();
    for _ in 0..2 {
        app.clock.advance(time::Duration::MILLISECOND);
        store(&app, vec![check(app.world.domain, app.now(), 503)]).await;
    }
    let rules = format!("/domains/{}/alerts/rules", app.world.domain);
    let rule = json!({
        "module": "uptime", "metric": "consecutive_failures", "operator": "gte", "threshold_value": 2,
        "severity": "critical",
    });
    let made = app
        .request("POST", &rules)
        .key(&app.world.key)
        .json(&rule)
        .send()
        .await;
    assert_eq!(made.status, 201);
    let runs = format!("/domains/{}/uptime/check", app.world.domain);
    let run = app.request("POST", &runs).key(&app.world.key);
    let run = run
        .header("idempotency-key", "behind")
        .json(&json!({}))
        .send()
        .await;
    assert_eq!(run.status, 202);
    app.stores.registrations.enrol(app.now(), 1).await.unwrap();
    for due in [
        "UPDATE uptime_schedules SET next_check_at = now()",
        "UPDATE alert_evaluations SET next_evaluation_at = now()",
        "UPDATE domain_registrations SET next_check_at = now()",
    ] {
        app.sql(due).await;
    }
    let behind = ClockBehind::new();
    let (variable, library) = behind.environment();
    let _node = Node::start(
        &["--roles", "api,scheduler,worker"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
            ("PHAROS_REGION", "local"),
            (variable, &library),
        ],
    );
    for done in [
        "uptime_checks WHERE run_id IS NULL AND checked_at >",
        "uptime_checks WHERE run_id IS NOT NULL AND checked_at >",
        "jobs WHERE state = 'succeeded' AND finished_at >",
        "alert_history WHERE fired_at >",
        "domain_registrations WHERE asked_at >",
    ] {
        app.reaches(&format!("EXISTS (SELECT FROM {done} '{}')", text(app.now())))
            .await;
    }
    let early = format!(
        "SELECT count(*) FROM uptime_checks WHERE checked_at < '{}'",
        text(before)
    );
    assert_eq!(
        app.sql(&early).await,
        [[Some("0".to_owned())]],
        "nothing is stamped by the node"
    );
}

fn text(moment: OffsetDateTime) -> String {
    Timestamp::from(moment).to_string()
}

/// A folder that PostgreSQL's account can reach when the tests run as root.
pub(crate) fn data_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// A node that plays the demo with its data there, the demo's key, and a path that it shows.
pub(crate) fn demo(data: &Path, environment: &[(&str, &str)]) -> (Node, Key, String) {
    let arguments = ["--demo", "--data-folder", data.to_str().unwrap()];
    let node = Node::start(&arguments, environment);
    let curl = node.lines.iter().find(|line| line.contains("curl ")).unwrap();
    let console = node.lines.iter().find(|line| line.contains("Console ")).unwrap();
    assert!(console.contains("/console/welcome/psl_"), "{console}");
    let secret = curl
        .split("Bearer ")
        .nth(1)
        .unwrap()
        .split('\'')
        .next()
        .unwrap()
        .to_owned();
    let path = curl.trim().split("/api/public/v1").nth(1).unwrap().to_owned();
    let key = Key {
        id: pharos_domain::ids::CredentialId::generate(),
        secret,
    };
    (node, key, path)
}

async fn status(node: &Node, key: &Key, path: &str) -> Value {
    Request::new(node.address, "GET", path).key(key).send().await.ok()
}

/// The answer to a read once it is as it should be, within five minutes.
pub(crate) async fn loads(node: &Node, key: &Key, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(300);
    loop {
        let answer = Request::new(node.address, "GET", path).key(key).send().await;
        let found = if answer.status == 200 {
            answer.json()
        } else {
            Value::Null
        };
        if is_so(&found) {
            return found;
        }
        assert!(Instant::now() < deadline, "{path}: {found}");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn checks(node: &Node, key: &Key, path: &str) -> Vec<Value> {
    let path = path.replace("/status", "/checks");
    Request::new(node.address, "GET", &path)
        .key(key)
        .send()
        .await
        .ok()["items"]
        .as_array()
        .unwrap()
        .clone()
}

/// The command has neither the arguments of the node nor a configuration.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_names_the_address_of_the_node_that_runs_beside() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let node = Node::start(&["--roles", "api", "--data-folder", data], &[]);
    let admin = |told: &[&str]| -> Value {
        let output = Command::new(binary())
            .args(["admin", "--json"])
            .args(told)
            .args(["--data-folder", data])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told:?}: {said}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    admin(&["user", "create", "--email", "ada@example.org", "--name", "Ada"]);
    let made = admin(&["user", "link", "ada@example.org"]);
    let (link, start) = (
        made["link"].as_str().unwrap(),
        format!("http://{}/", node.address),
    );
    assert!(link.starts_with(&start), "{link}");
}

/// The demo watches its own site, ends by itself on Ctrl-C, answers at its second start with its data
/// kept, drains on SIGTERM, and recovers after SIGKILL.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_lives_through_every_end() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let (node, key, path) = demo(&data, &[]);
    let deadline = Instant::now() + Duration::from_secs(60);
    let live = loop {
        let live = status(&node, &key, &path).await;
        if live["state"] == "up" {
            break live;
        }
        assert!(Instant::now() < deadline, "the demo's site is not up: {live}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(live["last_status_code"], 200);
    assert!(
        live["last_response_ms"].as_f64().unwrap() >= 15.0,
        "the shop takes 15 ms to answer: {live}"
    );
    let first = checks(&node, &key, &path).await;
    assert_eq!(first[0]["outcome"], "up");
    let played = node
        .lines
        .iter()
        .any(|line| line.contains("this process plays Search Console and the Chrome UX Report"));
    assert!(played, "whoever starts it is told: {:?}", node.lines);
    let overview = path.replace("/uptime/status", "/crux/overview");
    let pages = path.replace("/uptime/status", "/crux/urls");
    let field_data = loads(&node, &key, &overview, |overview| overview["eligible"] == true).await;
    assert_eq!(field_data["origin"], "https://demo.localhost");
    assert!(
        field_data["mobile"]["lcp_ms"].as_f64() > field_data["desktop"]["lcp_ms"].as_f64(),
        "{field_data}"
    );
    let followed = loads(&node, &key, &pages, |pages| {
        pages["items"][2]["status"] == "active"
    })
    .await;
    let label = followed["items"][0]["label"].as_str().unwrap();
    assert!(label.starts_with("Played by --demo"), "{label}");
    node.signal("INT");
    assert_eq!(node.end(Duration::from_secs(30)), Some(0));

    let started = Instant::now();
    let (node, same, same_path) = demo(&data, &[]);
    let answered = status(&node, &same, &same_path).await;
    println!("a second start answered after {:?}", started.elapsed());
    assert_eq!((&same.secret, &same_path), (&key.secret, &path));
    // Its port may be another one, where the usual one is taken.
    assert!(
        answered["checked_url"]
            .as_str()
            .unwrap()
            .starts_with("http://demo.localhost:"),
        "{answered}"
    );
    let kept = checks(&node, &key, &path).await;
    assert!(kept.iter().any(|check| check["check_id"] == first[0]["check_id"]));
    node.signal("KILL");
    assert_eq!(node.end(Duration::from_secs(30)), None);

    let (node, _, _) = demo(&data, &[]);
    let kept = checks(&node, &key, &path).await;
    assert!(
        kept.iter().any(|check| check["check_id"] == first[0]["check_id"]),
        "what was committed is there"
    );
    let doctor = Command::new(binary())
        .args(["doctor", "--json", "--data-folder", data.to_str().unwrap()])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let setting = |name: &str| {
        let settings = report["settings"].as_array().unwrap();
        settings
            .iter()
            .find(|setting| setting["name"] == name)
            .cloned()
            .unwrap()
    };
    assert_eq!(setting("data_folder")["from"], "flag");
    assert_eq!(setting("region")["from"], "default");
    let database = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["what"] == "database")
        .unwrap();
    assert!(
        database["detail"]
            .as_str()
            .unwrap()
            .contains("with every migration"),
        "{database}"
    );
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(30)), Some(0));
}

/// A second start generates nothing.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_says_how_far_its_history_is_until_all_of_it_is_there() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let arguments = ["--demo", "--data-folder", data.to_str().unwrap()];
    let log = tempfile::NamedTempFile::new().unwrap();
    let start = || Node::start_logging(&arguments, &[], File::create(log.path()).unwrap());
    let said = || -> Vec<String> {
        let lines = std::fs::read_to_string(log.path()).unwrap();
        let of_history = lines.lines().filter(|line| line.contains("Generating history"));
        of_history.map(str::to_owned).collect()
    };

    let node = start();
    let deadline = Instant::now() + Duration::from_secs(400);
    while !data.join("demo-history").exists() {
        assert!(Instant::now() < deadline, "it is not there: {:?}", said());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let wanted: Vec<String> = (0..=6)
        .map(|part| format!("Generating history: {} of 90 days", 15 * part))
        .collect();
    assert_eq!(said(), wanted);
    let log_of_start = std::fs::read_to_string(log.path()).unwrap();
    assert!(
        log_of_start.contains("Generated history: 90 days in "),
        "{log_of_start}"
    );
    node.signal("INT");
    assert_eq!(node.end(Duration::from_secs(30)), Some(0));

    let node = start();
    node.signal("INT");
    assert_eq!(node.end(Duration::from_secs(30)), Some(0));
    assert_eq!(said(), Vec::<String>::new());
}

/// Another node brings the schema up to date, however long that takes: whoever waits for it ends when told to.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_waits_for_a_migration_ends_on_sigterm() {
    let app = TestApp::start().await;
    let (other, wire) = tokio_postgres::connect(app.database.url(), NoTls).await.unwrap();
    tokio::spawn(wire);
    // The lock of migrations: "pharos" as a number.
    let lock = "SELECT pg_advisory_lock(x'00706861726f7300'::bigint)";
    other.batch_execute(lock).await.unwrap();
    let mut node = Command::new(binary())
        .args(["serve", "--roles", "api", "--listen", "127.0.0.1:0"])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let waiting = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'pharos migrate' AND wait_event_type = 'Lock'";
    let deadline = Instant::now() + Duration::from_secs(60);
    while app.sql(waiting).await[0][0].as_deref() != Some("1") {
        assert!(Instant::now() < deadline, "it does not wait for the other");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let killed = Command::new("kill")
        .args(["-TERM", &node.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let deadline = Instant::now() + Duration::from_secs(30);
    while node.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            node.kill().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let output = node.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("the next start goes on"),
        "{said}"
    );
}

#[test]
fn a_taken_port_and_a_bad_setting_are_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Command::new(binary())
        .args(["serve", "--listen", &address])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && error.contains(&address) && error.contains("--listen"),
        "{error}"
    );
    let output = Command::new(binary())
        .env("PHAROS_REGION", "Mars!")
        .arg("serve")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("region"), "{error}");
    let output = Command::new(binary())
        .env("PHAROS_TRUSTED_HOPS", "many")
        .arg("serve")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && error.to_lowercase().contains("trusted_hops"),
        "{error}"
    );
}

/// A row that could not be stored is a fault for a day, and remembered for longer.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_what_was_set_aside() {
    let app = TestApp::start().await;
    let doctor = || {
        let output = Command::new(binary())
            .args(["doctor", "--json"])
            .env("PHAROS_DATABASE_URL", app.database.url())
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap();
        let told = findings.iter().filter(|finding| finding["what"] == "set aside");
        (output.status.success(), told.cloned().collect::<Vec<_>>())
    };
    let (_, told) = doctor();
    assert_eq!(
        (told.len(), &told[0]["well"], &told[0]["detail"]),
        (1, &true.into(), &"nothing".into())
    );
    app.sql(
        "INSERT INTO set_aside (kind, subject, reason, times)
         VALUES ('check', 'a eu', 'an old reason', 2), ('check', 'b eu', 'the reason', 3)",
    )
    .await;
    app.sql("UPDATE set_aside SET last_at = now() - interval '1 hour' WHERE subject = 'a eu'")
        .await;
    let (is_well, told) = doctor();
    assert_eq!(
        (is_well, told.len(), &told[0]["well"]),
        (false, 1, &false.into()),
        "{told:?}"
    );
    let detail = told[0]["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("check: 5 times, of 2; the last, b eu, at ") && detail.contains("the reason"),
        "{detail}"
    );
    app.sql("UPDATE set_aside SET last_at = now() - interval '2 days'")
        .await;
    let (_, told) = doctor();
    assert_eq!((told.len(), &told[0]["well"]), (1, &true.into()), "{told:?}");
}
