//! The way of an access token: size, cache, failure limit, signature, claims, grant.

use std::sync::Arc;

use pharos_domain::identity::{Identity, Source};
use pharos_http::authenticator::Refusal;
use time::OffsetDateTime;

use crate::{
    cache::{IdentityCache, Invalidation},
    failures::Failures,
    oauth::{
        resource::ResourceServer,
        scope,
        server::AuthorizationServer,
        store::GrantStore,
        token::{AccessClaims, MOST_BYTES},
    },
};

/// What stands for a token in memory: the end of its signature, 192 bits of it. The digest of a whole token costs more
/// than everything else that is done here.
type SignatureEnd = [u8; 32];

/// What is known of a token whose signature was good.
struct TokenRecord {
    token: Box<str>,
    claims: AccessClaims,
    identity: Arc<Identity>,
    is_revoked: bool,
    user_is_enabled: bool,
}

/// Tells who an access token is.
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
    ) -> Result<Arc<Identity>, Refusal> {
        let refuse = || failures.refuse(source, now);
        if token.len() > MOST_BYTES {
            return Err(refuse());
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
        if !record.claims.holds(now) || !record.user_is_enabled {
            return Err(refuse());
        }
        if !self
            .server
            .resources()
            .accepts(ResourceServer::Api, &record.claims.aud)
        {
            return Err(Refusal::InvalidAudience);
        }
        if record.is_revoked {
            return Err(Refusal::GrantRevoked);
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
            tracing::error!(%error, "the store of grants can't be read");
            Refusal::Unavailable
        };
        let generation = self.cache.generation();
        let claims = self.server.claims(token, now).await.map_err(unreadable)?;
        // What no key of ours signed is not remembered: anybody can make any number of such.
        let Some(claims) = claims else {
            return Ok(None);
        };
        let grant = self.grants.find(claims.grant_id).await.map_err(unreadable)?;
        let record = grant.map(|grant| {
            let identity = Identity {
                expires_at: OffsetDateTime::from_unix_timestamp(claims.exp).ok(),
                // A refresh may have asked for less than was granted.
                scopes: scope::narrowed(Some(&claims.scope), grant.identity.scopes).unwrap_or_default(),
                ..(*grant.identity).clone()
            };
            Arc::new(TokenRecord {
                token: token.into(),
                claims,
                identity: Arc::new(identity),
                is_revoked: grant.is_revoked,
                user_is_enabled: grant.user_is_enabled,
            })
        });
        if let Some(record) = &record {
            self.cache.put(end, generation, Some(Arc::clone(record)));
        }
        Ok(record)
    }
}
