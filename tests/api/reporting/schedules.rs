//! Reports that are made by themselves.

use std::sync::Arc;

use pharos_domain::clock::Clock;
use pharos_reporting::scheduler::ReportScheduler;
use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;

use super::{get, only, template, worker};
use crate::{fixtures, harness::TestApp};

pub(super) fn scheduler(app: &TestApp) -> ReportScheduler {
    ReportScheduler {
        store: app.stores.ports.get().unwrap(),
        clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
    }
}

/// The clock stands at 09:15 UTC on Tuesday, 2026-03-31: 11:15 in Berlin, in summer.
#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_that_is_due_asks_for_one_report_and_is_due_again() {
    let app = TestApp::start().await;
    let schedule = json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
    let body = json!({
        "name": "Weekly", "default_period": "last_week", "format": "csv", "schedule": schedule,
        "sections_config": only("notes", "text", &json!({ "text": "x" })),
    });
    let id = template(&app, &body).await;
    let next = async || {
        app.sql(&format!(
            "SELECT (next_run_at AT TIME ZONE 'UTC')::text FROM report_templates WHERE id = '{id}'"
        ))
        .await[0][0]
            .clone()
    };
    assert_eq!(next().await.as_deref(), Some("2026-03-31 10:00:00"));
    assert_eq!(scheduler(&app).round().await.unwrap(), 0, "not yet");
    app.clock.advance(time::Duration::minutes(45));
    assert_eq!(scheduler(&app).round().await.unwrap(), 1);
    assert_eq!(scheduler(&app).round().await.unwrap(), 0, "once");
    assert_eq!(next().await.as_deref(), Some("2026-04-07 10:00:00"));
    let runs = get(&app, "runs").await.ok();
    assert_eq!(runs["items"].as_array().unwrap().len(), 1, "{runs}");
    let run = &runs["items"][0];
    assert_eq!(
        (
            &run["trigger"],
            &run["format"],
            &run["period"],
            &run["range_start"],
            &run["range_end"],
            &run["credits_charged"]
        ),
        (
            &json!("schedule"),
            &json!("csv"),
            &json!("last_week"),
            &json!("2026-03-23"),
            &json!("2026-03-29"),
            &json!(0)
        )
    );
    assert_eq!(run["requested_by"]["kind"], "api_key");
}

