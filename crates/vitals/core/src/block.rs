//! The part of real-user monitoring in the overview and the health of a domain.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    collect::client::Device,
    identity::DomainAccess,
    module::Module,
    module_block::{
        BlockWindows, DeviceVitals, HealthReason, ModuleHealth, ModuleReporter, OverviewBlock,
        OverviewReport, ReasonCode, ReasonSeverity, ReasonUnit, Vitals,
    },
    ports::{MissingPort, Ports},
    store::StoreError,
};

use crate::{
    metric::Metric,
    overview::{ViewFigures, ViewFilter},
    store::{VitalsReads, VitalsSites},
};

/// The percentile of headline figures.
pub const HEADLINE_PERCENT: u8 = 75;
/// A smaller share of good views is a reason, in percent.
const FEW_PCT: f64 = 90.0;
/// And below this a critical one.
const VERY_FEW_PCT: f64 = 50.0;

/// How the score comes about, for the API's document.
pub const SCORE: &str =
    "The score of rum is good_views_pct: the share of views whose core metrics are all good.";

/// Reports on what visitors of domains feel.
pub struct VitalsReporter {
    sites: Arc<dyn VitalsSites>,
    reads: Arc<dyn VitalsReads>,
}

impl std::fmt::Debug for VitalsReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VitalsReporter").finish_non_exhaustive()
    }
}

impl VitalsReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            sites: ports.get()?,
            reads: ports.get()?,
        })
    }
}

#[async_trait]
impl ModuleReporter for VitalsReporter {
    fn module(&self) -> Module {
        Module::Rum
    }

    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<OverviewReport, StoreError> {
        let all = ViewFilter::default();
        let found = self
            .reads
            .figures(domain, windows.current, &all, HEADLINE_PERCENT)
            .await?;
        if found.all.views == 0 {
            return Ok(OverviewReport::Empty);
        }
        let block = DeviceVitals {
            mobile: found.of(Device::Mobile).map(vitals),
            desktop: found.of(Device::Desktop).map(vitals),
        };
        Ok(OverviewReport::Block(Box::new(OverviewBlock::Rum(block))))
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        if self.sites.view(domain).await?.is_none() {
            return Ok(None);
        }
        let all = ViewFilter::default();
        let figures = |days| self.reads.figures(domain, days, &all, HEADLINE_PERCENT);
        let score = figures(windows.current).await?.all.good_views_pct();
        let before = figures(windows.previous).await?.all.good_views_pct();
        let reasons = score.and_then(reason).into_iter().collect();
        Ok(Some(ModuleHealth::scored(score, before, reasons, windows.now)))
    }
}

fn vitals(figures: &ViewFigures) -> Vitals {
    Vitals {
        lcp_ms: figures.percentiles.of(Metric::Lcp),
        cls: figures.percentiles.of(Metric::Cls),
        inp_ms: figures.percentiles.of(Metric::Inp),
        ttfb_ms: figures.percentiles.of(Metric::Ttfb),
    }
}

fn reason(good_views_pct: f64) -> Option<HealthReason> {
    let (severity, threshold) = if good_views_pct < VERY_FEW_PCT {
        (ReasonSeverity::Critical, VERY_FEW_PCT)
    } else {
        (ReasonSeverity::Warning, FEW_PCT)
    };
    (good_views_pct < threshold).then_some(HealthReason {
        code: ReasonCode::FewGoodViews,
        severity,
        value: good_views_pct,
        threshold,
        unit: ReasonUnit::Pct,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_good_views_are_a_reason_and_very_few_a_critical_one() {
        let found = |pct| reason(pct).map(|reason| (reason.severity, reason.threshold));
        assert_eq!(found(90.0), None);
        assert_eq!(found(89.99), Some((ReasonSeverity::Warning, 90.0)));
        assert_eq!(found(50.0), Some((ReasonSeverity::Warning, 90.0)));
        assert_eq!(found(49.9), Some((ReasonSeverity::Critical, 50.0)));
    }
}
