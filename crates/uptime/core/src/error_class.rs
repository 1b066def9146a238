//! The closed list of reasons for which a probe fails.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The name does not exist, or has no address.
    DnsNxdomain,
    /// The name servers answered with an error, or could not be reached.
    DnsServfail,
    /// The name servers did not answer in time.
    DnsTimeout,
    /// The server, or the network before it, turned the connection away.
    ConnectionRefused,
    /// The server broke the connection off.
    ConnectionReset,
    /// No connection came about in time.
    ConnectTimeout,
    /// The connection came about, the rest did not come in time.
    ReadTimeout,
    /// The TLS handshake failed for a reason other than the certificate.
    TlsHandshake,
    /// The certificate has expired.
    TlsExpired,
    /// The certificate is for other names.
    TlsNameMismatch,
    /// The certificate does not lead to a trusted authority.
    TlsUntrusted,
    /// The status code is not an expected one.
    HttpStatus,
    /// The keyword should be in the body, and is not.
    KeywordMissing,
    /// The keyword should not be in the body, and is.
    KeywordPresent,
    /// The redirects go in a circle, or do not end.
    TooManyRedirects,
    /// The body ends too late to look for the keyword in all of it.
    BodyTooLarge,
    /// None of the others.
    Unknown,
}

/// A text that names no error class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of an error class")]
pub struct UnknownErrorClass;

impl ErrorClass {
    /// Every class, in the order in which a probe can meet them.
    pub const ALL: [Self; 17] = [
        Self::DnsNxdomain,
        Self::DnsServfail,
        Self::DnsTimeout,
        Self::ConnectionRefused,
        Self::ConnectionReset,
        Self::ConnectTimeout,
        Self::ReadTimeout,
        Self::TlsHandshake,
        Self::TlsExpired,
        Self::TlsNameMismatch,
        Self::TlsUntrusted,
        Self::HttpStatus,
        Self::KeywordMissing,
        Self::KeywordPresent,
        Self::TooManyRedirects,
        Self::BodyTooLarge,
        Self::Unknown,
    ];

    /// The class that is stored under this name; [`Self::Unknown`] where only a later version knows it: nodes are upgraded one by
    /// one.
    #[must_use]
    pub fn named(name: &str) -> Self {
        name.parse().unwrap_or(Self::Unknown)
    }

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DnsNxdomain => "dns_nxdomain",
            Self::DnsServfail => "dns_servfail",
            Self::DnsTimeout => "dns_timeout",
            Self::ConnectionRefused => "connection_refused",
            Self::ConnectionReset => "connection_reset",
            Self::ConnectTimeout => "connect_timeout",
            Self::ReadTimeout => "read_timeout",
            Self::TlsHandshake => "tls_handshake",
            Self::TlsExpired => "tls_expired",
            Self::TlsNameMismatch => "tls_name_mismatch",
            Self::TlsUntrusted => "tls_untrusted",
            Self::HttpStatus => "http_status",
            Self::KeywordMissing => "keyword_missing",
            Self::KeywordPresent => "keyword_present",
            Self::TooManyRedirects => "too_many_redirects",
            Self::BodyTooLarge => "body_too_large",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ErrorClass {
    type Err = UnknownErrorClass;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|class| class.as_str() == text)
            .ok_or(UnknownErrorClass)
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorClass;

    #[test]
    fn every_class_has_one_name_everywhere() {
        for class in ErrorClass::ALL {
            assert_eq!(class.as_str().parse(), Ok(class));
            assert_eq!(serde_json::to_value(class).unwrap(), class.as_str());
        }
        assert!("dns".parse::<ErrorClass>().is_err());
    }
}
