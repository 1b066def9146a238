//! run_finished: whoever waits for a run is told how it ended.

use pharos_alerting::severity::Severity;
use pharos_domain::{
    ids::{RunId, WorkerId},
    jobs::JobOutcome,
    notification_type::NotificationType,
    problem::Suffix,
    runs::{RunItems, RunKind},
};
use pharos_http::{
    registry::{Registry, Routed},
    spec::BASE_PATH,
};
use pharos_server::groups;
use serde_json::json;

use super::NotificationRow;
use crate::{
    harness::{Fixture, Home, NOW, actor, after},
    runs::{Asked, failed},
};

/// The notices of runs: that of a run which makes a report says that the report is ready or failed.
async fn told(fixture: &Fixture, home: &Home) -> Vec<NotificationRow> {
    let mut told = Vec::new();
    for kind in [
        NotificationType::RunFinished,
        NotificationType::ReportReady,
        NotificationType::ReportFailed,
    ] {
        told.extend(fixture.told(home, kind).await);
    }
    told
}

#[tokio::test]
async fn a_run_that_succeeded_is_told_once_when_its_last_job_is_done() {
    let asked = Asked::new(2).await;
    asked.fixture.channel(&asked.home, "all", Severity::Info).await;
    asked.fixture.channel(&asked.home, "bad", Severity::Warning).await;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    asked.settle(worker, &held[0], JobOutcome::Succeeded, NOW).await;
    assert_eq!(
        told(&asked.fixture, &asked.home).await.len(),
        0,
        "one job is left"
    );
    asked
        .settle(worker, &held[1], JobOutcome::Succeeded, after(1))
        .await;
    let again = WorkerId::generate();
    asked
        .settle(again, &held[1], JobOutcome::Succeeded, after(2))
        .await;
    let told = told(&asked.fixture, &asked.home).await;
    let [told] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(told.kind, NotificationType::ReportReady);
    assert_eq!(
        (&*told.severity, &*told.title, &*told.body),
        (
            "info",
            "ada.example: Report succeeded",
            "It was asked for on 2026-03-31 at 09:15 UTC."
        )
    );
    let data = json!({
        "run_id": asked.run.id, "kind": "report", "status": "succeeded", "total_items": null, "completed_items": null,
        "failed_items": null, "error_code": null,
    });
    assert_eq!(told.data, data);
    assert_eq!(told.module.as_deref(), Some("reports"));
    assert!(told.is_of_domain);
    let queued = (
        asked.fixture.queued("all").await,
        asked.fixture.queued("bad").await,
    );
    assert_eq!(queued, (1, 0));
}

#[tokio::test]
async fn a_run_of_which_a_part_failed_is_a_warning_with_its_items() {
    let asked = Asked::new(1).await;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 1).await.remove(0);
    let items = RunItems {
        total: 8,
        completed: 7,
        failed: 1,
    };
    asked.fixture.stores.runs.progress(&held, items).await.unwrap();
    assert_eq!(told(&asked.fixture, &asked.home).await.len(), 0, "it goes on");
    asked.settle(worker, &held, JobOutcome::Succeeded, after(1)).await;
    let told = told(&asked.fixture, &asked.home).await;
    assert_eq!(told[0].kind, NotificationType::ReportReady);
    assert_eq!(
        (&*told[0].severity, &*told[0].title, &*told[0].body),
        (
            "warning",
            "ada.example: Report failed in part",
            "It was asked for on 2026-03-31 at 09:15 UTC. 7 of 8 items are done, 1 failed."
        )
    );
    assert_eq!(told[0].data["status"], "partial");
    assert_eq!(told[0].data["failed_items"], 1);
}

#[tokio::test]
async fn a_run_that_failed_is_a_warning_with_what_its_caller_may_know() {
    let asked = Asked::new(1).await;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 1).await.remove(0);
    let why = Some((Suffix::UpstreamError, "The registry answered 500."));
    asked.settle(worker, &held, failed(None, why), NOW).await;
    let told = told(&asked.fixture, &asked.home).await;
    assert_eq!((told.len(), told[0].kind), (1, NotificationType::ReportFailed));
    assert_eq!(
        (&*told[0].severity, &*told[0].title, &*told[0].body),
        (
            "warning",
            "ada.example: Report failed",
            "It was asked for on 2026-03-31 at 09:15 UTC. The registry answered 500."
        )
    );
    assert_eq!(told[0].data["error_code"], "upstream-error");
}

#[tokio::test]
async fn nobody_is_told_of_a_run_that_was_canceled_or_has_expired() {
    let canceled = Asked::new(1).await;
    let domains = &canceled.fixture.stores.domain_admin;
    domains.delete(canceled.home.domain, &actor(), NOW).await.unwrap();
    let status: String = canceled.fixture.value("SELECT status FROM runs", &[]).await;
    assert_eq!(status, "canceled");
    assert_eq!(told(&canceled.fixture, &canceled.home).await.len(), 0);

    let expired = Asked::new(1).await;
    let worker = WorkerId::generate();
    let held = expired.claim(worker, NOW, 1).await.remove(0);
    expired.settle(worker, &held, JobOutcome::Succeeded, NOW).await;
    for change in [
        "UPDATE runs SET status = 'succeeded'",
        "UPDATE runs SET status = 'expired'",
    ] {
        expired.fixture.sql.batch_execute(change).await.unwrap();
    }
    assert_eq!(
        told(&expired.fixture, &expired.home).await.len(),
        1,
        "only of its end"
    );
}

