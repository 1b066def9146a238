//! Evaluations of alert rules.

use pharos_alerting::store::EvaluationStore;

use crate::harness::Fixture;

/// The clock of a whole machine was less than a day ahead: what was evaluated by it, and rules that were made or set aside.
#[tokio::test]
async fn alert_rules_that_a_clock_was_ahead_of_are_evaluated_once_it_is_back() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let rule = "WITH rule AS (
            INSERT INTO alert_rules (id, domain_id, workspace_id, module, metric, operator, threshold, evaluation_window, severity,
                enabled, cooldown_minutes, created_at, updated_at)
            VALUES (uuid_v7(), $1, $2, 'uptime', 'consecutive_failures', 'gte', 2, 'latest', 'warning', true, 60, now(), now())
            RETURNING id, domain_id, workspace_id
        )
        INSERT INTO alert_evaluations (rule_id, domain_id, workspace_id) SELECT id, domain_id, workspace_id FROM rule";
    fixture
        .sql
        .execute(rule, &[&home.domain.0, &home.workspace.0])
        .await
        .unwrap();
    let store = fixture.stores.ports.get::<dyn EvaluationStore>().unwrap();
    let set_aside = "INSERT INTO set_aside (kind, subject, reason, last_at)
        SELECT 'alert_rule', rule_id::text, 'why', now() + make_interval(hours => $1) FROM alert_evaluations";
    let stands = "SELECT next_evaluation_at <= now() AND coalesce(last_evaluated_at <= now(), true) FROM alert_evaluations";
    for (evaluated, set_aside_at, due, is_back) in [
        ("interval '20 hours'", None, "20 hours 1 minute", true),
        ("interval '1 minute'", None, "2 minutes", true),
        // Nobody has evaluated it yet.
        ("NULL::interval", None, "20 hours", true),
        ("interval '0'", Some(20), "44 hours", true),
        ("interval '0'", Some(-30), "20 hours", true),
        // These wait as they should.
        ("interval '0'", None, "1 hour", false),
        ("interval '-1 hour'", Some(-1), "23 hours", false),
        ("NULL::interval", Some(-1), "23 hours", false),
    ] {
        fixture.sql.batch_execute("DELETE FROM set_aside").await.unwrap();
        if let Some(hours) = set_aside_at {
            fixture.sql.execute(set_aside, &[&hours]).await.unwrap();
        }
        let ahead = format!(
            "UPDATE alert_evaluations SET last_evaluated_at = now() + {evaluated}, next_evaluation_at = now() + interval '{due}'"
        );
        fixture.sql.batch_execute(&ahead).await.unwrap();
        store.bring_back().await.unwrap();
        let is_due: bool = fixture.value(stands, &[]).await;
        assert_eq!(is_due, is_back, "{ahead}, set aside: {set_aside_at:?}");
    }
}
