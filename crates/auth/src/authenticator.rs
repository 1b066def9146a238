//! The way of a credential: format, cache, failure limit, store, checks.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    identity::{Identity, Source},
};
use pharos_http::authenticator::{Authenticator, Refusal};
use time::OffsetDateTime;

use crate::{
    cache::{IdentityCache, Invalidation},
    failures::Failures,
    keys::{
        allowlist,
        secret::{Environment, KeySecret},
    },
    last_used::LastUsed,
    store::{CredentialStore, KeyRecord},
};

/// Tells who an API key is.
pub struct KeyAuthenticator {
    environment: Environment,
    store: Arc<dyn CredentialStore>,
    clock: Arc<dyn Clock>,
    cache: IdentityCache,
    failures: Failures,
    last_used: Arc<LastUsed>,
}

impl std::fmt::Debug for KeyAuthenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyAuthenticator")
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

impl KeyAuthenticator {
    /// An authenticator with an empty cache that `invalidation` governs.
    pub fn new(
        environment: Environment,
        store: Arc<dyn CredentialStore>,
        clock: Arc<dyn Clock>,
        invalidation: Arc<Invalidation>,
        last_used: Arc<LastUsed>,
    ) -> Self {
        let cache = IdentityCache::new(invalidation);
        Self {
            environment,
            store,
            clock,
            cache,
            failures: Failures::default(),
            last_used,
        }
    }

    /// What is known of the secret; a source that failed too often only gets what is in memory.
    async fn record(
        &self,
        secret: &KeySecret,
        source: Source,
        now: OffsetDateTime,
    ) -> Result<Option<Arc<KeyRecord>>, Refusal> {
        let digest = secret.digest();
        if let Some(Some(record)) = self.cache.get(&digest) {
            return Ok(Some(record));
        }
        if let Some(retry_after_seconds) = self.failures.refusal(source, now) {
            return Err(Refusal::TooManyFailures { retry_after_seconds });
        }
        if let Some(none) = self.cache.get(&digest) {
            return Ok(none);
        }
        let generation = self.cache.generation();
        let record = self.store.find_key(&digest).await.map_err(|error| {
            tracing::error!(%error, "the credential store can't be read");
            Refusal::Unavailable
        })?;
        let record = record.map(Arc::new);
        self.cache.put(digest, generation, record.clone());
        Ok(record)
    }
}

/// Why a key that exists is refused. For the log; outside callers never see it.
fn fault(record: &KeyRecord, source: Source, now: OffsetDateTime) -> Option<&'static str> {
    let passed = |at: Option<OffsetDateTime>| at.is_some_and(|at| at <= now);
    if record.revoked_at.is_some() {
        Some("revoked")
    } else if passed(record.identity.expires_at) {
        Some("expired")
    } else if passed(record.secret_valid_until) {
        Some("past grace")
    } else if !record.creator_is_member {
        Some("its creator is disabled or no longer a member")
    } else if record
        .allowlist
        .as_ref()
        .is_some_and(|entries| !allowlist::admits(entries, source))
    {
        Some("ip-not-allowed")
    } else {
        None
    }
}

#[async_trait]
impl Authenticator for KeyAuthenticator {
    async fn authenticate(&self, credential: &str, source: Source) -> Result<Arc<Identity>, Refusal> {
        let now = self.clock.now();
        let refuse = || {
            if let Some(retry_after_seconds) = self.failures.refusal(source, now) {
                return Refusal::TooManyFailures { retry_after_seconds };
            }
            self.failures.count(source, now);
            Refusal::Invalid
        };
        let secret = KeySecret::parse(credential, self.environment).ok_or_else(refuse)?;
        let record = self.record(&secret, source, now).await?.ok_or_else(refuse)?;
        if let Some(fault) = fault(&record, source, now) {
            tracing::info!(credential_id = %record.identity.credential_id, fault, "key refused");
            return Err(refuse());
        }
        self.last_used.note(record.identity.credential_id, now);
        Ok(Arc::clone(&record.identity))
    }
}
