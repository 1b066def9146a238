//! The findings of a probe.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::certificate::{Hsts, Presented, TlsSession};
use crate::error_class::ErrorClass;

/// Everything that was measured. A value that was not measured is `None`, never zero.
///
/// Phases, status, address and certificate are those of the last hop that was begun.
#[derive(Clone, Debug)]
pub struct ProbeReport {
    /// Status code of the last answer.
    pub status_code: Option<u16>,
    /// HTTP version of the last answer.
    pub http_version: Option<HttpVersion>,
    /// From the start of the probe to the end of the last answer, redirects included. `None` if that
    /// answer never came or broke off.
    pub response: Option<Duration>,
    /// Looking up the name. `None` if an address stood in place of a name.
    pub dns: Option<Duration>,
    /// Making the TCP connection, addresses that were tried in vain included.
    pub connect: Option<Duration>,
    /// The TLS handshake. `None` for plain HTTP.
    pub tls: Option<Duration>,
    /// From sending the request to the head of the answer.
    pub ttfb: Option<Duration>,
    /// From the head to the end of the body, or to the bound on it. `None` for HEAD.
    pub download: Option<Duration>,
    /// Redirects that were followed.
    pub redirect_count: u32,
    /// The URL of the last hop that was begun.
    pub final_url: Option<Url>,
    /// Body bytes that arrived, as sent: still compressed.
    pub response_bytes: Option<u64>,
    /// Whether the body was read to its end, and not just to the bound.
    pub body_complete: Option<bool>,
    /// The address that was connected to; if none answered, the first one tried.
    pub ip: Option<IpAddr>,
    /// Why the probe failed.
    pub error: Option<ProbeError>,
    /// Whether the keyword was found in the body. `None` without a rule, or if it cannot be told.
    pub keyword_matched: Option<bool>,
    /// The certificate that the server presented, also if it was refused.
    pub certificate: Option<Presented>,
    /// The TLS session.
    pub tls_session: Option<TlsSession>,
    /// The headers of the last answer that tell who answered: `server`, `via`, `cf-ray`, `retry-after`.
    pub response_headers: BTreeMap<String, String>,
    /// The `Strict-Transport-Security` of the last answer.
    pub hsts: Option<Hsts>,
    /// Whether the answer is as expected, and fast enough.
    pub verdict: Verdict,
}

/// Version of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum HttpVersion {
    /// HTTP/1.0.
    #[serde(rename = "1.0")]
    Http10,
    /// HTTP/1.1.
    #[serde(rename = "1.1")]
    Http11,
    /// HTTP/2.
    #[serde(rename = "2")]
    Http2,
}

/// Why a probe failed, in words that the owner of the check may see.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProbeError {
    /// The kind of failure, by which incidents are told apart.
    pub class: ErrorClass,
    /// One sentence. It contains nothing of the request's headers, and of the addresses that a name resolved to only one of the
    /// site's own records that is not allowed.
    pub message: String,
    /// Whether the address policy refused to go on, so that nobody asked who might have answered.
    pub is_refusal: bool,
}

/// The judgement of a single probe.
///
/// `blocked` is not among them: a 403 looks the same from inside a probe, whether something blocks the prober or the site
/// itself refuses. Such a probe is down, with class `http_status` and status code 403.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// As expected.
    Up,
    /// As expected, but slow.
    Degraded,
    /// Failed; [`ProbeReport::error`] says why.
    Down,
    /// Not made, or not finished, because the address policy refuses it. That says nothing of the site.
    Refused,
}

/// Nothing measured: what a probe begins with.
impl Default for ProbeReport {
    fn default() -> Self {
        Self {
            status_code: None,
            http_version: None,
            response: None,
            dns: None,
            connect: None,
            tls: None,
            ttfb: None,
            download: None,
            redirect_count: 0,
            final_url: None,
            response_bytes: None,
            body_complete: None,
            ip: None,
            error: None,
            keyword_matched: None,
            certificate: None,
            tls_session: None,
            response_headers: BTreeMap::new(),
            hsts: None,
            verdict: Verdict::Down,
        }
    }
}

impl ProbeReport {
    /// Forgets the measurements of the previous hop: phases of one hop must not stand beside the status of another.
    pub(super) fn begin_hop(&mut self, url: &Url) {
        *self = Self {
            redirect_count: self.redirect_count,
            final_url: Some(url.clone()),
            ..Self::default()
        };
    }
}

impl HttpVersion {
    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http10 => "1.0",
            Self::Http11 => "1.1",
            Self::Http2 => "2",
        }
    }
}
