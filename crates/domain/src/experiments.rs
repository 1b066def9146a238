//! Experiments on pages, which one group runs and others show beside their figures.

use async_trait::async_trait;
use time::Date;

use crate::{identity::DomainAccess, store::StoreError, window::DateRange};

/// An experiment that began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunExperiment {
    /// The first day after the change.
    pub date: Date,
    /// The name that people gave it.
    pub name: String,
}

/// The experiments of domains.
#[async_trait]
pub trait BegunExperiments: Send + Sync {
    /// Those whose pages changed on days of a window, in order, drafts left out.
    async fn begun(
        &self,
        domain: &DomainAccess,
        window: DateRange,
    ) -> Result<Vec<BegunExperiment>, StoreError>;
}
