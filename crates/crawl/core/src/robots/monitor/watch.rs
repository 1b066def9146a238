//! The robots.txt of sites, as things with a due time.

use std::{sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use futures_util::future::join_all;
use pharos_domain::{ids::DomainId, site_address::SiteAddresses, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::{
    checker::Checker,
    fetch::{FetchEnd, robots_url},
    metrics,
    store::{DueSite, FinishedCheck, RobotsSchedule, Turn},
};
use crate::hosts::{HostStore, ListedHost, SeenHost};

/// How long a claim holds: longer than a fetch, those of further hosts and the requests for sitemaps may take.
const LEASE: Duration = Duration::minutes(10);
/// How many sites are checked at once.
const BATCH: usize = 16;
/// How long checks wait for company before they are stored.
const GATHER: StdDuration = StdDuration::from_secs(1);
/// The longest pause between two looks at what is due, and at who is to be enrolled.
const POLL: StdDuration = StdDuration::from_secs(5);
/// How many domains are enrolled at once.
const ENROL: usize = 256;

/// Keeps what is known of robots.txt files up to date.
#[derive(Clone)]
pub struct RobotsWatch {
    /// Where due sites come from, and checks go.
    pub store: Arc<dyn RobotsSchedule>,
    /// Where sites lie.
    pub addresses: Arc<dyn SiteAddresses>,
    /// The further hosts of domains.
    pub hosts: Arc<dyn HostStore>,
    /// Checks them.
    pub checker: Checker,
}

impl std::fmt::Debug for RobotsWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RobotsWatch").finish_non_exhaustive()
    }
}

impl RobotsWatch {
    /// Works until `stop`; then lets what is being fetched end until `abandon`, stores it, and gives the rest back.
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

    /// Fetches the files of the further hosts that a domain lists, all at once: the site's own check waits for no more than the
    /// slowest.
    async fn further(&self, domain: DomainId) -> Result<(), StoreError> {
        let hosts = self.hosts.of(domain).await?;
        let seen = join_all(hosts.iter().map(|host| self.look(host))).await;
        for (host, seen) in hosts.iter().zip(seen) {
            if let Some(seen) = seen {
                self.hosts.saw(domain, &host.origin, &seen).await?;
            }
        }
        Ok(())
    }

    /// Fetches the file of a host. `None`: it is no host of a site.
    async fn look(&self, host: &ListedHost) -> Option<SeenHost> {
        let url = robots_url(&host.origin)?;
        let now = self.checker.clock.now();
        let fetched = self.checker.client.fetch(&url, None, now).await;
        metrics::checked(&fetched);
        Some(SeenHost::of(&fetched))
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
impl DueWork for RobotsWatch {
    type Item = DueSite;
    type Outcome = FinishedCheck;

    const NAME: &'static str = "robots";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError> {
        // Those that are watched already are checked even so.
        if let Err(error) = self.store.enrol(claim.now, ENROL).await {
            tracing::warn!(%error, "domains can't be enrolled for robots.txt at the moment");
        }
        let mut due = self.store.claim(claim).await?;
        if due.is_empty() {
            return Ok(due);
        }
        let domains: Vec<DomainId> = due.iter().map(|due| due.site.domain).collect();
        let mut addresses = self.addresses.of(&domains).await?;
        for due in &mut due {
            due.address = addresses.remove(&due.site.domain);
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
        due.site.domain.to_string()
    }

    async fn perform(&self, due: &DueSite) -> Option<FinishedCheck> {
        let fetched = match &due.address {
            Some(address) => self.checker.check(&due.site, address).await,
            None => None,
        };
        if let Some(fetched) = &fetched {
            metrics::checked(fetched);
            if let FetchEnd::Failed(failure) = &fetched.end {
                let (domain, failure) = (due.site.domain, failure.name());
                tracing::info!(%domain, failure, "a robots.txt could not be fetched");
            }
        }
        let domain = due.site.domain;
        if let Err(error) = self.further(domain).await {
            // The stored state of the hosts stands, and the next check asks again.
            tracing::error!(%domain, %error, "the further hosts of a domain can't be checked");
        }
        Some(FinishedCheck {
            domain,
            turn: Some(Turn {
                leased_until: due.leased_until,
                next_check_at: next(domain, self.checker.clock.now(), due.interval),
            }),
            run: None,
            fetched,
        })
    }

    async fn settle(&self, finished: &[FinishedCheck], _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.complete(finished).await.map(|_| ())
    }

    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}

/// When a site is due next: once each interval, at a moment of its own.
fn next(domain: DomainId, now: OffsetDateTime, interval: Duration) -> OffsetDateTime {
    slots::next_after(now, &[domain.0.as_bytes(), b"robots"], interval)
}
