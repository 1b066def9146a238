//! A module's part in the overview and the health of a domain.

mod comparison;
mod health;
mod overview;

use async_trait::async_trait;
use time::OffsetDateTime;

pub use self::{
    comparison::{AnalyticsComparison, SearchChange, SearchComparison, VitalsChange, VitalsComparison},
    health::{HealthReason, HealthStatus, ModuleHealth, ReasonCode, ReasonSeverity, ReasonUnit},
    overview::{
        AnalyticsBlock, DeviceVitals, OverviewBlock, SearchBlock, SearchFigures, UptimeBlock, Versus, Vitals,
    },
};
use crate::{identity::DomainAccess, module::Module, store::StoreError, window::DateRange};

/// The windows that a module answers about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockWindows {
    /// When the answer is made. The rest of a window that holds today has not happened.
    pub now: OffsetDateTime,
    /// The window that the answer is about.
    pub current: DateRange,
    /// The window that it is compared with, right before.
    pub previous: DateRange,
}

/// A module's answer to an overview.
#[derive(Clone, Debug, PartialEq)]
pub enum OverviewReport {
    /// The domain has no stored configuration of the module.
    NotConfigured,
    /// It has one, and nothing was recorded; or the module has no block in an overview.
    Empty,
    /// The module's block.
    Block(Box<OverviewBlock>),
}

/// Reports on a domain for one module. An error is a failed module: the answer names it, and the others still count.
#[async_trait]
pub trait ModuleReporter: Send + Sync {
    /// The module that it reports for.
    fn module(&self) -> Module;

    /// Its block of the overview. `rum` and `analytics` have no stored configuration: they say `Empty` for want of data.
    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<OverviewReport, StoreError>;

    /// Its row of the health. `None`: not configured.
    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError>;
}
