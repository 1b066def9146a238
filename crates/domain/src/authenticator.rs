//! The port from a credential to an identity.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    identity::{Identity, Source},
    refusals::RefusedCredential,
};

/// Finds out whose a credential is.
#[async_trait]
pub trait Authenticator: Send + Sync {
    /// The identity behind `credential`, the text after `Bearer`, when it is used from `source`.
    ///
    /// # Errors
    /// Why it is refused, and whose it is where that is known.
    async fn authenticate(&self, credential: &str, source: Source) -> Result<Arc<Identity>, Refused>;
}

/// A credential that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The refusal that the caller is told.
    pub refusal: Refusal,
    /// Whose it is, for people of that workspace alone; `None`: a stranger's.
    pub known: Option<RefusedCredential>,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self { refusal, known: None }
    }
}

/// Why a credential is refused, as its caller is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Malformed, unknown, revoked, expired, past grace, or used from an address outside its allowlist.
    /// Outside callers can't tell these apart.
    Invalid,
    /// An access token that was made for another resource.
    InvalidAudience,
    /// An access token whose grant was revoked.
    GrantRevoked,
    /// Too many failed attempts from this address.
    TooManyFailures {
        /// When the next attempt is heard.
        retry_after_seconds: u32,
    },
    /// The store of credentials can't be read.
    Unavailable,
}
