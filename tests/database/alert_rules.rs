//! Alert rules on PostgreSQL: whose domain goes meanwhile.

use std::time::Duration;

use pharos_alerting::{
    rule::RuleSettings,
    severity::Severity,
    store::{EvaluationStore, RuleAdmin, RuleStore},
};
use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, EvaluationWindow, MetricFilter},
    settings::ChangeError,
};
use pharos_due::work::DueClaim;
use time::OffsetDateTime;
use tokio::time::sleep;

use crate::harness::{Fixture, NOW, charged, connect};

/// Fires once two checks in a row have failed.
fn is_down() -> RuleSettings {
    RuleSettings {
        name: None,
        module: AlertModule::Uptime,
        metric: "consecutive_failures".to_owned(),
        operator: AlertOperator::Gte,
        threshold: 2.0,
        comparison_window: None,
        evaluation_window: EvaluationWindow::Latest,
        min_sample: None,
        filter: MetricFilter::default(),
        severity: Severity::Critical,
        enabled: true,
        cooldown_minutes: 0,
    }
}

/// Whoever deletes a domain ends the rules that it has. One that comes afterwards would be evaluated for good.
#[tokio::test]
async fn no_rule_is_made_of_a_domain_that_is_deleted_meanwhile() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let paid = charged(&access, 1, NOW);
    let rules = fixture.stores.ports.get::<dyn RuleStore>().unwrap();
    let admin = fixture.stores.ports.get::<dyn RuleAdmin>().unwrap();
    let settings = is_down();

    let deleting = connect(fixture.test.url()).await;
    let delete = "BEGIN; UPDATE domains SET deleted_at = now()";
    deleting.batch_execute(delete).await.unwrap();
    let deletes = async {
        let waiting = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while fixture.value::<i64>(waiting, &[]).await == 0 {
            sleep(Duration::from_millis(5)).await;
        }
        deleting.batch_execute("COMMIT").await.unwrap();
    };
    let (made, ()) = tokio::join!(rules.create(&paid, &settings, NOW), deletes);
    let of_nobody = admin.create(home.domain, home.owner, &settings, NOW).await;
    for refused in [made, of_nobody] {
        let refused = refused.unwrap_err();
        assert!(
            matches!(&refused, ChangeError::Faults(faults) if faults[0].detail.contains("was deleted")),
            "{refused}"
        );
    }
    for table in ["alert_rules", "alert_evaluations", "credit_log"] {
        let count = format!("SELECT count(*) FROM {table}");
        assert_eq!(fixture.value::<i64>(&count, &[]).await, 0, "{table}");
    }
}

/// So many events at once, each with its number.
const HAPPENED: &str = "INSERT INTO metric_events (domain_id, module, metric, at, context)
    SELECT $1::uuid, 'uptime', 'ssl_certificate_changed', now(), jsonb_build_object('number', number)
    FROM generate_series(1, $2::int) AS number";

/// Claims the only rule and gives it back: how many events it has not counted, and the number of the last.
async fn uncounted(fixture: &Fixture) -> (u32, Option<i64>) {
    let store = fixture.stores.ports.get::<dyn EvaluationStore>().unwrap();
    let claim = DueClaim {
        ahead: time::Duration::MINUTE,
        ..DueClaim::of_now(OffsetDateTime::now_utc(), time::Duration::MINUTE, 9)
    };
    let due = store.claim(&claim).await.unwrap();
    assert_eq!(due.len(), 1);
    store.release(&[&due[0]]).await.unwrap();
    let pending = &due[0].pending;
    (pending.count, pending.context["number"].as_i64())
}

/// Visitors of a site may cause thousands of events, which a rule within its cooldown keeps: they lie in few rows, and all count.
#[tokio::test]
async fn events_that_are_not_counted_yet_lie_in_few_rows() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let admin = fixture.stores.ports.get::<dyn RuleAdmin>().unwrap();
    let changes = RuleSettings {
        metric: "ssl_certificate_changed".to_owned(),
        threshold: 1.0,
        ..is_down()
    };
    admin
        .create(home.domain, home.owner, &changes, OffsetDateTime::now_utc())
        .await
        .unwrap();
    let happen = async |events: i32| {
        fixture
            .sql
            .execute(HAPPENED, &[&home.domain.0, &events])
            .await
            .unwrap();
    };
    let rows = "SELECT count(*) FROM alert_pending_events";
    happen(500).await;
    assert_eq!(fixture.value::<i64>(rows, &[]).await, 1);
    assert_eq!(uncounted(&fixture).await, (500, Some(500)));
    for _ in 0..100 {
        happen(2).await;
    }
    assert_eq!(fixture.value::<i64>(rows, &[]).await, 101);
    assert_eq!(uncounted(&fixture).await, (700, Some(2)));
    assert_eq!(fixture.value::<i64>(rows, &[]).await, 1);
    happen(1).await;
    assert_eq!(uncounted(&fixture).await, (701, Some(1)));
}
