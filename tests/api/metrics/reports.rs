//! Reports that are made by a worker: how many, how they end, how long they take and how large they are.

use serde_json::json;

use super::Recording;
use crate::{
    harness::TestApp,
    reporting::{asked, template},
};

const REPORTS: &str = "pharos_reports_total";

#[tokio::test(flavor = "multi_thread")]
async fn ends_times_and_sizes_of_reports_are_told_by_format() {
    let app = TestApp::start().await;
    let widgets = json!([{ "widget": "text", "config": { "text": "x" } }]);
    let config = json!({ "version": 1, "sections": [{ "section": "notes", "widgets": widgets }] });
    let id = template(&app, &json!({ "name": "Told", "sections_config": config })).await;
    for format in ["json", "csv", "html"] {
        let reply = asked(&app, &id, format, &json!({ "format": format })).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
    }
    // An earlier version may have asked for a report that shows nothing.
    app.sql("UPDATE report_runs SET ordered = jsonb_set(ordered, '{sections,sections}', '[]') WHERE format = 'html'")
        .await;
    let recording = Recording::start(&app, "api,worker");
    app.reaches("(SELECT count(*) FROM runs WHERE finished_at IS NOT NULL) = 3")
        .await;
    let scrape = recording
        .until(async |scrape| scrape.sum(REPORTS, &[]) == Some(3.0))
        .await;
    scrape.is_sound(&app);
    for (format, outcome) in [("json", "made"), ("csv", "made"), ("html", "failed")] {
        scrape.is(REPORTS, &[("format", format), ("outcome", outcome)], 1.0);
    }
    scrape.is("pharos_report_seconds_count", &[], 2.0);
    let kept = app
        .sql("SELECT sum((result ->> 'size_bytes')::bigint)::text FROM report_runs")
        .await;
    let kept: f64 = kept[0][0].as_deref().unwrap().parse().unwrap();
    scrape.is("pharos_report_size_count", &[], 2.0);
    scrape.is("pharos_report_size_sum", &[], kept);
    for kind in ["question", "report"] {
        scrape.is("pharos_report_mails_total", &[("kind", kind)], 0.0);
    }
}
