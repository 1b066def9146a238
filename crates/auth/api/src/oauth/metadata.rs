//! The discovery documents.

use pharos_auth::oauth::{client::AuthMethod, resource::Resources};
use pharos_domain::scope::{Scope, Tier};
use serde_json::{Value, json};

/// The metadata of the authorization server (RFC 8414, section 2).
pub(super) fn server_metadata(
    resources: &Resources,
    api_base: &str,
    jwks_uri: &str,
    docs_url: &str,
) -> Value {
    let methods = AuthMethod::ALL.map(AuthMethod::as_str);
    json!({
        "issuer": resources.issuer,
        "authorization_endpoint": format!("{api_base}/oauth/authorize"),
        "token_endpoint": format!("{api_base}/oauth/token"),
        "registration_endpoint": format!("{api_base}/oauth/register"),
        "revocation_endpoint": format!("{api_base}/oauth/revoke"),
        "jwks_uri": jwks_uri,
        "scopes_supported": Scope::ALL,
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

/// The metadata of a protected resource (RFC 9728, section 2). It lists the read scopes alone: clients of the Model
/// Context Protocol ask for all that is listed there. All others stand in the server's metadata.
pub(super) fn resource_metadata(resources: &Resources, resource: &str, docs_url: &str) -> Value {
    json!({
        "resource": resource,
        "authorization_servers": [resources.issuer],
        "scopes_supported": Tier::Read.scopes(),
        "bearer_methods_supported": ["header"],
        "resource_name": "Pharos",
        "resource_documentation": docs_url,
    })
}
