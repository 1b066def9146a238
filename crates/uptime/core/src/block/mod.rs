//! The part of uptime in the overview and the health of a domain.

mod score;

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    module_block::{BlockWindows, ModuleHealth, ModuleReporter, OverviewBlock, OverviewReport, UptimeBlock},
    ports::{MissingPort, Ports},
    store::StoreError,
    window::DateRange,
};
use time::OffsetDateTime;

pub use self::score::SCORE;
use self::score::{reasons, score};
use crate::{
    availability::past::Past,
    certificate::store::{CertificateStore, SeenCertificate},
    history::HistoryStore,
    knowledge::MonitorKnowledge,
    registration::days_between,
    status::{State, state},
    store::MonitorStore,
};

/// Reports on the uptime of domains.
pub struct UptimeReporter {
    monitors: Arc<dyn MonitorStore>,
    history: Arc<dyn HistoryStore>,
    certificates: Arc<dyn CertificateStore>,
}

impl std::fmt::Debug for UptimeReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UptimeReporter").finish_non_exhaustive()
    }
}

impl UptimeReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            monitors: ports.get()?,
            history: ports.get()?,
            certificates: ports.get()?,
        })
    }
}

#[async_trait]
impl ModuleReporter for UptimeReporter {
    fn module(&self) -> Module {
        Module::Uptime
    }

    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<OverviewReport, StoreError> {
        let BlockWindows { now, current, .. } = *windows;
        let edges = [current.start(), current.end()];
        let (known, counted) = tokio::try_join!(
            self.monitors.status(domain, current.start()),
            self.history.aggregate(domain, &[], &edges, None)
        )?;
        let Some(known) = known else {
            return Ok(OverviewReport::NotConfigured);
        };
        if known.regions.iter().all(|region| region.state.is_none()) {
            return Ok(OverviewReport::Empty);
        }
        let block = UptimeBlock {
            uptime_pct: uptime_pct(&known, current, now),
            ssl_days_remaining: known.certificate_ends_at().map(|end| days_between(now, end)),
            domain_days_remaining: known.registration_ends_at.map(|end| days_between(now, end)),
            is_blocked_403: state(&known, now).0 == State::Blocked,
            checks_total: counted.totals.iter().sum(),
        };
        Ok(OverviewReport::Block(Box::new(OverviewBlock::Uptime(block))))
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        let BlockWindows {
            now,
            current,
            previous,
        } = *windows;
        let (known, seen) = tokio::try_join!(
            self.monitors.status(domain, previous.start()),
            self.certificates.list(domain)
        )?;
        Ok(known.map(|known| {
            let uptime = uptime_pct(&known, current, now);
            let certificate = known.certificate_ends_at();
            let days = certificate.map(|end| days_between(now, end));
            let days_then = certificate_at(&seen, previous.end())
                .map(|certificate| days_between(previous.end(), certificate.valid_until));
            ModuleHealth::scored(
                score(uptime, days),
                score(uptime_pct(&known, previous, now), days_then),
                reasons(uptime, days),
                now,
            )
        }))
    }
}

/// Availability of the window as far as it has passed.
fn uptime_pct(known: &MonitorKnowledge, window: DateRange, now: OffsetDateTime) -> Option<f64> {
    Past::new(known, now)
        .availability(window.time_range())
        .uptime_pct()
}

/// The certificate that the site presented then; `None` where none was seen by then, or it had none any more.
fn certificate_at(seen: &[SeenCertificate], at: OffsetDateTime) -> Option<&SeenCertificate> {
    seen.iter()
        .filter(|certificate| certificate.first_seen_at < at)
        .filter(|certificate| {
            certificate
                .replaced_at
                .is_none_or(|replaced_at| replaced_at >= at)
        })
        .max_by_key(|certificate| certificate.first_seen_at)
}
