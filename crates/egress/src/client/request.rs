//! A request before it goes out.

use std::fmt;

use bytes::Bytes;
use http::{
    HeaderName, HeaderValue, Method,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde::Serialize;
use url::Url;

use super::server_of;

/// A request to a server.
///
/// Its headers and its body may be secrets, and so may what follows the host in its URL: `Debug` shows none of them.
#[derive(Clone)]
pub struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Bytes,
    pub(super) share: Option<u128>,
}

impl Request {
    /// A request without headers of its own and without a body.
    #[must_use]
    pub const fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: Vec::new(),
            body: Bytes::new(),
            share: None,
        }
    }

    /// A GET.
    #[must_use]
    pub const fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    /// A POST.
    #[must_use]
    pub const fn post(url: Url) -> Self {
        Self::new(Method::POST, url)
    }

    /// Adds a header. Reserved ones ([`crate::exchange::is_reserved_header`]) are not sent. To another origin go
    /// `Accept`, `Accept-Language` and `Content-Type` alone.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Asks for this media type.
    #[must_use]
    pub fn accept(self, media_type: &'static str) -> Self {
        self.header(ACCEPT, HeaderValue::from_static(media_type))
    }

    /// Goes out on behalf of whoever this stands for: of the places that [`super::Client::holding`] gives, it takes one of their
    /// share.
    #[must_use]
    pub const fn on_behalf_of(mut self, share: u128) -> Self {
        self.share = Some(share);
        self
    }

    /// Sends this body.
    #[must_use]
    pub fn body(mut self, media_type: &'static str, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self.header(CONTENT_TYPE, HeaderValue::from_static(media_type))
    }

    /// Sends this as JSON.
    ///
    /// # Errors
    /// It has no form in JSON.
    pub fn json(self, value: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(self.body("application/json", serde_json::to_vec(value)?))
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            method,
            url,
            headers,
            body,
            share: _,
        } = self;
        f.debug_struct("Request")
            .field("method", method)
            .field("server", &server_of(url))
            .field(
                "headers",
                &headers.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            )
            .field("body_bytes", &body.len())
            .finish()
    }
}
