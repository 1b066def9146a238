//! Checks a site once, as its monitor says: what the schedule and runs have in common.

use std::sync::Arc;

use pharos_domain::{
    clock::Clock,
    ids::{DomainId, RunId},
};
use time::OffsetDateTime;

use crate::{
    certificate::Sighting,
    check::{Check, CheckContext},
    finished::FinishedCheck,
    metrics,
    monitor::settings::MonitorSettings,
    probe::{Prober, Verdict},
};

/// Checks sites from one region.
#[derive(Clone)]
pub struct Checker {
    /// The prober that sends the requests.
    pub prober: Arc<Prober>,
    /// The clock that stamps checks.
    pub clock: Arc<dyn Clock>,
    /// The region that checks run from.
    pub region: String,
}

/// Why a check is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// It was due.
    Due {
        /// When it was due.
        at: OffsetDateTime,
        /// When the monitor's settings were changed last before it was claimed.
        settings_at: OffsetDateTime,
    },
    /// A caller asked for it.
    Run(RunId),
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker")
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

impl Checker {
    /// Checks the site of a domain; `None` where the settings make no request. Whatever fails is in the check.
    pub async fn check(
        &self,
        domain_id: DomainId,
        settings: &MonitorSettings,
        occasion: Occasion,
    ) -> Option<FinishedCheck> {
        let request = settings.probe_request()?;
        let checked_at = to_the_microsecond(self.clock.now());
        let in_maintenance = settings
            .maintenance_windows
            .iter()
            .any(|window| window.covering(checked_at).is_some());
        let mut report = self.prober.probe(&request).await;
        let response_headers = std::mem::take(&mut report.response_headers);
        // A refusal says nothing of the site's certificate either, unless the site was reached and redirects to what is refused.
        let is_seen = report.verdict != Verdict::Refused || report.certificate.is_some();
        let sighting = is_seen.then(|| Sighting::take(&mut report, &request.url));
        let certificate = sighting.as_ref().and_then(Sighting::certificate);
        let certificate_valid_until = certificate.map(|certificate| certificate.valid_until);
        let (due_at, settings_at, run_id) = match occasion {
            Occasion::Due { at, settings_at } => (Some(at), Some(settings_at), None),
            Occasion::Run(id) => (None, None, Some(id)),
        };
        let context = CheckContext {
            domain_id,
            region: self.region.clone(),
            checked_at,
            in_maintenance,
            run_id,
        };
        let check = Check::from_report(report, context);
        metrics::checked(&self.region, check.outcome, due_at.map(|due| checked_at - due));
        tracing::debug!(%domain_id, outcome = %check.outcome, response_ms = check.response_ms, "checked");
        Some(FinishedCheck {
            check,
            due_at,
            settings_at,
            certificate_valid_until,
            response_headers,
            sighting: sighting.map(Arc::new),
        })
    }
}

/// A time as the store keeps it.
fn to_the_microsecond(at: OffsetDateTime) -> OffsetDateTime {
    at.replace_nanosecond(at.nanosecond() / 1_000 * 1_000)
        .unwrap_or(at)
}
