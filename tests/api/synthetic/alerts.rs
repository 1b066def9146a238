//! The metrics that alert rules watch.

use pharos_domain::{
    alert_metric::{
        FormFactor, MetricAnswer, MetricFilter, MetricQuery, MetricSource, MetricValue, MetricWindow,
    },
    time_range::TimeRange,
};
use pharos_synthetic::alert_metrics::{CATALOGUE, LabMetrics};
use serde_json::json;
use time::Duration;

use super::{MISSING, measured, measured_as, scored, send, track};
use crate::harness::TestApp;

async fn values(
    app: &TestApp,
    metric: &str,
    filter: MetricFilter,
    windows: &[MetricWindow],
) -> Vec<(Option<f64>, Option<u64>)> {
    let told = |value: &MetricValue| (value.reading.value(), value.sample);
    let answer = answer(app, metric, filter, windows).await;
    answer.values.iter().map(told).collect()
}

async fn answer(app: &TestApp, metric: &str, filter: MetricFilter, windows: &[MetricWindow]) -> MetricAnswer {
    let query = MetricQuery {
        domain: app.world.domain,
        metric: CATALOGUE
            .metrics
            .iter()
            .find(|found| found.name == metric)
            .unwrap(),
        filter,
        windows: windows.to_vec(),
        needs_sample: true,
    };
    let source = LabMetrics::new(&app.stores.ports).unwrap();
    let answers = source.read(&[query.clone(), query], app.now()).await.unwrap();
    let [first, second] = answers.try_into().unwrap();
    assert_eq!(first, second, "each query has its own answer");
    first
}

#[tokio::test]
async fn an_alert_says_which_page_and_which_test_it_is_about() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let budgets = json!({ "items": [{ "metric": "performance_score", "limit": 80 }] });
    send(&app, "PUT", "budgets", &budgets).await.ok();
    let day = MetricWindow::Over(TimeRange::new(
        app.now() - Duration::HOUR,
        app.now() + Duration::HOUR,
    ));
    let context = async |metric: &str, window: MetricWindow| {
        json!(
            answer(&app, metric, MetricFilter::default(), &[window, day])
                .await
                .context
        )
    };
    assert_eq!(
        context("performance_score", MetricWindow::Latest).await,
        json!({})
    );
    measured_as(&app, &shoes, "mobile", scored(90.0)).await;
    measured_as(&app, &hats, "mobile", scored(20.0)).await;
    app.clock.advance(Duration::MINUTE);
    let slow = measured_as(&app, &hats, "mobile", scored(60.0)).await;
    let of_hats = json!({ "url": "https://shop.example/hats", "profile_id": "mobile", "run_id": slow });
    for (metric, window) in [
        ("performance_score", MetricWindow::Latest),
        ("performance_score", day),
        ("budget_exceeded", MetricWindow::Latest),
    ] {
        assert_eq!(context(metric, window).await, of_hats, "{metric} {window:?}");
    }
    app.clock.advance(Duration::MINUTE);
    let failed = measured(&app, &shoes, MISSING).await;
    assert_eq!(
        context("run_failed", MetricWindow::Latest).await,
        json!({ "url": "https://shop.example/shoes", "profile_id": "mobile", "run_id": failed })
    );
}

#[tokio::test]
async fn rules_watch_the_worst_page() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    send(
        &app,
        "PUT",
        &format!("urls/{hats}"),
        &json!({ "profile_ids": ["mobile", "desktop"] }),
    )
    .await
    .ok();
    let all = MetricFilter::default();
    assert_eq!(
        values(&app, "performance_score", all.clone(), &[MetricWindow::Latest]).await,
        [(None, None)]
    );
    // Shoes: 90, then 70, the median of which is 80. Hats: 60 as a phone, 40 as a computer.
    measured_as(&app, &shoes, "mobile", scored(90.0)).await;
    app.clock.advance(Duration::MINUTE);
    measured_as(&app, &shoes, "mobile", scored(70.0)).await;
    measured_as(&app, &hats, "mobile", scored(60.0)).await;
    measured_as(&app, &hats, "desktop", scored(40.0)).await;
    app.clock.advance(Duration::MINUTE);
    let day = MetricWindow::Over(TimeRange::new(app.now() - Duration::DAY, app.now()));
    let before = MetricWindow::Over(TimeRange::new(
        app.now() - Duration::DAY * 2,
        app.now() - Duration::DAY,
    ));
    let windows = [MetricWindow::Latest, day, before];
    assert_eq!(
        values(&app, "performance_score", all.clone(), &windows).await,
        [(Some(40.0), None), (Some(40.0), Some(4)), (None, Some(0))]
    );
    let phones = MetricFilter {
        form_factor: Some(FormFactor::Mobile),
        ..MetricFilter::default()
    };
    assert_eq!(
        values(&app, "performance_score", phones, &windows).await,
        [(Some(60.0), None), (Some(60.0), Some(3)), (None, Some(0))]
    );
    let of_shoes = MetricFilter {
        url: Some("https://shop.example/shoes".to_owned()),
        ..MetricFilter::default()
    };
    assert_eq!(
        values(&app, "performance_score", of_shoes, &windows).await,
        [(Some(70.0), None), (Some(80.0), Some(2)), (None, Some(0))]
    );
    // High is worse: the greatest of all.
    assert_eq!(
        values(&app, "lcp_ms", all, &[MetricWindow::Latest]).await,
        [(Some(9_648.453_5), None)]
    );
}

