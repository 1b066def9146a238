//! The way of an access token: size, cache, failure limit, signature, claims, grant.

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
    oauth::{
        resource::ResourceServer,
        scope,
        server::AuthorizationServer,
        store::GrantStore,
        token::{AccessClaims, MOST_BYTES},
    },
};

/// The key of a token in memory: the end of its signature, 192 bits of it. The digest of a whole token costs more
/// than everything else that is done here.
type SignatureEnd = [u8; 32];

/// A token whose signature was good, with its grant.
struct TokenRecord {
    token: Box<str>,
    claims: AccessClaims,
    identity: Arc<Identity>,
    is_revoked: bool,
    user_is_enabled: bool,
}

impl TokenRecord {
    /// The memory that it takes, without its lists of domains. Its claims are in the token, so they take no more than
    /// that.
    fn bytes(&self) -> usize {
        size_of::<Self>() + 2 * self.token.len() + footprint::of_identity(&self.identity)
    }

    /// The refusal of it, with whose it is: a grant that reaches no workspace any more is nobody's.
    fn refused(&self, refusal: Refusal, fault: CredentialFault) -> Refused {
        let workspace = self.identity.default_workspace_id;
        Refused {
            refusal,
            known: workspace.map(|workspace_id| RefusedCredential {
                credential_id: self.identity.credential_id,
                workspace_id,
                fault,
            }),
        }
    }

    fn ends_in(&self, now: OffsetDateTime) -> Option<Duration> {
        let end = self.identity.expires_at?;
        Some(Duration::try_from(end - now).unwrap_or(Duration::ZERO))
    }
}

/// Finds the identity of an access token.
pub(super) struct TokenAuthenticator {
    server: Arc<AuthorizationServer>,
    grants: Arc<dyn GrantStore>,
    cache: IdentityCache<SignatureEnd, Arc<TokenRecord>>,
}

impl TokenAuthenticator {
    pub(super) fn new(
        server: Arc<AuthorizationServer>,
        grants: Arc<dyn GrantStore>,
        invalidation: Arc<Invalidation>,
    ) -> Self {
        Self {
            server,
            grants,
            cache: IdentityCache::new(invalidation),
        }
    }

    pub(super) async fn identify(
        &self,
        token: &str,
        source: Source,
        now: OffsetDateTime,
        failures: &Failures,
    ) -> Result<Arc<Identity>, Refused> {
        let refuse = || failures.refuse(source, now);
        if token.len() > MOST_BYTES {
            return Err(refuse().into());
        }
        let end: SignatureEnd = *token.as_bytes().last_chunk().ok_or_else(refuse)?;
        // Another token may end in the same, if somebody took pains; its signature is not good.
        let kept = self
            .cache
            .get(&end)
            .flatten()
            .filter(|kept| *kept.token == *token);
        let record = match kept {
            Some(record) => record,
            None => {
                failures.admit(source, now)?;
                self.look_up(token, end, now).await?.ok_or_else(refuse)?
            }
        };
        if !record.claims.holds(now) {
            return Err(record.refused(refuse(), CredentialFault::Expired));
        }
        if !record.user_is_enabled {
            return Err(record.refused(refuse(), CredentialFault::NoMember));
        }
        if !self
            .server
            .resources()
            .accepts(ResourceServer::Api, &record.claims.aud)
        {
            return Err(record.refused(Refusal::InvalidAudience, CredentialFault::OtherResource));
        }
        if record.is_revoked {
            return Err(record.refused(Refusal::GrantRevoked, CredentialFault::Revoked));
        }
        Ok(Arc::clone(&record.identity))
    }

    async fn look_up(
        &self,
        token: &str,
        end: SignatureEnd,
        now: OffsetDateTime,
    ) -> Result<Option<Arc<TokenRecord>>, Refusal> {
        let unreadable = |error| {
            static PACE: LogPace = LogPace::new();
            if let Some(held_back) = PACE.turn() {
                tracing::error!(%error, held_back, "the store of grants can't be read");
            }
            Refusal::Unavailable
        };
        let generation = self.cache.generation();
        let claims = self.server.claims(token, now).await.map_err(unreadable)?;
        // A token that no key of ours signed is not remembered: anybody can make any number of them.
        let Some(claims) = claims else {
            return Ok(None);
        };
        let grant = self.grants.find(claims.grant_id).await.map_err(unreadable)?;
        let Some(grant) = grant else {
            return Ok(None);
        };
        let mut identity = Identity {
            expires_at: OffsetDateTime::from_unix_timestamp(claims.exp).ok(),
            // A refresh may have asked for less than was granted.
            scopes: scope::narrowed(Some(&claims.scope), grant.identity.scopes).unwrap_or_default(),
            ..(*grant.identity).clone()
        };
        self.cache.share(generation, &mut identity);
        let record = Arc::new(TokenRecord {
            token: token.into(),
            claims,
            identity: Arc::new(identity),
            is_revoked: grant.is_revoked,
            user_is_enabled: grant.user_is_enabled,
        });
        let known = Known {
            record: Arc::clone(&record),
            bytes: record.bytes(),
            ends_in: record.ends_in(now),
        };
        self.cache.put(end, generation, Some(known));
        Ok(Some(record))
    }
}
