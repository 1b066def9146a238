//! Apps, and how they register (RFC 7591).

use pharos_domain::ids::ClientId;
use serde::Serialize;
use serde_json::Value;
use time::{Duration, OffsetDateTime};

use super::{
    error::{ErrorCode, OauthError},
    redirect_uri::RedirectUri,
};
use crate::secret::SecretDigest;

/// How many redirect URIs a client has at most.
pub const MOST_REDIRECT_URIS: usize = 20;
/// How many characters its name has at most.
pub const MOST_NAME_CHARACTERS: usize = 200;
/// A client that never got a grant is deleted after this.
pub const IDLE_FOR: Duration = Duration::days(30);
/// Every client secret begins with it.
pub const SECRET_PREFIX: &str = "pcs_";

/// The other text members of the RFC (sections 2 and 2.3).
const TEXTS_IGNORED: [&str; 8] = [
    "client_uri",
    "jwks_uri",
    "logo_uri",
    "policy_uri",
    "scope",
    "software_id",
    "software_version",
    "tos_uri",
];

/// How a client proves at the token endpoint that it is itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthMethod {
    /// Not at all: a public client, which has PKCE alone.
    None,
    /// By HTTP Basic (RFC 6749, section 2.3.1).
    ClientSecretBasic,
    /// By `client_secret` in the form.
    ClientSecretPost,
}

impl AuthMethod {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::ClientSecretBasic, Self::ClientSecretPost];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ClientSecretBasic => "client_secret_basic",
            Self::ClientSecretPost => "client_secret_post",
        }
    }

    /// The method of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }
}

/// The metadata that a client registers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientMetadata {
    /// The app's name on the consent screen.
    pub name: Option<String>,
    /// Where it may be sent back to.
    pub redirect_uris: Vec<RedirectUri>,
    /// How it proves that it is itself.
    pub auth_method: AuthMethod,
}

/// A registered client.
#[derive(Clone, Debug)]
pub struct Client {
    /// The `client_id` that it registered under.
    pub id: ClientId,
    /// Its metadata, as it registered.
    pub metadata: ClientMetadata,
    /// The digest of its secret; `None` for a public client.
    pub secret: Option<SecretDigest>,
    /// Whether an operator has looked into it. It changes what the consent screen shows, and nothing else.
    pub is_verified: bool,
    /// When it registered.
    pub created_at: OffsetDateTime,
}

impl Client {
    /// Its registered redirect URI that is exactly `text`.
    #[must_use]
    pub fn redirect_uri(&self, text: &str) -> Option<&RedirectUri> {
        self.metadata
            .redirect_uris
            .iter()
            .find(|uri| uri.as_str() == text)
    }
}

impl ClientMetadata {
    /// Reads the body of a registration (section 2). Members that Pharos has no use for are ignored, if they are of the
    /// type that the RFC gives them; those that nobody knows are ignored whatever they are.
    ///
    /// # Errors
    /// `invalid_redirect_uri` or `invalid_client_metadata`.
    pub fn parse(body: &[u8]) -> Result<Self, OauthError> {
        let refuse = |description: &str| OauthError::new(ErrorCode::InvalidClientMetadata, description);
        let body: Value = serde_json::from_slice(body)
            .map_err(|_| refuse("The body is no JSON. Send client metadata as a JSON object."))?;
        let members = body
            .as_object()
            .ok_or_else(|| refuse("The body is no JSON object."))?;
        let member = |name: &str| members.get(name).filter(|value| !value.is_null());
        let text = |name: &str| match member(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(refuse(&format!("{name} is no string."))),
        };
        let list = |name: &str| match member(name) {
            None => Ok(None),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| {
                    item.as_str()
                        .ok_or_else(|| refuse(&format!("{name} is no list of strings.")))
                })
                .collect::<Result<Vec<&str>, _>>()
                .map(Some),
            Some(_) => Err(refuse(&format!("{name} is no list of strings."))),
        };
        let only = |name: &str, known: &[&str]| match list(name)?.unwrap_or_default() {
            items if items.iter().all(|item| known.contains(item)) => Ok(()),
            _ => Err(refuse(&format!("{name} may hold only: {}.", known.join(", ")))),
        };
        for name in TEXTS_IGNORED {
            text(name)?;
        }
        list("contacts")?;
        if member("jwks").is_some_and(|keys| !keys.is_object()) {
            return Err(refuse("jwks is no object."));
        }
        only("grant_types", &["authorization_code", "refresh_token"])?;
        only("response_types", &["code"])?;
        let auth_method = match text("token_endpoint_auth_method")? {
            None => AuthMethod::None,
            Some(name) => AuthMethod::named(name).ok_or_else(|| {
                refuse("token_endpoint_auth_method is none, client_secret_basic or client_secret_post.")
            })?,
        };
        let name = text("client_name")?
            .map(str::trim)
            .filter(|name| !name.is_empty());
        if name.is_some_and(|name| name.chars().count() > MOST_NAME_CHARACTERS) {
            return Err(refuse("client_name is longer than 200 characters."));
        }
        // PostgreSQL keeps no text with it.
        if name.is_some_and(|name| name.contains('\0')) {
            return Err(refuse("client_name has the character U+0000."));
        }
        let uris = list("redirect_uris")?.unwrap_or_default();
        Ok(Self {
            name: name.map(str::to_owned),
            redirect_uris: redirect_uris(&uris)?,
            auth_method,
        })
    }
}

