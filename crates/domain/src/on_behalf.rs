//! Requests that the MCP server makes for its own callers. Limits and allowlists are about those callers' addresses, which the
//! API would not see otherwise.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::hmac;

use crate::identity::Source;

/// The header that names the caller: an address or `unknown`, a space, and a signature of that.
pub const ON_BEHALF_OF: &str = "pharos-on-behalf-of";
const UNKNOWN: &str = "unknown";

/// Signs addresses of callers, and verifies them, by a secret that the API and its MCP servers share. Whoever reads a header can
/// use it for that address alone.
#[derive(Clone, Debug)]
pub struct OnBehalf {
    key: hmac::Key,
}

impl OnBehalf {
    /// By this secret, which has 32 bytes or more.
    #[must_use]
    pub fn sharing(secret: &[u8]) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, secret),
        }
    }

    /// The value of the header for a caller.
    #[must_use]
    pub fn header(&self, caller: Source) -> String {
        let address = caller
            .0
            .map_or_else(|| UNKNOWN.to_owned(), |address| address.to_string());
        let signature = hmac::sign(&self.key, address.as_bytes());
        format!("{address} {}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// The caller that a header names. `None`: nobody who shares the secret wrote it, and it means nothing.
    #[must_use]
    pub fn caller(&self, header: &str) -> Option<Source> {
        let (address, signature) = header.split_once(' ')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.key, address.as_bytes(), &signature).ok()?;
        Some(Source(address.parse::<IpAddr>().ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_who_the_signature_is_about() {
        let server = OnBehalf::sharing(&[7; 32]);
        for caller in [Some("203.0.113.7"), Some("2001:db8::1"), None] {
            let caller = Source(caller.map(|address| address.parse().unwrap()));
            assert_eq!(server.caller(&server.header(caller)), Some(caller));
        }
    }

    #[test]
    fn others_name_nobody() {
        let server = OnBehalf::sharing(&[7; 32]);
        let caller = Source(Some("203.0.113.7".parse().unwrap()));
        let header = server.header(caller);
        let (_, signature) = header.split_once(' ').unwrap();
        for forged in [
            OnBehalf::sharing(&[8; 32]).header(caller),
            format!("203.0.113.8 {signature}"),
            format!("unknown {signature}"),
            "203.0.113.7".to_owned(),
            "203.0.113.7 !".to_owned(),
            String::new(),
        ] {
            assert_eq!(server.caller(&forged), None, "{forged}");
        }
    }
}
