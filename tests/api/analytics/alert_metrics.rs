//! Alert rules read metrics of visits, of the log that was worked out by hand.

use pharos_analytics::{
    alert_metrics::{AnalyticsMetrics, CATALOGUE},
    conformance,
};
use pharos_domain::{
    alert_metric::{MetricFilter, MetricQuery, MetricSource, MetricValue, MetricWindow},
    collect::{
        Beacon, VisitorId,
        event::{Action, Events},
    },
    time_range::TimeRange,
};
use time::{Duration, macros::datetime};
use uuid::Uuid;

use super::{store, told};
use crate::harness::TestApp;

/// The values of a metric in windows, at the end of the log.
async fn values(app: &TestApp, metric: &str, windows: &[MetricWindow]) -> Vec<MetricValue> {
    let known = CATALOGUE.metrics.iter().find(|known| known.name == metric);
    let query = MetricQuery {
        domain: app.world.domain,
        metric: known.unwrap(),
        filter: MetricFilter::default(),
        windows: windows.to_vec(),
        needs_sample: true,
    };
    let source = AnalyticsMetrics::new(&app.stores.ports).unwrap();
    let answers = source.read(&[query], conformance::NOW).await.unwrap();
    answers.into_iter().next().unwrap().values
}

/// The figures that the overview gives of 1 and 2 April and of the two days before: rules see the same.
#[tokio::test]
async fn rules_see_what_the_overview_shows() {
    let app = told().await;
    let april = datetime!(2026-04-01 00:00 UTC);
    let over = |from| MetricWindow::Over(TimeRange::new(from, from + Duration::days(2)));
    let before = datetime!(2026-03-30 00:00 UTC);
    app.sql(&format!("UPDATE analytics_progress SET first_at = '{before}'"))
        .await;
    let windows = [over(april), over(before), over(before - Duration::days(2))];
    for (metric, expected) in [
        ("visitors", [Some(4.0), Some(9.0), None]),
        ("sessions", [Some(6.0), Some(10.0), None]),
        ("pageviews", [Some(5.0), Some(13.0), None]),
        ("bounce_rate_pct", [Some(50.0), Some(40.0), None]),
        ("avg_duration_seconds", [Some(1_700.0 / 6.0), Some(442.0), None]),
        ("revenue", [Some(-59.0), Some(100.0), None]),
        ("orders", [Some(3.0), Some(1.0), None]),
        ("conversion_rate_pct", [Some(50.0), Some(10.0), None]),
        // Nothing was put into a cart in April.
        ("cart_abandonment_pct", [None, Some(0.0), None]),
        ("ai_assistant_visitors", [Some(0.0), Some(0.0), None]),
    ] {
        let found = values(&app, metric, &windows).await;
        let readings: Vec<Option<f64>> = found.iter().map(|value| value.reading.value()).collect();
        assert_eq!(readings, expected, "{metric}");
        let samples: Vec<Option<u64>> = found.iter().map(|value| value.sample).collect();
        assert_eq!(samples, [Some(6), Some(10), None], "{metric}");
    }
    let events = values(&app, "event_count", &windows[..1]).await;
    assert_eq!(events[0].reading.value(), Some(5.0));
}

/// One comes from an assistant twice, another from a newsletter. Two more carts are filled, and become no order.
#[tokio::test]
async fn visitors_of_assistants_and_carts_without_an_order_are_counted() {
    let app = told().await;
    let day = datetime!(2026-03-31 00:00 UTC);
    app.sql(&format!("UPDATE analytics_progress SET first_at = '{day}'"))
        .await;
    let beacons = conformance::beacons(app.world.domain);
    let is_cart = |beacon: &&Beacon<Events>| {
        let action = &beacon.content.0[0].action;
        matches!(action, Action::Custom { name, .. } if name == "add_to_cart")
    };
    let carts = beacons.iter().filter(is_cart).cloned().cycle().take(2);
    let visits = [("chatgpt.com", 0), ("chatgpt.com", 2), ("letter.example", 4)].map(|(host, hours)| {
        let mut visit = beacons[0].clone();
        visit.visitor = VisitorId(if host == "chatgpt.com" { 801 } else { 802 });
        visit.content.0[0].at = day + Duration::hours(hours);
        visit.content.0[0].page.origin.referrer_host = Some(host.to_owned());
        visit
    });
    let more: Vec<Beacon<Events>> = carts
        .chain(visits)
        .map(|beacon| Beacon {
            id: Uuid::new_v4(),
            ..beacon
        })
        .collect();
    store(&app, &more).await;
    let windows = [MetricWindow::Over(TimeRange::new(day, day + Duration::DAY))];
    for (metric, expected) in [
        ("ai_assistant_visitors", 1.0),
        ("visitors", 7.0),
        ("sessions", 8.0),
        // One order of three carts.
        ("cart_abandonment_pct", 200.0 / 3.0),
    ] {
        let found = values(&app, metric, &windows).await[0].reading.value();
        assert!(
            found.is_some_and(|found| (found - expected).abs() < 0.01),
            "{metric}: {found:?}"
        );
    }
}

#[tokio::test]
async fn silence_is_told_in_minutes_and_not_of_a_site_that_is_measured_no_more() {
    let app = told().await;
    app.sql(&format!(
        "UPDATE analytics_progress SET last_at = '{}'",
        conformance::NOW - Duration::minutes(90)
    ))
    .await;
    let silence = "minutes_since_last_event";
    let found = values(&app, silence, &[MetricWindow::Latest]).await;
    assert_eq!(found[0].reading.value(), Some(90.0));
    app.sql("UPDATE analytics_sites SET settings = jsonb_set(settings, '{enabled}', 'false')")
        .await;
    let found = values(&app, silence, &[MetricWindow::Latest]).await;
    assert_eq!(found[0].reading.value(), None);
}
