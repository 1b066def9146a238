//! Consents that were requested from people, and that they have not given yet.

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError};
use time::{Duration, OffsetDateTime};

/// How long somebody may take to consent at Google.
pub const GIVEN_WITHIN: Duration = Duration::minutes(10);

/// The SHA-256 of a secret.
pub type Digest = [u8; 32];

/// A consent that is requested from somebody. Neither secret is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AskedConsent {
    /// The digest of the state, which the browser brings back.
    pub state: Digest,
    /// The digest of the session that requested it. No other session may use it.
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

/// The consent for a state that a browser brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A consent for this domain, requested in time. It can't be taken again.
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

    /// Takes the consent of this state, if this session requested it. A consent of another session stays as it is.
    async fn take(&self, state: &Digest, session: &Digest, now: OffsetDateTime) -> Result<Taken, StoreError>;
}
