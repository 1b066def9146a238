//! The authorization server: from a registration to tokens.

use std::{sync::Arc, time::Duration as StdDuration};

use moka::sync::Cache;
use pharos_domain::{
    clock::Clock,
    ids::{ClientId, CredentialId, UserId, WorkspaceId},
    scope::ScopeSet,
    store::StoreError,
};
use serde::Serialize;
use serde_json::{Value, json};
use thiserror::Error;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    client::{AuthMethod, Client, ClientMetadata, SECRET_PREFIX},
    error::{ErrorCode, OauthError},
    handle::{self, AuthorizationRequest, HandleKey},
    key_ring::KeyRing,
    parameters::Parameters,
    pkce::CodeChallenge,
    redirect_uri::RedirectUri,
    resource::Resources,
    scope,
    store::{
        Approval, ClientStore, CodeExchange, ConsentWorkspace, DecideError, GrantStore, IssueError, Issued,
        Rotation,
    },
    token::{self, AccessClaims, TokenRequest},
};
use crate::secret::{Secret, SecretDigest};

/// How long a code is good for.
pub const CODE_LIFETIME: Duration = Duration::seconds(60);
/// How long a refresh token is good for.
pub const REFRESH_LIFETIME: Duration = Duration::days(90);
/// What codes and refresh tokens begin with.
const CODE_PREFIX: &str = "pac_";
const REFRESH_PREFIX: &str = "prt_";
/// How long this node remembers a client. Nothing of a client changes but whether it is verified.
const REMEMBER_CLIENTS: StdDuration = StdDuration::from_secs(60);

/// The authorization server of an installation.
pub struct AuthorizationServer {
    resources: Resources,
    consent_url: String,
    clients: Arc<dyn ClientStore>,
    grants: Arc<dyn GrantStore>,
    keys: KeyRing,
    handles: HandleKey,
    clock: Arc<dyn Clock>,
    known: Cache<ClientId, Arc<Client>>,
}

impl std::fmt::Debug for AuthorizationServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthorizationServer")
            .field("resources", &self.resources)
            .finish_non_exhaustive()
    }
}

/// A client that has just registered, with the secret that nothing shows again.
#[derive(Debug)]
pub struct Registered {
    /// The client.
    pub client: Client,
    /// Its secret; `None` for a public client.
    pub secret: Option<Secret>,
}

/// How a client proves that it is itself.
#[derive(Debug)]
pub struct Proof<'a> {
    /// How it was brought.
    pub method: AuthMethod,
    /// Who it says it is.
    pub client_id: &'a str,
    /// Its secret.
    pub secret: Option<&'a str>,
}

/// The answer of the token endpoint (RFC 6749, section 5.1).
#[derive(Serialize)]
pub struct Tokens {
    /// The access token.
    pub access_token: String,
    /// How it is used.
    pub token_type: &'static str,
    /// How long it lasts, in seconds.
    pub expires_in: i64,
    /// The next refresh token.
    pub refresh_token: String,
    /// What was granted.
    pub scope: String,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// A request that waits for the user's decision.
#[derive(Debug)]
pub struct Consent {
    /// What is asked for.
    pub request: AuthorizationRequest,
    /// Who asks.
    pub client: Arc<Client>,
    /// Where the answer goes.
    pub redirect_uri: RedirectUri,
    /// What can be ticked.
    pub workspaces: Vec<ConsentWorkspace>,
}

/// Why there is nothing to decide.
#[derive(Debug, Error)]
pub enum ConsentError {
    /// The handle was altered, or has lapsed.
    #[error("the request has lapsed; go back to the app and begin anew")]
    Lapsed,
    /// It was decided before.
    #[error("the request was decided before; go back to the app and begin anew")]
    Decided,
    /// No scope, or no workspace, or one that is not there to be ticked.
    #[error("tick at least one permission and one workspace")]
    NothingTicked,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no randomness to give.
    #[error(transparent)]
    NoRandomness(#[from] crate::secret::NoRandomness),
}

impl From<DecideError> for ConsentError {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::Decided => Self::Decided,
            DecideError::NotMember => Self::NothingTicked,
            DecideError::Store(error) => Self::Store(error),
        }
    }
}

