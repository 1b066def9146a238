//! The way of a key: format, cache, failure limit, store, checks.

use std::{sync::Arc, time::Duration};

use pharos_domain::{
    authenticator::{Refusal, Refused},
    identity::{Identity, Source},
    invalidation::Invalidation,
    log_pace::LogPace,
    refusals::{CredentialFault, RefusedCredential},
};
use time::OffsetDateTime;

use crate::{
    cache::{IdentityCache, Known},
    failures::Failures,
    footprint,
    keys::{
        allowlist,
        secret::{Environment, KeySecret},
    },
    secret::SecretDigest,
    store::{CredentialStore, KeyRecord},
};

/// Finds the identity of an API key.
pub(super) struct KeyAuthenticator {
    environment: Environment,
    store: Arc<dyn CredentialStore>,
    cache: IdentityCache<SecretDigest, Arc<KeyRecord>>,
}

impl KeyAuthenticator {
    pub(super) fn new(
        environment: Environment,
        store: Arc<dyn CredentialStore>,
        invalidation: Arc<Invalidation>,
    ) -> Self {
        Self {
            environment,
            store,
            cache: IdentityCache::new(invalidation),
        }
    }

    pub(super) async fn identify(
        &self,
        credential: &str,
        source: Source,
        now: OffsetDateTime,
        failures: &Failures,
    ) -> Result<Arc<Identity>, Refused> {
        let refuse = || failures.refuse(source, now);
        let secret = KeySecret::parse(credential, self.environment).ok_or_else(refuse)?;
        let record = self.record(&secret, source, now, failures).await?;
        let record = record.ok_or_else(refuse)?;
        if let Some(fault) = fault(&record, source, now) {
            let credential_id = record.identity.credential_id;
            tracing::info!(%credential_id, %fault, "key refused");
            return Err(Refused {
                refusal: refuse(),
                known: Some(RefusedCredential {
                    credential_id,
                    workspace_id: record.workspace_id,
                    fault,
                }),
            });
        }
        Ok(Arc::clone(&record.identity))
    }

    /// The record of the secret, if there is one. A source that failed too often only gets what is in memory.
    async fn record(
        &self,
        secret: &KeySecret,
        source: Source,
        now: OffsetDateTime,
        failures: &Failures,
    ) -> Result<Option<Arc<KeyRecord>>, Refusal> {
        let digest = secret.digest();
        if let Some(Some(record)) = self.cache.get(&digest) {
            return Ok(Some(record));
        }
        failures.admit(source, now)?;
        if let Some(none) = self.cache.get(&digest) {
            return Ok(none);
        }
        let generation = self.cache.generation();
        let record = self.store.find_key(&digest).await.map_err(|error| {
            static PACE: LogPace = LogPace::new();
            if let Some(held_back) = PACE.turn() {
                tracing::error!(%error, held_back, "the credential store can't be read");
            }
            Refusal::Unavailable
        })?;
        let Some(mut record) = record else {
            self.cache.put(digest, generation, None);
            return Ok(None);
        };
        self.cache.share(generation, Arc::make_mut(&mut record.identity));
        let known = Known {
            bytes: bytes(&record),
            ends_in: ends_in(&record, now),
            record: Arc::new(record),
        };
        let record = Arc::clone(&known.record);
        self.cache.put(digest, generation, Some(known));
        Ok(Some(record))
    }
}

/// The memory that a record takes, without its lists of domains.
fn bytes(record: &KeyRecord) -> usize {
    let allowlist: usize = record
        .allowlist
        .iter()
        .flatten()
        .map(|entry| size_of::<String>() + entry.len())
        .sum();
    size_of::<KeyRecord>() + footprint::of_identity(&record.identity) + allowlist
}

/// How long the secret holds: the key's own time, or the grace that a rotation left.
fn ends_in(record: &KeyRecord, now: OffsetDateTime) -> Option<Duration> {
    let ends = [record.identity.expires_at, record.secret_valid_until];
    let end = ends.into_iter().flatten().min()?;
    Some(Duration::try_from(end - now).unwrap_or(Duration::ZERO))
}

/// Why a key that exists is refused. For the log and for people of its workspace; its caller never sees it.
fn fault(record: &KeyRecord, source: Source, now: OffsetDateTime) -> Option<CredentialFault> {
    let passed = |at: Option<OffsetDateTime>| at.is_some_and(|at| at <= now);
    if record.revoked_at.is_some() {
        Some(CredentialFault::Revoked)
    } else if passed(record.identity.expires_at) {
        Some(CredentialFault::Expired)
    } else if passed(record.secret_valid_until) {
        Some(CredentialFault::PastGrace)
    } else if !record.creator_is_member {
        Some(CredentialFault::NoMember)
    } else if record
        .allowlist
        .as_ref()
        .is_some_and(|entries| !allowlist::admits(entries, source))
    {
        Some(CredentialFault::AddressNotAllowed)
    } else {
        None
    }
}
