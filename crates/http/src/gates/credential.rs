//! Credential: who calls? 401, 429 for too many failures, 503 where nobody can tell.

use std::sync::Arc;

use actix_web::{HttpRequest, http::header::AUTHORIZATION};
use pharos_domain::{
    authenticator::{Authenticator, Refusal, Refused},
    identity::{Identity, Source},
    problem::Suffix,
};

use crate::{
    problem::{Extras, Problem, unavailable},
    request_context::RequestContext,
    spec::Bucket,
};

/// Asks who calls.
pub(super) struct CredentialGate<'a> {
    pub(super) authenticator: &'a dyn Authenticator,
    pub(super) source: Source,
}

impl CredentialGate<'_> {
    /// Notes in the context whose credential it is that is refused.
    pub(super) async fn pass(
        &self,
        request: &HttpRequest,
        context: &mut RequestContext,
    ) -> Result<Arc<Identity>, Problem> {
        let mut headers = request.headers().get_all(AUTHORIZATION);
        let header = headers.next().ok_or_else(missing)?;
        if headers.next().is_some() {
            return Err(invalid());
        }
        let credential = header.to_str().ok().and_then(bearer).ok_or_else(invalid)?;
        let Refused { refusal, known } = match self.authenticator.authenticate(credential, self.source).await
        {
            Ok(identity) => return Ok(identity),
            Err(refused) => refused,
        };
        context.refused_credential = known;
        Err(match refusal {
            Refusal::Invalid => invalid(),
            Refusal::InvalidAudience => invalid_audience(),
            Refusal::GrantRevoked => grant_revoked(),
            Refusal::TooManyFailures { retry_after_seconds } => too_many(retry_after_seconds),
            Refusal::Unavailable => unavailable(),
        })
    }
}

/// The credential of `Bearer <credential>` (RFC 6750, section 2.1); the scheme in either case (RFC 9110, 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, credential) = value.split_once(' ')?;
    let credential = credential.trim_matches(' ');
    let is_one_word = !credential.is_empty() && !credential.contains([' ', ',', '\t']);
    (scheme.eq_ignore_ascii_case("bearer") && is_one_word).then_some(credential)
}

fn missing() -> Problem {
    Problem::new(
        Suffix::MissingCredential,
        "Send Authorization: Bearer <credential>. Cookies and query strings are never read.",
    )
}

/// One body for everything that can be wrong with a credential.
fn invalid() -> Problem {
    Problem::new(Suffix::InvalidCredential, "The credential is not valid here.")
}

fn invalid_audience() -> Problem {
    Problem::new(
        Suffix::InvalidAudience,
        "The access token was made for another resource. Ask for one with the resource of this API.",
    )
}

fn grant_revoked() -> Problem {
    Problem::new(
        Suffix::GrantRevoked,
        "The user revoked this app's access. Ask for it again at the authorization endpoint.",
    )
}

fn too_many(retry_after_seconds: u32) -> Problem {
    let detail = "Too many failed authentications from this address.";
    Problem {
        extras: Box::new(Extras {
            bucket: Some(Bucket::General.as_str()),
            retry_after_seconds: Some(retry_after_seconds),
            ..Extras::default()
        }),
        ..Problem::new(Suffix::RateLimited, detail).retry_after(retry_after_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::bearer;

    #[test]
    fn a_bearer_credential_is_one_word_after_the_scheme() {
        for good in [
            "Bearer abc",
            "bearer abc",
            "BEARER abc",
            "Bearer  abc",
            "Bearer abc ",
        ] {
            assert_eq!(bearer(good), Some("abc"), "{good}");
        }
        for bad in [
            "",
            "Bearer",
            "Bearer ",
            "Basic abc",
            "abc",
            "Bearer a b",
            "Bearer a,b",
            "Bearerabc",
        ] {
            assert_eq!(bearer(bad), None, "{bad}");
        }
    }
}
