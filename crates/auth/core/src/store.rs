//! The port to what is stored of credentials.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::Identity,
    ids::{CredentialId, WorkspaceId},
    store::StoreError,
};
use time::OffsetDateTime;

use crate::secret::SecretDigest;

/// The key that a digest belongs to.
#[derive(Clone, Debug)]
pub struct KeyRecord {
    /// The caller that the key stands for: its one workspace with the domains that are not deleted.
    pub identity: Arc<Identity>,
    /// The workspace of the key, whether or not its creator is still a member of it.
    pub workspace_id: WorkspaceId,
    /// When this secret stops working: the end of its grace after a rotation.
    pub secret_valid_until: Option<OffsetDateTime>,
    /// When the key was revoked.
    pub revoked_at: Option<OffsetDateTime>,
    /// The addresses and ranges that the key may be used from, as stored. `None`: from anywhere.
    pub allowlist: Option<Vec<String>>,
    /// Whether the user who created the key is enabled and still a member of the workspace.
    pub creator_is_member: bool,
}

/// Reads credentials, and notes their use.
#[async_trait]
pub trait CredentialStore: Send + Sync {
    /// The key whose secret has this digest. One read, joins and all.
    async fn find_key(&self, digest: &SecretDigest) -> Result<Option<KeyRecord>, StoreError>;

    /// Notes when keys were last used; a later time that is stored already stays.
    async fn note_use(&self, uses: &[(CredentialId, OffsetDateTime)]) -> Result<(), StoreError>;
}
