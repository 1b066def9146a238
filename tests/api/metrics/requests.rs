//! Requests, refusals, charges and the response cache.

use serde_json::json;

use super::Recording;
use crate::{
    harness::{Request, TestApp},
    uptime::path,
};

const REQUESTS: &str = "pharos_http_requests_total";
const DURATION: &str = "pharos_http_request_duration_seconds_count";
const REFUSALS: &str = "pharos_http_refusals_total";
const LOOKUPS: &str = "pharos_response_cache_lookups_total";
const CALLS: &str = "pharos_mcp_calls_total";

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_counted_by_operation_and_refusals_by_problem() {
    let app = TestApp::start().await;
    let recording = Recording::start(&app, "api");
    let before = recording.scrape().await;
    before.is_sound(&app);
    // Counters begin at 0 before anything happens, so that the first time is an increase.
    before.is(REQUESTS, &[], 0.0);
    before.is(REFUSALS, &[], 0.0);
    before.is(DURATION, &[("operation", "getMe")], 0.0);

    for _ in 0..7 {
        recording.get(&app, "/me").send().await.ok();
    }
    for _ in 0..3 {
        let nobody = Request::new(recording.node.address, "GET", "/me");
        nobody.send().await.problem(401, "missing-credential");
    }
    recording
        .get(&app, "/nothing")
        .send()
        .await
        .problem(404, "not-found");
    let after = recording.scrape().await;
    after.is_sound(&app);
    after.is(REQUESTS, &[("operation", "getMe"), ("status", "2xx")], 7.0);
    after.is(REQUESTS, &[("operation", "getMe"), ("status", "4xx")], 3.0);
    after.is(REQUESTS, &[("operation", "none"), ("status", "4xx")], 1.0);
    after.is(REQUESTS, &[], 11.0);
    after.is(DURATION, &[("operation", "getMe")], 10.0);
    let bucket = "pharos_http_request_duration_seconds_bucket";
    after.is(bucket, &[("operation", "getMe"), ("le", "+Inf")], 10.0);
    let seconds = after.sum(
        "pharos_http_request_duration_seconds_sum",
        &[("operation", "getMe")],
    );
    assert!(seconds.unwrap() > 0.0);
    after.is(REFUSALS, &[("problem", "missing-credential")], 3.0);
    after.is(REFUSALS, &[("problem", "not-found")], 1.0);
    after.is(REFUSALS, &[], 4.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_tools_are_counted_by_tool_and_outcome() {
    let app = TestApp::start().await;
    let recording = Recording::start(&app, "api,mcp");
    let before = recording.scrape().await;
    before.is_sound(&app);
    before.is(CALLS, &[("tool", "domains"), ("outcome", "answered")], 0.0);
    for arguments in [json!({}), json!({}), json!({ "unknown": 1 })] {
        let params = json!({ "name": "domains", "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let called = Request::new(recording.node.address, "POST", "//mcp")
            .header("accept", "application/json, text/event-stream")
            .key(&app.world.key)
            .json(&message);
        called.send_unchecked().await.ok();
    }
    let after = recording.scrape().await;
    after.is_sound(&app);
    after.is(CALLS, &[("tool", "domains"), ("outcome", "answered")], 2.0);
    after.is(CALLS, &[("tool", "domains"), ("outcome", "refused")], 1.0);
    after.is(CALLS, &[], 3.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn charges_and_look_ups_come_to_what_was_charged_and_looked_up() {
    let app = TestApp::start().await;
    crate::fixtures::fill(&app).await;
    // The app's own rows are of its clock's day, which the node's upkeep takes away at some moment.
    let charged = async || {
        let rows =
            "SELECT count(*) FROM credit_log WHERE cost > 0 AND occurred_at > now() - interval '1 day'";
        app.sql(rows).await[0][0]
            .as_ref()
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    let recording = Recording::start(&app, "api");
    let availability = path(&app, "availability");
    for _ in 0..3 {
        recording.get(&app, &availability).send().await.ok();
    }
    for _ in 0..2 {
        let live = recording.get(&app, &path(&app, "status"));
        live.send().await.ok();
    }
    let scrape = recording.scrape().await;
    scrape.is_sound(&app);
    scrape.is(LOOKUPS, &[("outcome", "miss")], 1.0);
    scrape.is(LOOKUPS, &[("outcome", "hit")], 2.0);
    scrape.is(LOOKUPS, &[("outcome", "unavailable")], 0.0);
    let charges = charged().await;
    assert_eq!(charges, 3.0, "the first look-up and two that are never cached");
    scrape.is("pharos_charge_batch_size_sum", &[], charges);
    // One after the other, so each was a batch to itself.
    scrape.is("pharos_charge_batch_size_count", &[], charges);
    scrape.is("pharos_charge_batch_duration_seconds_count", &[], charges);
    scrape.is("pharos_charges_queued", &[], 0.0);
    assert!(scrape.sum("pharos_credit_log_rows_queued", &[]).is_some());
}

/// Each node tells of itself, and of no time before its start.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_tells_of_itself_alone_and_begins_at_zero() {
    let app = TestApp::start().await;
    let (first, second) = (Recording::start(&app, "api"), Recording::start(&app, "api"));
    for _ in 0..2 {
        first.get(&app, "/me").send().await.ok();
    }
    first.scrape().await.is(REQUESTS, &[], 2.0);
    second.scrape().await.is(REQUESTS, &[], 0.0);
    drop(first);
    let anew = Recording::start(&app, "api");
    anew.scrape().await.is(REQUESTS, &[], 0.0);
}
