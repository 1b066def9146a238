//! Domains.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use psl::{Psl, Type};
use serde::Serialize;
use time::{Duration, OffsetDateTime};

use super::AdminError;
use crate::verification::Proof;

/// How long a domain that was deleted can be restored. After that it is erased with all its data.
pub const RESTORABLE_FOR: Duration = Duration::days(30);

/// How many domains a workspace has at most, those included that are deleted and not erased yet.
pub const MOST_OF_A_WORKSPACE: i64 = 2_000;

/// A domain as an operator sees it.
#[derive(Clone, Debug, Serialize)]
pub struct DomainDetails {
    /// The id by which commands and paths name it.
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
    /// When it was deleted. For [`RESTORABLE_FOR`] it can be restored.
    #[serde(with = "time::serde::rfc3339::option")]
    pub deleted_at: Option<OffsetDateTime>,
    /// When its data began to be erased, after which nothing brings it back.
    #[serde(with = "time::serde::rfc3339::option")]
    pub erasing_at: Option<OffsetDateTime>,
}

impl DomainDetails {
    /// Until when it can be restored. `None`: it is not deleted, or its data are being erased.
    #[must_use]
    pub fn restorable_until(&self) -> Option<OffsetDateTime> {
        let deleted_at = self.deleted_at.filter(|_| self.erasing_at.is_none())?;
        Some(deleted_at.saturating_add(RESTORABLE_FOR))
    }

    /// Whether it can be restored at that moment.
    #[must_use]
    pub fn is_restorable(&self, now: OffsetDateTime) -> bool {
        self.restorable_until().is_some_and(|until| now < until)
    }
}

/// Refuses a name that is no one's site: a suffix that registries give names out below, such as `com` or `co.uk`.
///
/// Suffixes of the public suffix list's private part, such as `github.io`, are sites of somebody.
///
/// # Errors
/// [`AdminError::Invalid`].
pub fn check_hostname(hostname: &Hostname) -> Result<(), AdminError> {
    let name = hostname.as_str();
    let suffix = psl::List.suffix(name.as_bytes());
    let is_registrys = suffix.is_some_and(|suffix| suffix == name && suffix.typ() == Some(Type::Icann));
    if is_registrys {
        return Err(AdminError::Invalid(format!(
            "{name} is a public suffix, below which names are registered; add the name of a site, such as shop.{name}"
        )));
    }
    Ok(())
}

/// Changes domains. A name stands once among a workspace's domains that are not deleted.
#[async_trait]
pub trait DomainAdmin: Send + Sync {
    /// Adds a domain to a workspace that has fewer than [`MOST_OF_A_WORKSPACE`].
    async fn add(
        &self,
        workspace: WorkspaceId,
        hostname: &Hostname,
        display_name: Option<&str>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// Deletes a domain softly: the API no longer shows it, and its monitoring stops. Upkeep erases it with all its data
    /// [`RESTORABLE_FOR`] later by the store's own clock, whatever the caller's says.
    async fn delete(
        &self,
        id: DomainId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// Takes a deletion back, within [`RESTORABLE_FOR`] of it.
    async fn restore(
        &self,
        id: DomainId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// Notes that a domain is its workspace's, and how that is known.
    async fn verify(
        &self,
        id: DomainId,
        proof: Proof,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError>;

    /// The domains of a workspace, the deleted ones included, the oldest first.
    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<DomainDetails>, StoreError>;

    /// The domains of these ids that there are, the deleted ones included, in no order.
    async fn find(&self, ids: &[DomainId]) -> Result<Vec<DomainDetails>, StoreError>;

    /// The deleted domains of a workspace that are not erased yet, the last deleted first: [`MOST_OF_A_WORKSPACE`] at most.
    async fn deleted(&self, workspace: WorkspaceId) -> Result<Vec<DomainDetails>, StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn suffixes_of_registries_are_no_sites() {
        for bad in ["com", "co.uk", "xn--fiqs8s", "公司.cn"] {
            let refused = check_hostname(&bad.parse().unwrap());
            assert!(matches!(refused, Err(AdminError::Invalid(_))), "{bad}");
        }
        for good in [
            "shop.example",
            "shop.co.uk",
            "github.io",
            "localhost",
            "intranet.corp",
        ] {
            check_hostname(&good.parse().unwrap()).unwrap();
        }
    }

    #[test]
    fn a_deletion_is_taken_back_until_30_days_are_over() {
        let deleted_at = datetime!(2026-03-01 12:00 UTC);
        let domain = DomainDetails {
            id: DomainId::generate(),
            workspace_id: WorkspaceId::generate(),
            domain: "shop.example".to_owned(),
            display_name: None,
            created_at: deleted_at,
            deleted_at: Some(deleted_at),
            erasing_at: None,
        };
        assert!(domain.is_restorable(datetime!(2026-03-31 11:59:59 UTC)));
        assert!(!domain.is_restorable(datetime!(2026-03-31 12:00 UTC)));
        let erasing = DomainDetails {
            erasing_at: Some(deleted_at),
            ..domain.clone()
        };
        assert!(!erasing.is_restorable(deleted_at));
        let live = DomainDetails {
            deleted_at: None,
            ..domain
        };
        assert!(!live.is_restorable(deleted_at));
    }
}
