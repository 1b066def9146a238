//! GET /oauth/authorize

use pharos_auth::oauth::{
    error::{ErrorCode, OauthError},
    parameters::Parameters,
    server::AuthorizationServer,
};
use pharos_http::{
    open::{OpenAnswer, OpenCall, OpenSpec},
    spec::Verb,
};
use serde_json::{Value, json};

use super::{TAG, not_wired, parameter, refuse, response_type, responses};

pub(super) const SPEC: OpenSpec = OpenSpec {
    id: "authorizeOauthClient",
    method: Verb::Get,
    path: "/oauth/authorize",
    tag: TAG,
    summary: "Ask a user for access",
    description: "Open it in the user's browser: it goes to the consent screen, and from there back to redirect_uri \
                  with code, state and iss (RFC 9207). An unknown client or redirect URI is told here as JSON; every \
                  other fault goes to redirect_uri as error. The code is good for 60 seconds and one use.",
    is_for_scripts: false,
};

pub(super) async fn answer(call: OpenCall) -> OpenAnswer {
    match authorize(&call).await {
        Ok(location) => OpenAnswer::redirect(location),
        // Told to whoever asks, not to a client that failed to prove itself.
        Err(refusal) if refusal.error == ErrorCode::InvalidClient => OpenAnswer::json(400, &refusal),
        Err(refusal) => refuse(&refusal, &call),
    }
}

async fn authorize(call: &OpenCall) -> Result<String, OauthError> {
    let server = call.port::<AuthorizationServer>().ok_or_else(not_wired)?;
    server
        .authorize(&Parameters::parse(call.query().as_bytes()))
        .await
}

pub(super) fn described() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "parameters": [
            parameter("response_type", true, "Always code.", &response_type()),
            parameter("client_id", true, "The client.", &json!({ "type": "string", "format": "uuid" })),
            parameter("redirect_uri", true, "One that the client registered, the same string.",
                &json!({ "type": "string", "format": "uri", "maxLength": 2048 })),
            parameter("scope", false, "The scopes asked for, with spaces between; left out: all read scopes.", &text),
            parameter("state", false, "A value that comes back unchanged.", &text),
            parameter("code_challenge", true, "The SHA-256 of the code verifier in base64url (RFC 7636).",
                &json!({ "type": "string", "minLength": 43, "maxLength": 43 })),
            parameter("code_challenge_method", true, "Always S256.", &json!({ "title": "OauthChallengeMethod", "type": "string", "enum": ["S256"] })),
            parameter("resource", true, "The resource that the tokens are for: exactly one (RFC 8707).",
                &json!({ "type": "string", "format": "uri" })),
        ],
        "responses": responses("302", json!({
            "description": "To the consent screen, or back to redirect_uri with error, error_description, state and iss.",
            "headers": { "Location": {
                "description": "Where the browser goes.", "schema": { "type": "string", "format": "uri" },
            } },
        })),
    })
}
