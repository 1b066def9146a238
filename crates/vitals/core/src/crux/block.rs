//! The part of field data in the overview and the health of a domain.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    module_block::{
        BlockWindows, DeviceVitals, ModuleHealth, ModuleReporter, OverviewBlock, OverviewReport, Versus,
        Vitals,
    },
    ports::{MissingPort, Ports},
    store::StoreError,
};

use super::{
    FormFactor, Metric,
    figures::{Figures, PERIOD},
    store::{CruxStore, Followed},
};

/// How the score comes about, for the API's document.
pub const SCORE: &str = "The score of crux is the mean of good_pct of LCP, INP and CLS of all devices, among those that the \
                         report has.";

/// Reports on the field data of domains.
pub struct CruxReporter {
    store: Arc<dyn CruxStore>,
}

impl std::fmt::Debug for CruxReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CruxReporter").finish_non_exhaustive()
    }
}

impl CruxReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// The port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }

    /// The figures of the period that ended 28 days before the newest.
    async fn before(&self, found: &Followed) -> Result<BTreeMap<FormFactor, Figures>, StoreError> {
        let newest = found.newest.values().map(|(period, _)| period.end).max();
        match newest {
            Some(end) => self.store.ended_on(found, end - PERIOD).await,
            None => Ok(BTreeMap::new()),
        }
    }
}

#[async_trait]
impl ModuleReporter for CruxReporter {
    fn module(&self) -> Module {
        Module::Crux
    }

    async fn overview(&self, domain: &DomainAccess, _: &BlockWindows) -> Result<OverviewReport, StoreError> {
        let Some(found) = self.store.origin(domain).await? else {
            return Ok(OverviewReport::NotConfigured);
        };
        if found.newest.is_empty() {
            return Ok(OverviewReport::Empty);
        }
        let before = self.before(&found).await?;
        let newest = |form_factor| found.newest.get(&form_factor).map(|(_, figures)| figures);
        let block = Versus {
            current: devices(newest(FormFactor::Mobile), newest(FormFactor::Desktop)),
            previous: (!before.is_empty())
                .then(|| devices(before.get(&FormFactor::Mobile), before.get(&FormFactor::Desktop))),
        };
        Ok(OverviewReport::Block(Box::new(OverviewBlock::Crux(block))))
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        let Some(found) = self.store.origin(domain).await? else {
            return Ok(None);
        };
        let newest = found.newest.get(&FormFactor::All);
        let current = newest.and_then(|(_, figures)| score(figures));
        let before = self.before(&found).await?;
        let previous = before.get(&FormFactor::All).and_then(score);
        Ok(Some(ModuleHealth::scored(
            current,
            previous,
            Vec::new(),
            windows.now,
        )))
    }
}

/// The mean share of good values in percent, of the core metrics that there are.
fn score(figures: &Figures) -> Option<f64> {
    let good = [Metric::Lcp, Metric::Inp, Metric::Cls]
        .into_iter()
        .filter_map(|metric| Some(figures.metrics.get(&metric)?.shares()?[0]));
    let (count, sum) = good.fold((0_u32, 0.0), |(count, sum), share| (count + 1, sum + share));
    (count > 0).then(|| super::pct(sum / f64::from(count)))
}

fn devices(mobile: Option<&Figures>, desktop: Option<&Figures>) -> DeviceVitals {
    DeviceVitals {
        mobile: mobile.map(vitals),
        desktop: desktop.map(vitals),
    }
}

fn vitals(figures: &Figures) -> Vitals {
    let of = |metric| figures.metrics.get(&metric).and_then(|found| found.p75);
    Vitals {
        lcp_ms: of(Metric::Lcp),
        cls: of(Metric::Cls),
        inp_ms: of(Metric::Inp),
        ttfb_ms: of(Metric::Ttfb),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crux::figures::{Bin, MetricFigures};

    /// Computed by hand: the mean of 80 % and 95 %, where INP is missing.
    #[test]
    fn the_score_is_the_mean_of_what_there_is() {
        let metric = |good: f64| MetricFigures {
            p75: None,
            histogram: [good, 1.0 - good, 0.0]
                .map(|density| Bin {
                    start: 0.0,
                    end: None,
                    density,
                })
                .to_vec(),
        };
        let figures = Figures {
            metrics: [
                (Metric::Lcp, metric(0.8)),
                (Metric::Cls, metric(0.95)),
                (Metric::Fcp, metric(0.1)),
            ]
            .into_iter()
            .collect(),
            ..Figures::default()
        };
        assert_eq!(score(&figures), Some(87.5));
        assert_eq!(score(&Figures::default()), None);
    }
}
