//! Checks, jobs, pools, tasks, and what is set aside.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use metrics::set_default_local_recorder;
use metrics_exporter_prometheus::PrometheusBuilder;
use pharos_domain::{clock::SystemClock, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    work::{DueClaim, DueWork},
};
use pharos_persistence::{
    set_aside::{Kind, SetAside},
    upkeep_failures::Outcomes,
};
use pharos_server::groups::due_kinds;
use pharos_supervisor::{RestartPace, Supervisor, Task};
use serde_json::json;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use super::{Recording, Scrape};
use crate::{
    harness::{Request, Site, TestApp},
    uptime::{check::watch, path},
};

const CHECKS: &str = "pharos_checks_total";
const ENDED: &str = "pharos_jobs_ended_total";

/// A number that SQL gives.
async fn number(app: &TestApp, query: &str) -> f64 {
    app.sql(query).await[0][0].as_ref().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn checks_and_jobs_come_to_what_is_stored() {
    let (app, site) = (TestApp::start().await, Site::open().await);
    watch(&app, &site, &["local"]).await;
    // One that nobody can read, and one that is due for a region without a worker.
    app.sql(
        "INSERT INTO jobs (id, kind, lane, payload, state, run_at, attempts, max_attempts, created_at) VALUES
         (gen_random_uuid(), 'uptime_check', 'local', '{}', 'queued', now(), 0, 8, now()),
         (gen_random_uuid(), 'uptime_check', 'mars', '{}', 'queued', now() - interval '2 hours', 0, 8, now())",
    )
    .await;
    let recording = Recording::start(&app, "api,scheduler,worker");
    let asked = Request::new(recording.node.address, "POST", &path(&app, "check"))
        .key(&app.world.key)
        .header("idempotency-key", "now")
        .json(&json!({}));
    assert_eq!(asked.send().await.status, 202);

    let scrape = recording
        .until(async |scrape| {
            let stored = number(&app, "SELECT count(*) FROM uptime_checks").await;
            let scheduled = number(&app, "SELECT count(*) FROM uptime_checks WHERE run_id IS NULL").await;
            let told = |sample: &str| scrape.sum(sample, &[]).unwrap_or(0.0);
            let is_told = told(CHECKS) == stored && told("pharos_check_batch_size_sum") == scheduled;
            let is_done = stored > scheduled && scheduled > 0.0 && told(ENDED) == 2.0;
            let sampled = told("pharos_jobs_due") == 1.0 && told("pharos_listener_listening") == 1.0;
            is_told && is_done && sampled && told("pharos_check_lag_seconds_count") == scheduled
        })
        .await;
    scrape.is_sound(&app);
    let up = scrape.sum(CHECKS, &[("region", "local"), ("result", "up")]);
    assert_eq!(up, scrape.sum(CHECKS, &[]), "the site is up");
    scrape.is(CHECKS, &[("result", "down")], 0.0);
    let kind = ("kind", "uptime_check");
    scrape.is("pharos_jobs_claimed_total", &[kind], 2.0);
    scrape.is(ENDED, &[kind, ("result", "succeeded")], 1.0);
    scrape.is(ENDED, &[kind, ("result", "dead")], 1.0);
    scrape.is(ENDED, &[kind, ("result", "failed")], 0.0);
    let age = scrape.sum("pharos_jobs_oldest_due_age_seconds", &[]).unwrap();
    assert!((7_200.0..10_800.0).contains(&age), "{age}");
    told_of_the_node(&scrape);
}

#[tokio::test(flavor = "multi_thread")]
async fn evaluations_of_rules_and_deliveries_are_told() {
    let (app, site) = (TestApp::start().await, Site::open().await);
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    let recording = Recording::start(&app, "api,worker");
    let rule = json!({
        "module": "uptime", "metric": "consecutive_failures", "operator": "gte", "threshold_value": 2,
    });
    let made = app.request("POST", &format!("/domains/{}/alerts/rules", app.world.domain));
    assert_eq!(made.key(&app.world.key).json(&rule).send().await.status, 201);
    // One that takes what is sent, and one where nobody is.
    app.sql(&format!(
        "INSERT INTO alert_channels (id, workspace_id, name, target, min_severity, created_at, updated_at)
         SELECT gen_random_uuid(), '{}', kind, jsonb_build_object('kind', kind, 'url', 'http://' || address || '/'), 'info', now(), now()
         FROM (VALUES ('slack', '{}'), ('discord', '127.0.0.1:9')) AS c (kind, address)",
        app.world.workspace, site.address
    ))
    .await;
    app.sql(&format!(
        "INSERT INTO notices (id, workspace_id, kind, severity, title, body, data, created_at)
         VALUES (gen_random_uuid(), '{}', 'announcement', 'info', 'A pause', 'On Sunday', '{{}}', now())",
        app.world.workspace
    ))
    .await;

    let deliveries = "pharos_alert_deliveries_total";
    let evaluations = "pharos_alert_evaluation_lag_seconds_count";
    let scrape = recording
        .until(async |scrape| {
            scrape.sum(deliveries, &[]) >= Some(2.0) && scrape.sum(evaluations, &[]) >= Some(1.0)
        })
        .await;
    scrape.is_sound(&app);
    scrape.is(deliveries, &[("channel", "slack"), ("result", "sent")], 1.0);
    scrape.is(deliveries, &[("channel", "discord"), ("result", "failed")], 1.0);
    scrape.is(deliveries, &[("channel", "discord"), ("result", "given_up")], 0.0);
    scrape.is(deliveries, &[("channel", "email")], 0.0);
    let late = scrape
        .sum("pharos_alert_evaluation_lag_seconds_sum", &[])
        .unwrap();
    assert!((0.0..60.0).contains(&late), "{late}");
}

/// Pools, tasks and the process.
fn told_of_the_node(scrape: &Scrape) {
    for pool in [
        "requests",
        "requests_long_reads",
        "background",
        "background_claims",
        "background_long_reads",
    ] {
        let pool = [("pool", pool)];
        let [size, available, waiting] = ["size", "available", "waiting"].map(|what| {
            let sample = format!("pharos_database_pool_{what}");
            scrape.sum(&sample, &pool).unwrap()
        });
        // Whoever asks for a connection at that moment may be waiting for it.
        assert!(available <= size && waiting >= 0.0, "{pool:?}");
        let acquired = scrape.sum("pharos_database_acquire_duration_seconds_count", &pool);
        assert!(
            acquired.unwrap() > 0.0 || size == 0.0 || available == 0.0,
            "{pool:?}"
        );
    }
    let acquired = scrape.sum(
        "pharos_database_acquire_duration_seconds_count",
        &[("pool", "requests")],
    );
    assert!(acquired.unwrap() > 0.0);
    for task in [
        "scheduler",
        "worker",
        "upkeep",
        "charges",
        "credit log",
        "metrics",
    ] {
        scrape.is("pharos_task_restarts_total", &[("task", task)], 0.0);
    }
    scrape.is("pharos_set_aside_total", &[("kind", "check")], 0.0);
    scrape.is(
        "pharos_build_info",
        &[("version", env!("CARGO_PKG_VERSION"))],
        1.0,
    );
    for process in [
        "process_open_fds",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
    ] {
        assert!(scrape.sum(process, &[]).unwrap() > 0.0, "{process}");
    }
}

#[tokio::test]
async fn restarts_and_what_is_set_aside_are_counted() {
    let app = TestApp::start().await;
    let recorder = PrometheusBuilder::new().build_recorder();
    let told = recorder.handle();
    let _recorded = set_default_local_recorder(&recorder);
    let supervisor = Supervisor::with_pace(RestartPace {
        shortest_pause: Duration::ZERO,
        ..RestartPace::default()
    });
    let (mut begun, stop) = (0, CancellationToken::new());
    let begin = || {
        begun += 1;
        assert!(begun > 3, "as it was told to");
        stop.cancel();
        async {}
    };
    let task = Task::aside("clumsy");
    supervisor.keep(task, &stop, begin).await;
    let why = StoreError::Corrupt("it is bad".to_owned());
    let database = crate::jobs::connect(app.database.url()).await;
    for subject in ["one", "another"] {
        let note = SetAside::unread(Kind::Monitor, &subject, &why);
        database.note(note).await.unwrap();
    }
    let outcomes = [("runs", Some("it failed".to_owned())), ("audit trail", None)];
    database.note_upkeep(&Outcomes::from(outcomes)).await;
    let scrape = Scrape::read(told.render().as_bytes()).await;
    scrape.is("pharos_task_restarts_total", &[("task", "clumsy")], 3.0);
    scrape.is("pharos_set_aside_total", &[("kind", "monitor")], 2.0);
    scrape.is("pharos_upkeep_failures_total", &[("step", "runs")], 1.0);
    scrape.is("pharos_upkeep_failures_total", &[], 1.0);
}

/// A thing that is claimed once, two minutes after it was due.
struct Late {
    is_there: AtomicBool,
    done: CancellationToken,
}

#[async_trait]
impl DueWork for Late {
    type Item = &'static str;
    type Outcome = &'static str;

    const NAME: &'static str = "late things";

    async fn claim(&self, _claim: &DueClaim) -> Result<Vec<&'static str>, StoreError> {
        let is_there = self.is_there.swap(false, Ordering::Relaxed);
        Ok(is_there.then_some("it").into_iter().collect())
    }

    async fn next_due(&self, _now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        Ok(None)
    }

    fn due_in(&self, _item: &&'static str) -> time::Duration {
        time::Duration::minutes(-2)
    }

    fn subject(&self, item: &&'static str) -> String {
        (*item).to_owned()
    }

    async fn perform(&self, item: &&'static str) -> Option<&'static str> {
        self.done.cancel();
        Some(*item)
    }

    async fn settle(&self, _outcomes: &[&'static str], _now: OffsetDateTime) -> Result<(), StoreError> {
        Ok(())
    }

    async fn release(&self, _items: &[&&'static str]) -> Result<(), StoreError> {
        Ok(())
    }
}

#[tokio::test]
async fn how_late_things_begin_is_told_by_kind() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let told = recorder.handle();
    let _recorded = set_default_local_recorder(&recorder);
    let done = CancellationToken::new();
    let late = DueLoop {
        work: Arc::new(Late {
            is_there: AtomicBool::new(true),
            done: done.clone(),
        }),
        bell: Arc::default(),
        clock: Arc::new(SystemClock),
        pace: DuePace::in_batches(1, time::Duration::MINUTE, Duration::ZERO, Duration::from_secs(1)),
    };
    late.run(done, CancellationToken::new()).await;
    let scrape = Scrape::read(told.render().as_bytes()).await;
    let kind = [("kind", "late things")];
    scrape.is("pharos_due_lag_seconds_count", &kind, 1.0);
    let seconds = scrape.sum("pharos_due_lag_seconds_sum", &kind).unwrap();
    assert!((120.0..180.0).contains(&seconds), "{seconds}");
}

/// Each kind of the groups has its gauges, under the name of its work; what no node has claimed is told with its age.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_due_and_waits_is_told_by_kind() {
    let (app, site) = (TestApp::start().await, Site::open().await);
    watch(&app, &site, &["local"]).await;
    app.sql(
        "INSERT INTO regions (key, registered_at) SELECT DISTINCT region, now() FROM uptime_schedules ON CONFLICT DO NOTHING",
    )
    .await;
    app.sql("UPDATE uptime_schedules SET next_check_at = now() - interval '2 hours', leased_until = NULL")
        .await;
    let due = number(&app, "SELECT count(*) FROM uptime_schedules").await;
    assert!(due > 0.0, "the site has a monitor");
    let kinds: Vec<&str> = due_kinds().map(|kind| kind.name).collect();
    assert!(kinds.len() > 9, "{kinds:?}");
    let recording = Recording::start(&app, "api");
    let checks = [("kind", "checks")];
    let scrape = recording
        .until(async |scrape| {
            // While the database does not answer in time a gauge has no number.
            let has = |sample: &str, name: &str| scrape.sum(sample, &[("kind", name)]).is_some();
            let is_told =
                |name| has("pharos_due_waiting", name) && has("pharos_due_oldest_age_seconds", name);
            scrape.sum("pharos_due_waiting", &checks) == Some(due) && kinds.iter().copied().all(is_told)
        })
        .await;
    scrape.is_sound(&app);
    let age = scrape.sum("pharos_due_oldest_age_seconds", &checks).unwrap();
    assert!((7_200.0..10_800.0).contains(&age), "{age}");
}

/// The days around it have the same use, as the upstream's day may end meanwhile; another day's is none of this one.
#[tokio::test(flavor = "multi_thread")]
async fn the_used_part_of_a_days_quota_is_told_of_the_property_that_used_the_most() {
    let app = TestApp::start().await;
    app.sql(
        "INSERT INTO indexing_quota (site_url, day, used)
         SELECT site, (now() AT TIME ZONE 'America/Los_Angeles')::date + days, used
         FROM (VALUES ('https://a.example/', 100), ('https://b.example/', 500)) AS sites (site, used),
             generate_series(-1, 1) AS days
         UNION ALL
         SELECT 'https://b.example/', (now() AT TIME ZONE 'America/Los_Angeles')::date - 9, 2000",
    )
    .await;
    let recording = Recording::start(&app, "api");
    let kind = [("kind", "inspections")];
    let scrape = recording
        .until(async |scrape| scrape.sum("pharos_upstream_quota_used_ratio", &kind) == Some(0.25))
        .await;
    scrape.is_sound(&app);
}
