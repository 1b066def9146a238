//! Lists of alerts and notifications: what is about a deleted domain is on none and has no list wait, and what is in force is
//! found however much is over.

use pharos_alerting::{
    alert::Firing,
    notification::{NotificationFilter, NotificationType},
    store::{AlertStore, NotificationStore, Reach},
};
use pharos_domain::{
    ids::{DomainId, IncidentId},
    page::{ListKey, PageRequest},
    severity::Severity,
};
use uuid::Uuid;

use crate::{
    filters::looked_at,
    harness::{Fixture, Home, NOW, actor},
};

const ALERTS: &str = concat!(
    include_str!("../../crates/alerting/pg/src/alerts/columns.sql"),
    include_str!("../../crates/alerting/pg/src/alerts/list.sql")
);
const IN_FORCE: &str = concat!(
    include_str!("../../crates/alerting/pg/src/alerts/columns.sql"),
    include_str!("../../crates/alerting/pg/src/alerts/in_force.sql")
);
const FIRING: &str = include_str!("../../crates/alerting/pg/src/alerts/firing.sql");
const NOTIFICATIONS: &str = include_str!("../../crates/alerting/pg/src/notifications/list.sql");
/// Where lists begin.
const START: &str = "'9999-12-31 23:59:59Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
const MODES: [&str; 2] = ["force_custom_plan", "force_generic_plan"];

/// Alerts of the domain that are over, one a minute from `first` minutes ago to `last`, with a notification each.
async fn fired(fixture: &Fixture, home: &Home, domain: DomainId, first: i32, last: i32) {
    fixture
        .sql
        .execute(
            "WITH told AS (
                INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, alert_id,
                    created_at, resolved_at)
                SELECT uuid_v7(), $1::uuid, $2::uuid, 'alert', 'warning', 'uptime', 'Changed', 'Changed.', '{}', uuid_v7(), at, at
                FROM generate_series($3::integer, $4::integer) AS minute,
                    LATERAL (SELECT now() - minute * interval '1 minute' AS at) AS made
                RETURNING *
            )
            INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator,
                threshold, evaluation_window, value, severity, title, message, context, fired_at, resolved_at, end_reason)
            SELECT alert_id, domain_id, workspace_id, id, 'uptime', 'ssl_certificate_changed', 'Certificates changed', 'times',
                'gte', 1, 'latest', 1, severity, title, body, '{}', created_at, resolved_at, 'over'
            FROM told",
            &[&home.workspace.0, &domain.0, &first, &last],
        )
        .await
        .unwrap();
}

fn page(limit: usize) -> PageRequest {
    PageRequest::first(ListKey::new("test", Uuid::nil()), limit)
}

/// The alerts of the deleted domain are newer than all others, and many.
#[tokio::test]
async fn what_is_about_a_deleted_domain_is_on_no_list_and_has_no_list_wait() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let gone = fixture.domain(home.workspace, "gone.example").await;
    fired(&fixture, &home, gone, 1, 10_000).await;
    fired(&fixture, &home, home.domain, 20_001, 20_005).await;
    let (alerts, notifications) = (
        fixture.stores.ports.get::<dyn AlertStore>().unwrap(),
        fixture.stores.ports.get::<dyn NotificationStore>().unwrap(),
    );
    let listed = async |unread_total: u64| {
        let reach = fixture.reach(&home).await;
        let reach = Reach::Workspaces(&reach);
        let found = alerts.list(reach, &page(50)).await.unwrap().items;
        let mut domains: Vec<Vec<DomainId>> = vec![found.iter().map(|alert| alert.domain_id).collect()];
        for unread in [None, Some(true)] {
            let filter = NotificationFilter {
                kind: Some(NotificationType::Alert),
                unread,
                ..NotificationFilter::default()
            };
            let list = notifications.list(reach, &filter, home.owner, &page(50)).await;
            let found = list.unwrap();
            let about = found.page.items.iter().filter_map(|item| item.domain.as_ref());
            domains.push(about.map(|(id, _)| *id).collect());
            assert_eq!(found.unread_total, unread_total);
        }
        domains
    };
    // There are 10,005; the count ends at 10,000.
    assert_eq!(listed(10_000).await, vec![vec![gone; 50]; 3]);
    let deleted = fixture.stores.domain_admin.delete(gone, &actor(), NOW).await;
    deleted.unwrap();
    assert_eq!(listed(5).await, vec![vec![home.domain; 5]; 3]);

    let sql = &fixture.sql;
    let vacuum = "VACUUM ANALYZE alert_history, notifications, domains";
    sql.batch_execute(vacuum).await.unwrap();
    let prepare = format!(
        "PREPARE alerts (uuid, uuid[], timestamptz, uuid, bigint) AS {ALERTS};
         PREPARE notifications (uuid, uuid[], text[], text, text, uuid, timestamptz, uuid, bigint) AS {NOTIFICATIONS}"
    );
    sql.batch_execute(&prepare).await.unwrap();
    let (workspace, user) = (home.workspace, home.owner);
    for mode in MODES {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        for (execute, index) in [
            (
                format!("EXECUTE alerts (NULL, '{{{workspace}}}', {START}, 51)"),
                "alert_history_newest_idx",
            ),
            (
                format!(
                    "EXECUTE notifications (NULL, '{{{workspace}}}', '{{alert}}', NULL, NULL, '{user}', NULL, NULL, 51)"
                ),
                "notifications_kind_idx",
            ),
        ] {
            let (looked_at, plan) = looked_at(&fixture, &execute, "domains").await;
            assert!(
                looked_at < 50 && plan.contains(&format!("Index Only Scan Backward using {index}")),
                "{looked_at} domains, {mode}: {execute}\n{plan}"
            );
        }
    }
}

