//! Sites that misbehave: from POST /domains/{domain_id}/uptime/check to what GET /uptime/checks tells of them.

use std::sync::Arc;

use pharos_domain::{clock::SystemClock, ids::DomainId};
use pharos_egress::{
    address_policy::{AddressPolicy, MAX_URL_LENGTH},
    resolver::NameResolver,
    trust::TrustAnchors,
};
use pharos_uptime::{
    checker::Checker,
    history::RegionPlace,
    probe::{ProbeLimits, Prober},
    scheduler::Scheduler,
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    check::{accepted, polled, run, watch, watching, worker},
    path,
};
use crate::harness::{
    Site, TestApp, World,
    openssl::{TlsSite, Vault},
};

fn redirect(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

fn misbehave(path: &str) -> String {
    match path {
        "/circle" => redirect("/circle"),
        "/private" => redirect("http://169.254.169.254/latest/meta-data/"),
        "/file" => redirect("file:///etc/passwd"),
        "/password" => redirect("https://user:hunter2@shop.example/"),
        "/long" => redirect(&"x".repeat(MAX_URL_LENGTH)),
        "/header" => format!("HTTP/1.1 200 OK\r\nx-large: {}\r\n\r\n", "x".repeat(1_000_000)),
        "/noise" => "SSH-2.0-OpenSSH_9.6\r\n\r\n".to_owned(),
        countdown => {
            let left: u32 = countdown[1..].parse().unwrap();
            redirect(&format!("/{}", left - 1))
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_site_does_wrong_is_told_and_where_it_points_is_not_gone_to() {
    let mut site = Site::saying(misbehave).await;
    let app = watching(&site, &["local"]).await;
    let _worker = worker(&app, &site, "local").await;
    for (path, class, redirects, asks, says) in [
        ("/circle", "too_many_redirects", 0, 1, "circle"),
        ("/1000", "too_many_redirects", 10, 11, "more than 10 redirects"),
        ("/private", "unknown", 0, 1, "only public addresses"),
        ("/file", "unknown", 0, 1, "other than http or https"),
        ("/password", "unknown", 0, 1, "user name or password"),
        ("/long", "unknown", 0, 1, "too long"),
        ("/header", "unknown", 0, 1, "longer headers"),
        ("/noise", "unknown", 0, 1, "not valid HTTP"),
    ] {
        let url = format!("http://{}{path}", site.address);
        app.sql(&format!(
            "UPDATE uptime_monitors SET settings = settings || '{{\"url\": \"{url}\"}}'"
        ))
        .await;
        let asked = accepted(&run(&app, &app.world.key, path, &json!({})).send().await);
        let checks = polled(&app, &asked, 1).await;
        let check = &checks[0];
        // Nobody asked whether visitors get an answer where Pharos may not go.
        let outcome = if path == "/private" { "blocked" } else { "down" };
        assert_eq!(
            (&check["outcome"], &check["error_class"], &check["redirect_count"]),
            (&json!(outcome), &json!(class), &json!(redirects)),
            "{path}"
        );
        assert_eq!(
            check["response_ms"].is_null(),
            path == "/header" || path == "/noise",
            "{path}"
        );
        let message = check["error_message"].as_str().unwrap();
        assert!(message.contains(says), "{path}: {message}");
        let end = check["final_url"].as_str().unwrap();
        assert!(end.starts_with(&format!("http://{}/", site.address)), "{end}");
        for secret in ["169.254", "passwd", "hunter2"] {
            assert!(!Value::to_string(check).contains(secret), "{check}");
        }
        assert_eq!(site.asks(), asks, "{path}");
        app.clock.advance(Duration::MINUTE);
    }
}

/// One failing check would confirm an outage here.
#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_pharos_may_not_go_to_is_not_down() {
    let (mut site, permitted) = (Site::open().await, Site::open().await);
    let app = TestApp::start().await;
    // The worker checks by the real time.
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    watch(&app, &site, &["local"]).await;
    app.sql("UPDATE uptime_monitors SET settings = settings || '{\"confirmation_checks\": 1}'")
        .await;
    let _worker = worker(&app, &permitted, "local").await;
    let asked = accepted(&run(&app, &app.world.key, "a", &json!({})).send().await);
    let checks = polled(&app, &asked, 1).await;
    let refused = "The site's address 127.0.0.1 is not allowed: only public addresses can be checked, unless the operator \
                   names their network in probe_networks.";
    assert_eq!(
        (&checks[0]["outcome"], &checks[0]["error_message"]),
        (&json!("blocked"), &json!(refused))
    );
    let read = async |rest: &str| app.get(&path(&app, rest), &app.world.key).send().await.ok();
    let status = read("status").await;
    assert_eq!(
        (&status["state"], &status["is_up"], &status["last_error_message"]),
        (&json!("unknown"), &json!(null), &json!(refused))
    );
    assert_eq!(
        (
            &status["is_blocked_403"],
            &status["open_incident_id"],
            &status["uptime_24h_pct"]
        ),
        (&json!(false), &json!(null), &json!(null))
    );
    let availability = read("availability?period_days=1").await;
    assert_eq!(
        (&availability["uptime_pct"], &availability["downtime_seconds"]),
        (&json!(null), &json!(0))
    );
    assert_eq!(read("incidents").await["items"], json!([]));
    assert_eq!(site.asks(), 0);
}

/// Has a monitor of the domain check this URL every second.
async fn watch_every_second(app: &TestApp, world: &World, url: &str) {
    let config = format!("/domains/{}/uptime/config", world.domain);
    app.put(&config, &world.key, &json!({})).send().await.ok();
    let settings = json!({ "url": url, "interval_seconds": 1, "timeout_seconds": 1 });
    app.sql(&format!(
        "UPDATE uptime_monitors SET settings = settings || '{settings}' WHERE domain_id = '{}'",
        world.domain
    ))
    .await;
}

/// Waits until the domain has so many checks, and so many more than that.
async fn checked(app: &TestApp, domain: DomainId, more: i64) {
    let count = async || {
        let rows = app
            .sql(&format!(
                "SELECT count(*) FROM uptime_checks WHERE domain_id = '{domain}'"
            ))
            .await;
        rows[0][0].as_ref().unwrap().parse::<i64>().unwrap()
    };
    let wanted = count().await + more;
    let deadline = Instant::now() + std::time::Duration::from_secs(30);
    while count().await < wanted {
        assert!(Instant::now() < deadline, "{} of {wanted} checks", count().await);
        sleep(std::time::Duration::from_millis(50)).await;
    }
}

/// A site may lead to anybody's: what a stranger's certificate says must not keep a region from storing checks.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_ends_beyond_any_calendar_stops_nobodys_checks() {
    let vault = Vault::new("Test-Root");
    vault.issue("strange", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    vault.end_at("strange", "490101000000+2400");
    let strange = TlsSite::start(&vault, "strange", &[]);
    let to_strange = format!("https://127.0.0.1:{}/page", strange.port);
    let leading = Site::saying(move |_| redirect(&to_strange)).await;
    let good = Site::open().await;

    let app = TestApp::start().await;
    let victim = World::create(&app.stores, app.now()).await;
    watch_every_second(&app, &victim, &format!("http://{}/", leading.address)).await;
    watch_every_second(&app, &app.world, &format!("http://{}/", good.address)).await;
    let policy = [
        leading.address,
        good.address,
        ([127, 0, 0, 1], strange.port).into(),
    ]
    .into_iter()
    .fold(AddressPolicy::public(), AddressPolicy::permitting_exactly);
    let prober = Prober::new(
        NameResolver::system().unwrap(),
        policy,
        &TrustAnchors::web(),
        ProbeLimits::default(),
    );
    let scheduler = Scheduler {
        store: app.stores.schedule.clone(),
        checker: Checker {
            prober: Arc::new(prober.unwrap()),
            clock: Arc::new(SystemClock),
            region: "local".to_owned(),
        },
        bell: Arc::default(),
        concurrency: 8,
        place: RegionPlace::unnamed("local"),
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn(scheduler.run(stop.clone(), stop.clone()));
    // Both are checked again and again, by turns.
    for _ in 0..2 {
        checked(&app, victim.domain, 1).await;
        checked(&app, app.world.domain, 1).await;
    }
    stop.cancel();
    running.await.unwrap();
    let seen = app
        .get(
            &format!("/domains/{}/ssl/certificate", victim.domain),
            &victim.key,
        )
        .send()
        .await
        .ok();
    assert_eq!(seen["valid_until"], "2048-12-31T00:00:00Z", "{seen}");
    assert_eq!(
        app.sql("SELECT count(*) FROM set_aside").await[0][0].as_deref(),
        Some("0")
    );
}
