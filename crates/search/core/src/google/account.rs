//! Accounts at Google that may read properties.

use pharos_domain::{
    ids::{SearchAccountId, UserId, WorkspaceId},
    secret::Secret,
    wire_enum,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The largest key file that is read, in bytes.
pub const MOST_OF_KEY_FILE: usize = 16 * 1024;

wire_enum! {
    /// How an account proves who it is.
    AccountKind as "SearchAccountKind" {
        /// Somebody consented in a browser.
        Oauth = "oauth",
        /// It signs with a key of its own.
        ServiceAccount = "service_account",
    }
}

/// The credentials of an account at Google. They are never shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Credentials {
    /// A refresh token, which somebody's consent gave.
    Oauth {
        /// The token.
        refresh_token: Secret,
    },
    /// The key of a service account.
    ServiceAccount(ServiceAccountKey),
}

impl Credentials {
    /// How they prove it.
    #[must_use]
    pub const fn kind(&self) -> AccountKind {
        match self {
            Self::Oauth { .. } => AccountKind::Oauth,
            Self::ServiceAccount(_) => AccountKind::ServiceAccount,
        }
    }
}

/// The key of a service account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceAccountKey {
    /// Its address, which owners of properties give access to.
    pub client_email: String,
    /// Which of its keys it is.
    pub private_key_id: Option<String>,
    /// The key as PEM.
    pub private_key: Secret,
}

/// How a file is no key of a service account. Nothing of the file is repeated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeyFault {
    /// It is no JSON object, or too large.
    #[error(
        "the file is not the JSON that Google gives out as a key; create one for the service account, of type JSON"
    )]
    NotJson,
    /// It is another kind of credentials.
    #[error("the file holds credentials of another type than service_account")]
    AnotherType,
    /// It lacks something.
    #[error("the file has no {0}")]
    Incomplete(&'static str),
    /// Its key does not sign.
    #[error("the private_key of the file is no RSA key in PEM")]
    NoKey,
}

impl ServiceAccountKey {
    /// Reads the file that Google gives out.
    ///
    /// # Errors
    /// How it is none.
    pub fn from_file(file: &[u8]) -> Result<Self, KeyFault> {
        #[derive(Deserialize)]
        struct File {
            r#type: Option<String>,
            client_email: Option<String>,
            private_key_id: Option<String>,
            private_key: Option<Secret>,
        }
        if file.len() > MOST_OF_KEY_FILE {
            return Err(KeyFault::NotJson);
        }
        let file: File = serde_json::from_slice(file).map_err(|_| KeyFault::NotJson)?;
        if file.r#type.as_deref() != Some("service_account") {
            return Err(KeyFault::AnotherType);
        }
        let is_said = |text: &String| !text.trim().is_empty();
        let key = Self {
            client_email: file
                .client_email
                .filter(is_said)
                .ok_or(KeyFault::Incomplete("client_email"))?,
            private_key_id: file.private_key_id,
            private_key: file.private_key.ok_or(KeyFault::Incomplete("private_key"))?,
        };
        key.encoding().map(|_| key)
    }

    /// The key, ready to sign.
    pub(super) fn encoding(&self) -> Result<jsonwebtoken::EncodingKey, KeyFault> {
        let pem = self.private_key.reveal().as_bytes();
        jsonwebtoken::EncodingKey::from_rsa_pem(pem).map_err(|_| KeyFault::NoKey)
    }
}

/// An account of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The id by which domains are linked to it.
    pub id: SearchAccountId,
    /// The workspace that it was linked by.
    pub workspace: WorkspaceId,
    /// Its name for people: an address.
    pub label: String,
    /// The credentials that Google knows it by.
    pub credentials: Credentials,
    /// Who consented; `None`: whoever runs Pharos added it.
    pub given_by: Option<UserId>,
}

/// Whether a user may see the properties of an account and link domains to them. A consent is for who gave it: their account
/// sees sites that are none of the workspace's. An account that the operator of Pharos added is the workspace's.
#[must_use]
pub fn is_open_to(given_by: Option<UserId>, user: UserId) -> bool {
    given_by.is_none_or(|giver| giver == user)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_that_is_no_key_is_told_why() {
        let fault =
            |file: serde_json::Value| ServiceAccountKey::from_file(file.to_string().as_bytes()).unwrap_err();
        assert_eq!(
            ServiceAccountKey::from_file(b"-----BEGIN").unwrap_err(),
            KeyFault::NotJson
        );
        assert_eq!(fault(json!([])), KeyFault::NotJson);
        assert_eq!(fault(json!({ "type": "authorized_user" })), KeyFault::AnotherType);
        assert_eq!(
            fault(json!({ "type": "service_account", "client_email": " " })),
            KeyFault::Incomplete("client_email")
        );
        let mut file =
            json!({ "type": "service_account", "client_email": "pharos@ada.iam.gserviceaccount.com" });
        assert_eq!(fault(file.clone()), KeyFault::Incomplete("private_key"));
        file["private_key"] = json!("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assert_eq!(fault(file), KeyFault::NoKey);
    }
}
