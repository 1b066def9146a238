//! The robots.txt of the shops, and what it was before.

use std::sync::Arc;

use anyhow::Context;
use pharos_crawl::robots::monitor::{
    fetch::{FetchEnd, Fetched, FileHeaders, robots_url},
    site::{Expectation, TestUrl},
    store::{FinishedCheck, RobotsSchedule, RobotsStore},
};
use pharos_domain::{
    audit::Actor,
    credits::{Charged, Note, Slip},
    module::Module,
};
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use super::Demo;

/// How many domains are enrolled at most: those of the demo, and a few that its user added.
const ENROLLED: usize = 100;

/// The file as the shops send it. It has three honest faults: a pause that Google ignores, a path without its slash, and a rule
/// that another one makes needless.
pub(super) fn text(base: &str) -> String {
    format!(
        "User-agent: *\nDisallow: /cart\nDisallow: /cart/old\nDisallow: checkout\nAllow: /cart/help$\nCrawl-delay: 1\n\n\
         User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nSitemap: {base}sitemap.xml\n"
    )
}

/// The earlier files, and how many days before the first start of the demo each came: one that let everybody in, one that kept
/// everybody out by mistake, for two days, and one that put it right.
fn before() -> [(i64, &'static str); 3] {
    [
        (60, "User-agent: *\nDisallow:\n"),
        (30, "User-agent: *\nDisallow: /\n"),
        (28, "User-agent: *\nDisallow: /cart\nDisallow: checkout\n"),
    ]
}

/// The URLs of a shop that are saved with what is expected of them. The last is not as expected, since its path lacks its slash.
fn saved(base: &str) -> Vec<TestUrl> {
    let of = |path: &str, user_agent: &str, expectation| TestUrl {
        id: Uuid::now_v7(),
        url: format!("{base}{path}"),
        user_agent: user_agent.to_owned(),
        expectation,
    };
    vec![
        of("", "Googlebot", Expectation::Allowed),
        of("cart", "Googlebot", Expectation::Disallowed),
        of("cart/help", "Googlebot", Expectation::Allowed),
        of("", "GPTBot", Expectation::Disallowed),
        of("checkout", "Googlebot", Expectation::Disallowed),
    ]
}

/// Gives the shops a history of their file and saved URLs, once. The next check finds the file of today, which is another change.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn remember(demo: &Demo<'_>) -> anyhow::Result<()> {
    let Demo { ports, site, now, .. } = *demo;
    let schedule = ports.get::<dyn RobotsSchedule>()?;
    let store = ports.get::<dyn RobotsStore>()?;
    schedule.enrol(now, ENROLLED).await?;
    for shop in &demo.shops {
        let known = schedule.watched(shop.id()).await?;
        if known.is_none_or(|known| known.sha256.is_some()) {
            continue;
        }
        let url = robots_url(&site.url(shop.domain().hostname.as_str())).context("the URL of a shop")?;
        for (days, text) in before() {
            let fetched = Fetched {
                robots_url: url.clone(),
                fetched_at: now - Duration::days(days),
                response_ms: None,
                redirects: Vec::new(),
                end: FetchEnd::Answer {
                    status: 200,
                    final_url: url.to_string(),
                    headers: FileHeaders {
                        content_type: Some("text/plain; charset=utf-8".to_owned()),
                        ..FileHeaders::default()
                    },
                    body: text.as_bytes().to_vec(),
                    is_off_host: false,
                },
                sitemaps: None,
            };
            let check = FinishedCheck {
                domain: shop.id(),
                turn: None,
                run: None,
                fetched: Some(fetched),
            };
            schedule.complete(&[check]).await?;
        }
        let urls = saved(&site.url(shop.domain().hostname.as_str()));
        let note = Note {
            actor: Actor::system(),
            at: now,
            action: "domain.configure",
            subject: shop.id().to_string(),
            details: json!({
                "module": Module::Robots,
                "test_urls": urls.len(),
                "workspace_id": shop.workspace().workspace().id,
                "domain": shop.domain().hostname.as_str()
            }),
        };
        let noted = Charged::new(shop.clone(), Arc::new(Slip::noting(note)));
        let replaced = store.replace_test_urls(&noted, &urls).await;
        replaced.context("the demo's saved URLs")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use pharos_crawl::robots::{
        effort::Effort,
        file::RobotsFile,
        monitor::evaluate::{InForce, failing},
        overlap::{OverlapKind, overlaps},
    };

    use super::*;

    #[test]
    fn each_question_about_the_file_has_an_answer() {
        let base = "http://demo.localhost:7071/";
        let text = text(base);
        let file = RobotsFile::parse(text.as_bytes());
        let kinds: Vec<OverlapKind> = overlaps(&file.access("*"), &mut Effort::default())
            .iter()
            .map(|overlap| overlap.kind)
            .collect();
        assert_eq!(kinds, [OverlapKind::Redundant]);
        assert_eq!(failing(&InForce::proposed(&text), &saved(base)), 1);
    }
}
