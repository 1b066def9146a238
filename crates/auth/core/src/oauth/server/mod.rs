//! The authorization server: from a registration to tokens.

mod authorization;
mod registration;
mod tokens;

use std::sync::Arc;

use pharos_domain::{clock::Clock, store::StoreError};
use serde_json::Value;
use time::OffsetDateTime;

pub use self::{
    authorization::{CODE_LIFETIME, Consent, ConsentError},
    registration::Registered,
    tokens::{Proof, REFRESH_LIFETIME},
};
use super::{
    client::Client,
    client_book::ClientBook,
    error::{ErrorCode, OauthError},
    handle::HandleKey,
    key_ring::KeyRing,
    parameters::Parameters,
    resource::Resources,
    store::GrantStore,
    token::{self, AccessClaims},
};
use crate::secret::SecretDigest;

/// The authorization server of an installation.
pub struct AuthorizationServer {
    resources: Resources,
    consent_url: String,
    clients: ClientBook,
    grants: Arc<dyn GrantStore>,
    keys: KeyRing,
    handles: HandleKey,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for AuthorizationServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthorizationServer")
            .field("resources", &self.resources)
            .finish_non_exhaustive()
    }
}

impl AuthorizationServer {
    /// A server that sends users to `consent_url` to decide. All nodes share the secret behind `handles`.
    #[must_use]
    pub fn new(
        resources: Resources,
        consent_url: String,
        clients: ClientBook,
        grants: Arc<dyn GrantStore>,
        keys: KeyRing,
        handles: HandleKey,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            resources,
            consent_url,
            clients,
            grants,
            keys,
            handles,
            clock,
        }
    }

    /// The resources that tokens are issued for.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The claims of an access token that this installation signed, else `None`. Callers judge its time.
    ///
    /// # Errors
    /// The keys can't be read.
    pub async fn claims(&self, token: &str, now: OffsetDateTime) -> Result<Option<AccessClaims>, StoreError> {
        let keys = self.keys.keys(now).await?;
        Ok(token::verify(&keys, token, &self.resources.issuer, now))
    }

    /// The JSON Web Key Set.
    ///
    /// # Errors
    /// The keys can't be read.
    pub async fn jwks(&self) -> Result<Value, StoreError> {
        let now = self.clock.now();
        Ok(self.keys.keys(now).await?.jwks(now))
    }

    /// Exactly one, and one that is served here (RFC 8707, section 2).
    fn resource(&self, parameters: &Parameters) -> Result<&str, OauthError> {
        let Resources { api, mcp, .. } = &self.resources;
        let refuse = || {
            OauthError::new(
                ErrorCode::InvalidTarget,
                format!("resource is exactly one of {api} and {mcp}."),
            )
        };
        let requested = parameters
            .optional("resource")
            .map_err(|_| refuse())?
            .ok_or_else(refuse)?;
        self.resources.find(requested).ok_or_else(refuse)
    }

    async fn client(&self, id: &str) -> Result<Option<Arc<Client>>, OauthError> {
        match id.parse() {
            Ok(id) => Ok(self.clients.find(id).await?),
            Err(_) => Ok(None),
        }
    }

    /// The client, if it proved itself in the way that it registered.
    async fn proven(&self, proof: &Proof<'_>) -> Result<Arc<Client>, OauthError> {
        let refuse = |description: &str| OauthError::new(ErrorCode::InvalidClient, description);
        let client = self.client(proof.client_id).await?;
        let client = client.ok_or_else(|| refuse("There is no such client."))?;
        if proof.method != client.metadata.auth_method {
            return Err(refuse(&format!(
                "The client registered token_endpoint_auth_method {}.",
                client.metadata.auth_method.as_str()
            )));
        }
        // Digests of a random secret: the time of the comparison gives nothing away.
        if proof.secret.map(SecretDigest::of) != client.secret {
            return Err(refuse("The client secret is wrong."));
        }
        Ok(client)
    }
}
