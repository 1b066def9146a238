//! Credits as the reads see them. Who charges them is no concern of this crate.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Balance, CacheOutcome},
    identity::WorkspaceAccess,
    ids::{CredentialId, DomainId, RequestId, WorkspaceId},
    page::{Page, PageRequest},
    store::StoreError,
};
use time::OffsetDateTime;

/// A call as the credit log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCall {
    /// By which support finds it in logs.
    pub request_id: RequestId,
    /// When it was answered.
    pub occurred_at: OffsetDateTime,
    /// Who paid.
    pub workspace_id: WorkspaceId,
    /// The key or grant that called.
    pub credential_id: CredentialId,
    /// The domain of the path; `None` where it has none in reach.
    pub domain_id: Option<DomainId>,
    /// The operation's id. The log outlives versions: this one may not have the operation.
    pub operation: String,
    /// The status that was answered.
    pub status: u16,
    /// The charge, in credits.
    pub cost: u32,
    /// Where the answer came from.
    pub cache: CacheOutcome,
}

/// Reads balances and the log.
#[async_trait]
pub trait CreditStore: Send + Sync {
    /// The balances of these workspaces in the cycles that `now` lies in, the oldest workspace first. Each has the
    /// share of the user behind the accesses where the workspace caps it.
    async fn balances(
        &self,
        reach: &[WorkspaceAccess],
        now: OffsetDateTime,
    ) -> Result<Vec<Balance>, StoreError>;

    /// The calls of the cycle that `now` lies in, the newest first.
    async fn log(
        &self,
        workspace: &WorkspaceAccess,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<LoggedCall>, StoreError>;
}
