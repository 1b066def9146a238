//! A request as it stands on the wire.

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Uri};
use http_body_util::Full;
use url::Url;

use super::Protocol;

/// A request for `url`; `None` if the URL can't be put into one.
#[must_use]
pub fn request(
    url: &Url,
    method: Method,
    mut headers: HeaderMap,
    protocol: Protocol,
    body: Bytes,
) -> Option<Request<Full<Bytes>>> {
    let host = url.host_str()?;
    let authority = url
        .port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let uri = match protocol {
        Protocol::Http1 => {
            headers.insert(header::HOST, HeaderValue::from_str(&authority).ok()?);
            Uri::try_from(path)
        }
        Protocol::Http2 => Uri::try_from(format!("{}://{authority}{path}", url.scheme())),
    };
    let mut request = Request::new(Full::new(body));
    *request.uri_mut() = uri.ok()?;
    *request.method_mut() = method;
    *request.headers_mut() = headers;
    Some(request)
}

/// `ours`, and `theirs` in the place of those of the same name. Reserved ones of theirs are left out, and nothing shows
/// the values of the others: they may be credentials.
pub fn with_headers<'a>(
    mut ours: HeaderMap,
    theirs: impl Iterator<Item = &'a (HeaderName, HeaderValue)> + Clone,
) -> HeaderMap {
    let theirs = theirs.filter(|(name, _)| !is_reserved_header(name));
    for (name, _) in theirs.clone() {
        ours.remove(name);
    }
    for (name, value) in theirs {
        let mut value = value.clone();
        value.set_sensitive(true);
        ours.append(name, value);
    }
    ours
}

/// Whether a header is the client's own affair, so that a user cannot set it: those that frame a message,
/// steer the connection, choose the host, or change how the body arrives.
#[must_use]
pub fn is_reserved_header(name: &HeaderName) -> bool {
    const RESERVED: [HeaderName; 10] = [
        header::HOST,
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::TE,
        header::TRAILER,
        header::UPGRADE,
        header::EXPECT,
        header::RANGE,
        header::ACCEPT_ENCODING,
    ];
    RESERVED.contains(name)
        || name.as_str().starts_with("proxy-")
        || matches!(name.as_str(), "keep-alive" | "http2-settings")
}
