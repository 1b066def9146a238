//! Background tasks that panic: they work again, and `/readyz` tells of it.

mod doubt;
mod fuse;

use std::{sync::Arc, time::Duration};

use pharos_artefacts::{links::Links, store::Artefacts};
use pharos_domain::clock::Clock;
use pharos_egress::address_policy::AddressPolicy;
use pharos_metering::cache::memory::MemoryResponseCache;
use pharos_server::{
    background::Background,
    config::Config,
    groups::{ports, with_outgoing},
    role::Role,
};
use pharos_supervisor::{RestartPace, Supervisor};
use serde_json::json;
use tokio::time::{Instant, sleep};
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::AbortOnDropHandle,
};

use self::{doubt::Doubt, fuse::Fuse};
use crate::{
    harness::{Reply, TestApp},
    jobs::connect,
    uptime::path,
};

/// Asks until the answer is as it should be.
async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(Instant::now() < deadline, "not yet: {what}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a query finds a row. The app's clock goes on meanwhile, so that what failed is tried again.
async fn finds(app: &TestApp, query: &str) {
    until(query, async || {
        app.clock.advance(time::Duration::SECOND);
        (!app.sql(query).await.is_empty()).then_some(())
    })
    .await;
}

async fn readiness(app: &TestApp) -> (u16, String) {
    let Reply { status, body, .. } = app.request("GET", "//readyz").send_unchecked().await;
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// Begins the background work of a node, on ports with a fuse. It ends with the guards.
async fn begin_background(app: &TestApp, fuse: &Fuse, supervisor: &Supervisor) -> [DropGuard; 2] {
    let config = Config {
        region: "local".to_owned(),
        roles: vec![Role::Scheduler, Role::Worker],
        rdap_bootstrap_url: "http://127.0.0.1:9/dns.json".to_owned(),
        ..Config::default()
    };
    let clock = Arc::clone(&app.clock) as Arc<dyn Clock>;
    let database = connect(app.database.url()).await;
    let policy = AddressPolicy::public();
    let ports = with_outgoing(fuse.within(ports(&database)), &config, &policy).unwrap();
    let background = Background {
        config: &config,
        ports: ports
            .with(app.stores.ports.get::<Artefacts>().unwrap())
            .with(app.stores.ports.get::<Links>().unwrap()),
        database,
        bell: Arc::default(),
        lab_bell: Arc::default(),
        schedule_bells: Arc::default(),
        cache: Arc::new(MemoryResponseCache::new(1 << 20, Arc::clone(&clock))),
        policy,
        last_used: app.app.last_used(),
        refusals: app.app.refusals(),
        clock,
    };
    let (stop, abandon) = (CancellationToken::new(), CancellationToken::new());
    background.start(supervisor, &stop, &abandon).unwrap();
    [stop.drop_guard(), abandon.drop_guard()]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_task_that_panicked_works_again_and_readyz_tells_of_it() {
    // No task counts as healthy again while the test lasts.
    let supervisor = Supervisor::with_pace(RestartPace {
        healthy_after: Duration::from_secs(3_600),
        ..RestartPace::default()
    });
    let fuse = Fuse::default();
    let fused = fuse.clone();
    let app = TestApp::supervised_by(supervisor.clone(), move |ports| fused.within(ports)).await;
    let key = &app.world.key;
    assert_eq!(readiness(&app).await, (200, "ready\n".to_owned()));
    // A check of an address that the policy refuses fails at once.
    app.put(&path(&app, "config"), key, &json!({})).send().await.ok();
    let settings = json!({ "url": "http://127.0.0.1:9/", "regions": ["local"] });
    app.sql(&format!(
        "UPDATE uptime_monitors SET settings = settings || '{settings}'"
    ))
    .await;
    let run = app
        .request("POST", &path(&app, "check"))
        .key(key)
        .header("idempotency-key", "k");
    assert_eq!(run.json(&json!({})).send().await.status, 202);
    let _background = begin_background(&app, &fuse, &supervisor).await;

    // Charged before the panic, and once.
    app.get(&path(&app, "config"), key).send().await.ok();
    finds(
        &app,
        "SELECT FROM credit_log WHERE operation = 'getUptimeConfig' AND cost = 1",
    )
    .await;
    let used = app
        .sql("SELECT sum(used) = (SELECT sum(cost) FROM credit_log) FROM credit_balances")
        .await;
    assert_eq!(used[0][0].as_deref(), Some("t"));
    app.get("/me", key).send().await.ok();
    finds(&app, "SELECT FROM credit_log WHERE operation = 'getMe'").await;

    finds(&app, "SELECT FROM jobs WHERE state = 'succeeded'").await;
    finds(
        &app,
        "SELECT FROM domain_registrations WHERE last_failure IS NOT NULL",
    )
    .await;
    finds(&app, "SELECT FROM api_keys WHERE last_used_at IS NOT NULL").await;
    // The first batch of checks was lost with its writer; they are due again when their lease is over.
    let scheduler = async || {
        let failing = supervisor.failing();
        let scheduler = failing.iter().find(|failing| failing.task.name == "scheduler")?;
        (scheduler.panics == 2).then_some(())
    };
    until("two panics of the scheduler", scheduler).await;
    app.clock.advance(time::Duration::minutes(3));
    finds(&app, "SELECT FROM uptime_checks WHERE run_id IS NULL").await;

    // Upkeep does all of its other steps before its panic goes on.
    let told = [
        "charges runs again: 1 panic, the first ",
        "credit log runs again: 1 panic, the first ",
        "last use of credentials runs again: 1 panic, the first ",
        "registrations runs again: 1 panic, the first ",
        "scheduler runs again: 2 panics, the first ",
        "upkeep runs again: 1 panic, the first ",
        "worker runs again: 1 panic, the first ",
    ];
    let (status, body) = until("all run again", async || {
        let (status, body) = readiness(&app).await;
        told.iter()
            .all(|line| body.contains(line))
            .then_some((status, body))
    })
    .await;
    assert_eq!(status, 200, "{body}");
    assert!(body.starts_with("ready\n"), "{body}");
    assert!(!body.contains("is down"), "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_can_charge_nothing_is_not_ready() {
    let never = Duration::from_secs(3_600);
    let supervisor = Supervisor::with_pace(RestartPace {
        shortest_pause: never,
        longest_pause: never,
        ..RestartPace::default()
    });
    let fuse = Fuse::default();
    let app = TestApp::supervised_by(supervisor, move |ports| fuse.within(ports)).await;
    // Nobody answers it.
    let read = app.get(&path(&app, "config"), &app.world.key).try_send();
    let _waits = AbortOnDropHandle::new(tokio::spawn(read));
    let body = until("the committer is down", async || {
        let (status, body) = readiness(&app).await;
        (status == 503).then_some(body)
    })
    .await;
    assert!(body.starts_with("charges is down: 1 panic, the first "), "{body}");
}

/// Until it is known whether a batch was committed, every charge is refused: that is no ready node.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_does_not_know_what_it_charged_is_not_ready_until_it_does() {
    let doubt = Doubt::default();
    let doubtful = doubt.clone();
    let app = TestApp::supervised_by(Supervisor::default(), move |ports| doubtful.within(ports)).await;
    let config = path(&app, "config");
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    doubt.begins();
    let read = app.get(&config, &app.world.key).try_send();
    let _waits = AbortOnDropHandle::new(tokio::spawn(read));
    let body = until("the committer is stuck", async || {
        let (status, body) = readiness(&app).await;
        (status == 503).then_some(body)
    })
    .await;
    assert!(body.starts_with("charges stands still for "), "{body}");
    assert!(body.contains("was committed is not known yet"), "{body}");
    app.get(&config, &app.world.key)
        .send()
        .await
        .problem(503, "credit-balance-unavailable");
    doubt.ends();
    until("the node is ready", async || {
        (readiness(&app).await == (200, "ready\n".to_owned())).then_some(())
    })
    .await;
    app.get(&config, &app.world.key).send().await.ok();
}
