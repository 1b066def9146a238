//! Tokens: issued, refreshed, revoked.

use pharos_domain::ids::CredentialId;
use time::Duration;

use super::AuthorizationServer;
use crate::{
    oauth::{
        client::AuthMethod,
        error::{ErrorCode, OauthError},
        parameters::Parameters,
        pkce::CodeChallenge,
        scope,
        signing::TOKEN_LIFETIME,
        store::{CodeExchange, IssueError, Issued, Rotation},
        token::{self, TokenRequest, Tokens},
    },
    secret::{Secret, SecretDigest},
};

/// How long a refresh token is good for.
pub const REFRESH_LIFETIME: Duration = Duration::days(90);
/// Every refresh token begins with it.
const REFRESH_PREFIX: &str = "prt_";

/// How a client proves that it is itself.
#[derive(Debug)]
pub struct Proof<'a> {
    /// How it was brought.
    pub method: AuthMethod,
    /// Who it says it is.
    pub client_id: &'a str,
    /// The secret that it proves itself by; `None` of a public client.
    pub secret: Option<&'a str>,
}

impl AuthorizationServer {
    /// Issues tokens (RFC 6749, sections 4.1.3 and 6).
    ///
    /// # Errors
    /// Why none are issued.
    pub async fn issue(&self, form: &Parameters, proof: &Proof<'_>) -> Result<Tokens, OauthError> {
        let grant_type = form.required("grant_type")?;
        let client = self.proven(proof).await?;
        let refresh_token = Secret::generate(REFRESH_PREFIX)?;
        let now = self.clock.now();
        // Whatever can fail does so before the code or refresh token is used up: one that is tried again once it is
        // ends the grant.
        let keys = self.keys.keys(now).await?;
        // A wrong resource is refused later, since a used code or token ends its grant all the same.
        let resource = self.resource(form);
        let narrower = match grant_type {
            "refresh_token" => form.optional("scope")?,
            _ => None,
        };
        let mint = |issued: &Issued| -> Result<Tokens, OauthError> {
            let scopes = scope::narrowed(narrower, issued.scopes)?;
            let request = TokenRequest {
                issuer: &self.resources.issuer,
                grant: issued.grant,
                user: issued.user,
                client: client.id,
                resource: resource.as_ref().map_err(OauthError::clone)?,
                scopes,
            };
            Ok(Tokens {
                access_token: token::sign(&keys, &request, now)?,
                token_type: "Bearer",
                expires_in: TOKEN_LIFETIME.whole_seconds(),
                refresh_token: refresh_token.reveal().to_owned(),
                scope: scope::written(scopes),
            })
        };
        let issued = match grant_type {
            "authorization_code" => {
                let code = form.required("code")?;
                let verifier = form.required("code_verifier")?;
                let challenge = CodeChallenge::of(verifier).ok_or_else(|| {
                    OauthError::invalid_grant(
                        "code_verifier has 43 to 128 characters of A-Z, a-z, 0-9 and -._~.",
                    )
                })?;
                let exchange = CodeExchange {
                    code: SecretDigest::of(code),
                    client: client.id,
                    redirect_uri: form.optional("redirect_uri")?,
                    resource: resource.as_ref().ok().copied(),
                    code_challenge: challenge.as_str(),
                    grant: CredentialId::generate(),
                    refresh_token: refresh_token.digest(),
                    refresh_until: now + REFRESH_LIFETIME,
                };
                self.grants.exchange(&exchange, &mint, now).await
            }
            "refresh_token" => {
                let token = form.required("refresh_token")?;
                let rotation = Rotation {
                    token: SecretDigest::of(token),
                    client: client.id,
                    resource: resource.as_ref().ok().copied(),
                    next: refresh_token.digest(),
                    next_until: now + REFRESH_LIFETIME,
                };
                self.grants.rotate(&rotation, &mint, now).await
            }
            _ => {
                return Err(OauthError::new(
                    ErrorCode::UnsupportedGrantType,
                    "grant_type is authorization_code or refresh_token.",
                ));
            }
        };
        issued.map_err(|error| match (error, resource) {
            (IssueError::Store(error), _) => error.into(),
            // It asks for no second attempt, since one with a code that was used after all ends the grant.
            (IssueError::InDoubt, _) => OauthError::new(
                ErrorCode::ServerError,
                "The store was lost while tokens were issued, and none are sent. If what was sent is refused from now \
                 on, let the user connect the app again.",
            ),
            (IssueError::Unminted(error), _) | (IssueError::OtherResource, Err(error)) => error,
            (error @ IssueError::OtherResource, Ok(_)) => {
                OauthError::new(ErrorCode::InvalidTarget, sentence(&error))
            }
            (error, _) => OauthError::invalid_grant(sentence(&error)),
        })
    }

    /// Revokes the whole grant of an access or refresh token of this client (RFC 7009). A token that is unknown, or
    /// another's, changes nothing.
    ///
    /// # Errors
    /// A parameter is missing, or the store failed.
    pub async fn revoke(&self, form: &Parameters, proof: &Proof<'_>) -> Result<(), OauthError> {
        let token = form.required("token")?;
        let client = match self.proven(proof).await {
            Ok(client) => client,
            Err(refusal) if refusal.error == ErrorCode::InvalidClient => return Ok(()),
            // Whoever hears 200 takes the grant for ended.
            Err(failure) => return Err(failure),
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
}

fn sentence(error: &IssueError) -> String {
    format!("The code or refresh token can't be used: {error}.")
}
