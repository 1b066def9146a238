//! Samples pages of sitemaps, politely: one request a second and host, and none that robots.txt denies to Pharos.

use std::time::Duration;

use async_trait::async_trait;
use http::header::{CONTENT_TYPE, LINK};
use pharos_domain::{clock::Clock, ids::DomainId, store::StoreError};
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answer, Answers, Client, ClientSettings, Limits, Redirects, Request, Schemes},
    pace::Pace,
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;
use tokio::time::Instant;
use url::Url;
use uuid::Uuid;

use super::{
    claims::Claims,
    site::{ListedPage, SiteRobots},
};
use crate::{
    caller::Caller,
    robots::{
        effort::Effort,
        monitor::{evaluate::target, site::effective},
    },
    sitemap::page::{self, Indexing},
};

/// The name by which a group of a robots.txt addresses Pharos.
const TOKEN: &str = "Pharos";
/// How many pages are sampled with a check.
pub const AT_ONCE: usize = 100;
/// The most time for one page.
const TIME: Duration = Duration::from_secs(15);
/// How much of a page is read: its head is within that.
const READ_BYTES: usize = 256 * 1024;
/// The most time for the pages of a check.
const BUDGET: Duration = Duration::from_secs(5 * 60);
/// After this many pages in a row without an answer, the rest is skipped.
const MOST_FAILURES: usize = 5;

/// The answer of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The key of the page.
    pub key: Uuid,
    /// When it was asked.
    pub asked_at: OffsetDateTime,
    /// The status that the page answered with.
    pub status_code: u16,
    /// Where it redirects to.
    pub redirects_to: Option<String>,
    /// Whether it asks Google not to index it; `None`: it is no HTML page, and no header says so.
    pub is_noindex: Option<bool>,
    /// The page that it names as the one to be indexed.
    pub canonical: Option<String>,
    /// Whether that is itself; `None`: it names none.
    pub is_canonical: Option<bool>,
}

/// Where samples are kept.
#[async_trait]
pub trait SampleArchive: Send + Sync {
    /// The next `limit` pages in a round through all of them.
    async fn next(&self, domain: DomainId, limit: usize) -> Result<Vec<ListedPage>, StoreError>;

    /// Stores the answers of pages, in place of their earlier answers. `through`: the last page whose turn it was; `None`: the
    /// round is over, and the next one begins with the first page.
    async fn keep(
        &self,
        domain: DomainId,
        samples: &[Sample],
        through: Option<Uuid>,
    ) -> Result<(), StoreError>;
}

/// Looks at pages.
#[derive(Debug)]
pub struct Sampler {
    client: Client,
    /// The domains whose pages are looked at right now.
    looked_at: Claims,
}

impl Sampler {
    /// Prepares what all requests share. A server gets at most one request in each `pace`.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        caller: &Caller,
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        pace: Duration,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            user_agent: caller.user_agent(),
            schemes: Schemes::Any,
            redirects: Redirects::Return,
            answers: Answers::Beginning,
            between: pace,
            patience: Duration::from_secs(60),
            limits: Limits {
                time: TIME,
                sent_bytes: READ_BYTES,
                body_bytes: READ_BYTES,
                ..Limits::default()
            },
        };
        Ok(Self {
            client: Client::new(resolver, policy, trust, settings)?,
            looked_at: Claims::default(),
        })
    }

    /// Samples the pages whose turn it is: those on the host whose robots.txt is known, as far as it admits Pharos. `false`:
    /// pages of the domain are being sampled already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn look(
        &self,
        archive: &dyn SampleArchive,
        domain: DomainId,
        robots: &SiteRobots,
        clock: &dyn Clock,
    ) -> Result<bool, StoreError> {
        let Some(_claim) = self.looked_at.claim(domain) else {
            return Ok(false);
        };
        let pages = archive.next(domain, AT_ONCE).await?;
        // Fewer pages than there is room for are the last of a round.
        let mut through = None;
        let mut is_over = pages.len() < AT_ONCE;
        let file = effective(robots.state, robots.content.as_deref());
        let access = file.access(TOKEN).in_order();
        let origin = Url::parse(&robots.robots_url).ok().map(|url| url.origin());
        let until = Instant::now() + BUDGET;
        let (mut samples, mut failures) = (Vec::new(), 0);
        let mut effort = Effort::default();
        for page in &pages {
            if Instant::now() >= until || failures == MOST_FAILURES {
                is_over = false;
                break;
            }
            through = Some(page.key);
            let Ok(url) = Url::parse(&page.url) else { continue };
            let is_here = origin.as_ref() == Some(&url.origin());
            // A page about which the rules don't decide in time is not requested.
            let decision = access.decide_within(&target(&url), &mut effort);
            if !is_here || !decision.is_ok_and(|decision| decision.is_allowed) {
                continue;
            }
            match self.ask(page.key, url, clock.now()).await {
                Some(sample) => {
                    failures = 0;
                    samples.push(sample);
                }
                None => failures += 1,
            }
        }
        let through = through.filter(|_| !is_over);
        archive.keep(domain, &samples, through).await?;
        Ok(true)
    }

    /// The same with turns that it shares with others who query the same servers.
    #[must_use]
    pub fn paced_by(self, pace: &Pace) -> Self {
        Self {
            client: self.client.paced_by(pace),
            ..self
        }
    }

    /// Requests a page. `None`: there is no answer, which says more of the site than of the page.
    async fn ask(&self, key: Uuid, url: Url, now: OffsetDateTime) -> Option<Sample> {
        let request = Request::get(url.clone()).accept("text/html, */*;q=0.5");
        let answer = self.client.send(request, now).await.ok()?;
        let said = said(&url, &answer);
        let is_canonical = said.as_ref().and_then(|said| {
            let named = said.canonical.as_ref()?;
            Some(without_fragment(named) == without_fragment(&url))
        });
        Some(Sample {
            key,
            asked_at: now,
            status_code: answer.status.as_u16(),
            redirects_to: answer.redirect.map(String::from),
            is_noindex: said.as_ref().map(|said| said.is_noindex),
            canonical: said.and_then(|said| said.canonical).map(String::from),
            is_canonical,
        })
    }
}

/// Reads from an answer how the page controls its indexing; `None` if it is no success.
fn said(url: &Url, answer: &Answer) -> Option<Indexing> {
    if !answer.status.is_success() {
        return None;
    }
    let texts = |name: &str| {
        let values = answer.headers.get_all(name).into_iter();
        values.filter_map(|value| value.to_str().ok())
    };
    let is_html = texts(CONTENT_TYPE.as_str()).any(|value| {
        let value = value.to_ascii_lowercase();
        value.starts_with("text/html") || value.starts_with("application/xhtml+xml")
    });
    let mut said = if is_html {
        page::read(url, &answer.body)
    } else {
        Indexing::default()
    };
    said.is_noindex |= texts("x-robots-tag").any(page::header_says_noindex);
    if said.canonical.is_none() {
        said.canonical = texts(LINK.as_str()).find_map(|value| page::header_names_canonical(value, url));
    }
    Some(said)
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}
