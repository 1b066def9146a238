//! The endpoints of the authorization server.

mod authorize;
mod discovery;
mod metadata;
mod register;
mod revoke;
mod token;

use base64::{Engine, engine::general_purpose::STANDARD};
use pharos_auth::oauth::{
    client::AuthMethod,
    error::{ErrorCode, OauthError},
    limits::OauthLimits,
    parameters::Parameters,
    server::{AuthorizationServer, Proof},
};
use pharos_domain::hourly_limit::HourlyLimit;
use pharos_http::{
    open::{OpenAnswer, OpenCall, OpenOperation},
    spec::MAX_BODY_BYTES,
};
use serde_json::{Value, json};

pub use discovery::Discovery;

/// The operations, in the order of the flow.
#[must_use]
pub fn operations(limits: OauthLimits) -> Vec<OpenOperation> {
    let OauthLimits {
        register,
        authorize,
        token,
        revoke,
        consent: _,
    } = limits;
    let limit = |name, per_hour| HourlyLimit { name, per_hour };
    let operations = vec![
        OpenOperation::new(
            &register::SPEC,
            limit("oauth-register", register),
            register::described(),
            register::answer,
        ),
        OpenOperation::new(
            &authorize::SPEC,
            limit("oauth-authorize", authorize),
            authorize::described(),
            authorize::answer,
        ),
        OpenOperation::new(
            &token::SPEC,
            limit("oauth-token", token),
            token::described(),
            token::answer,
        ),
        OpenOperation::new(
            &revoke::SPEC,
            limit("oauth-revoke", revoke),
            revoke::described(),
            revoke::answer,
        ),
    ];
    operations
        .into_iter()
        .map(OpenOperation::taking::<AuthorizationServer>)
        .collect()
}

/// The header that HTTP Basic comes in.
const AUTHORIZATION: &str = "authorization";
/// The tag of the operations.
const TAG: (&str, &str) = (
    "oauth",
    "OAuth 2.1, by which apps get access to what a user lets them: register, ask, exchange, refresh, revoke.",
);

fn not_wired() -> OauthError {
    tracing::error!("the authorization server is not wired");
    OauthError::new(ErrorCode::ServerError, "Pharos failed.")
}

/// A refusal as JSON (RFC 6749, section 5.2). Who sent no Authorization header is not asked for one: browsers would
/// show their own dialogue for a password.
fn refuse(refusal: &OauthError, call: &OpenCall) -> OpenAnswer {
    let answer = OpenAnswer::json(status(refusal.error), refusal);
    match refusal.error {
        ErrorCode::InvalidClient if call.has_header(AUTHORIZATION) => {
            answer.with("www-authenticate", r#"Basic realm="pharos""#)
        }
        ErrorCode::TemporarilyUnavailable => answer.with("retry-after", "5"),
        _ => answer,
    }
}

/// The status of an answer to the client itself.
const fn status(error: ErrorCode) -> u16 {
    match error {
        ErrorCode::InvalidClient => 401,
        ErrorCode::ServerError => 500,
        ErrorCode::TemporarilyUnavailable => 503,
        _ => 400,
    }
}

/// The form of a POST.
fn form(call: &OpenCall) -> Result<Parameters, OauthError> {
    if call.media_type().as_deref() == Some("application/x-www-form-urlencoded") {
        Ok(Parameters::parse(&call.body))
    } else {
        Err(OauthError::invalid_request(
            "Send the parameters as Content-Type: application/x-www-form-urlencoded.",
        ))
    }
}

/// The credentials that a client sent by Basic; the others come in the form (RFC 6749, section 2.3.1).
struct Credentials {
    basic: Option<(String, String)>,
}

impl Credentials {
    fn of(call: &OpenCall) -> Result<Self, OauthError> {
        let refuse = || {
            OauthError::new(
                ErrorCode::InvalidClient,
                "The Authorization header is not HTTP Basic.",
            )
        };
        if !call.has_header(AUTHORIZATION) {
            return Ok(Self { basic: None });
        }
        let header = call.header(AUTHORIZATION).ok_or_else(refuse)?;
        let (scheme, encoded) = header.split_once(' ').ok_or_else(refuse)?;
        let decoded = STANDARD.decode(encoded.trim()).ok();
        let decoded = decoded
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or_else(refuse)?;
        let (id, secret) = decoded.split_once(':').ok_or_else(refuse)?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return Err(refuse());
        }
        Ok(Self {
            basic: Some((form_decoded(id), form_decoded(secret))),
        })
    }

    fn proof<'a>(&'a self, form: &'a Parameters) -> Result<Proof<'a>, OauthError> {
        let (id, secret) = (form.optional("client_id")?, form.optional("client_secret")?);
        match &self.basic {
            Some(_) if secret.is_some() => Err(OauthError::invalid_request(
                "Send the client secret by HTTP Basic or in the form, not both.",
            )),
            Some((basic, _)) if id.is_some_and(|id| id != basic) => Err(OauthError::invalid_request(
                "client_id is not the one of the Authorization header.",
            )),
            Some((basic, secret)) => Ok(Proof {
                method: AuthMethod::ClientSecretBasic,
                client_id: basic,
                secret: Some(secret),
            }),
            None => Ok(Proof {
                method: if secret.is_some() {
                    AuthMethod::ClientSecretPost
                } else {
                    AuthMethod::None
                },
                client_id: form.required("client_id")?,
                secret,
            }),
        }
    }
}