impl AuthorizationServer {
    /// A server that sends users to `consent_url` to decide. All nodes share the secret behind `handles`.
    #[must_use]
    pub fn new(
        resources: Resources,
        consent_url: String,
        clients: Arc<dyn ClientStore>,
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
            known: Cache::builder()
                .max_capacity(10_000)
                .time_to_live(REMEMBER_CLIENTS)
                .build(),
        }
    }

    /// What tokens are for.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

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

    /// Where the browser of an authorization request goes: to the consent screen, or back with an error.
    ///
    /// # Errors
    /// Client or redirect URI are wrong, so there is nowhere to go back to.
    pub async fn authorize(&self, query: &Parameters) -> Result<String, OauthError> {
        let client_id = query.required("client_id")?;
        let redirect_uri = query.required("redirect_uri")?;
        let client = self.client(client_id).await?.ok_or_else(|| {
            OauthError::new(
                ErrorCode::InvalidClient,
                "There is no such client. Register first.",
            )
        })?;
        let redirect_uri = client.redirect_uri(redirect_uri).ok_or_else(|| {
            OauthError::invalid_request(
                "redirect_uri is not one that the client registered. It has to be the same string, port included.",
            )
        })?;
        let state = query.optional("state");
        let request = state
            .clone()
            .and_then(|state| self.request(query, &client, redirect_uri, state));
        match request {
            Ok(request) => {
                let handle = self.handles.sign(&request);
                Ok(format!("{}?request={handle}", self.consent_url))
            }
            Err(refusal) => Ok(self.back_with(redirect_uri, &refusal, state.ok().flatten())),
        }
    }

    fn request(
        &self,
        query: &Parameters,
        client: &Client,
        redirect_uri: &RedirectUri,
        state: Option<&str>,
    ) -> Result<AuthorizationRequest, OauthError> {
        if query.required("response_type")? != "code" {
            return Err(OauthError::new(
                ErrorCode::UnsupportedResponseType,
                "response_type is always code.",
            ));
        }
        let challenge = query.required("code_challenge")?;
        // Left out it would mean plain (RFC 7636, section 4.3).
        if query.required("code_challenge_method")? != "S256" {
            return Err(OauthError::invalid_request(
                "code_challenge_method is always S256.",
            ));
        }
        let challenge = CodeChallenge::parse(challenge).ok_or_else(|| {
            OauthError::invalid_request(
                "code_challenge is no SHA-256 in base64url: 43 characters without padding.",
            )
        })?;
        let resource = self.resource(query)?;
        Ok(AuthorizationRequest {
            id: Uuid::now_v7(),
            client_id: client.id.0,
            redirect_uri: redirect_uri.as_str().to_owned(),
            scopes: scope::requested(query.optional("scope")?)?,
            state: state.map(str::to_owned),
            code_challenge: challenge.as_str().to_owned(),
            resource: resource.to_owned(),
            expires_at: self.clock.now() + handle::LIFETIME,
        })
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
        let asked = parameters
            .optional("resource")
            .map_err(|_| refuse())?
            .ok_or_else(refuse)?;
        self.resources.find(asked).ok_or_else(refuse)
    }

    /// RFC 6749, section 4.1.2.1, with the issuer of RFC 9207.
    fn back_with(&self, redirect_uri: &RedirectUri, refusal: &OauthError, state: Option<&str>) -> String {
        let mut parameters = vec![
            ("error", refusal.error.as_str()),
            ("error_description", refusal.error_description.as_str()),
        ];
        parameters.extend(state.map(|state| ("state", state)));
        parameters.push(("iss", &self.resources.issuer));
        redirect_uri.with(&parameters)
    }

    /// What a user has to decide on.
    ///
    /// # Errors
    /// There is nothing to decide.
    pub async fn consent(&self, handle: &str, user: UserId) -> Result<Consent, ConsentError> {
        let request = self
            .handles
            .open(handle, self.clock.now())
            .ok_or(ConsentError::Lapsed)?;
        if self.grants.is_decided(request.id).await? {
            return Err(ConsentError::Decided);
        }
        let client = self.known_client(ClientId(request.client_id)).await?;
        let client = client.ok_or(ConsentError::Lapsed)?;
        Ok(Consent {
            redirect_uri: RedirectUri::registered(request.redirect_uri.clone()),
            workspaces: self.grants.workspaces(user).await?,
            request,
            client,
        })
    }

    /// Takes down that `user` agreed, and gives where the browser goes: back to the client, with a code. Of `scopes`
    /// only what was asked for counts; the first of `workspaces` is the default.
    ///
    /// # Errors
    /// There is nothing to decide, or nothing was ticked.
    pub async fn approve(
        &self,
        handle: &str,
        user: UserId,
        scopes: ScopeSet,
        workspaces: Vec<WorkspaceId>,
    ) -> Result<String, ConsentError> {
        let now = self.clock.now();
        let request = self.handles.open(handle, now).ok_or(ConsentError::Lapsed)?;
        let scopes: ScopeSet = scopes
            .iter()
            .filter(|scope| request.scopes.contains(*scope))
            .collect();
        if scopes.is_empty() || workspaces.is_empty() {
            return Err(ConsentError::NothingTicked);
        }
        let code = Secret::generate(CODE_PREFIX)?;
        let approval = Approval {
            request: request.id,
            client: ClientId(request.client_id),
            user,
            redirect_uri: request.redirect_uri.clone(),
            scopes,
            resource: request.resource,
            code_challenge: request.code_challenge,
            workspaces,
            code: code.digest(),
            expires_at: now + CODE_LIFETIME,
        };
        self.grants.approve(&approval, now).await?;
        let mut parameters = vec![("code", code.reveal())];
        parameters.extend(request.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", &self.resources.issuer));
        Ok(RedirectUri::registered(request.redirect_uri).with(&parameters))
    }

    /// Takes down that the user did not agree, and gives where the browser goes.
    ///
    /// # Errors
    /// There is nothing to decide.
    pub async fn deny(&self, handle: &str) -> Result<String, ConsentError> {
        let now = self.clock.now();
        let request = self.handles.open(handle, now).ok_or(ConsentError::Lapsed)?;
        self.grants.deny(request.id, request.expires_at, now).await?;
        let refusal = OauthError::new(ErrorCode::AccessDenied, "The user did not agree.");
        let redirect_uri = RedirectUri::registered(request.redirect_uri);
        Ok(self.back_with(&redirect_uri, &refusal, request.state.as_deref()))
    }

    /// Issues tokens (RFC 6749, sections 4.1.3 and 6).
    ///
    /// # Errors
    /// Why none are issued.
    pub async fn issue(&self, form: &Parameters, proof: &Proof<'_>) -> Result<Tokens, OauthError> {
        let grant_type = form.required("grant_type")?;
        let client = self.proven(proof).await?;
        let refresh_token = Secret::generate(REFRESH_PREFIX)?;
        let now = self.clock.now();
        let resource;
        let issued = match grant_type {
            "authorization_code" => {
                let code = form.required("code")?;
                let verifier = form.required("code_verifier")?;
                let redirect_uri = form.required("redirect_uri")?;
                resource = self.resource(form)?;
                let challenge = CodeChallenge::of(verifier).ok_or_else(|| {
                    OauthError::invalid_grant(
                        "code_verifier has 43 to 128 characters of A-Z, a-z, 0-9 and -._~.",
                    )
                })?;
                let exchange = CodeExchange {
                    code: SecretDigest::of(code),
                    client: client.id,
                    redirect_uri,
                    resource,
                    code_challenge: challenge.as_str(),
                    grant: CredentialId::generate(),
                    refresh_token: refresh_token.digest(),
                    refresh_until: now + REFRESH_LIFETIME,
                };
                self.grants.exchange(&exchange, now).await
            }
            "refresh_token" => {
                let token = form.required("refresh_token")?;
                resource = self.resource(form)?;
                let rotation = Rotation {
                    token: SecretDigest::of(token),
                    client: client.id,
                    resource,
                    next: refresh_token.digest(),
                    next_until: now + REFRESH_LIFETIME,
                };
                self.grants.rotate(&rotation, now).await
            }
            _ => {
                return Err(OauthError::new(
                    ErrorCode::UnsupportedGrantType,
                    "grant_type is authorization_code or refresh_token.",
                ));
            }
        };
        let Issued { grant, user, scopes } = issued.map_err(refused)?;
        let request = TokenRequest {
            issuer: &self.resources.issuer,
            grant,
            user,
            client: client.id,
            resource,
            scopes,
        };
        Ok(Tokens {
            access_token: token::sign(&self.keys.keys(now).await?, &request, now)?,
            token_type: "Bearer",
            expires_in: token::LIFETIME.whole_seconds(),
            refresh_token: refresh_token.reveal().to_owned(),
            scope: scope::written(scopes),
        })
    }

    /// Revokes the whole grant of an access or refresh token of this client (RFC 7009). A token that is unknown, or
    /// another's, changes nothing.
    ///
    /// # Errors
    /// A parameter is missing, or the store failed.
    pub async fn revoke(&self, form: &Parameters, proof: &Proof<'_>) -> Result<(), OauthError> {
        let token = form.required("token")?;
        let Ok(client) = self.proven(proof).await else {
            return Ok(());
        };
        let now = self.clock.now();
        if Secret::parse(token, REFRESH_PREFIX).is_some() {
            let digest = SecretDigest::of(token);
            self.grants.revoke_by_token(&digest, client.id, now).await?;
        } else if let Some(claims) = self.claims(token, now).await? {
            self.grants
                .revoke_of_client(claims.grant_id, client.id, now)
                .await?;
        }
        Ok(())
    }

    /// What an access token of ours says. Its time is the caller's to judge.
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

    async fn client(&self, id: &str) -> Result<Option<Arc<Client>>, OauthError> {
        match id.parse() {
            Ok(id) => Ok(self.known_client(id).await?),
            Err(_) => Ok(None),
        }
    }

    async fn known_client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        if let Some(client) = self.known.get(&id) {
            return Ok(Some(client));
        }
        let found = self.clients.find(id).await?.map(Arc::new);
        if let Some(client) = &found {
            self.known.insert(id, Arc::clone(client));
        }
        Ok(found)
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
        // Of a random secret the digests may be compared in any time.
        if proof.secret.map(SecretDigest::of) != client.secret {
            return Err(refuse("The client secret is wrong."));
        }
        Ok(client)
    }
}

