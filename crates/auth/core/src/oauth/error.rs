//! The errors of the OAuth endpoints, in the words of their RFCs.

use pharos_domain::log_pace::LogPace;
use serde::Serialize;

/// The closed list of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A parameter is missing, repeated or malformed (RFC 6749, sections 4.1.2.1 and 5.2).
    InvalidRequest,
    /// The client is unknown, or did not prove that it is itself (section 5.2).
    InvalidClient,
    /// Code or refresh token are not valid, or not this client's (section 5.2).
    InvalidGrant,
    /// Another response type than `code` (section 4.1.2.1).
    UnsupportedResponseType,
    /// Another grant type than `authorization_code` and `refresh_token` (section 5.2).
    UnsupportedGrantType,
    /// No scope that exists (section 5.2).
    InvalidScope,
    /// No resource, several, or one that is not served here (RFC 8707, section 2).
    InvalidTarget,
    /// The user said no (RFC 6749, section 4.1.2.1).
    AccessDenied,
    /// A redirect URI that can't be registered (RFC 7591, section 3.2.2).
    InvalidRedirectUri,
    /// Other metadata that can't be registered (section 3.2.2).
    InvalidClientMetadata,
    /// Something broke (RFC 6749, section 4.1.2.1).
    ServerError,
    /// Too many requests, or the store is away: come again later (section 4.1.2.1).
    TemporarilyUnavailable,
}

impl ErrorCode {
    /// Those that an endpoint answers itself. The others only go to a redirect URI.
    pub const ANSWERED: [Self; 10] = [
        Self::InvalidRequest,
        Self::InvalidClient,
        Self::InvalidGrant,
        Self::UnsupportedGrantType,
        Self::InvalidScope,
        Self::InvalidTarget,
        Self::InvalidRedirectUri,
        Self::InvalidClientMetadata,
        Self::ServerError,
        Self::TemporarilyUnavailable,
    ];

    /// The code on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::AccessDenied => "access_denied",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::ServerError => "server_error",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}

/// A refusal: a code for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}: {error_description}", error.as_str())]
pub struct OauthError {
    /// The code, for programs.
    pub error: ErrorCode,
    /// The fault and its remedy, for people, in ASCII without quotes and backslashes (RFC 6749, section 5.2).
    pub error_description: String,
}

impl OauthError {
    /// A refusal.
    #[must_use]
    pub fn new(error: ErrorCode, description: impl AsRef<str>) -> Self {
        let error_description = description.as_ref().chars();
        Self {
            error,
            error_description: error_description
                .map(|c| {
                    if matches!(c, ' '..='~') && c != '"' && c != '\\' {
                        c
                    } else {
                        '?'
                    }
                })
                .collect(),
        }
    }

    /// `invalid_request`
    #[must_use]
    pub fn invalid_request(description: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::InvalidRequest, description)
    }

    /// `invalid_grant`
    #[must_use]
    pub fn invalid_grant(description: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::InvalidGrant, description)
    }
}

impl From<pharos_domain::store::StoreError> for OauthError {
    fn from(error: pharos_domain::store::StoreError) -> Self {
        static PACE: LogPace = LogPace::new();
        if let Some(held_back) = PACE.turn() {
            tracing::error!(%error, held_back, "the store of the authorization server failed");
        }
        match error {
            pharos_domain::store::StoreError::Unavailable(_) => Self::new(
                ErrorCode::TemporarilyUnavailable,
                "The store is not available at the moment. Try again in some seconds.",
            ),
            _ => Self::new(ErrorCode::ServerError, "Pharos failed."),
        }
    }
}

impl From<crate::secret::NoRandomness> for OauthError {
    fn from(error: crate::secret::NoRandomness) -> Self {
        tracing::error!(%error, "no secret can be made");
        Self::new(ErrorCode::ServerError, "Pharos failed.")
    }
}
