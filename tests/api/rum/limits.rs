//! The limit of each route for a client's address.

use super::path;
use crate::harness::TestApp;

#[tokio::test]
async fn each_read_has_a_limit_of_its_own_and_errors_have_none() {
    let app = TestApp::start().await;
    let get = async |rest: &str| app.get(&path(&app, rest), &app.world.key).send().await;
    for _ in 0..20 {
        get("lcp/elements").await.ok();
        get("errors").await.ok();
    }
    let refused = get("lcp/elements").await.problem(429, "rate-limited");
    assert_eq!(refused["bucket"], "rum-read");
    assert!(refused["retry_after_seconds"].as_u64().is_some(), "{refused}");
    get("errors").await.ok();
    get("lcp").await.ok();
}
