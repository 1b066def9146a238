//! From a credential to an identity: keys and access tokens resolve to the same type.

mod keys;
mod tokens;

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    authenticator::{Authenticator, Refused},
    clock::Clock,
    identity::{Identity, Source},
    invalidation::Invalidation,
};

use self::{keys::KeyAuthenticator, tokens::TokenAuthenticator};
use crate::{
    failures::Failures,
    keys::secret::Environment,
    last_used::LastUsed,
    oauth::{server::AuthorizationServer, store::GrantStore},
    store::CredentialStore,
};

/// Authenticates keys and access tokens.
pub struct CredentialAuthenticator {
    keys: KeyAuthenticator,
    tokens: TokenAuthenticator,
    clock: Arc<dyn Clock>,
    failures: Failures,
    last_used: Arc<LastUsed>,
}

impl std::fmt::Debug for CredentialAuthenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CredentialAuthenticator").finish_non_exhaustive()
    }
}

/// The ports that an authenticator reads credentials by.
pub struct Credentials {
    /// Which keys are accepted.
    pub environment: Environment,
    /// Reads keys.
    pub keys: Arc<dyn CredentialStore>,
    /// Reads what access tokens say.
    pub server: Arc<AuthorizationServer>,
    /// Reads their grants.
    pub grants: Arc<dyn GrantStore>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

impl CredentialAuthenticator {
    /// An authenticator with empty caches that `invalidation` governs.
    #[must_use]
    pub fn new(
        credentials: Credentials,
        clock: Arc<dyn Clock>,
        invalidation: Arc<Invalidation>,
        last_used: Arc<LastUsed>,
    ) -> Self {
        let Credentials {
            environment,
            keys,
            server,
            grants,
        } = credentials;
        Self {
            keys: KeyAuthenticator::new(environment, keys, Arc::clone(&invalidation)),
            tokens: TokenAuthenticator::new(server, grants, invalidation),
            clock,
            failures: Failures::default(),
            last_used,
        }
    }
}

#[async_trait]
impl Authenticator for CredentialAuthenticator {
    async fn authenticate(&self, credential: &str, source: Source) -> Result<Arc<Identity>, Refused> {
        let now = self.clock.now();
        // Access tokens are JWTs, which have dots; keys have none.
        let identity = if credential.contains('.') {
            self.tokens
                .identify(credential, source, now, &self.failures)
                .await?
        } else {
            self.keys
                .identify(credential, source, now, &self.failures)
                .await?
        };
        self.last_used.note(identity.credential_id, now);
        Ok(identity)
    }
}
