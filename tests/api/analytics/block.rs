//! The part of analytics in the overview of a domain.

use serde_json::json;
use time::Duration;

use super::{reads::number, told};

/// The log has 16 visitors and 19 sessions, all of them within the last 28 days.
#[tokio::test]
async fn a_domain_shows_what_the_overview_of_analytics_says_of_the_same_days() {
    let app = told().await;
    let ask = async |rest: &str| {
        let path = format!("/domains/{}/{rest}", app.world.domain);
        app.get(&path, &app.world.key).send().await.ok()
    };
    let domain = ask("overview").await;
    let [first, last] = ["range_start", "range_end"].map(|day| domain["meta"][day].as_str().unwrap());
    let visits = ask(&format!("analytics/overview?start_date={first}&end_date={last}")).await;
    assert_eq!(
        (&visits["visitors"], &visits["sessions"]),
        (&json!(16), &json!(19))
    );
    for member in [
        "visitors",
        "sessions",
        "pageviews",
        "bounce_rate_pct",
        "avg_duration_seconds",
    ] {
        let (found, wanted) = (number(&domain["analytics"][member]), number(&visits[member]));
        assert!(
            (found - wanted).abs() < 0.01,
            "{member}: {found} instead of {wanted}"
        );
    }
}

/// The 28 days before the log's have nobody, so that nobody is missed. A window later all 16 are.
#[tokio::test]
async fn visits_have_no_score_and_their_status_is_by_the_visitors_of_the_window_before() {
    let app = told().await;
    let row = async || {
        let path = format!("/domains/{}/health?freshness=live", app.world.domain);
        let health = app.get(&path, &app.world.key).send().await.ok();
        let rows = health["modules"].as_array().unwrap();
        rows.iter()
            .find(|row| row["module"] == "analytics")
            .unwrap()
            .clone()
    };
    let present = row().await;
    assert_eq!(
        (&present["score"], &present["status"]),
        (&json!(null), &json!("ok"))
    );
    app.clock.advance(28 * Duration::DAY);
    let later = row().await;
    assert_eq!(
        (&later["score"], &later["status"]),
        (&json!(null), &json!("critical"))
    );
    assert_eq!(
        later["reasons"],
        json!([{ "code": "visitors_fell", "severity": "critical", "value": 100.0, "threshold": 50.0, "unit": "pct" }])
    );
}
