//! Credits as the reads see them. Who charges them is no concern of this crate.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Balance, CacheOutcome},
    identity::WorkspaceAccess,
    ids::{CredentialId, DomainId, RequestId, UserId, WorkspaceId},
    page::{Page, PageRequest},
    store::StoreError,
};
use time::{Date, OffsetDateTime};

/// A call as the credit log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCall {
    /// The id by which support finds it in logs.
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

/// The calls that are looked for in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Only those of this operation.
    pub operation: Option<String>,
    /// Only those by this key or grant.
    pub credential: Option<CredentialId>,
    /// Only those of this UTC day.
    pub day: Option<Date>,
}

/// The calls of an operation on a day, added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The UTC day.
    pub day: Date,
    /// The operation's id.
    pub operation: String,
    /// How many calls there were, those included that cost nothing.
    pub calls: u64,
    /// Their cost.
    pub credits: u64,
}

/// The credits that the credentials of a member used in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberShare {
    /// The member.
    pub user_id: UserId,
    /// The used credits.
    pub used: u64,
    /// The credits that they may use; `None`: no cap.
    pub cap: Option<u64>,
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

    /// Those of the same calls that are looked for. It may take long, where few of many are.
    async fn search(
        &self,
        workspace: &WorkspaceAccess,
        filter: &CallFilter,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<LoggedCall>, StoreError>;

    /// The calls of the cycle that `now` lies in, added up by day and operation. It may take long, where there are many.
    async fn spent(&self, workspace: &WorkspaceAccess, now: OffsetDateTime)
    -> Result<Vec<Spent>, StoreError>;

    /// The credits that each member used in the cycle that `now` lies in, who used most first.
    async fn shares(
        &self,
        workspace: &WorkspaceAccess,
        now: OffsetDateTime,
    ) -> Result<Vec<MemberShare>, StoreError>;
}