/// Both halves of Basic are form-encoded first (RFC 6749, section 2.3.1).
fn form_decoded(text: &str) -> String {
    let mut pairs = form_urlencoded::parse(text.as_bytes());
    pairs
        .next()
        .map_or_else(String::new, |(name, _)| name.into_owned())
}

/// A parameter of the document.
fn parameter(name: &str, required: bool, description: &str, schema: &Value) -> Value {
    json!({ "name": name, "in": "query", "required": required, "description": description, "schema": schema })
}

/// The grant types that the token endpoint takes. Schemas with a title become components of the document.
fn grant_type() -> Value {
    json!({
        "title": "OauthGrantType", "type": "string", "enum": ["authorization_code", "refresh_token"],
        "description": "The credential that a client exchanges for tokens.",
    })
}

/// The response types of the authorization endpoint.
fn response_type() -> Value {
    json!({ "title": "OauthResponseType", "type": "string", "enum": ["code"] })
}

/// The refusals that every endpoint can answer, as the document has them.
fn refusals() -> Value {
    let codes = ErrorCode::ANSWERED.map(ErrorCode::as_str);
    let refusal = |description: &str, error: &str, error_description: &str| {
        json!({
            "description": description,
            "content": { "application/json": {
                "schema": {
                    "title": "OauthError",
                    "type": "object",
                    "required": ["error"],
                    "properties": {
                        "error": {
                            "title": "OauthErrorCode", "type": "string", "enum": codes,
                            "description": "The code of the RFC.",
                        },
                        "error_description": { "type": "string", "description": "The fault, and how to correct it." },
                    },
                },
                "example": { "error": error, "error_description": error_description },
            } },
        })
    };
    json!({
        "400": refusal(
            "The request is refused; error says why (RFC 6749, section 5.2).",
            "invalid_request",
            "client_id is missing.",
        ),
        "413": refusal(
            "The body is too large.",
            "invalid_request",
            &format!("The body is larger than {MAX_BODY_BYTES} bytes."),
        ),
        "429": refusal(
            "Too many requests from this address. Retry-After says when to come again.",
            "temporarily_unavailable",
            "No more than 600 requests an hour from one address.",
        ),
        "500": refusal("Pharos failed.", "server_error", "Pharos failed."),
        "503": refusal(
            "The store is not available at the moment. Retry-After says when to come again.",
            "temporarily_unavailable",
            "The store is not available at the moment. Try again in some seconds.",
        ),
    })
}

/// The refusals, with one answer more.
fn responses(status: &str, answer: Value) -> Value {
    let mut responses = refusals();
    responses[status] = answer;
    responses
}

/// The same where a client proves itself.
fn responses_to_client(answer: Value, why_401: &str) -> Value {
    let mut responses = responses("200", answer);
    let mut refusal = responses["400"].clone();
    refusal["description"] = json!(why_401);
    refusal["content"]["application/json"]["example"] = json!({
        "error": ErrorCode::InvalidClient, "error_description": "The Authorization header is not HTTP Basic.",
    });
    responses["401"] = refusal;
    responses
}