/// The words and the place of a kind lie in the table `run_kinds`, the kinds in `RunKind`.
#[tokio::test]
async fn a_kind_of_runs_has_words_and_leads_to_an_operation_of_its_module() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let registry = Registry::new(groups::operations()).unwrap();
    for kind in RunKind::ALL {
        let id = RunId::generate();
        let run = "INSERT INTO runs (
                 id, domain_id, kind, status, requested_at, requester_kind, credential_id, credits_charged
             ) VALUES ($1, $2, $3, 'queued', now(), 'api_key', $1, 25)";
        let binds: [&(dyn tokio_postgres::types::ToSql + Sync); 3] = [&id.0, &home.domain.0, &kind.as_str()];
        fixture.sql.execute(run, &binds).await.unwrap();
        let end = "UPDATE runs SET status = 'succeeded', finished_at = now() WHERE id = $1";
        fixture.sql.execute(end, &[&id.0]).await.unwrap();
        let words = "SELECT module, label FROM run_kinds WHERE kind = $1";
        let words = fixture.sql.query_opt(words, &[&kind.as_str()]).await.unwrap();
        let words = words.unwrap_or_else(|| panic!("no migration of a group adds {kind} to run_kinds"));
        let (module, label): (String, String) = (words.get(0), words.get(1));

        let told = told(&fixture, &home).await;
        let told = told.iter().find(|told| told.data["run_id"] == json!(id)).unwrap();
        let title = format!("ada.example: {label} succeeded");
        assert_eq!((told.module.as_deref(), &told.title), (Some(&*module), &title));
        let type_of_it = match kind {
            RunKind::Report => NotificationType::ReportReady,
            _ => NotificationType::RunFinished,
        };
        assert_eq!(told.kind, type_of_it, "{kind}");

        let place = told.resource_path.as_deref().unwrap();
        let (path, query) = place.split_once('?').unwrap_or((place, ""));
        let Ok(Routed::Operation(found)) = registry.route("GET", &format!("{BASE_PATH}{path}")) else {
            panic!("{kind}: no operation answers GET {place}");
        };
        let spec = found.operation.spec;
        assert_eq!(spec.module.as_str(), module, "{kind} leads to {}", spec.id);
        for (parameter, value) in &found.path {
            let thing = match *parameter {
                "domain_id" => home.domain.to_string(),
                "run_id" => id.to_string(),
                other => panic!("{kind}: its place names a {other}"),
            };
            assert_eq!(*value, thing, "{kind}");
        }
        assert!(
            query.is_empty() || query == format!("run_id={id}"),
            "{kind}: {query}"
        );
    }
}

/// A check that is done says nothing of the site yet.
#[tokio::test]
async fn a_check_says_what_it_found() {
    let table = [
        (&["up", "up"][..], "up", "Check finished: up"),
        (&["down", "down"], "down", "Check finished: down"),
        (
            &["up", "degraded", "down"],
            "down",
            "Check finished: down in 1 of 3 regions",
        ),
    ];
    for (outcomes, worst, says) in table {
        let fixture = Fixture::new().await;
        let home = fixture.home("ada").await;
        let id = RunId::generate();
        let run = "INSERT INTO runs (
                 id, domain_id, kind, status, requested_at, requester_kind, credential_id, credits_charged
             ) VALUES ($1, $2, 'uptime_check', 'queued', now(), 'api_key', $1, 25)";
        fixture.sql.execute(run, &[&id.0, &home.domain.0]).await.unwrap();
        // The first attempt of each region fails, and counts no more than its last one says.
        let checks = "INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, run_id, redirect_count, retry_index)
             SELECT gen_random_uuid(), $2, found.region::text, now() + attempt * interval '1 second',
                 CASE attempt WHEN 0 THEN 'blocked' ELSE found.outcome END, $1, 0, attempt
             FROM unnest($3::text[]) WITH ORDINALITY AS found (outcome, region), generate_series(0, 1) AS attempt";
        let binds: [&(dyn tokio_postgres::types::ToSql + Sync); 3] = [&id.0, &home.domain.0, &outcomes];
        fixture.sql.execute(checks, &binds).await.unwrap();
        let end = "UPDATE runs SET status = 'succeeded', finished_at = now() WHERE id = $1";
        fixture.sql.execute(end, &[&id.0]).await.unwrap();
        let told = fixture.told(&home, NotificationType::RunFinished).await;
        assert_eq!(told[0].title, format!("ada.example: {says}"));
        assert_eq!(told[0].data["outcome"], worst);
    }
}