fn redirect_uris(uris: &[&str]) -> Result<Vec<RedirectUri>, OauthError> {
    let refuse = |description: String| OauthError::new(ErrorCode::InvalidRedirectUri, description);
    if uris.is_empty() {
        return Err(refuse(
            "redirect_uris holds no URI; at least one is needed.".to_owned(),
        ));
    }
    if uris.len() > MOST_REDIRECT_URIS {
        return Err(refuse(format!(
            "redirect_uris holds {}; no more than {MOST_REDIRECT_URIS} are taken.",
            uris.len()
        )));
    }
    uris.iter()
        .map(|text| {
            RedirectUri::parse(text).map_err(|fault| {
                let shown: String = text.chars().take(100).collect();
                refuse(format!("The redirect URI {shown} {fault}."))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(body: &Value) -> Result<ClientMetadata, ErrorCode> {
        ClientMetadata::parse(body.to_string().as_bytes()).map_err(|refusal| refusal.error)
    }

    #[test]
    fn a_public_client_needs_a_redirect_uri_and_no_more() {
        let client =
            parse(&json!({ "redirect_uris": ["https://app.example/cb"], "application_kind": 7 })).unwrap();
        assert_eq!(client.auth_method, AuthMethod::None);
        assert_eq!(client.name, None);
        assert_eq!(client.redirect_uris[0].as_str(), "https://app.example/cb");
    }

    #[test]
    fn names_are_taken_as_they_are_up_to_their_length() {
        let named =
            |name: &str| parse(&json!({ "client_name": name, "redirect_uris": ["https://a.example"] }));
        let markup = "<script>alert(1)</script> \u{202e}evil";
        assert_eq!(named(markup).unwrap().name.as_deref(), Some(markup));
        assert_eq!(named("  ").unwrap().name, None);
        assert!(named(&"é".repeat(200)).is_ok());
        assert_eq!(named(&"é".repeat(201)), Err(ErrorCode::InvalidClientMetadata));
        assert_eq!(named("a\0b"), Err(ErrorCode::InvalidClientMetadata));
        assert_eq!(named(&"a".repeat(10_000)), Err(ErrorCode::InvalidClientMetadata));
    }

    #[test]
    fn what_pharos_does_not_offer_is_refused() {
        let uris = json!(["https://a.example"]);
        for bad in [
            json!({ "redirect_uris": uris, "grant_types": ["implicit"] }),
            json!({ "redirect_uris": uris, "grant_types": "authorization_code" }),
            json!({ "redirect_uris": uris, "response_types": ["token"] }),
            json!({ "redirect_uris": uris, "token_endpoint_auth_method": "private_key_jwt" }),
            json!({ "redirect_uris": uris, "token_endpoint_auth_method": 7 }),
            json!({ "redirect_uris": uris, "client_name": ["a"] }),
            json!({ "redirect_uris": [7] }),
            json!({ "redirect_uris": "https://a.example" }),
            json!({ "redirect_uris": uris, "scope": ["read:uptime"] }),
            json!({ "redirect_uris": uris, "client_uri": 7 }),
            json!({ "redirect_uris": uris, "software_id": {} }),
            json!({ "redirect_uris": uris, "contacts": "ada@example.org" }),
            json!({ "redirect_uris": uris, "contacts": [7] }),
            json!({ "redirect_uris": uris, "jwks": "{}" }),
            json!([]),
        ] {
            assert_eq!(parse(&bad), Err(ErrorCode::InvalidClientMetadata), "{bad}");
        }
        assert_eq!(
            ClientMetadata::parse(b"{").unwrap_err().error,
            ErrorCode::InvalidClientMetadata
        );
    }

    #[test]
    fn redirect_uris_are_held_to_their_rules() {
        let thousand: Vec<String> = (0..1000).map(|n| format!("https://a.example/{n}")).collect();
        for bad in [
            json!({}),
            json!({ "redirect_uris": [] }),
            json!({ "redirect_uris": thousand }),
        ] {
            assert_eq!(parse(&bad), Err(ErrorCode::InvalidRedirectUri));
        }
        let refusal = ClientMetadata::parse(br#"{"redirect_uris":["https://a.example/*"]}"#).unwrap_err();
        assert_eq!(refusal.error, ErrorCode::InvalidRedirectUri);
        assert!(
            refusal.error_description.contains("wildcard"),
            "{}",
            refusal.error_description
        );
    }
}
