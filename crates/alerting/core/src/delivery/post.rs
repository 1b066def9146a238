//! A message as a POST of JSON.

use http::{HeaderName, HeaderValue, header::AUTHORIZATION};
use pharos_domain::secret::Secret;
use serde_json::Value;
use url::Url;

use super::send_error::SendError;

/// A message as a POST of JSON. Its URL, its headers and its body may hold secrets.
pub(super) struct Post {
    pub(super) url: Url,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Vec<u8>,
}

impl Post {
    /// A POST of a body that is JSON already.
    pub(super) const fn new(url: Url, body: Vec<u8>) -> Self {
        Self {
            url,
            headers: Vec::new(),
            body,
        }
    }

    /// A POST of a value.
    pub(super) fn json(url: Url, body: &Value) -> Self {
        Self::new(url, body.to_string().into_bytes())
    }

    /// A POST of a value to a service that has one address for everybody.
    pub(super) fn to_service(base: &str, path: &str, body: &Value) -> Result<Self, SendError> {
        let url = Url::parse(&format!("{base}{path}"))
            .map_err(|_| SendError::never("the address of the service is no URL"))?;
        Ok(Self::json(url, body))
    }

    /// Adds the header that names the sender to the receiver.
    pub(super) fn authorization(mut self, scheme: &str, secret: &Secret) -> Result<Self, SendError> {
        let mut value = HeaderValue::try_from(format!("{scheme} {}", secret.reveal()))
            .map_err(|_| SendError::never("the channel's key can't be put into a header"))?;
        value.set_sensitive(true);
        self.headers.push((AUTHORIZATION, value));
        Ok(self)
    }
}
