//! One step of a request on its way through redirects.

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_TYPE, USER_AGENT},
};
use http_body_util::Full;
use url::Url;

use super::{EgressError, Request};
use crate::{
    exchange::{self, Protocol, with_headers},
    redirect::keeps_headers,
};

/// A request to one server. It has no `Debug`: it holds secrets.
pub(super) struct Hop {
    pub(super) url: Url,
    pub(super) method: Method,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

impl Hop {
    pub(super) fn first(request: Request) -> Self {
        let Request {
            method,
            url,
            headers,
            body,
            share: _,
        } = request;
        Self {
            url,
            method,
            headers,
            body,
        }
    }

    /// The step that a redirect asks for (RFC 9110, section 15.4). A body goes to no other origin: it may hold secrets.
    pub(super) fn redirected(mut self, status: StatusCode, next: Url) -> Result<Self, EgressError> {
        let becomes_get = match status {
            StatusCode::SEE_OTHER => self.method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::POST,
            _ => false,
        };
        if becomes_get {
            self.method = Method::GET;
            self.body = Bytes::new();
            self.headers.retain(|(name, _)| *name != CONTENT_TYPE);
        }
        if !keeps_headers(&self.url, &next) {
            if !self.body.is_empty() {
                return Err(EgressError::Redirected);
            }
            self.headers
                .retain(|(name, _)| [ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE].contains(name));
        }
        self.url = next;
        Ok(self)
    }

    pub(super) fn on_the_wire(
        &self,
        user_agent: &HeaderValue,
        protocol: Protocol,
    ) -> Option<http::Request<Full<Bytes>>> {
        let mut ours = HeaderMap::new();
        ours.insert(USER_AGENT, user_agent.clone());
        ours.insert(ACCEPT, HeaderValue::from_static("*/*"));
        ours.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate"));
        let headers = with_headers(ours, self.headers.iter());
        exchange::request(
            &self.url,
            self.method.clone(),
            headers,
            protocol,
            self.body.clone(),
        )
    }
}
