//! Releases of a site: what changed in it, and when, so that figures over time can be read by it.
//!
//! A beacon tells no release. One is known by the first source maps that were added of it, or because somebody said so.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor, identity::DomainAccess, ids::DomainId, store::StoreError, window::DateRange,
};
use time::OffsetDateTime;

/// How many releases a domain has, at most. The oldest go.
pub const MOST_RELEASES: i64 = 500;
/// How long the name of a release is, at most, in characters.
pub const MOST_RELEASE: usize = 100;

/// A release of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The name that the site gave it.
    pub name: String,
    /// When it came.
    pub released_at: OffsetDateTime,
}

/// A release that was noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// When it came, as is known from now on.
    pub released_at: OffsetDateTime,
    /// How many older ones went to make room.
    pub older_ones_removed: usize,
}

/// Why a release was not noted.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// There is no such domain.
    #[error("there is no such domain")]
    NoDomain,
    /// It did not come yet.
    #[error("a release is noted once it is there, and this time is still to come")]
    Ahead,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Keeps the releases of sites.
#[async_trait]
pub trait ReleaseStore: Send + Sync {
    /// Notes a release. Without a moment one that is new came now, and one that is known stays as it is; with a moment both came
    /// then.
    async fn add(
        &self,
        domain: DomainId,
        name: &str,
        released_at: Option<OffsetDateTime>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Noted, ReleaseError>;

    /// The releases of a domain, the newest first.
    async fn list(&self, domain: DomainId) -> Result<Vec<Release>, StoreError>;

    /// Forgets a release; whether there was one.
    async fn remove(
        &self,
        domain: DomainId,
        name: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// The releases that came within days, the newest first.
    async fn within(&self, domain: &DomainAccess, days: DateRange) -> Result<Vec<Release>, StoreError>;
}

/// Whether a text can name a release: some characters that can be seen.
#[must_use]
pub fn is_release(text: &str) -> bool {
    (1..=MOST_RELEASE).contains(&text.chars().count())
        && text.trim() == text
        && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_have_names_that_people_can_read() {
        assert!(is_release("2026.11.3") && is_release("Größe 7"));
        for bad in ["", " ", " 1", "a\nb", &"a".repeat(101)] {
            assert!(!is_release(bad), "{bad:?}");
        }
    }
}
