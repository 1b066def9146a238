//! RDAP, the registries' protocol (RFC 7480 to 7484, 9082, 9083, 9224).

mod bootstrap;
mod client;
mod jcard;
mod object;
mod outgoing;
mod pace;

use std::time::Duration;

use http::StatusCode;

pub use self::client::RdapClient;
use crate::address_policy::UrlFault;

/// The client could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum RdapSetupError {
    /// TLS can't be set up.
    #[error("TLS can't be set up for RDAP")]
    Tls(#[source] rustls::Error),
    /// The HTTP client can't be built.
    #[error("the HTTP client for RDAP can't be built")]
    Http(#[source] reqwest::Error),
}

/// Why a registry's answer could not be had.
#[derive(Debug, thiserror::Error)]
pub enum RdapError {
    /// The URL leads where Pharos does not go.
    #[error("the server's URL is refused: {0}")]
    Refused(#[from] UrlFault),
    /// The service, or what it redirects to, is not on https.
    #[error("the service is not offered over https")]
    Insecure,
    /// It redirects too often.
    #[error("the server redirects more than {} times", outgoing::REDIRECTS)]
    Redirects,
    /// It redirects to something that is not a URL.
    #[error("the server redirects to something that is not a URL")]
    Location,
    /// No answer came.
    #[error("the server could not be asked")]
    Unreachable(#[source] reqwest::Error),
    /// It asks to be left alone for a while (429, 503).
    #[error("the server asks to be asked later")]
    Busy {
        /// For how long, where it says so.
        retry_after: Option<Duration>,
    },
    /// The registry knows no such name (404).
    #[error("the registry has no such name: it is not registered, or its RDAP service does not show it")]
    NotRegistered,
    /// Another status than 200.
    #[error("the server answered {0}")]
    Status(StatusCode),
    /// The answer is larger than what is read.
    #[error("the answer is larger than {} bytes", outgoing::BODY_LIMIT)]
    TooLarge,
    /// The answer is not in its documented form. Of what stands in it nothing is repeated: it may be a person's name.
    #[error("the answer is not {form}, from line {line}, column {column} on")]
    Malformed {
        /// What it should be, with the RFC that documents it.
        form: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The answer is about something else.
    #[error("the answer is about {0} and not about the name that was asked for")]
    AnotherName(String),
    /// The list of services could not be fetched a moment ago.
    #[error("the list of RDAP services could not be fetched a moment ago")]
    NoList,
    /// The file of services holds no URL that can be asked.
    #[error("the list of RDAP services has no usable URL for the top-level domain")]
    NoUrl,
}

impl RdapError {
    fn malformed(form: &'static str, error: &serde_json::Error) -> Self {
        Self::Malformed {
            form,
            line: error.line(),
            column: error.column(),
        }
    }
}
