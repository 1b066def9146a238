//! The port from a credential to an identity.

use std::sync::Arc;

use async_trait::async_trait;

use crate::identity::{Identity, Source};

/// Finds out whose a credential is.
#[async_trait]
pub trait Authenticator: Send + Sync {
    /// The identity behind `credential`, the text after `Bearer`, when it is used from `source`.
    ///
    /// # Errors
    /// Why it is refused.
    async fn authenticate(&self, credential: &str, source: Source) -> Result<Arc<Identity>, Refusal>;
}

/// Why a credential is refused.
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
