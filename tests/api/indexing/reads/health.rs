//! Health, and what alert rules may watch.

use pharos_domain::{
    alert_metric::{AlertMetric, MetricFilter, MetricQuery, MetricSource, MetricWindow},
    time_range::TimeRange,
};
use pharos_search::indexing::alert_metrics::{CATALOGUE, IndexingMetrics};
use serde_json::json;
use time::{Duration, OffsetDateTime, macros::datetime};

use super::{eight_days_later, site};
use crate::harness::TestApp;

#[tokio::test]
async fn health_is_the_share_in_the_index() {
    let app = TestApp::start().await;
    site(&app).await;
    let health = app
        .get(&format!("/domains/{}/health", app.world.domain), &app.world.key)
        .send()
        .await
        .ok();
    let modules = health["modules"].as_array().unwrap().iter();
    let mut modules = modules.filter(|module| module["module"] == "indexing");
    let indexing = modules.next().unwrap();
    assert_eq!(
        (&indexing["score"], &indexing["status"]),
        (&json!(25.0), &json!("critical"))
    );
    assert_eq!(
        (
            &indexing["reasons"][0]["code"],
            &indexing["reasons"][1]["code"],
            &indexing["reasons"][1]["value"]
        ),
        (
            &json!("few_indexed_urls"),
            &json!("indexing_fetch_errors"),
            &json!(1.0)
        )
    );
}

fn metric(name: &str) -> &'static AlertMetric {
    CATALOGUE
        .metrics
        .iter()
        .find(|metric| metric.name == name)
        .unwrap()
}

#[tokio::test]
async fn rules_may_watch_how_urls_stand_and_which_leave() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    eight_days_later(&app, &played).await;
    let source = IndexingMetrics::new(&app.stores.ports).unwrap();
    let now = app.now();
    let hour = |until: OffsetDateTime| MetricWindow::Over(TimeRange::new(until - Duration::HOUR, until));
    let day = |until: OffsetDateTime| MetricWindow::Over(TimeRange::new(until - Duration::DAY, until));
    let soon = now + Duration::MINUTE;
    let asked = [
        (
            "indexed_urls",
            vec![
                MetricWindow::Latest,
                hour(datetime!(2026-04-02 10:00 UTC)),
                hour(datetime!(2026-03-30 10:00 UTC)),
            ],
        ),
        ("indexed_pct", vec![MetricWindow::Latest]),
        ("crawled_not_indexed", vec![MetricWindow::Latest]),
        (
            "noindex_urls",
            vec![MetricWindow::Latest, hour(datetime!(2026-04-02 10:00 UTC))],
        ),
        (
            "fetch_errors",
            vec![MetricWindow::Latest, hour(datetime!(2026-04-02 10:00 UTC))],
        ),
        ("canonical_mismatches", vec![MetricWindow::Latest]),
        (
            "newly_deindexed",
            vec![
                day(soon),
                day(datetime!(2026-04-02 10:00 UTC)),
                day(datetime!(2026-03-30 10:00 UTC)),
            ],
        ),
    ];
    let queries: Vec<MetricQuery> = asked
        .iter()
        .map(|(name, windows)| MetricQuery {
            domain: app.world.domain,
            metric: metric(name),
            filter: MetricFilter::default(),
            windows: windows.clone(),
            needs_sample: false,
        })
        .collect();
    let answers = source.read(&queries, now).await.unwrap();
    let values: Vec<Vec<Option<f64>>> = answers
        .iter()
        .map(|answer| answer.values.iter().map(|value| value.reading.value()).collect())
        .collect();
    assert_eq!(
        values,
        [
            vec![Some(3.0), Some(2.0), None],
            vec![Some(33.33)],
            vec![Some(2.0)],
            vec![Some(1.0), Some(0.0)],
            vec![Some(0.0), Some(1.0)],
            vec![Some(1.0)],
            vec![Some(1.0), Some(0.0), None],
        ]
    );
}
