//! The robots.txt of the shops, and what it was before.

use anyhow::Context;
use pharos_crawl::robots::monitor::{
    fetch::{FetchEnd, Fetched, FileHeaders, robots_url},
    store::{FinishedCheck, RobotsSchedule},
};
use pharos_domain::{identity::DomainAccess, ports::Ports};
use time::{Duration, OffsetDateTime};

use super::site::Site;

/// How many domains are enrolled at most: those of the demo, and a few that its user added.
const ENROLLED: usize = 100;

/// The file as the shops send it. It has two honest faults: a pause that Google ignores, and a path without its slash.
pub(super) fn text(base: &str) -> String {
    format!(
        "User-agent: *\nDisallow: /cart\nDisallow: checkout\nAllow: /cart/help$\nCrawl-delay: 1\n\n\
         User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nSitemap: {base}sitemap.xml\n"
    )
}

/// What it was before, and how many days before the first start of the demo it came: a file that let everybody in, one
/// that kept everybody out by mistake, for two days, and one that put it right.
fn before() -> [(i64, &'static str); 3] {
    [
        (60, "User-agent: *\nDisallow:\n"),
        (30, "User-agent: *\nDisallow: /\n"),
        (28, "User-agent: *\nDisallow: /cart\nDisallow: checkout\n"),
    ]
}

/// Gives the shops a history of their file, once. The next check finds the file of today, which is another change.
///
/// # Errors
/// A port is missing, or the store failed.
pub(super) async fn remember(
    ports: &Ports,
    shops: &[DomainAccess],
    site: &Site,
    now: OffsetDateTime,
) -> anyhow::Result<()> {
    let schedule = ports.get::<dyn RobotsSchedule>()?;
    schedule.enrol(now, ENROLLED).await?;
    for shop in shops {
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
                leased_until: None,
                run: None,
                fetched: Some(fetched),
                next_check_at: now,
            };
            schedule.complete(&[check]).await?;
        }
    }
    Ok(())
}
