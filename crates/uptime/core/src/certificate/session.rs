//! The parameters that a TLS handshake agreed on.

use pharos_domain::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// A version of TLS.
    TlsProtocol {
        /// TLS 1.2 (RFC 5246).
        Tls12 = "tls1.2",
        /// TLS 1.3 (RFC 8446).
        Tls13 = "tls1.3",
    }
}

wire_enum! {
    /// A protocol above TLS (RFC 7301).
    Alpn {
        /// HTTP/2.
        H2 = "h2",
        /// HTTP/1.1.
        Http11 = "http/1.1",
    }
}

/// The parameters that a TLS handshake agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlsSession {
    /// The version of TLS that was agreed on.
    pub protocol: TlsProtocol,
    /// The cipher suite, by its IANA name.
    pub cipher_suite: String,
    /// The protocol above; `None` if the server chose none.
    pub alpn: Option<Alpn>,
}
