//! Sends the one request of a hop, and notes what the head of the answer says.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Request, Version};
use http_body_util::Full;
use pharos_egress::exchange::{self, Exchange, ExchangeLimits, Protocol};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;
use url::Url;

use super::report::{HttpVersion, ProbeError, ProbeReport};
use super::request::ProbeMethod;

const EXCHANGE: &str = "the wait for an answer";
const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+uptime)"));

/// One request over a connection that is used for nothing else. Notes status, version and time to the
/// first byte in `report`.
pub(super) async fn ask<S>(
    stream: S,
    protocol: Protocol,
    request: Request<Full<Bytes>>,
    limits: &ExchangeLimits,
    deadline: Instant,
    report: &mut ProbeReport,
) -> Result<Exchange, ProbeError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let answer = exchange::exchange(stream, protocol, request, limits, deadline)
        .await
        .map_err(|broken| ProbeError::broken(broken, EXCHANGE))?;
    let response = &answer.response;
    report.ttfb = Some(answer.first_byte);
    report.status_code = Some(response.status().as_u16());
    report.response_headers = telling(response.headers());
    report.http_version = match response.version() {
        Version::HTTP_10 => Some(HttpVersion::Http10),
        Version::HTTP_11 => Some(HttpVersion::Http11),
        Version::HTTP_2 => Some(HttpVersion::Http2),
        _ => None,
    };
    Ok(answer)
}

/// The headers that tell who answered: of each the first, and not more of it than one would read.
fn telling(headers: &HeaderMap) -> BTreeMap<String, String> {
    const NAMES: [&str; 4] = ["server", "via", "cf-ray", "retry-after"];
    const LONGEST: usize = 200;
    NAMES
        .into_iter()
        .filter_map(|name| {
            let value = headers.get(name)?.to_str().ok()?;
            Some((name.to_owned(), value.chars().take(LONGEST).collect()))
        })
        .collect()
}

/// The request of one hop. Headers of the user replace ours of the same name.
pub(super) fn request(
    url: &Url,
    method: ProbeMethod,
    headers: &[(HeaderName, HeaderValue)],
    protocol: Protocol,
) -> Result<Request<Full<Bytes>>, ProbeError> {
    let mut ours = HeaderMap::new();
    ours.insert(header::USER_AGENT, USER_AGENT);
    ours.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
    ours.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    let headers = exchange::with_headers(ours, headers.iter());
    exchange::request(url, method.into(), headers, protocol, Bytes::new())
        .ok_or_else(|| ProbeError::unknown("The URL cannot be put into a request."))
}
