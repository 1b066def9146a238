//! GET /domains/{domain_id}/analytics/overview, /pages and /realtime, of the log that was worked out by hand.

use serde_json::{Value, json};

use super::{path, told};
use crate::harness::TestApp;

pub(crate) async fn get(app: &TestApp, rest: &str) -> Value {
    app.get(&path(app, rest), &app.world.key).send().await.ok()
}

pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// 1 and 2 April against 30 and 31 March: 4 visitors after 9, 6 sessions after 10, 5 page views after 13, 3 of 6 bounces after 4
/// of 10, 1,700 s of 6 after 4,420 s of 10, −59.00 after 100.00.
#[tokio::test]
async fn the_overview_is_what_was_worked_out() {
    let app = told().await;
    let days = "start_date=2026-04-01&end_date=2026-04-02";
    let overview = get(&app, &format!("overview?{days}&compare_previous=true")).await;
    for (member, expected) in [
        ("visitors", json!(4)),
        ("sessions", json!(6)),
        ("pageviews", json!(5)),
        ("events", json!(5)),
        ("bounce_rate_pct", json!(50.0)),
        ("revenue", json!(-59.0)),
        ("currency", json!("EUR")),
    ] {
        assert_eq!(overview[member], expected, "{member}");
    }
    for (member, expected) in [
        ("avg_duration_seconds", 1_700.0 / 6.0),
        ("views_per_session", 5.0 / 6.0),
        ("visitors_change_pct", -500.0 / 9.0),
        ("sessions_change_pct", -40.0),
        ("bounce_rate_change_pp", 10.0),
    ] {
        let found = number(&overview[member]);
        assert!((found - expected).abs() < 1e-9, "{member}: {found}");
    }
    let previous = &overview["previous"];
    assert_eq!(
        (&previous["visitors"], &previous["revenue"]),
        (&json!(9), &json!(100.0))
    );
    assert_eq!(
        overview["items"],
        json!([
            { "date": "2026-04-01", "visitors": 4, "sessions": 6, "pageviews": 5 },
            { "date": "2026-04-02", "visitors": 0, "sessions": 0, "pageviews": 0 },
        ])
    );
    let meta = &overview["meta"];
    assert_eq!(meta["visitor_scope"], "day_unique");
    assert_eq!(
        (&meta["compare_range_start"], &meta["compare_range_end"]),
        (&json!("2026-03-30"), &json!("2026-03-31"))
    );
    // Without compare_previous the changes are the same, and nothing else is shown.
    let alone = get(&app, &format!("overview?{days}")).await;
    assert_eq!(alone["visitors_change_pct"], overview["visitors_change_pct"]);
    assert_eq!(
        (alone.get("previous"), &alone["meta"]["compare_mode"]),
        (None, &Value::Null)
    );
    // Nothing to compare with.
    let first = get(&app, "overview?start_date=2026-03-30&end_date=2026-03-30").await;
    assert_eq!(
        (&first["visitors_change_pct"], &first["bounce_rate_change_pp"]),
        (&Value::Null, &json!(0.0))
    );
    let none = get(
        &app,
        &format!("overview?{days}&channel=sms&source=%27%25&page=%2F"),
    )
    .await;
    assert_eq!(
        (&none["visitors"], &none["bounce_rate_pct"], &none["revenue"]),
        (&json!(0), &Value::Null, &json!(0.0))
    );
}

#[tokio::test]
async fn pages_have_the_nulls_of_their_type() {
    let app = told().await;
    let days = "start_date=2026-03-30&end_date=2026-04-03";
    let all = get(&app, &format!("pages?{days}&limit=1")).await;
    assert_eq!(
        (&all["total_pages"], &all["totals"]["visitors"], &all["type"]),
        (&json!(5), &json!(16), &json!("all"))
    );
    let first = &all["items"][0];
    assert_eq!(
        (
            &first["page"],
            &first["visitors"],
            &first["entries"],
            &first["exits"]
        ),
        (&json!("/"), &json!(9), &json!(8), &json!(6))
    );
    assert_eq!(
        (&first["bounce_rate_pct"], &first["share_pct"]),
        (&json!(37.5), &json!(56.25))
    );
    assert_eq!(
        (&first["avg_time_seconds"], &first["scroll_depth_pct"]),
        (&json!(16.0), &json!(40.0))
    );
    let entry = get(&app, &format!("pages?{days}&type=entry&limit=1")).await;
    let first = &entry["items"][0];
    assert_eq!(
        (
            &first["entries"],
            &first["exits"],
            &first["exit_rate_pct"],
            &first["bounce_rate_pct"]
        ),
        (&json!(8), &Value::Null, &Value::Null, &Value::Null)
    );
    let exit = get(
        &app,
        &format!("pages?{days}&type=exit&search=SHOP&device=desktop"),
    )
    .await;
    let first = &exit["items"][0];
    assert_eq!(
        (
            &exit["total_pages"],
            &first["entries"],
            &first["exits"],
            &first["exit_rate_pct"]
        ),
        (&json!(1), &Value::Null, &json!(1), &json!(100.0))
    );
}

#[tokio::test]
async fn realtime_has_every_minute() {
    let app = told().await;
    let realtime = get(&app, "realtime").await;
    assert_eq!(
        (
            &realtime["active_visitors"],
            &realtime["pageviews"],
            &realtime["window_minutes"]
        ),
        (&json!(3), &json!(3), &json!(30))
    );
    let items = realtime["items"].as_array().unwrap();
    assert_eq!(
        (items.len(), &items[0]["minute"], &items[29]["minute"]),
        (30, &json!("2026-04-03T11:31:00Z"), &json!("2026-04-03T12:00:00Z"))
    );
    assert_eq!(items[29]["visitors"], 1);
    assert_eq!(
        realtime["sources"],
        json!([
            { "source": "direct", "visitors": 2, "pageviews": 2 },
            { "source": "google", "visitors": 1, "pageviews": 1 },
        ])
    );
    assert_eq!(
        realtime["events"],
        json!([{ "event_name": "signup", "visitors": 1, "count": 1 }])
    );
}
