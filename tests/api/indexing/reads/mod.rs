//! Reads over URLs, with figures worked out by hand.

mod gaps;
mod health;
mod lists;
mod overview;

use std::sync::Arc;

use serde_json::{Value, json};
use time::Duration;

use super::{
    add, link,
    played::{Played, indexed, not_indexed, with},
    rotation,
};
use crate::harness::TestApp;

fn url(name: &str) -> String {
    format!("https://shop.example/{name}")
}

fn crawled(answer: Value, at: &str) -> Value {
    with(answer, &json!({ "lastCrawlTime": at }))
}

/// The same for the console's tests.
pub(crate) async fn inspected(app: &TestApp) {
    site(app).await;
}

/// Eight URLs of all kinds that were inspected on 31 March at 9:15, and a ninth that was not.
async fn site(app: &TestApp) -> Arc<Played> {
    link(app).await;
    let played = Played::new();
    let says = |name: &str, answer| played.says(&url(name), answer);
    says("a", indexed(&url("a"), "2026-03-31T03:15:00Z"));
    says("b", indexed(&url("b"), "2026-03-29T09:15:00Z"));
    let declined = || not_indexed("Crawled - currently not indexed", "SUCCESSFUL");
    let desktop = with(declined(), &json!({ "crawledAs": "DESKTOP" }));
    says("c", crawled(desktop, "2026-03-21T09:15:00Z"));
    says("d", crawled(declined(), "2025-12-01T09:15:00Z"));
    says(
        "e",
        crawled(
            not_indexed("Not found (404)", "NOT_FOUND"),
            "2026-02-19T09:15:00Z",
        ),
    );
    says(
        "f",
        not_indexed("URL is unknown to Google", "PAGE_FETCH_STATE_UNSPECIFIED"),
    );
    let duplicate = not_indexed(
        "Duplicate, Google chose different canonical than user",
        "SUCCESSFUL",
    );
    let canonicals = json!({ "userCanonical": url("g"), "googleCanonical": url("a") });
    says("g", crawled(with(duplicate, &canonicals), "2026-03-31T09:15:00Z"));
    let silent = json!({ "verdict": "VERDICT_UNSPECIFIED", "coverageState": "A sentence of tomorrow", "pageFetchState": null });
    says("h", with(not_indexed("", ""), &silent));
    let names: Vec<String> = "abcdefgh".chars().map(|name| url(&name.to_string())).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    add(app, &names).await.with_status(201);
    assert_eq!(rotation(app, &played).round().await.unwrap(), 1);
    add(app, &[&url("i")]).await.with_status(201);
    played
}

/// Eight days later `a` says noindex, `e` is there again, and `i` is inspected for the first time.
async fn eight_days_later(app: &TestApp, played: &Arc<Played>) {
    let noindex = json!({
        "verdict": "NEUTRAL", "coverageState": "Excluded by ‘noindex’ tag", "indexingState": "BLOCKED_BY_META_TAG",
    });
    played.says(
        &url("a"),
        with(indexed(&url("a"), "2026-04-07T00:00:00Z"), &noindex),
    );
    played.says(&url("e"), indexed(&url("e"), "2026-04-07T00:00:00Z"));
    app.clock.advance(Duration::days(8));
    assert_eq!(rotation(app, played).round().await.unwrap(), 1);
}
