//! POST /oauth/revoke

use pharos_auth::oauth::{error::OauthError, server::AuthorizationServer};
use pharos_http::{
    open::{OpenAnswer, OpenCall, OpenSpec},
    spec::Verb,
};
use serde_json::{Value, json};

use super::{Credentials, TAG, form, not_wired, refuse, responses_to_client};

pub(super) const SPEC: OpenSpec = OpenSpec {
    id: "revokeOauthToken",
    method: Verb::Post,
    path: "/oauth/revoke",
    tag: TAG,
    summary: "Revoke a grant",
    description: "By its access or refresh token (RFC 7009). The whole grant ends: once this has answered, none of its \
                  tokens works on any node. A token that is unknown or another client's changes nothing, and so does a \
                  client that did not prove itself; the answer is 200 all the same.",
    is_for_scripts: true,
};

pub(super) async fn answer(call: OpenCall) -> OpenAnswer {
    match revoke(&call).await {
        Ok(()) => OpenAnswer::json(200, &json!({})),
        Err(refusal) => refuse(&refusal, &call),
    }
}

async fn revoke(call: &OpenCall) -> Result<(), OauthError> {
    let form = form(call)?;
    let credentials = Credentials::of(call)?;
    let server = call.port::<AuthorizationServer>().ok_or_else(not_wired)?;
    server.revoke(&form, &credentials.proof(&form)?).await
}

pub(super) fn described() -> Value {
    json!({
        "requestBody": {
            "required": true,
            "content": { "application/x-www-form-urlencoded": {
                "schema": {
                    "title": "OauthRevocationRequest",
                    "type": "object",
                    "required": ["token"],
                    "properties": {
                        "token": { "type": "string", "description": "An access or refresh token of the grant." },
                        "token_type_hint": { "type": "string", "description": "Not needed, and ignored." },
                        "client_id": { "type": "string", "description": "The client, unless HTTP Basic names it." },
                        "client_secret": { "type": "string", "description": "The secret of a client that registered client_secret_post." },
                    },
                },
                "example": { "token": "prt_…", "client_id": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11" },
            } },
        },
        "responses": responses_to_client(
            json!({
                "description": "The grant is revoked, or there was none.",
                "content": { "application/json": { "schema": { "title": "OauthRevocation", "type": "object" }, "example": {} } },
            }),
            "The Authorization header is not HTTP Basic: invalid_client.",
        ),
    })
}
