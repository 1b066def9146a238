//! The part of inspections in the health of a domain. The overview has no block of it.

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

use super::store::{
    reads::{DayStanding, IndexingReads, Overview, share_pct},
    urls::IndexingUrls,
};

/// How the score comes about, for the API's document.
pub const SCORE: &str =
    "The score of indexing is the share of inspected URLs that are in Google's index, in percent.";

/// Below this share of indexed URLs there is a reason to look.
const FEW_INDEXED_PCT: f64 = 80.0;

/// Reports on inspections.
pub struct IndexingReporter {
    urls: Arc<dyn IndexingUrls>,
    reads: Arc<dyn IndexingReads>,
}

impl std::fmt::Debug for IndexingReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexingReporter").finish_non_exhaustive()
    }
}

impl IndexingReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            urls: ports.get()?,
            reads: ports.get()?,
        })
    }
}

#[async_trait]
impl ModuleReporter for IndexingReporter {
    fn module(&self) -> Module {
        Module::Indexing
    }

    async fn overview(&self, domain: &DomainAccess, _: &BlockWindows) -> Result<OverviewReport, StoreError> {
        Ok(match self.urls.site(domain).await? {
            None => OverviewReport::NotConfigured,
            Some(_) => OverviewReport::Empty,
        })
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        if self.urls.site(domain).await?.is_none() {
            return Ok(None);
        }
        let known = self.reads.overview(domain, windows.now).await?;
        // The newest day of the window before says how it ended.
        let before = self.reads.days(domain, windows.previous).await?;
        let before = before.values().next_back().and_then(DayStanding::indexed_pct);
        let score = share_pct(known.indexed, known.inspected);
        Ok(Some(ModuleHealth::scored(
            score,
            before,
            reasons(&known),
            windows.now,
        )))
    }
}

/// Why it is not better: few URLs in the index, and pages that Google can't fetch.
fn reasons(known: &Overview) -> Vec<HealthReason> {
    let few = share_pct(known.indexed, known.inspected)
        .filter(|share| *share < FEW_INDEXED_PCT)
        .map(|value| HealthReason {
            code: ReasonCode::FewIndexedUrls,
            severity: ReasonSeverity::Warning,
            value,
            threshold: FEW_INDEXED_PCT,
            unit: ReasonUnit::Pct,
        });
    let failing: u64 = known
        .by_fetch_state
        .iter()
        .filter(|(state, _)| state.is_error())
        .map(|(_, urls)| urls)
        .sum();
    let failing = (failing > 0).then_some(HealthReason {
        code: ReasonCode::IndexingFetchErrors,
        severity: ReasonSeverity::Warning,
        value: failing as f64,
        threshold: 1.0,
        unit: ReasonUnit::Count,
    });
    few.into_iter().chain(failing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexing::states::FetchState;

    /// Computed by hand: 3 of 4 are 75 %; two of them were not fetched.
    #[test]
    fn few_indexed_urls_and_failing_fetches_are_reasons() {
        let known = Overview {
            inspected: 4,
            indexed: 3,
            by_fetch_state: vec![(FetchState::Successful, 2), (FetchState::NotFound, 2)],
            ..Overview::default()
        };
        let told: Vec<_> = reasons(&known)
            .iter()
            .map(|reason| (reason.code, reason.value))
            .collect();
        assert_eq!(
            told,
            [
                (ReasonCode::FewIndexedUrls, 75.0),
                (ReasonCode::IndexingFetchErrors, 2.0)
            ]
        );
        assert_eq!(reasons(&Overview::default()), []);
    }
}
