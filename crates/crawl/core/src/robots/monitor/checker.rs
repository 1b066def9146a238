//! Checks the robots.txt of a site once.

use std::sync::Arc;

use pharos_domain::clock::Clock;
use ring::digest::{SHA256, digest};
use time::Duration;
use url::Url;

use super::{
    fetch::{FetchEnd, Fetched, RobotsClient, robots_url},
    site::WatchedSite,
};
use crate::robots::{file::RobotsFile, line::READ_BYTES};

/// How long it is known whether sitemaps are reachable.
const SITEMAPS_KNOWN: Duration = Duration::DAY;

/// Checks robots.txt files.
#[derive(Clone)]
pub struct Checker {
    /// Fetches them.
    pub client: Arc<RobotsClient>,
    /// The clock that stamps checks.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").finish_non_exhaustive()
    }
}

impl Checker {
    /// Fetches the file of the site that lies at this URL, and asks for the sitemaps that it names: where it is another than
    /// before, and once a day. `None`: it is no URL of a site.
    pub async fn check(&self, site: &WatchedSite, origin: &str) -> Option<Fetched> {
        let url = robots_url(origin)?;
        let now = self.clock.now();
        let is_fresh = site
            .sitemaps_asked_at
            .is_some_and(|asked_at| now - asked_at < SITEMAPS_KNOWN);
        // A server that sends nothing, since the file is what it was, does not tell which sitemaps to ask for.
        let known = site.validators.as_ref().filter(|_| is_fresh);
        let mut fetched = self.client.fetch(&url, known, now).await;
        if let Some(urls) = sitemaps_to_ask(site, &fetched, is_fresh) {
            fetched.sitemaps = Some(self.client.ask_sitemaps(&urls, now).await);
        }
        Some(fetched)
    }
}

fn sitemaps_to_ask(site: &WatchedSite, fetched: &Fetched, is_fresh: bool) -> Option<Vec<String>> {
    let FetchEnd::Answer { status, body, .. } = &fetched.end else {
        return None;
    };
    if !(200..300).contains(status) {
        return Some(Vec::new());
    }
    let is_known = site.sha256.as_deref() == Some(sha256(kept(body)).as_str());
    if is_known && is_fresh {
        return None;
    }
    let file = RobotsFile::parse(body);
    // Those that are written without a host are a fault of the file, and nobody asks for them.
    let urls = file.sitemaps.into_iter().map(|line| line.url);
    let absolute =
        urls.filter(|url| !url.contains(char::is_control) && Url::parse(url).is_ok_and(|url| url.has_host()));
    Some(absolute.collect())
}

/// The bytes of an answer that are read.
#[must_use]
pub fn kept(body: &[u8]) -> &[u8] {
    &body[..body.len().min(READ_BYTES)]
}

/// SHA-256 of the bytes, hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let digest = digest(&SHA256, bytes);
    pharos_domain::hex::hex(digest.as_ref())
}
