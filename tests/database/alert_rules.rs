//! Alert rules on PostgreSQL: whose domain goes meanwhile.

use std::time::Duration;

use pharos_alerting::{
    rule::RuleSettings,
    severity::Severity,
    store::{RuleAdmin, RuleStore},
};
use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, EvaluationWindow, MetricFilter},
    settings::ChangeError,
};
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