/// Between two that begin with the workspace the planner would choose by what rows are there at the moment.
#[tokio::test]
async fn one_index_alone_serves_the_lists_of_workspaces() {
    let fixture = Fixture::new().await;
    let of_all = "SELECT array_agg(i.indexrelid::regclass::text)
        FROM pg_index AS i
        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indrelid = $1::text::regclass AND a.attname = 'workspace_id' AND i.indpred IS NULL";
    for (table, index) in [
        ("alert_history", "alert_history_newest_idx"),
        ("notifications", "notifications_kind_idx"),
    ] {
        let found: Vec<String> = fixture.value(of_all, &[&table]).await;
        assert_eq!(found, [index], "{table}");
    }
}

#[tokio::test]
async fn an_alert_in_force_is_found_behind_however_many_that_are_over() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fired(&fixture, &home, home.domain, 1, 5_000).await;
    let access = fixture.access(&home).await;
    let alerts = fixture.stores.ports.get::<dyn AlertStore>().unwrap();
    assert!(
        alerts
            .in_force(&access, &page(10))
            .await
            .unwrap()
            .items
            .is_empty()
    );
    let open = "UPDATE alert_history SET resolved_at = NULL, end_reason = NULL
        WHERE id IN (SELECT id FROM alert_history ORDER BY fired_at LIMIT 3)";
    fixture.sql.batch_execute(open).await.unwrap();
    let first = alerts.in_force(&access, &page(2)).await.unwrap();
    assert!(first.items.iter().all(|alert| alert.resolved_at.is_none()));
    assert!(first.items[0].told.fired_at > first.items[1].told.fired_at);
    assert_eq!((first.items.len(), first.has_more), (2, true));
    assert_eq!(alerts.in_force(&access, &page(10)).await.unwrap().items.len(), 3);

    let sql = &fixture.sql;
    sql.batch_execute("VACUUM ANALYZE alert_history").await.unwrap();
    let prepare = format!("PREPARE in_force (uuid, timestamptz, uuid, bigint) AS {IN_FORCE}");
    sql.batch_execute(&prepare).await.unwrap();
    for mode in MODES {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        let execute = format!("EXECUTE in_force ('{}', {START}, 101)", home.domain);
        let (looked_at, plan) = looked_at(&fixture, &execute, "alert_history").await;
        assert!(looked_at < 10, "{looked_at} alerts, {mode}: {plan}");
    }
}

#[tokio::test]
async fn all_domains_of_a_workspace_are_asked_at_once_for_what_is_in_force() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let other = fixture.domain(home.workspace, "other.example").await;
    let quiet = fixture.domain(home.workspace, "quiet.example").await;
    let stranger = fixture.home("bob").await;
    for domain in [home.domain, other, quiet] {
        fired(&fixture, &home, domain, 1, 2_000).await;
    }
    fired(&fixture, &stranger, stranger.domain, 1, 2_000).await;
    let incident = IncidentId::generate();
    let open = format!(
        "UPDATE alert_history AS h
         SET resolved_at = NULL, end_reason = NULL, title = 'Alert ' || oldest.n,
             severity = (ARRAY['info', 'critical', 'critical', 'warning'])[oldest.n],
             context = CASE oldest.n WHEN 3 THEN jsonb_build_object('incident_id', '{incident}') ELSE '{{}}' END
         FROM (
             SELECT id, domain_id, row_number() OVER (PARTITION BY domain_id ORDER BY fired_at) AS n FROM alert_history
         ) AS oldest
         WHERE oldest.id = h.id AND oldest.n <= CASE oldest.domain_id WHEN '{quiet}' THEN 0 WHEN '{other}' THEN 1 ELSE 4 END"
    );
    fixture.sql.batch_execute(&open).await.unwrap();
    let alerts = fixture.stores.ports.get::<dyn AlertStore>().unwrap();
    let mut firing = alerts.firing(&fixture.reach(&home).await[0]).await.unwrap();
    firing.sort_by_key(|firing| firing.count);
    let of = |domain_id, count, severity, title: &str, incident| Firing {
        domain_id,
        count,
        severity,
        title: title.to_owned(),
        incident,
    };
    assert_eq!(
        firing,
        [
            of(other, 1, Severity::Info, "Alert 1", None),
            of(home.domain, 4, Severity::Critical, "Alert 3", Some(incident)),
        ]
    );

    let sql = &fixture.sql;
    sql.batch_execute("VACUUM ANALYZE alert_history").await.unwrap();
    let prepare = format!("PREPARE firing (uuid[]) AS {FIRING}");
    sql.batch_execute(&prepare).await.unwrap();
    for mode in MODES {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        let execute = format!("EXECUTE firing ('{{{},{other},{quiet}}}')", home.domain);
        let (looked_at, plan) = looked_at(&fixture, &execute, "alert_history").await;
        assert!(
            looked_at < 20 && plan.contains("alert_history_in_force_idx"),
            "{looked_at} alerts, {mode}: {plan}"
        );
    }
}
