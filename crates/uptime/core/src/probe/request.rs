//! What a probe asks for.

use std::fmt;
use std::time::Duration;

use http::header::{self, HeaderName, HeaderValue};
use url::Url;

use super::expected::ExpectedStatuses;

/// One probe: what to ask for and how to judge the answer.
#[derive(Clone)]
pub struct ProbeRequest {
    /// Where to begin.
    pub url: Url,
    /// How to ask.
    pub method: ProbeMethod,
    /// For the whole probe, redirects included.
    pub timeout: Duration,
    /// Status codes that count as up.
    pub expected: ExpectedStatuses,
    /// Whether to go on to where a redirect points; if not, the redirect itself is judged.
    pub follow_redirects: bool,
    /// What to look for in the body. A HEAD request has none: the rule is then left aside.
    pub keyword: Option<KeywordRule>,
    /// A response that took longer is degraded.
    pub degraded_above: Option<Duration>,
    /// Whether a faulty certificate fails the probe. It is recorded in any case.
    pub verify_tls: bool,
    /// Headers of the user. They go to the origin of `url` and no other; reserved ones are left out
    /// (see [`is_reserved_header`]).
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The method of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeMethod {
    /// The whole answer.
    Get,
    /// The head of the answer only.
    Head,
}

/// A text to look for in the decompressed body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeywordRule {
    /// The text, compared byte by byte as UTF-8: case counts.
    pub text: String,
    /// Whether it must be there or must not.
    pub mode: KeywordMode,
}

/// Whether a keyword must be in the body or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordMode {
    /// Without it, the check fails.
    Present,
    /// With it, the check fails.
    Absent,
}

impl ProbeRequest {
    /// A GET of `url` with the defaults of a new check: 30 seconds, any success or redirect expected,
    /// redirects followed, certificates verified.
    #[must_use]
    pub fn get(url: Url) -> Self {
        Self {
            url,
            method: ProbeMethod::Get,
            timeout: Duration::from_secs(30),
            expected: ExpectedStatuses::default(),
            follow_redirects: true,
            keyword: None,
            degraded_above: None,
            verify_tls: true,
            headers: Vec::new(),
        }
    }
}

/// Shows the names of the user's headers and not their values, which may be credentials.
impl fmt::Debug for ProbeRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            url,
            method,
            timeout,
            expected,
            follow_redirects,
            keyword,
            degraded_above,
            verify_tls,
            headers,
        } = self;
        f.debug_struct("ProbeRequest")
            .field("url", &url.as_str())
            .field("method", method)
            .field("timeout", timeout)
            .field("expected", expected)
            .field("follow_redirects", follow_redirects)
            .field("keyword", keyword)
            .field("degraded_above", degraded_above)
            .field("verify_tls", verify_tls)
            .field(
                "headers",
                &headers.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            )
            .finish()
    }
}

impl ProbeMethod {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

/// Whether a header is the probe's own affair, so that a user cannot set it: those that frame a message,
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
