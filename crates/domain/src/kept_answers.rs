//! Answers that are kept for a while, as seen by what outdates them.

use async_trait::async_trait;

use crate::{ids::DomainId, module::Module};

/// Drops kept answers that new data outdate.
#[async_trait]
pub trait KeptAnswers: Send + Sync {
    /// Data of the module of the domain have changed: no answer about it that was kept until now is served again.
    async fn outdated(&self, domain: DomainId, module: Module);
}
