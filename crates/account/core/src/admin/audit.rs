//! The audit trail: who changed what, when, and from where.

use std::net::IpAddr;

use async_trait::async_trait;
use pharos_domain::{ids::WorkspaceId, store::StoreError};
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

/// A change in the trail.
#[derive(Clone, Debug, Serialize)]
pub struct AuditEntry {
    /// The entry's id.
    pub id: Uuid,
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// Who: `cli:<account>`, `user:<id>`, `client:<id>` or `system`.
    pub actor: String,
    /// From which address; `None`: at the command line, or it is not known.
    pub source: Option<IpAddr>,
    /// Noun and verb, such as `key.rotate`.
    pub action: String,
    /// The id, key or name of what was changed.
    pub subject_id: String,
    /// The new values.
    pub details: Value,
}

/// The part of the trail that is requested.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// Only what is about this workspace; `None`: everything.
    pub workspace: Option<WorkspaceId>,
    /// Only what this actor did.
    pub actor: Option<String>,
    /// Only this action, or all of a noun, such as `key`.
    pub action: Option<String>,
    /// Only what is older than this entry.
    pub before: Option<Uuid>,
    /// At most so many.
    pub limit: u32,
}

/// Reads the trail.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Entries, the newest first.
    async fn list(&self, query: &AuditQuery) -> Result<Vec<AuditEntry>, StoreError>;
}