/// In Auckland it is 01:00 on 1 April as the report is due: 13 hours later than by UTC.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_about_the_month_that_is_over_for_its_readers() {
    let app = TestApp::start().await;
    let schedule =
        json!({ "frequency": "monthly", "day_of_month": 1, "hour": 1, "timezone": "Pacific/Auckland" });
    let body = json!({
        "name": "Monthly", "default_period": "last_month", "format": "json", "schedule": schedule,
        "sections_config": only("notes", "text", &json!({ "text": "x" })),
    });
    template(&app, &body).await;
    app.clock.advance(time::Duration::hours(3));
    assert_eq!(scheduler(&app).round().await.unwrap(), 1);
    let run = get(&app, "runs").await.ok()["items"][0].clone();
    assert_eq!(
        (&run["period"], &run["range_start"], &run["range_end"]),
        (&json!("last_month"), &json!("2026-03-01"), &json!("2026-03-31"))
    );
    let _worker = worker(&app).await;
    let id = run["run_id"].as_str().unwrap();
    app.reaches(&format!(
        "(SELECT status = 'succeeded' FROM runs WHERE id = '{id}')"
    ))
    .await;
    let result = get(&app, &format!("runs/{id}/result")).await.ok();
    let meta = &result["inline"]["meta"];
    assert_eq!(
        (&meta["range_end"], &meta["range_end_partial"]),
        (&json!("2026-03-31"), &json!(true)),
        "by UTC it is still 31 March"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_is_due_is_made_though_its_template_is_changed() {
    let app = TestApp::start().await;
    let schedule = json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
    let id = template(&app, &json!({ "name": "Weekly", "schedule": schedule })).await;
    let path = super::path(&app, &format!("templates/{id}"));
    let change = async |body: Value| app.put(&path, &app.world.key, &body).send().await.ok();
    app.clock.advance(time::Duration::minutes(46));
    change(json!({ "name": "Every week" })).await;
    assert_eq!(scheduler(&app).round().await.unwrap(), 1, "due a minute ago");
    let runs = get(&app, "runs").await.ok();
    assert_eq!(runs["items"][0]["template_name"], "Every week", "{runs}");
    // Another schedule counts from the moment at which it is chosen.
    app.clock.advance(time::Duration::days(7));
    let later = json!({ "frequency": "weekly", "weekday": 2, "hour": 13, "timezone": "Europe/Berlin" });
    change(json!({ "schedule": later })).await;
    assert_eq!(scheduler(&app).round().await.unwrap(), 0);
}

/// It is noted and waits for an hour. Those that are due with it are made.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_can_not_be_recorded_stops_no_other() {
    let app = TestApp::start().await;
    let schedule = json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
    let mut ids = Vec::new();
    for name in ["First", "Refused", "Last"] {
        ids.push(template(&app, &json!({ "name": name, "schedule": schedule })).await);
    }
    app.sql("ALTER TABLE report_runs ADD CONSTRAINT played CHECK (template_name <> 'Refused')")
        .await;
    app.clock.advance(time::Duration::minutes(46));
    for _ in 0..2 {
        scheduler(&app).round().await.unwrap();
    }
    let made = app
        .sql("SELECT template_name FROM report_runs ORDER BY template_name")
        .await;
    assert_eq!(made, ["First", "Last"].map(|name| [Some(name.to_owned())]));
    let noted = app.sql("SELECT kind, subject, times::text FROM set_aside").await;
    assert_eq!(
        noted,
        [["report_template", ids[1].as_str(), "1"].map(|cell| Some(cell.to_owned()))]
    );
    app.sql("ALTER TABLE report_runs DROP CONSTRAINT played").await;
    app.clock.advance(time::Duration::minutes(61));
    assert_eq!(scheduler(&app).round().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_that_is_taken_back_is_not_due() {
    let app = TestApp::start().await;
    let schedule = json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
    let id = template(&app, &json!({ "name": "Weekly", "schedule": schedule })).await;
    let path = super::path(&app, &format!("templates/{id}"));
    let changed = app
        .put(&path, &app.world.key, &json!({ "schedule": null }))
        .send()
        .await
        .ok();
    assert_eq!(changed["schedule"], Value::Null);
    app.clock.advance(time::Duration::days(30));
    assert_eq!(scheduler(&app).round().await.unwrap(), 0);
}

/// Such a report goes to people by itself, so nobody sees that a module was away for a moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_is_due_waits_ten_minutes_for_a_module_that_fails() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for name in ["In time", "Too late"] {
        let schedule =
            json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
        let body = json!({
            "name": name, "format": "json", "schedule": schedule,
            "sections_config": only("robots", "kpi_row", &json!({})),
        });
        template(&app, &body).await;
    }
    app.sql("ALTER TABLE robots_sites RENAME TO robots_sites_away")
        .await;
    let _worker = worker(&app).await;
    app.clock.advance(time::Duration::minutes(45));
    assert_eq!(scheduler(&app).round().await.unwrap(), 2);
    app.reaches(
        "(SELECT count(*) FROM jobs WHERE kind = 'report' AND state = 'queued' AND run_at > now()) = 2",
    )
    .await;
    let runs = get(&app, "runs").await.ok();
    let run = |name: &str| {
        let mut runs = runs["items"].as_array().unwrap().iter();
        let run = runs.find(|run| run["template_name"] == name).unwrap();
        run["run_id"].as_str().unwrap().to_owned()
    };
    // As the worker began with it so long ago.
    let begun = async |run: &str, minutes: i64| {
        let since = (app.now() - time::Duration::minutes(minutes))
            .format(&Rfc3339)
            .unwrap();
        app.sql(&format!(
            "UPDATE runs SET started_at = '{since}' WHERE id = '{run}'"
        ))
        .await;
        app.sql(&format!("UPDATE jobs SET run_at = now() WHERE run_id = '{run}'"))
            .await;
        app.sql("SELECT pg_notify('pharos_jobs', 'report')").await;
        app.reaches(&format!(
            "(SELECT status = 'succeeded' FROM runs WHERE id = '{run}')"
        ))
        .await;
        let result = get(&app, &format!("runs/{run}/result")).await.ok();
        result["inline"]["sections"][0]["widgets"][0]["status"].clone()
    };
    let (in_time, too_late) = (run("In time"), run("Too late"));
    assert_eq!(begun(&too_late, 10).await, "module_unavailable");
    assert_eq!(
        get(&app, &format!("runs/{in_time}")).await.ok()["finished_at"],
        Value::Null
    );
    app.sql("ALTER TABLE robots_sites_away RENAME TO robots_sites")
        .await;
    assert_eq!(begun(&in_time, 9).await, "ok");
}

/// Earlier versions took templates of which nothing is on, or which have nothing but sections that this one does not know.
#[tokio::test(flavor = "multi_thread")]
async fn a_stored_template_that_shows_nothing_makes_no_blank_report_and_its_run_says_why() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    for (number, sections) in [
        json!([]),
        json!([{ "section": "uptime", "widgets": [] }]),
        json!([{ "section": "weather", "widgets": [{ "widget": "rain" }] }]),
    ]
    .into_iter()
    .enumerate()
    {
        let schedule =
            json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
        let body = json!({ "name": format!("Blank {number}"), "format": "html", "schedule": schedule });
        let id = template(&app, &body).await;
        let stored = json!({ "version": 1, "sections": sections });
        app.sql(&format!(
            "UPDATE report_templates SET sections = '{stored}' WHERE id = '{id}'"
        ))
        .await;
    }
    app.clock.advance(time::Duration::minutes(45));
    assert_eq!(scheduler(&app).round().await.unwrap(), 3);
    app.reaches("(SELECT count(*) FROM runs WHERE kind = 'report' AND finished_at IS NOT NULL) = 3")
        .await;
    let runs = get(&app, "runs").await.ok();
    let runs = runs["items"].as_array().unwrap();
    assert_eq!(runs.len(), 3, "{runs:?}");
    for run in runs {
        assert_eq!(
            (&run["status"], &run["error_code"]),
            (&json!("failed"), &json!("invalid-request")),
            "{run}"
        );
        let detail = run["error_detail"].as_str().unwrap();
        assert!(
            detail.contains("sections_config") && detail.contains("nothing is on"),
            "{detail}"
        );
        let id = run["run_id"].as_str().unwrap();
        get(&app, &format!("runs/{id}/result"))
            .await
            .problem(404, "report-not-found");
    }
}
