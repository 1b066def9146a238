//! Nodes that evaluate the same rules, one of which is killed.

use pharos_persistence::testing::look;
use serde_json::json;

use super::{
    deliveries::{see_now, sender},
    evaluations::watched,
    make,
};

const RULES: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn rules_that_a_killed_node_had_claimed_fire_once() {
    let app = watched().await;
    see_now(&app, 200).await;
    for number in 0..RULES {
        let rule = json!({
            "module": "uptime", "metric": "consecutive_failures", "operator": "gte", "threshold_value": 2,
            "severity": "critical", "cooldown_minutes": 0, "name": format!("Rule {number}"),
        });
        make(&app, rule).await;
    }
    for round in 1..=3 {
        // Whoever wants to store an alert waits for this lock: the rules are claimed, and nothing is settled.
        let url = app.database.url().to_owned();
        let holder = tokio::spawn(async move {
            look(
                &url,
                "BEGIN; LOCK TABLE alert_history IN SHARE MODE; SELECT pg_sleep(3600)",
            )
            .await
        });
        let lock = "EXISTS (SELECT FROM pg_locks WHERE relation = 'alert_history'::regclass AND";
        app.reaches(&format!("{lock} granted AND mode = 'ShareLock')"))
            .await;
        let killed = sender(&app, &[]);
        see_now(&app, 503).await;
        app.reaches(&format!("{lock} NOT granted)")).await;
        killed.signal("KILL");
        app.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)' AND pid <> pg_backend_pid()")
            .await;
        holder.abort();
        let _staying = sender(&app, &[]);
        // Rules that the killed node had claimed are free once its leases end.
        app.sql("UPDATE alert_evaluations SET leased_until = now() WHERE leased_until > now()")
            .await;
        let fired = RULES * round;
        app.reaches(&format!("(SELECT count(*) FROM alert_history) >= {fired}"))
            .await;
        see_now(&app, 200).await;
        app.reaches("NOT EXISTS (SELECT FROM alert_history WHERE resolved_at IS NULL)")
            .await;
        for (rows, what) in [
            ("count(*) FROM alert_history", "alerts"),
            ("count(*) FROM notifications", "notifications"),
            (
                "count(DISTINCT notification_id) FROM alert_history",
                "notifications of alerts",
            ),
        ] {
            let count = app.sql(&format!("SELECT {rows}")).await;
            assert_eq!(
                count[0][0].as_deref(),
                Some(&*fired.to_string()),
                "{what} in round {round}"
            );
        }
    }
}