/// A member may test a page on any profile, and its own may be others than before.
#[tokio::test]
async fn tests_on_a_profile_that_is_none_of_the_page_are_watched_by_no_rule() {
    let app = TestApp::start().await;
    let shoes = track(&app, "shoes").await;
    measured_as(&app, &shoes, "mobile", scored(90.0)).await;
    measured_as(&app, &shoes, "desktop", scored(20.0)).await;
    let day = MetricWindow::Over(TimeRange::new(
        app.now() - Duration::HOUR,
        app.now() + Duration::HOUR,
    ));
    let of = async || {
        let windows = [MetricWindow::Latest, day];
        values(&app, "performance_score", MetricFilter::default(), &windows).await
    };
    assert_eq!(of().await, [(Some(90.0), None), (Some(90.0), Some(1))]);
    let profiles = json!({ "profile_ids": ["desktop"] });
    send(&app, "PUT", &format!("urls/{shoes}"), &profiles).await.ok();
    assert_eq!(of().await, [(Some(20.0), None), (Some(20.0), Some(1))]);
}

/// A rule compares the window of today, which it puts first, with those before.
#[tokio::test]
async fn another_major_version_of_lighthouse_makes_no_drop() {
    let app = TestApp::start().await;
    let shoes = track(&app, "shoes").await;
    let day = |back: i32| {
        let until = app.now() + Duration::HOUR - Duration::DAY * back;
        MetricWindow::Over(TimeRange::new(until - Duration::DAY, until))
    };
    let of = async |windows: &[MetricWindow]| {
        values(&app, "performance_score", MetricFilter::default(), windows).await
    };
    measured_as(&app, &shoes, "mobile", scored(90.0)).await;
    app.clock.advance(Duration::DAY);
    measured_as(&app, &shoes, "mobile", scored(80.0)).await;
    let both = [(Some(80.0), Some(1)), (Some(90.0), Some(1))];
    assert_eq!(of(&[day(0), day(1)]).await, both);
    app.clock.advance(Duration::MINUTE);
    let mut load = scored(50.0);
    load.summary.engine_version = Some("14.0.0".to_owned());
    measured_as(&app, &shoes, "mobile", load).await;
    assert_eq!(
        of(&[day(0), day(1)]).await,
        [(Some(50.0), Some(1)), (None, Some(0))],
        "there is nothing to compare with"
    );
    // A course over time begins with what is oldest, and shows each day as it was.
    assert_eq!(
        of(&[day(1), day(0)]).await,
        [(Some(90.0), Some(1)), (Some(50.0), Some(1))]
    );
}

#[tokio::test]
async fn rules_count_exceeded_budgets_and_failures_in_a_row() {
    let app = TestApp::start().await;
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let budgets =
        json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500 }, { "metric": "cls", "limit": 0.1 }] });
    send(&app, "PUT", "budgets", &budgets).await.ok();
    let latest = async |metric: &str| {
        values(&app, metric, MetricFilter::default(), &[MetricWindow::Latest]).await[0].0
    };
    assert_eq!(latest("budget_exceeded").await, None);
    measured_as(&app, &shoes, "mobile", scored(50.0)).await;
    measured_as(&app, &hats, "mobile", scored(50.0)).await;
    assert_eq!(
        (latest("budget_exceeded").await, latest("run_failed").await),
        (Some(2.0), Some(0.0)),
        "a budget counts once, however many pages exceed it"
    );
    for _ in 0..3 {
        app.clock.advance(Duration::MINUTE);
        measured(&app, &shoes, MISSING).await;
    }
    assert_eq!(latest("run_failed").await, Some(3.0));
    app.clock.advance(Duration::MINUTE);
    measured_as(&app, &shoes, "mobile", scored(50.0)).await;
    assert_eq!(latest("run_failed").await, Some(0.0));
}
