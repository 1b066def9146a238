//! The port to what is stored of second factors, recovery codes, and sign-ins that wait for one of them.

use async_trait::async_trait;
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use time::OffsetDateTime;

use super::store::SessionOrigin;
use crate::secret::SecretDigest;

/// The second factor of a user, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFactor {
    /// The secret that codes are made from, sealed.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub made_at: OffsetDateTime,
    /// The session that began it, which may have ended; `None`: none is known.
    pub begun_by: Option<SecretDigest>,
    /// When a first code showed that the user's app has it; `None`: it is asked for by no sign-in yet.
    pub confirmed_at: Option<OffsetDateTime>,
    /// How many recovery codes are left.
    pub codes_left: u32,
}

/// Something by which a user has shown that they hold the second factor. Each counts once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The code of this step. None of it or of a step before it counts again.
    Code {
        /// The step, in 30 seconds since 1970.
        step: u64,
    },
    /// The recovery code of this digest, which goes with it.
    Recovery(SecretDigest),
}

/// Switches a second factor on.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation<'a> {
    /// Whose it is.
    pub user: UserId,
    /// The secret that the code was checked against, sealed as it was read.
    pub sealed: &'a [u8],
    /// The step of the code.
    pub step: u64,
    /// The recovery codes that the user gets.
    pub codes: &'a [SecretDigest],
    /// The one session that goes on: the one that began it.
    pub kept: &'a SecretDigest,
}

/// Stores second factors. It gets sealed secrets and digests, never what they were made from.
#[async_trait]
pub trait FactorStore: Send + Sync {
    /// The second factor of a user, confirmed or not.
    async fn factor(&self, user: UserId) -> Result<Option<StoredFactor>, StoreError>;

    /// Puts a secret that a session is to confirm in the place of one that never was. `false` where one is on.
    async fn begin(
        &self,
        user: UserId,
        session: &SecretDigest,
        sealed: &[u8],
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// Switches the second factor on, and ends all other sessions of its user. `false` where it was another
    /// meanwhile or another session's, or on.
    async fn confirm(
        &self,
        confirmation: &Confirmation<'_>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// Puts other recovery codes in the place of all that there are. `false` where the proof does not count.
    async fn replace_codes(
        &self,
        user: UserId,
        proof: &Proof,
        codes: &[SecretDigest],
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// Switches the second factor off. `false` where the proof does not count.
    async fn turn_off(
        &self,
        user: UserId,
        proof: &Proof,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// Switches it off for somebody who has lost it. `false` where they have none.
    async fn reset(&self, user: UserId, actor: &Actor, now: OffsetDateTime) -> Result<bool, StoreError>;

    /// Counts an attempt at a sign-in that waits, and says whose it is. `None` where it does not wait any more: it took too
    /// long, was tried too often, or its user was disabled or has another password.
    async fn attempt(
        &self,
        pending: &SecretDigest,
        now: OffsetDateTime,
    ) -> Result<Option<UserId>, StoreError>;

    /// Begins the session of a sign-in that waits, which is over with it. `false` where the proof does not count, or it
    /// does not wait any more.
    async fn enter(
        &self,
        pending: &SecretDigest,
        proof: &Proof,
        session: &SecretDigest,
        origin: &SessionOrigin,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;
}
