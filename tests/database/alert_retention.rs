//! Alerts and notifications that are kept no longer.

use pharos_domain::notification_type::NotificationType;
use time::OffsetDateTime;

use crate::{
    filters::looked_at,
    harness::{Fixture, connect},
};

const FORGET: &str = include_str!("../../crates/alerting/pg/src/notifications/forget.sql");

/// More than one statement forgets of each, all of them 13 months old: of one workspace and its domain, `$1` and `$2`.
const OLD: &str = "WITH told AS (
        INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, alert_id, created_at,
            resolved_at)
        SELECT uuid_v7(), $1::uuid, $2::uuid, 'alert', 'warning', 'uptime', 'Changed', 'Changed.', '{}', uuid_v7(), at, at
        FROM generate_series(1, 2001), (SELECT now() - interval '13 months' AS at) AS old
        RETURNING *
    )
    INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator,
        threshold, evaluation_window, value, severity, title, message, context, fired_at, resolved_at, end_reason)
    SELECT alert_id, domain_id, workspace_id, id, 'uptime', 'ssl_certificate_changed', 'Certificates changed', 'times', 'gte', 1,
        'latest', 1, severity, title, body, '{}', created_at, resolved_at, 'over'
    FROM told";

/// More events than one statement forgets, of a rule that is gone, and tests of a channel.
const GONE: &str = "INSERT INTO alert_pending_events (rule_id, at, context)
        SELECT gen_random_uuid(), now(), '{}' FROM generate_series(1, 2001);
    INSERT INTO alert_channels (id, workspace_id, name, target, min_severity, created_at, updated_at)
        SELECT uuid_v7(), id, 'On call', '{}', 'info', now(), now() FROM workspaces LIMIT 1;
    INSERT INTO alert_deliveries (id, channel_id, event, state, created_at, ended_at)
        SELECT uuid_v7(), c.id, 'test', 'sent', now() - interval '13 months', now()
        FROM alert_channels AS c, generate_series(1, 2001);
    INSERT INTO notification_read_marks (user_id, domain_id, kind, read_before, read_at)
        SELECT u.id, d.id, 'alert', now() - make_interval(months => 13, hours => 1, secs => number), now()
        FROM (SELECT id FROM users LIMIT 1) AS u, (SELECT id FROM domains LIMIT 1) AS d, generate_series(1, 2001) AS number";

const TABLES: [&str; 5] = [
    "alert_history",
    "notifications",
    "notification_read_marks",
    "alert_deliveries",
    "alert_pending_events",
];

async fn left(fixture: &Fixture) -> Vec<i64> {
    let mut left = Vec::new();
    for table in TABLES {
        left.push(fixture.value(&format!("SELECT count(*) FROM {table}"), &[]).await);
    }
    left
}

async fn forget(fixture: &Fixture) {
    let steps = fixture.database.groups().iter().flat_map(|group| group.upkeep);
    let of_alerts = ["alerts", "notifications", "tests of channels", "events of rules"];
    for step in steps.filter(|step| of_alerts.contains(&step.name)) {
        (step.run)(&fixture.database, OffsetDateTime::now_utc())
            .await
            .unwrap();
    }
}

/// Somebody holds a row of each, for whom nobody waits. The next round has it.
#[tokio::test]
async fn what_is_old_is_forgotten_in_parts_and_waits_for_nobody() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture
        .sql
        .execute(OLD, &[&home.workspace.0, &home.domain.0])
        .await
        .unwrap();
    fixture.sql.batch_execute(GONE).await.unwrap();
    assert_eq!(left(&fixture).await, [2001; 5]);
    let holder = connect(fixture.test.url()).await;
    holder.batch_execute("BEGIN").await.unwrap();
    for table in TABLES {
        let held = format!("SELECT FROM {table} LIMIT 1 FOR UPDATE");
        holder.batch_execute(&held).await.unwrap();
    }
    forget(&fixture).await;
    assert_eq!(left(&fixture).await, [1; 5]);
    holder.batch_execute("ROLLBACK").await.unwrap();
    // New rows are kept.
    fixture
        .sql
        .batch_execute("UPDATE alert_history SET fired_at = now(), resolved_at = now()")
        .await
        .unwrap();
    forget(&fixture).await;
    assert_eq!(left(&fixture).await, [1, 0, 0, 0, 0]);
}

#[tokio::test]
async fn notifications_of_every_kind_are_forgotten() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let kinds: Vec<&str> = NotificationType::ALL.iter().map(|kind| kind.as_str()).collect();
    let old = "INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
        SELECT uuid_v7(), $1, kind, 'info', 'title', 'body', '{}', now() - age
        FROM unnest($2::text[]) AS kind, unnest(ARRAY['13 months', '11 months']::interval[]) AS age";
    fixture
        .sql
        .execute(old, &[&home.workspace.0, &kinds])
        .await
        .unwrap();
    forget(&fixture).await;
    let left = "SELECT count(*) FROM notifications WHERE created_at < now() - interval '12 months'";
    assert_eq!(fixture.value::<i64>(left, &[]).await, 0);
    let kept: i64 = fixture.value("SELECT count(*) FROM notifications", &[]).await;
    assert_eq!(kept, i64::try_from(kinds.len()).unwrap());
}

/// However many are kept, none of them is looked at, even where the statement is planned once for all.
#[tokio::test]
async fn old_notifications_are_looked_for_by_their_kinds() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let kept = "INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
        SELECT uuid_v7(), $1, 'announcement', 'info', 'title', 'body', '{}', now() - minute * interval '1 minute'
        FROM generate_series(1, 20000) AS minute";
    let sql = &fixture.sql;
    sql.execute(kept, &[&home.workspace.0]).await.unwrap();
    let analyze = "VACUUM ANALYZE notifications, workspaces";
    sql.batch_execute(analyze).await.unwrap();
    let prepare = format!("PREPARE forget (timestamptz, text, bigint, text[]) AS {FORGET}");
    sql.batch_execute(&prepare).await.unwrap();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        let execute = "EXECUTE forget (now(), '12 months', 2000, '{alert,announcement}')";
        let (looked_at, plan) = looked_at(&fixture, execute, "notifications").await;
        assert!(looked_at < 10, "{looked_at} rows, {mode}: {plan}");
    }
}

/// The notification of an alert that is still in force is no older than the alert: it goes with its end, and who has read it is
/// known until then.
#[tokio::test]
async fn the_notification_of_an_alert_in_force_is_kept() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture
        .sql
        .execute(OLD, &[&home.workspace.0, &home.domain.0])
        .await
        .unwrap();
    fixture.sql.batch_execute(GONE).await.unwrap();
    let open = "UPDATE alert_history SET resolved_at = NULL, end_reason = NULL
            WHERE id = (SELECT id FROM alert_history LIMIT 1);
        UPDATE notifications SET resolved_at = NULL, created_at = created_at - interval '1 day'
            WHERE alert_id = (SELECT id FROM alert_history WHERE resolved_at IS NULL)";
    fixture.sql.batch_execute(open).await.unwrap();
    forget(&fixture).await;
    assert_eq!(left(&fixture).await, [1, 1, 2001, 0, 0]);
    let over = "UPDATE alert_history SET resolved_at = now(), end_reason = 'over';
        UPDATE notifications SET resolved_at = now()";
    fixture.sql.batch_execute(over).await.unwrap();
    forget(&fixture).await;
    assert_eq!(left(&fixture).await, [0; 5]);
}
