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

/// A fall of visitors by more than this is a reason, in percent: its score is below 80.
const FELL_PCT: f64 = 20.0;
/// By more than this it is a critical one.
const FELL_FAR_PCT: f64 = 50.0;

/// How the score comes about, for the API's document.
pub const SCORE: &str = "The score of analytics is 100 × visitors ÷ those of the window before, 100 at most; it is null where \
                         neither window has any.";

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
        let before = previous.preceding();
        let asked = [current, before];
        let found = self
            .visits
            .overview(domain, &asked, &Filters::default(), "")
            .await?;
        let [current, previous, before] =
            [current, previous, before].map(|window| found.totals(window).visitors);
        Ok(Some(ModuleHealth::scored(
            score(current, previous),
            score(previous, before),
            reasons(current, previous),
            now,
        )))
    }
}

/// The score as [`SCORE`] says.
fn score(visitors: u64, before: u64) -> Option<f64> {
    match (visitors, before) {
        (0, 0) => None,
        (_, 0) => Some(100.0),
        _ => Some((100.0 * as_number(visitors) / as_number(before)).min(100.0)),
    }
}

/// Why it is not better: more than 20 % fewer visitors (critical above 50 %).
fn reasons(visitors: u64, before: u64) -> Vec<HealthReason> {
    let fell = score(visitors, before).map(|score| 100.0 - score);
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

    /// By hand: 90 of 100 is 90; 79 of 100 fell by 21; 49 of 100 fell by 51.
    #[test]
    fn the_score_is_what_is_left_of_the_visitors_before() {
        assert_eq!(score(0, 0), None);
        assert_eq!(score(5, 0), Some(100.0));
        assert_eq!(score(0, 5), Some(0.0));
        assert_eq!(score(90, 100), Some(90.0));
        assert_eq!(score(200, 100), Some(100.0));
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
