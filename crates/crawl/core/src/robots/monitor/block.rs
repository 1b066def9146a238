//! The part of robots.txt in the health of a domain. The overview has no block of it.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    module_block::{
        BlockWindows, HealthReason, ModuleHealth, ModuleReporter, OverviewReport, ReasonCode, ReasonSeverity,
        ReasonUnit,
    },
    ports::{MissingPort, Ports},
    store::StoreError,
};

use super::{
    site::{IssueCounts, RobotsSite},
    store::RobotsStore,
};
use crate::robots::outcome::EffectivePolicy;

/// By how much an error lowers the score.
const ERROR: f64 = 20.0;
/// And a warning.
const WARNING: f64 = 5.0;

/// How the score comes about, for the API's document.
pub const SCORE: &str =
    "The score of robots is 100 less 20 for each error of robots.txt and 5 for each warning, floored at 0.";

/// Reports on robots.txt files.
pub struct RobotsReporter {
    store: Arc<dyn RobotsStore>,
}

impl std::fmt::Debug for RobotsReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RobotsReporter").finish_non_exhaustive()
    }
}

impl RobotsReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl ModuleReporter for RobotsReporter {
    fn module(&self) -> Module {
        Module::Robots
    }

    async fn overview(&self, domain: &DomainAccess, _: &BlockWindows) -> Result<OverviewReport, StoreError> {
        Ok(match self.store.site(domain).await? {
            None => OverviewReport::NotConfigured,
            Some(_) => OverviewReport::Empty,
        })
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        let Some(site) = self.store.site(domain).await? else {
            return Ok(None);
        };
        let before = self.store.counts_at(domain, windows.previous.end()).await?;
        let now = site.current.is_some().then(|| score(site.issue_counts));
        Ok(Some(ModuleHealth::scored(
            now,
            before.map(score),
            reasons(&site),
            windows.now,
        )))
    }
}

/// The score as [`SCORE`] says.
pub(crate) fn score(counts: IssueCounts) -> f64 {
    let lost = ERROR * f64::from(counts.error) + WARNING * f64::from(counts.warning);
    (100.0 - lost).max(0.0)
}

/// Why it is not better: errors, warnings, and a file that nobody can fetch.
fn reasons(site: &RobotsSite) -> Vec<HealthReason> {
    let counted = |code, severity, count: u32| {
        (count > 0).then(|| HealthReason {
            code,
            severity,
            value: count.into(),
            threshold: 1.0,
            unit: ReasonUnit::Count,
        })
    };
    let unreachable = u32::from(site.policy() == EffectivePolicy::DisallowAll);
    let found = [
        counted(
            ReasonCode::RobotsUnreachable,
            ReasonSeverity::Critical,
            unreachable,
        ),
        counted(
            ReasonCode::RobotsErrors,
            ReasonSeverity::Warning,
            site.issue_counts.error,
        ),
        counted(
            ReasonCode::RobotsWarnings,
            ReasonSeverity::Warning,
            site.issue_counts.warning,
        ),
    ];
    found.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: 100 − 20 − 2 × 5 = 70; five errors are 100.
    #[test]
    fn errors_cost_20_and_warnings_5() {
        let of = |error, warning| {
            score(IssueCounts {
                error,
                warning,
                info: 9,
            })
        };
        assert_eq!(of(0, 0), 100.0);
        assert_eq!(of(1, 2), 70.0);
        assert_eq!(of(5, 1), 0.0);
    }
}
