//! The part of analytics in the overview and the health of a domain.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    module_block::{
        AnalyticsBlock, BlockWindows, HealthReason, ModuleHealth, ModuleReporter, OverviewBlock,
        OverviewReport, ReasonCode, ReasonSeverity, ReasonUnit, Versus,
    },
    ports::{MissingPort, Ports},
    store::StoreError,
};

use crate::{
    filter::Filters,
    overview::{Totals, as_number},
    store::{SiteStore, VisitStore},
};

/// A fall of visitors by more than this is a reason, in percent.
const FELL_PCT: f64 = 20.0;
/// By more than this it is a critical one.
const FELL_FAR_PCT: f64 = 50.0;

/// How the status comes about, for the API's document.
pub const SCORE: &str = "analytics has no score: its status is `warning` where visitors are more than 20 % fewer than in the window \
                         before, and `critical` where they are more than 50 % fewer.";

/// Reports on the visits of domains.
pub struct AnalyticsReporter {
    sites: Arc<dyn SiteStore>,
    visits: Arc<dyn VisitStore>,
}

impl std::fmt::Debug for AnalyticsReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnalyticsReporter").finish_non_exhaustive()
    }
}

impl AnalyticsReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            sites: ports.get()?,
            visits: ports.get()?,
        })
    }
}

#[async_trait]
impl ModuleReporter for AnalyticsReporter {
    fn module(&self) -> Module {
        Module::Analytics
    }

    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<OverviewReport, StoreError> {
        let BlockWindows {
            current, previous, ..
        } = *windows;
        let found = self
            .visits
            .overview(domain, &[current, previous], &Filters::default(), "")
            .await?;
        let block = |totals: Totals| AnalyticsBlock {
            visitors: totals.visitors,
            pageviews: totals.pageviews,
            sessions: totals.sessions,
            bounce_rate_pct: totals.bounce_rate_pct(),
            avg_duration_seconds: totals.avg_duration_seconds(),
        };
        let (current, previous) = (found.totals(current), found.totals(previous));
        if current.sessions == 0 {
            return Ok(OverviewReport::Empty);
        }
        Ok(OverviewReport::Block(Box::new(OverviewBlock::Analytics(
            Versus {
                current: block(current),
                previous: (previous.sessions > 0).then(|| block(previous)),
            },
        ))))
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        let Some(_) = self.sites.view(domain).await? else {
            return Ok(None);
        };
        let BlockWindows {
            now,
            current,
            previous,
        } = *windows;
        let found = self
            .visits
            .overview(domain, &[current, previous], &Filters::default(), "")
            .await?;
        let [current, previous] = [current, previous].map(|window| found.totals(window).visitors);
        Ok(Some(ModuleHealth::without_score(
            current > 0 || previous > 0,
            reasons(current, previous),
            now,
        )))
    }
}

/// Why the health is not better, as [`SCORE`] says.
fn reasons(visitors: u64, before: u64) -> Vec<HealthReason> {
    let fell = (visitors < before).then(|| 100.0 - 100.0 * as_number(visitors) / as_number(before));
    let reason = fell.filter(|fell| *fell > FELL_PCT).map(|fell| {
        let (severity, threshold) = if fell > FELL_FAR_PCT {
            (ReasonSeverity::Critical, FELL_FAR_PCT)
        } else {
            (ReasonSeverity::Warning, FELL_PCT)
        };
        HealthReason {
            code: ReasonCode::VisitorsFell,
            severity,
            value: fell,
            threshold,
            unit: ReasonUnit::Pct,
        }
    });
    reason.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 79 of 100 fell by 21 %; 49 of 100 fell by 51 %.
    #[test]
    fn fewer_visitors_are_a_reason() {
        assert!(reasons(0, 0).is_empty() && reasons(5, 0).is_empty() && reasons(200, 100).is_empty());
        let told = |visitors| {
            let reasons = reasons(visitors, 100).into_iter();
            reasons
                .map(|reason| (reason.severity, reason.value, reason.threshold))
                .collect::<Vec<_>>()
        };
        assert_eq!(told(80), []);
        assert_eq!(told(79), [(ReasonSeverity::Warning, 21.0, 20.0)]);
        assert_eq!(told(49), [(ReasonSeverity::Critical, 51.0, 50.0)]);
    }
}
