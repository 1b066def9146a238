//! Domains as the reads see them.

use async_trait::async_trait;
use pharos_domain::{
    hostname::Hostname,
    identity::{DomainAccess, WorkspaceAccess},
    ids::{DomainId, WorkspaceId},
    module::Module,
    store::StoreError,
};
use time::OffsetDateTime;

/// A domain.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The id by which paths name it.
    pub id: DomainId,
    /// The workspace that it belongs to.
    pub workspace_id: WorkspaceId,
    /// The name that its sites answer to.
    pub hostname: Hostname,
    /// The name that people gave it.
    pub display_name: Option<String>,
    /// Whether its owner has shown that it is theirs.
    pub verified: bool,
    /// An IANA time zone, to be preferred when its figures are shown.
    pub timezone_hint: Option<String>,
    /// The modules that are configured and enabled; `None` where they were not asked for.
    pub active_modules: Option<Vec<Module>>,
    /// When it was added.
    pub created_at: OffsetDateTime,
}

/// Whether a read looks up which modules are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modules {
    /// It does.
    Included,
    /// It does not, and saves the look-up.
    LeftOut,
}

/// Reads domains.
#[async_trait]
pub trait DomainStore: Send + Sync {
    /// The domains of these workspaces that are not deleted, the oldest first.
    async fn list(&self, reach: &[WorkspaceAccess], modules: Modules) -> Result<Vec<Domain>, StoreError>;

    /// One domain with its active modules; `None` if it was deleted since the access was opened.
    async fn view(&self, access: &DomainAccess) -> Result<Option<Domain>, StoreError>;
}
