//! GET /workspaces/{workspace_id}/quotas

use std::collections::BTreeMap;

use pharos_account::admin::plans::Plan;
use pharos_domain::quota::QuotaResource;
use serde_json::{Value, json};
use time::macros::datetime;

use crate::harness::{TestApp, World, actor};

/// Moves the world's workspace to a plan with these quotas.
async fn limit(app: &TestApp, quotas: &[(QuotaResource, i64)]) {
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: Vec::new(),
        quotas: BTreeMap::from_iter(quotas.iter().copied()),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
}

async fn use_up(app: &TestApp, resource: &str, period_start: &str, used: i64) {
    app.sql(&format!(
        "INSERT INTO quota_usage VALUES ('{}', '{resource}', '{period_start}', {used})",
        app.world.workspace
    ))
    .await;
}

async fn quotas(app: &TestApp) -> Vec<Value> {
    let path = format!("/workspaces/{}/quotas", app.world.workspace);
    let page = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(
        (&page["next_cursor"], &page["has_more"]),
        (&Value::Null, &json!(false))
    );
    page["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_default_plan_limits_nothing() {
    let app = TestApp::start().await;
    let row = |resource: &str, period: &str, resets_on: Value| {
        json!({
            "resource": resource,
            "used": 0,
            "limit": null,
            "remaining": null,
            "resets_on": resets_on,
            "period": period,
        })
    };
    let want = [
        row("inspector_urls", "day", json!("2026-04-01")),
        row("synthetic_runs", "month", json!("2026-04-01")),
        row("tracked_urls_crux", "none", Value::Null),
        row("tracked_urls_synthetic", "none", Value::Null),
        row("monitored_urls_indexing", "none", Value::Null),
        row("report_templates", "none", Value::Null),
    ];
    assert_eq!(quotas(&app).await, want);
}

#[tokio::test]
async fn a_quota_is_its_plan_s_limit_less_what_was_used() {
    let app = TestApp::start().await;
    let limits = [
        (QuotaResource::InspectorUrls, 100),
        (QuotaResource::TrackedUrlsCrux, 0),
        (QuotaResource::ReportTemplates, 5),
    ];
    limit(&app, &limits).await;
    use_up(&app, "inspector_urls", "2026-03-31", 40).await;
    use_up(&app, "synthetic_runs", "2026-03-01", 9).await;
    // More than there is: the plan had more when they were made.
    use_up(&app, "report_templates", "1970-01-01", 8).await;
    let other = World::create(&app.stores, app.now()).await;
    let figures: Vec<Value> = quotas(&app)
        .await
        .into_iter()
        .map(|row| json!([row["resource"], row["used"], row["limit"], row["remaining"]]))
        .collect();
    let want = [
        json!(["inspector_urls", 40, 100, 60]),
        json!(["synthetic_runs", 9, null, null]),
        json!(["tracked_urls_crux", 0, 0, 0]),
        json!(["tracked_urls_synthetic", 0, null, null]),
        json!(["monitored_urls_indexing", 0, null, null]),
        json!(["report_templates", 8, 5, 0]),
    ];
    assert_eq!(figures, want);
    let path = format!("/workspaces/{}/quotas", other.workspace);
    let page = app.get(&path, &other.key).send().await.ok();
    let rows = page["items"].as_array().unwrap();
    assert!(
        rows.iter().all(|row| row["used"] == 0 && row["limit"].is_null()),
        "{page}"
    );
    app.get(&path, &app.world.key)
        .send()
        .await
        .problem(404, "workspace-not-found");
}

#[tokio::test]
async fn days_and_months_begin_anew_and_stocks_do_not() {
    let app = TestApp::start().await;
    use_up(&app, "inspector_urls", "2026-03-31", 40).await;
    use_up(&app, "inspector_urls", "2026-04-01", 3).await;
    use_up(&app, "synthetic_runs", "2026-03-01", 9).await;
    use_up(&app, "synthetic_runs", "2026-04-01", 2).await;
    use_up(&app, "report_templates", "1970-01-01", 8).await;
    let seen = async |at| {
        app.clock.advance(at - app.now());
        let rows = quotas(&app).await;
        let [day, month, .., stock] = rows.as_slice() else {
            panic!("{rows:?}")
        };
        let figures = |row: &Value| json!([row["used"], row["resets_on"]]);
        [figures(day), figures(month), figures(stock)]
    };
    assert_eq!(
        seen(datetime!(2026-03-31 23:59:59.999 UTC)).await,
        [
            json!([40, "2026-04-01"]),
            json!([9, "2026-04-01"]),
            json!([8, null])
        ]
    );
    assert_eq!(
        seen(datetime!(2026-04-01 00:00 UTC)).await,
        [
            json!([3, "2026-04-02"]),
            json!([2, "2026-05-01"]),
            json!([8, null])
        ]
    );
    assert_eq!(
        seen(datetime!(2026-12-31 12:00 UTC)).await,
        [
            json!([0, "2027-01-01"]),
            json!([0, "2027-01-01"]),
            json!([8, null])
        ]
    );
}
