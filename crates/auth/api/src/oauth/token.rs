//! POST /oauth/token

use pharos_auth::oauth::{error::OauthError, server::AuthorizationServer, token::Tokens};
use pharos_http::{
    open::{OpenAnswer, OpenCall, OpenSpec},
    spec::Verb,
};
use serde_json::{Value, json};

use super::{Credentials, TAG, form, grant_type, not_wired, refuse, responses_to_client};

pub(super) const SPEC: OpenSpec = OpenSpec {
    id: "issueOauthToken",
    method: Verb::Post,
    path: "/oauth/token",
    tag: TAG,
    summary: "Exchange a code, or refresh",
    description: "Access tokens are JWT (RFC 9068), signed ES256, and last an hour. A refresh token is good for one use \
                  within 90 days; the answer holds the next. One that is used a second time revokes the whole grant, \
                  and so does a code: refresh from one place.",
    is_for_scripts: true,
};

pub(super) async fn answer(call: OpenCall) -> OpenAnswer {
    match issue(&call).await {
        Ok(tokens) => OpenAnswer::json(200, &tokens),
        Err(refusal) => refuse(&refusal, &call),
    }
}

async fn issue(call: &OpenCall) -> Result<Tokens, OauthError> {
    let form = form(call)?;
    let credentials = Credentials::of(call)?;
    let server = call.port::<AuthorizationServer>().ok_or_else(not_wired)?;
    server.issue(&form, &credentials.proof(&form)?).await
}

pub(super) fn described() -> Value {
    let field = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "requestBody": {
            "required": true,
            "content": { "application/x-www-form-urlencoded": {
                "schema": {
                    "title": "OauthTokenRequest",
                    "type": "object",
                    "required": ["grant_type", "resource"],
                    "properties": {
                        "grant_type": grant_type(),
                        "code": field("The code; with authorization_code."),
                        "redirect_uri": field("With authorization_code: not needed, as OAuth 2.1 has it; if it is sent, as at authorization."),
                        "code_verifier": field("The secret that the challenge was made from (RFC 7636); with authorization_code."),
                        "refresh_token": field("The refresh token; with refresh_token."),
                        "client_id": field("The client, unless HTTP Basic names it."),
                        "client_secret": field("The secret of a client that registered client_secret_post."),
                        "resource": field("As at authorization."),
                        "scope": field("With refresh_token: what the access token is narrowed to, for its hour; what was not granted is ignored. Left out: all that was granted."),
                    },
                },
                "example": {
                    "grant_type": "refresh_token", "refresh_token": "prt_…",
                    "client_id": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11", "resource": "https://pharos.example",
                },
            } },
        },
        "responses": token_responses(),
    })
}

fn token_responses() -> Value {
    responses_to_client(
        json!({
            "description": "Tokens (RFC 6749, section 5.1).",
            "content": { "application/json": {
                "schema": {
                    "title": "OauthTokens",
                    "type": "object",
                    "required": ["access_token", "token_type", "expires_in", "refresh_token", "scope"],
                    "properties": {
                        "access_token": { "type": "string", "description": "A JWT; send it as Authorization: Bearer." },
                        "token_type": { "title": "OauthTokenType", "type": "string", "enum": ["Bearer"], "description": "Always Bearer." },
                        "expires_in": { "type": "integer", "description": "How long it lasts, in seconds." },
                        "refresh_token": { "type": "string", "description": "The next refresh token, good for one use." },
                        "scope": { "type": "string", "description": "The scopes that were granted; may be fewer than were asked for." },
                    },
                },
                "example": {
                    "access_token": "eyJ…", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "prt_…",
                    "scope": "read:overview read:uptime",
                },
            } },
        }),
        "The client is unknown or did not prove itself: invalid_client.",
    )
}
