//! Nodes that evaluate the same rules, one of which is killed.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{
    deliveries::{reaches, see_now, sender},
    evaluations::watched,
    make,
};

const RULES: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_fire_one_alert_a_breach_though_one_is_killed_meanwhile() {
    let app = watched().await;
    see_now(&app, 200).await;
    for number in 0..RULES {
        let rule = json!({
            "module": "uptime", "metric": "consecutive_failures", "operator": "gte", "threshold_value": 2,
            "severity": "critical", "cooldown_minutes": 0, "name": format!("Rule {number}"),
        });
        make(&app, rule).await;
    }
    let staying = sender(&app, &[]);
    for round in 1..=4 {
        let killed = sender(&app, &[]);
        let began = Instant::now();
        see_now(&app, 503).await;
        // Somewhere between the claim of the rules and the commit of what they came to.
        sleep(Duration::from_millis(fastrand::u64(0..150))).await;
        killed.signal("KILL");
        // What the killed node had claimed is free once its leases end.
        app.sql("UPDATE alert_evaluations SET leased_until = now() WHERE leased_until > now()")
            .await;
        let fired = RULES * round;
        reaches(&app, &format!("(SELECT count(*) FROM alert_history) >= {fired}")).await;
        see_now(&app, 200).await;
        reaches(
            &app,
            "NOT EXISTS (SELECT FROM alert_history WHERE resolved_at IS NULL)",
        )
        .await;
        for (rows, what) in [
            ("(SELECT count(*) FROM alert_history)", "alerts"),
            ("(SELECT count(*) FROM notifications)", "notifications"),
            (
                "(SELECT count(DISTINCT notification_id) FROM alert_history)",
                "notifications of alerts",
            ),
        ] {
            let count = app.sql(&format!("SELECT {rows}")).await;
            assert_eq!(
                count[0][0].as_deref(),
                Some(&*fired.to_string()),
                "{what} in round {round}, {:?}",
                began.elapsed()
            );
        }
    }
    drop(staying);
}
