//! The last refused requests of workspaces, for those who look after them.

use std::net::IpAddr;

use async_trait::async_trait;
use pharos_domain::{
    identity::WorkspaceAccess,
    ids::{CredentialId, RequestId},
    store::StoreError,
};
use time::{Duration, OffsetDateTime};

/// How long they are kept, as far as there is room for them.
pub const KEPT: Duration = Duration::days(7);

/// A request that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRefusal {
    /// The id by which support finds it in logs.
    pub request_id: RequestId,
    /// When it was refused.
    pub at: OffsetDateTime,
    /// The key or grant that called.
    pub credential_id: CredentialId,
    /// The operation's id; `None`: the path leads to none.
    pub operation: Option<String>,
    /// The suffix of the problem. Another version may have written it, so this one may not know it.
    pub problem: String,
    /// The subject of the problem: a fault of the credential, the scope that lacks, the bucket that is empty.
    pub about: Option<String>,
    /// Where it came from; `None`: that is not known.
    pub source: Option<IpAddr>,
}

/// Reads refused requests.
#[async_trait]
pub trait RefusalStore: Send + Sync {
    /// All that are kept of a workspace, the newest first: at most
    /// [`MOST_OF_A_WORKSPACE`](pharos_domain::refusals::MOST_OF_A_WORKSPACE), give or take those that nodes write at once.
    async fn list(&self, workspace: &WorkspaceAccess) -> Result<Vec<ListedRefusal>, StoreError>;
}
