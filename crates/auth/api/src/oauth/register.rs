//! POST /oauth/register

use pharos_auth::oauth::{
    error::OauthError,
    server::{AuthorizationServer, Registered},
};
use pharos_http::{
    open::{OpenAnswer, OpenCall, OpenSpec},
    spec::Verb,
};
use serde_json::{Value, json};

use super::{TAG, grant_type, not_wired, refuse, response_type, responses};

pub(super) const SPEC: OpenSpec = OpenSpec {
    id: "registerOauthClient",
    method: Verb::Post,
    path: "/oauth/register",
    tag: TAG,
    summary: "Register an app as an OAuth client",
    description: "Open to everybody (RFC 7591); each call makes a new client. Redirect URIs are https, or http on \
                  127.0.0.1, [::1] and localhost, without wildcard, fragment or user name, and match by exact string, \
                  port included. The secret of a confidential client is shown this once and never ends. A client that \
                  got no grant within 30 days is deleted. Members that Pharos does not know are ignored.",
    is_for_scripts: true,
};

pub(super) async fn answer(call: OpenCall) -> OpenAnswer {
    match register(&call).await {
        Ok(Registered { client, secret }) => {
            let metadata = &client.metadata;
            let mut body = json!({
                "client_id": client.id,
                "client_id_issued_at": client.created_at.unix_timestamp(),
                "redirect_uris": metadata.redirect_uris,
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": metadata.auth_method,
            });
            if let Some(name) = &metadata.name {
                body["client_name"] = json!(name);
            }
            if let Some(secret) = secret {
                body["client_secret"] = json!(secret.reveal());
                body["client_secret_expires_at"] = json!(0);
            }
            OpenAnswer::json(201, &body)
        }
        Err(refusal) => refuse(&refusal, &call),
    }
}

async fn register(call: &OpenCall) -> Result<Registered, OauthError> {
    if call.media_type().as_deref() != Some("application/json") {
        return Err(OauthError::invalid_request(
            "Send the metadata as Content-Type: application/json.",
        ));
    }
    let server = call.port::<AuthorizationServer>().ok_or_else(not_wired)?;
    server.register(&call.body).await
}

pub(super) fn described() -> Value {
    let metadata = json!({
        "title": "OauthClientMetadata",
        "type": "object",
        "required": ["redirect_uris"],
        "properties": {
            "client_name": { "type": "string", "maxLength": 200, "description": "The name of the app on the consent screen." },
            "redirect_uris": {
                "type": "array", "minItems": 1, "maxItems": 20,
                "items": { "type": "string", "format": "uri", "maxLength": 2048 },
                "description": "Where users may be sent back to.",
            },
            "grant_types": {
                "type": "array", "items": grant_type(),
                "description": "Both are always granted.",
            },
            "response_types": {
                "type": "array", "items": response_type(), "description": "Always code.",
            },
            "token_endpoint_auth_method": {
                "title": "OauthClientAuthMethod", "type": "string", "enum": ["none", "client_secret_basic", "client_secret_post"], "default": "none",
                "description": "How the client proves itself; none is a public client.",
            },
        },
    });
    let mut registered = metadata.clone();
    registered["title"] = json!("OauthClient");
    registered["required"] = json!(["client_id", "redirect_uris"]);
    registered["properties"]["client_id"] =
        json!({ "type": "string", "format": "uuid", "description": "The client's id." });
    registered["properties"]["client_id_issued_at"] =
        json!({ "type": "integer", "description": "When it was issued, in seconds of the Unix epoch." });
    registered["properties"]["client_secret"] =
        json!({ "type": "string", "description": "The secret of a confidential client, shown this once." });
    registered["properties"]["client_secret_expires_at"] =
        json!({ "type": "integer", "description": "Always 0: it never ends." });
    let example = json!({
        "client_name": "Site report", "redirect_uris": ["https://app.example/callback"],
        "token_endpoint_auth_method": "none",
    });
    let mut answered = example.clone();
    answered["client_id"] = json!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11");
    json!({
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": metadata, "example": example } },
        },
        "responses": responses("201", json!({
            "description": "Registered.",
            "content": { "application/json": { "schema": registered, "example": answered } },
        })),
    })
}
