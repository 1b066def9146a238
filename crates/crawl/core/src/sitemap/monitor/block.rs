//! The part of sitemaps in the health of a domain. The overview has no block of it.

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

use super::{site::SitemapSite, store::SitemapStore};
use crate::robots::monitor::block::score;

/// How the score comes about, for the API's document.
pub const SCORE: &str = "The score of sitemap is 100 less 20 for each finding that is an error and 5 for each that is a \
                         warning, floored at 0; a finding is of one kind and one file. A site without a sitemap has none.";

/// Reports on sitemaps.
pub struct SitemapReporter {
    store: Arc<dyn SitemapStore>,
}

impl std::fmt::Debug for SitemapReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapReporter").finish_non_exhaustive()
    }
}

impl SitemapReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl ModuleReporter for SitemapReporter {
    fn module(&self) -> Module {
        Module::Sitemap
    }

    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<OverviewReport, StoreError> {
        Ok(match self.store.site(domain, windows.now).await? {
            None => OverviewReport::NotConfigured,
            Some(_) => OverviewReport::Empty,
        })
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        let Some(site) = self.store.site(domain, windows.now).await? else {
            return Ok(None);
        };
        let before = self.store.counts_before(domain, windows.previous.end()).await?;
        let now = (site.files > 0).then(|| score(site.issue_counts));
        Ok(Some(ModuleHealth::scored(
            now,
            before.map(score),
            reasons(&site),
            windows.now,
        )))
    }
}

/// Why it is not better.
fn reasons(site: &SitemapSite) -> Vec<HealthReason> {
    let counted = |code, count: u32| {
        (count > 0).then(|| HealthReason {
            code,
            severity: ReasonSeverity::Warning,
            value: count.into(),
            threshold: 1.0,
            unit: ReasonUnit::Count,
        })
    };
    let found = [
        counted(ReasonCode::SitemapErrors, site.issue_counts.error),
        counted(ReasonCode::SitemapWarnings, site.issue_counts.warning),
    ];
    found.into_iter().flatten().collect()
}
