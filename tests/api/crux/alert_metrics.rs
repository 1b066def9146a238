//! Alert rules read metrics of field data.

use pharos_domain::{
    alert_metric::{FormFactor, MetricFilter, MetricQuery, MetricSource, MetricWindow},
    time_range::TimeRange,
};
use pharos_vitals::crux::alert_metrics::{ASSESSMENT_FAILED, CATALOGUE, CruxMetrics};
use time::{Duration, macros::datetime};

use super::{collected, watch};
use crate::harness::TestApp;

/// The answers of a metric for the newest period, for that of 28 days before, and for a time before there were any.
async fn values(app: &TestApp, metric: &str, form_factor: Option<FormFactor>) -> Vec<Option<f64>> {
    let now = datetime!(2026-03-31 12:00 UTC);
    let over = |until| MetricWindow::Over(TimeRange::new(until - Duration::HOUR, until));
    let query = MetricQuery {
        domain: app.world.domain,
        metric: CATALOGUE
            .metrics
            .iter()
            .find(|known| known.name == metric)
            .unwrap(),
        filter: MetricFilter {
            form_factor,
            ..MetricFilter::default()
        },
        windows: vec![
            MetricWindow::Latest,
            over(now - Duration::days(28)),
            over(now - Duration::days(800)),
        ],
        needs_sample: false,
    };
    let source = CruxMetrics::new(&app.stores.ports).unwrap();
    let answers = source.read(&[query], now).await.unwrap();
    let values = answers[0].values.iter();
    values.map(|value| value.reading.value()).collect()
}

/// By the report that the tests play: 2,900 ms on phones and 1,900 ms elsewhere, 70 % good.
#[tokio::test]
async fn rules_read_the_newest_period_and_those_before() {
    let app = TestApp::start().await;
    assert_eq!(values(&app, "lcp_ms", None).await, [None, None, None]);
    collected(&app, &["https://shop.example"]).await;
    let phones = values(&app, "lcp_ms", Some(FormFactor::Mobile)).await;
    assert_eq!(phones, [Some(2_900.0), Some(2_900.0), None]);
    let all = values(&app, "lcp_ms", None).await;
    assert_eq!(all, [Some(1_900.0), Some(1_900.0), None]);
    let good = values(&app, "good_lcp_pct", None).await;
    assert_eq!(good, [Some(70.0), Some(70.0), None]);
    for (metric, p75) in [("fcp_ms", 1_400.0), ("ttfb_ms", 900.0), ("rtt_ms", 118.0)] {
        assert_eq!(
            values(&app, metric, None).await,
            [Some(p75), None, None],
            "histories do not have {metric}"
        );
    }
    app.sql("UPDATE domains SET deleted_at = now()").await;
    assert_eq!(values(&app, "lcp_ms", None).await, [None, None, None]);
}

/// Phones are slow in the report that the tests play, and computers are not.
#[tokio::test]
async fn an_origin_that_passes_no_longer_is_an_event() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let events = "SELECT metric, context ->> 'form_factor' FROM metric_events WHERE module = 'crux'";
    assert!(app.sql(events).await.is_empty(), "it never passed on phones");
    app.sql("UPDATE crux_targets SET mobile_passing_since = '2026-01-03', next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let found = app.sql(events).await;
    assert_eq!(
        found,
        [[Some(ASSESSMENT_FAILED.to_owned()), Some("mobile".to_owned())]]
    );
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    watch(&app, &report).round().await.unwrap();
    assert_eq!(
        app.sql(events).await.len(),
        1,
        "it fails still, which is no event"
    );
}
