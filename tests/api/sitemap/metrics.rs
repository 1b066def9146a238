//! The metrics of sitemaps that alert rules may watch.

use pharos_crawl::{
    robots::monitor::alert_metrics::RobotsMetrics, sitemap::monitor::alert_metrics::SitemapMetrics,
};
use pharos_domain::{
    alert_metric::{MetricFilter, MetricQuery, MetricSource, MetricWindow},
    time_range::TimeRange,
};
use time::Duration;

use super::lab::Site;
use crate::{harness::TestApp, robots::see};

async fn value(app: &TestApp, source: &dyn MetricSource, name: &str, window: MetricWindow) -> Option<f64> {
    let found = source.metrics().metrics.iter().find(|metric| metric.name == name);
    let query = MetricQuery {
        domain: app.world.domain,
        metric: found.unwrap(),
        filter: MetricFilter::default(),
        windows: vec![window],
        needs_sample: false,
    };
    let answers = source.read(&[query], app.now()).await.unwrap();
    answers[0].values[0].reading.value()
}

/// By hand: two pages, of which one is blocked; a day later a third is there and the file fails after that.
#[tokio::test]
async fn metrics_have_their_values_now_and_over_windows() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let (sitemap, robots) = (
        SitemapMetrics::new(&app.stores.ports).unwrap(),
        RobotsMetrics::new(&app.stores.ports).unwrap(),
    );
    assert_eq!(
        value(&app, &sitemap, "urls_total", MetricWindow::Latest).await,
        None
    );
    site.robots(&app, "User-agent: *\nDisallow: /cart\n").await;
    assert_eq!(
        value(&app, &robots, "sitemap_conflicts", MetricWindow::Latest).await,
        None
    );
    site.pages("/sitemap.xml", &[("/1", ""), ("/cart", "")]);
    site.check(&app).await;
    assert_eq!(
        value(&app, &robots, "sitemap_conflicts", MetricWindow::Latest).await,
        Some(1.0)
    );
    let of = async |name: &'static str| value(&app, &sitemap, name, MetricWindow::Latest).await;
    assert_eq!(
        (
            of("urls_total").await,
            of("fetch_failures").await,
            of("issues_errors").await
        ),
        (Some(2.0), Some(0.0), Some(1.0))
    );
    assert_eq!(
        (of("blocked_by_robots").await, of("days_since_change").await),
        (Some(1.0), Some(0.0))
    );
    app.clock.advance(Duration::DAY);
    site.pages("/sitemap.xml", &[("/1", ""), ("/cart", ""), ("/3", "")]);
    site.check(&app).await;
    site.lay("/sitemap.xml", 500, "", b"");
    app.clock.advance(Duration::DAY * 3);
    site.check(&app).await;
    assert_eq!(
        (
            of("urls_total").await,
            of("fetch_failures").await,
            of("days_since_change").await
        ),
        (Some(3.0), Some(1.0), Some(3.0))
    );
    let now = app.now();
    let over = |days: i64, until: i64| {
        let until = now - Duration::days(until);
        MetricWindow::Over(TimeRange::new(until - Duration::days(days), until))
    };
    let added = async |window| value(&app, &sitemap, "urls_added", window).await;
    assert_eq!(added(over(7, 0)).await, Some(1.0));
    assert_eq!(added(over(1, 1)).await, None, "no check ended in it");
    assert_eq!(value(&app, &sitemap, "urls_removed", over(7, 0)).await, Some(0.0));
    assert_eq!(value(&app, &sitemap, "urls_total", over(1, 2)).await, Some(3.0));
    assert_eq!(value(&app, &sitemap, "urls_total", over(1, 4)).await, Some(2.0));
    assert_eq!(value(&app, &sitemap, "urls_total", over(1, 30)).await, None);
    // Metrics of robots.txt for a window are those at its end: 30 bytes without an error, and one page that is blocked.
    let before = async |name: &'static str, window| value(&app, &robots, name, window).await;
    assert_eq!(
        (
            before("sitemap_conflicts", over(1, 2)).await,
            before("size_bytes", over(1, 2)).await,
            before("issues_errors", over(1, 2)).await
        ),
        (Some(1.0), Some(30.0), Some(0.0))
    );
    assert_eq!(before("size_bytes", over(1, 30)).await, None);
}

/// A rule watches for more than 512,000 bytes unless it says otherwise, and crawlers read no more.
#[tokio::test]
async fn a_robots_txt_that_is_read_in_part_is_larger_than_that() {
    let app = TestApp::start().await;
    let robots = RobotsMetrics::new(&app.stores.ports).unwrap();
    let size = async |window| value(&app, &robots, "size_bytes", window).await;
    let start = "User-agent: *\n";
    for (bytes, filler, told) in [
        (512_000, "#", 512_000.0),
        // As far as it is kept it is the same.
        (512_001, "#", 512_001.0),
        (600_000, "\n", 512_001.0),
    ] {
        let file = format!("{start}{}", filler.repeat(bytes - start.len()));
        see(&app, 200, &file, app.now()).await;
        app.clock.advance(Duration::MINUTE);
        assert_eq!(size(MetricWindow::Latest).await, Some(told), "{bytes} bytes");
    }
    let until_now = TimeRange::new(app.now() - Duration::HOUR, app.now());
    assert_eq!(size(MetricWindow::Over(until_now)).await, Some(512_001.0));
}
