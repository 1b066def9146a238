//! The collection of field data, as operators see it: `pharos doctor`, and the metrics.

use metrics::set_default_local_recorder;
use metrics_exporter_prometheus::PrometheusBuilder;
use time::Duration;

use super::{collected, follows, watch};
use crate::{
    doctor::{findings, only},
    harness::TestApp,
};

#[tokio::test(flavor = "multi_thread")]
async fn doctor_says_how_to_get_a_key_and_how_the_collection_goes() {
    let app = TestApp::start().await;
    let told = |key: Option<&'static str>| {
        let mut environment = vec![("PHAROS_DATABASE_URL", app.database.url())];
        environment.extend(key.map(|key| ("PHAROS_CRUX_API_KEY", key)));
        only(findings(&environment, "field data"))
    };
    let (is_well, detail) = told(None);
    assert!(
        is_well && detail.contains("crux_api_key is not set") && detail.contains("field-data.md"),
        "{detail}"
    );
    // The watch goes by the clock of the database, as a node does.
    app.clock.advance(time::OffsetDateTime::now_utc() - app.now());
    let report = collected(&app, &[]).await;
    let (is_well, detail) = told(Some("test-key"));
    assert!(
        is_well
            && detail.starts_with("followed origins and pages: 1, last at ")
            && detail.contains("failed the last time: 0"),
        "{detail}"
    );
    report.answers(400, "", "{\"error\": {\"status\": \"INVALID_ARGUMENT\"}}");
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::MINUTE);
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let (is_well, detail) = told(Some("test-key"));
    assert!(
        !is_well && detail.contains("failed the last time: 1") && detail.contains("INVALID_ARGUMENT"),
        "{detail}"
    );
    assert!(
        detail.contains("PHAROS_CRUX_API_KEY") && !detail.contains("test-key"),
        "{detail}"
    );
    app.sql("UPDATE crux_targets SET failures = 0, last_failure = NULL, next_collection_at = now() - interval '2 hours'")
        .await;
    let (is_well, detail) = told(Some("test-key"));
    assert!(
        !is_well && detail.contains("due for more than an hour: 1"),
        "{detail}"
    );
}

/// Most are queried only once a day, so that a key which is refused now has not yet failed for all.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_says_what_is_wrong_once_several_failed_since_the_last_answer() {
    let app = TestApp::start().await;
    let pages = ["a", "b", "c"].map(|page| format!("https://shop.example/{page}"));
    follows(&app, &pages.each_ref().map(String::as_str)).await;
    app.sql(
        "UPDATE crux_targets SET asked_at = now() - interval '2 hours', fetched_at = now() - interval '2 hours', \
         next_collection_at = now() + interval '1 hour'",
    )
    .await;
    let told = || {
        let environment = [
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_CRUX_API_KEY", "test-key"),
        ];
        only(findings(&environment, "field data"))
    };
    let (is_well, detail) = told();
    assert!(is_well && detail.contains("failed the last time: 0"), "{detail}");
    for (page, failing, should_be_well) in [("a", 1, true), ("b", 2, true), ("c", 3, false)] {
        app.sql(&format!(
            "UPDATE crux_targets SET asked_at = now() - interval '1 hour', failures = 1, last_failure = 'refused' \
             WHERE url = 'https://shop.example/{page}'"
        ))
        .await;
        let (is_well, detail) = told();
        assert_eq!(is_well, should_be_well, "{detail}");
        assert!(
            detail.contains(&format!("failed the last time: {failing} (refused)")),
            "{detail}"
        );
        assert_eq!(
            detail.contains("PHAROS_CRUX_API_KEY"),
            !should_be_well,
            "{detail}"
        );
    }
    // The API answers for the origin: the pages are at fault.
    app.sql("UPDATE crux_targets SET asked_at = now(), fetched_at = now() WHERE url IS NULL")
        .await;
    let (is_well, detail) = told();
    assert!(is_well && detail.contains("failed the last time: 3"), "{detail}");
}

/// All devices, phones and computers have a record and a history; tablets have none. Then the quota is used up.
#[tokio::test]
async fn requests_and_collections_are_counted_by_outcome() {
    let app = TestApp::start().await;
    let recorder = PrometheusBuilder::new().build_recorder();
    let counted = recorder.handle();
    let _recorded = set_default_local_recorder(&recorder);
    let report = collected(&app, &["https://shop.example"]).await;
    report.answers(429, "retry-after: 3600\r\n", "{}");
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01'")
        .await;
    app.clock.advance(Duration::days(1));
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let lines = counted.render();
    for line in [
        "pharos_crux_requests_total{outcome=\"answered\"} 6",
        "pharos_crux_requests_total{outcome=\"absent\"} 2",
        "pharos_crux_requests_total{outcome=\"quota\"} 1",
        "pharos_crux_collections_total{outcome=\"active\"} 1",
        "pharos_crux_collections_total{outcome=\"error\"} 1",
    ] {
        assert!(lines.lines().any(|told| told == line), "{line}: {lines}");
    }
    assert_eq!(report.asked().len(), 9);
}
