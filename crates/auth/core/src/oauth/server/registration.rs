//! Registration (RFC 7591).

use pharos_domain::ids::ClientId;

use super::AuthorizationServer;
use crate::{
    oauth::{
        client::{AuthMethod, Client, ClientMetadata, SECRET_PREFIX},
        error::OauthError,
    },
    secret::Secret,
};

/// A client that has just registered, with the secret that nothing shows again.
#[derive(Debug)]
pub struct Registered {
    /// The app as it was stored.
    pub client: Client,
    /// Its secret; `None` for a public client.
    pub secret: Option<Secret>,
}

impl AuthorizationServer {
    /// Registers a client (RFC 7591, section 3).
    ///
    /// # Errors
    /// Why it was not registered.
    pub async fn register(&self, body: &[u8]) -> Result<Registered, OauthError> {
        let metadata = ClientMetadata::parse(body)?;
        let secret = match metadata.auth_method {
            AuthMethod::None => None,
            AuthMethod::ClientSecretBasic | AuthMethod::ClientSecretPost => {
                Some(Secret::generate(SECRET_PREFIX)?)
            }
        };
        let client = Client {
            id: ClientId::generate(),
            metadata,
            secret: secret.as_ref().map(Secret::digest),
            is_verified: false,
            created_at: self.clock.now(),
        };
        self.clients.register(&client).await?;
        Ok(Registered { client, secret })
    }
}
