//! Consents that people were asked for, and have not given yet.

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError};
use time::{Duration, OffsetDateTime};

/// How long somebody may take at Google.
pub const GIVEN_WITHIN: Duration = Duration::minutes(10);

/// The SHA-256 of a secret.
pub type Digest = [u8; 32];

/// A consent that somebody is asked for. Neither secret is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AskedConsent {
    /// The digest of the state, which the browser brings back.
    pub state: Digest,
    /// The digest of the session that asked; it is no other's.
    pub session: Digest,
    /// The domain that is to be linked.
    pub domain: DomainId,
}

impl std::fmt::Debug for AskedConsent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AskedConsent")
            .field("domain", &self.domain)
            .finish_non_exhaustive()
    }
}

/// The consent that belongs to a state which a browser brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A consent of this domain, which was asked for in time. It can't be taken again.
    Once(DomainId),
    /// One that was taken before.
    Before(DomainId),
    /// One that was asked for too long ago.
    Late(DomainId),
    /// None that this session asked for.
    Foreign,
}

/// Keeps which consents were asked for.
#[async_trait]
pub trait AskedConsents: Send + Sync {
    /// Notes that one is asked for.
    async fn ask(&self, asked: &AskedConsent, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Takes the one of this state, if this session asked for it. Another session's stays as it is.
    async fn take(&self, state: &Digest, session: &Digest, now: OffsetDateTime) -> Result<Taken, StoreError>;
}
