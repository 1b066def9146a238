//! POST …/experiments/{experiment_id}/evaluate of what a worker works out, and GET …/evaluations/latest meanwhile.

use serde_json::{Value, json};
use time::Duration;

use super::experiments::{design, evaluated, felt, get, made, near, searched, visited, worker};

/// Without the table that says what was received no page can be read.
#[tokio::test]
async fn the_pages_of_a_time_series_are_read_by_its_job_alone() {
    let app = visited().await;
    let series = made(&app, &design("bsts")).await;
    app.sql("ALTER TABLE analytics_progress RENAME TO not_there")
        .await;
    let pending = evaluated(&app, &series, "a").await.ok();
    assert_eq!(pending["status"], "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_series_is_pending_until_a_worker_has_drawn_it() {
    let app = visited().await;
    let id = made(&app, &design("bsts")).await;
    let latest = format!("/{id}/evaluations/latest");
    let pending = evaluated(&app, &id, "a").await.ok();
    assert_eq!(
        (&pending["status"], &pending["verdict"], &pending["progress_pct"]),
        (&json!("pending"), &Value::Null, &json!(0.0))
    );
    assert_eq!(get(&app, &latest).await.ok()["status"], "pending");
    let _worker = worker(&app).await;
    app.reaches("(SELECT status = 'completed' FROM analytics_evaluations)")
        .await;
    let found = get(&app, &latest).await.ok();
    assert_eq!(
        (&found["id"], &found["verdict"], &found["progress_pct"]),
        (&pending["id"], &json!("improved"), &json!(100.0))
    );
    near(&found["effect_absolute"], 10.0, 1.0);
    let details = &found["details"];
    assert_eq!(details["covariates"], json!(["control"]));
    let series = details["series"].as_array().unwrap();
    // 5 January to 29 March.
    assert_eq!((series.len(), &series[0]["date"]), (84, &json!("2026-01-05")));
    assert_eq!(
        series[55]["observed"],
        Value::Null,
        "1 March lies between both windows"
    );
    let last = series.last().unwrap()["cumulative_effect"].as_f64().unwrap();
    near(&details["cumulative_effect"], last, 1e-6);
}

/// Every note of how much is done is written down by the database.
#[tokio::test(flavor = "multi_thread")]
async fn how_much_of_an_evaluation_is_done_grows_while_it_is_worked_out() {
    let app = visited().await;
    let id = made(&app, &design("bsts")).await;
    evaluated(&app, &id, "a").await.ok();
    app.sql("UPDATE analytics_evaluations SET progress_pct = 40")
        .await;
    let pending = get(&app, &format!("/{id}/evaluations/latest")).await.ok();
    assert_eq!(
        (
            &pending["status"],
            &pending["progress_pct"],
            &pending["completed_at"]
        ),
        (&json!("pending"), &json!(40.0), &Value::Null)
    );
    app.sql("CREATE TABLE noted (place bigint GENERATED ALWAYS AS IDENTITY, progress_pct double precision, status text)")
        .await;
    app.sql(
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             INSERT INTO noted (progress_pct, status) VALUES (NEW.progress_pct, NEW.status);
             RETURN NEW;
         END $$",
    )
    .await;
    app.sql("CREATE TRIGGER note AFTER UPDATE ON analytics_evaluations FOR EACH ROW EXECUTE FUNCTION note()")
        .await;
    let worker = worker(&app).await;
    app.reaches("(SELECT status = 'completed' FROM analytics_evaluations)")
        .await;
    drop(worker);
    let noted = app
        .sql("SELECT progress_pct::text, status FROM noted ORDER BY place")
        .await;
    let (last, before) = noted.split_last().unwrap();
    assert_eq!(
        (last[0].as_deref(), last[1].as_deref()),
        (Some("100"), Some("completed"))
    );
    let told: Vec<f64> = before
        .iter()
        .map(|row| {
            assert_eq!(row[1].as_deref(), Some("pending"));
            row[0].as_ref().unwrap().parse().unwrap()
        })
        .collect();
    assert!(told.len() > 1, "{told:?}");
    assert!(told.iter().all(|told| 0.0 < *told && *told < 100.0), "{told:?}");
    assert!(told.is_sorted_by(|before, after| before < after), "{told:?}");
}

/// 25 are there, and one comes.
#[tokio::test]
async fn the_newest_twenty_evaluations_of_an_experiment_are_kept() {
    let app = visited().await;
    let id = made(&app, &design("did")).await;
    evaluated(&app, &id, "a").await.ok();
    app.sql(
        "INSERT INTO analytics_evaluations
         SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
         FROM analytics_evaluations AS e, generate_series(2, 25)",
    )
    .await;
    app.clock.advance(Duration::MINUTE);
    let newest = evaluated(&app, &id, "b").await.ok();
    let kept = app.sql("SELECT count(*)::text FROM analytics_evaluations").await;
    assert_eq!(kept[0][0].as_deref(), Some("20"));
    let latest = get(&app, &format!("/{id}/evaluations/latest")).await.ok();
    assert_eq!(latest["id"], newest["id"]);
}

#[tokio::test]
async fn an_evaluation_whose_job_was_given_up_has_failed() {
    let app = visited().await;
    let id = made(&app, &design("bsts")).await;
    evaluated(&app, &id, "a").await.ok();
    app.sql("UPDATE jobs SET state = 'dead', finished_at = now()")
        .await;
    let found = get(&app, &format!("/{id}/evaluations/latest")).await.ok();
    assert_eq!(
        (&found["status"], &found["error_code"], &found["verdict"]),
        (&json!("failed"), &json!("internal-error"), &Value::Null)
    );
    assert!(found["completed_at"].is_string());
    app.clock.advance(Duration::MINUTE);
    let again = evaluated(&app, &id, "b").await.ok();
    assert_eq!(
        get(&app, &format!("/{id}/evaluations/latest")).await.ok()["id"],
        again["id"]
    );
}

/// The site is checked, viewed and found at a port.
#[tokio::test]
async fn pages_of_a_site_at_a_port_have_vitals_and_search_by_the_address_that_is_checked() {
    let app = searched().await;
    felt(&app).await;
    for texts in ["rum_texts", "search_values"] {
        app.sql(&format!(
            "UPDATE {texts} SET value = regexp_replace(value, '^https?://([a-z.]+)/', 'http://\\1:7071/')"
        ))
        .await;
    }
    let monitor = format!("/domains/{}/uptime/config", app.world.domain);
    let body = json!({ "url": "http://shop.example:7071/" });
    let watched = app.put(&monitor, &app.world.key, &body).send().await;
    assert_eq!(watched.status, 200, "{}", watched.json());
    for metric in ["lcp_ms", "gsc_clicks"] {
        let mut asked = design("mann_whitney");
        asked["primary_metric"] = json!(metric);
        let id = made(&app, &asked).await;
        let found = evaluated(&app, &id, metric).await.ok();
        assert_eq!(found["verdict"], "improved", "{metric}");
    }
}
