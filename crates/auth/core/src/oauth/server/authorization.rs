//! Authorization: from an app's request to the user's decision.

use std::sync::Arc;

use pharos_domain::{
    ids::{ClientId, UserId, WorkspaceId},
    scope::ScopeSet,
    store::StoreError,
};
use thiserror::Error;
use time::Duration;
use uuid::Uuid;

use super::AuthorizationServer;
use crate::{
    oauth::{
        client::Client,
        error::{ErrorCode, OauthError},
        handle::{self, AuthorizationRequest},
        parameters::Parameters,
        pkce::CodeChallenge,
        redirect_uri::RedirectUri,
        scope,
        store::{Approval, ConsentWorkspace, DecideError},
    },
    secret::{NoRandomness, Secret},
};

/// How long a code is good for.
pub const CODE_LIFETIME: Duration = Duration::seconds(60);
/// Every code begins with it.
const CODE_PREFIX: &str = "pac_";

/// A request that waits for the user's decision.
#[derive(Debug)]
pub struct Consent {
    /// The app's request.
    pub request: AuthorizationRequest,
    /// The app that asks for consent.
    pub client: Arc<Client>,
    /// Where the answer goes.
    pub redirect_uri: RedirectUri,
    /// The workspaces that the user can tick.
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
    NoRandomness(#[from] NoRandomness),
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

    /// Who sent a user here, as far as it can be told before they sign in.
    ///
    /// # Errors
    /// The store failed.
    pub async fn asker(&self, handle: &str) -> Result<Option<Arc<Client>>, StoreError> {
        match self.handles.open(handle, self.clock.now()) {
            Some(request) => self.clients.find(ClientId(request.client_id)).await,
            None => Ok(None),
        }
    }

    /// The request that `user` has to decide on.
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
        let client = self.clients.find(ClientId(request.client_id)).await?;
        let client = client.ok_or(ConsentError::Lapsed)?;
        Ok(Consent {
            redirect_uri: RedirectUri::registered(request.redirect_uri.clone()),
            workspaces: self.grants.workspaces(user).await?,
            request,
            client,
        })
    }

    /// Records that `user` agreed, and gives where the browser goes: back to the client, with a code. Only
    /// those of `scopes` count that were requested; the first of `workspaces` is the default.
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

    /// Records that the user did not agree, and gives where the browser goes.
    ///
    /// # Errors
    /// There is nothing to decide.
    pub async fn deny(&self, handle: &str) -> Result<String, ConsentError> {
        let now = self.clock.now();
        let request = self.handles.open(handle, now).ok_or(ConsentError::Lapsed)?;
        self.grants.deny(request.id, request.expires_at).await?;
        let refusal = OauthError::new(ErrorCode::AccessDenied, "The user did not agree.");
        let redirect_uri = RedirectUri::registered(request.redirect_uri);
        Ok(self.back_with(&redirect_uri, &refusal, request.state.as_deref()))
    }
}
