//! The sitemaps of sites, as things with a due time.

use std::{sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, site_address::SiteAddresses, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::{
    checker::SitemapChecker,
    store::{CheckedSite, DueSite, SitemapSchedule},
};

/// When a check that the time did not suffice for is gone on with, or one that failed is tried again.
const SOON: Duration = Duration::minutes(10);
/// How long a claim holds: longer than a check goes on, and its last fetch and what follows take.
const LEASE: Duration = Duration::minutes(45);
/// How many sites are checked at once. Most of the time they wait for their turn at their servers.
const BATCH: usize = 32;
/// How long a check that is over waits for company before it is settled.
const GATHER: StdDuration = StdDuration::from_secs(1);
/// The longest pause between two looks at what is due, and at who is to be enrolled.
const POLL: StdDuration = StdDuration::from_secs(5);
/// How many domains are enrolled at once.
const ENROL: usize = 256;

/// Keeps what is known of sitemaps up to date.
#[derive(Clone)]
pub struct SitemapWatch {
    /// Where due sites come from.
    pub store: Arc<dyn SitemapSchedule>,
    /// Where sites lie.
    pub addresses: Arc<dyn SiteAddresses>,
    /// Checks them.
    pub checker: SitemapChecker,
}

impl std::fmt::Debug for SitemapWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapWatch").finish_non_exhaustive()
    }
}

impl SitemapWatch {
    /// Works until `stop`; then lets what is being checked end until `abandon`, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Checks once what is due now, and says how many sites.
    ///
    /// # Errors
    /// The store failed.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::default(),
            clock: Arc::clone(&self.checker.clock),
            pace: DuePace::in_batches(BATCH, LEASE, GATHER, POLL),
            work: Arc::new(self),
        }
    }
}

#[async_trait]
impl DueWork for SitemapWatch {
    type Item = DueSite;
    type Outcome = CheckedSite;

    const NAME: &'static str = "sitemaps";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError> {
        // Those that are watched already are checked even so.
        if let Err(error) = self.store.enrol(claim.now, ENROL).await {
            tracing::warn!(%error, "domains can't be enrolled for sitemaps at the moment");
        }
        let mut due = self.store.claim(claim).await?;
        if due.is_empty() {
            return Ok(due);
        }
        let domains: Vec<DomainId> = due.iter().map(|due| due.domain).collect();
        let mut addresses = self.addresses.of(&domains).await?;
        for due in &mut due {
            due.address = addresses.remove(&due.domain);
        }
        Ok(due)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, due: &DueSite) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DueSite) -> String {
        due.domain.to_string()
    }

    async fn perform(&self, due: &DueSite) -> Option<CheckedSite> {
        let domain = due.domain;
        let is_whole = match &due.address {
            None => true,
            Some(address) => match self.checker.check(domain, address, None).await {
                Ok(end) => end.is_none_or(|end| end.is_whole),
                Err(error) => {
                    // The sites of others are checked; this one is tried again soon.
                    tracing::error!(%domain, %error, "what a check of sitemaps found can't be stored");
                    false
                }
            },
        };
        let now = self.checker.clock.now();
        Some(CheckedSite {
            domain,
            leased_until: due.leased_until,
            next_check_at: if is_whole {
                next(domain, now, due.interval)
            } else {
                now + SOON
            },
        })
    }

    async fn settle(&self, checked: &[CheckedSite], _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.settle(checked).await
    }

    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}

/// When a site is due next: once each interval, at a moment of its own.
fn next(domain: DomainId, now: OffsetDateTime, interval: Duration) -> OffsetDateTime {
    slots::next_after(now, &[domain.0.as_bytes(), b"sitemaps"], interval)
}