fn refused(error: IssueError) -> OauthError {
    match error {
        IssueError::Store(error) => error.into(),
        IssueError::OtherResource => OauthError::new(ErrorCode::InvalidTarget, sentence(&error)),
        error => OauthError::invalid_grant(sentence(&error)),
    }
}

fn sentence(error: &IssueError) -> String {
    format!("The code or refresh token can't be used: {error}.")
}

/// The metadata of the authorization server (RFC 8414, section 2).
#[must_use]
pub fn server_metadata(resources: &Resources, api_base: &str, jwks_uri: &str, docs_url: &str) -> Value {
    let scopes: Vec<&str> = pharos_domain::scope::Scope::ALL
        .iter()
        .map(|scope| scope.as_str())
        .collect();
    let methods = AuthMethod::ALL.map(AuthMethod::as_str);
    json!({
        "issuer": resources.issuer,
        "authorization_endpoint": format!("{api_base}/oauth/authorize"),
        "token_endpoint": format!("{api_base}/oauth/token"),
        "registration_endpoint": format!("{api_base}/oauth/register"),
        "revocation_endpoint": format!("{api_base}/oauth/revoke"),
        "jwks_uri": jwks_uri,
        "scopes_supported": scopes,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [resources.api, resources.mcp],
        "service_documentation": docs_url,
    })
}

/// The metadata of a protected resource (RFC 9728, section 2).
#[must_use]
pub fn resource_metadata(resources: &Resources, resource: &str, docs_url: &str) -> Value {
    let scopes: Vec<&str> = pharos_domain::scope::Scope::ALL
        .iter()
        .map(|scope| scope.as_str())
        .collect();
    json!({
        "resource": resource,
        "authorization_servers": [resources.issuer],
        "scopes_supported": scopes,
        "bearer_methods_supported": ["header"],
        "resource_name": "Pharos",
        "resource_documentation": docs_url,
    })
}
