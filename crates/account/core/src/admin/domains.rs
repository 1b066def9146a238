//! Domains.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// A domain as an operator sees it.
#[derive(Clone, Debug, Serialize)]
pub struct DomainDetails {
    /// By which commands and paths name it.
    pub id: DomainId,
    /// The workspace that it belongs to.
    pub workspace_id: WorkspaceId,
    /// The hostname.
    pub domain: String,
    /// The name that people gave it.
    pub display_name: Option<String>,
    /// When it was added.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it was deleted. Its history stays until its retention ends.
    #[serde(with = "time::serde::rfc3339::option")]
    pub deleted_at: Option<OffsetDateTime>,
}

/// Changes domains. A name stands once among a workspace's domains that are not deleted.
#[async_trait]
pub trait DomainAdmin: Send + Sync {
    /// Adds a domain to a workspace.
    async fn add(
        &self,
        workspace: WorkspaceId,
        hostname: &Hostname,
        display_name: Option<&str>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// Deletes a domain softly: the API no longer shows it, and its monitoring stops.
    async fn delete(
        &self,
        id: DomainId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// Takes a deletion back.
    async fn restore(
        &self,
        id: DomainId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// The domains of a workspace, the deleted ones included, the oldest first.
    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<DomainDetails>, StoreError>;
}
