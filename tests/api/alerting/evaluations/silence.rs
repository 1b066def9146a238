//! Maintenance windows: what they cover fires nothing.

use serde_json::json;
use time::Duration;

use super::{
    super::{evaluate, evaluate_later, make, path},
    history, watched,
};

#[tokio::test]
async fn nothing_fires_while_a_maintenance_window_is_open() {
    let app = watched().await;
    let slow = json!({"module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": 1});
    make(&app, slow).await;
    let (starts_at, ends_at) = (app.now() - Duration::HOUR, app.now() + Duration::hours(2));
    let stamp = |at| pharos_domain::timestamp::Timestamp::from(at).to_string();
    let window = json!({"maintenance_windows": [{"name": "Work", "starts_at": stamp(starts_at), "ends_at": stamp(ends_at)}]});
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &window).send().await.ok();
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 0);
    app.put(&config, &app.world.key, &json!({"maintenance_windows": []}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 1);
}

/// The window stands in uptime's settings and is meant for the site: rules of other modules hold back too, and so do those that
/// count events, which are told once it is over. A paused monitor is uptime's alone.
#[tokio::test]
async fn a_maintenance_window_silences_every_module_and_events() {
    let app = watched().await;
    for (module, metric) in [
        ("uptime", "ssl_certificate_changed"),
        ("robots", "content_changed"),
    ] {
        let rule = json!({"module": module, "metric": metric, "operator": "gte", "threshold_value": 1});
        make(&app, rule).await;
    }
    evaluate(&app).await;
    let domain = app.world.domain;
    let happened = format!(
        "INSERT INTO metric_events (domain_id, module, metric, at, context)
         VALUES ('{domain}', 'uptime', 'ssl_certificate_changed', now(), '{{}}'),
             ('{domain}', 'robots', 'content_changed', now(), '{{}}')"
    );
    let (starts_at, ends_at) = (app.now() - Duration::HOUR, app.now() + Duration::hours(2));
    let stamp = |at| pharos_domain::timestamp::Timestamp::from(at).to_string();
    let window = json!({"maintenance_windows": [{"name": "Work", "starts_at": stamp(starts_at), "ends_at": stamp(ends_at)}]});
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &window).send().await.ok();
    app.sql(&happened).await;
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 0);
    app.put(&config, &app.world.key, &json!({"maintenance_windows": []}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 2);
    app.put(&config, &app.world.key, &json!({"enabled": false}))
        .send()
        .await
        .ok();
    app.sql(&happened).await;
    evaluate_later(&app, 1).await;
    let told = history(&app).await;
    assert_eq!(told.len(), 3);
    assert_eq!(told[0]["module"], "robots");
    // The site is worked on while its monitor is paused: that was announced to the others no less.
    app.put(&config, &app.world.key, &window).send().await.ok();
    app.sql(&happened).await;
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 3);
    app.put(&config, &app.world.key, &json!({"maintenance_windows": []}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    let told = history(&app).await;
    assert_eq!(told.len(), 4);
    assert_eq!(told[0]["module"], "robots");
}
