//! The request that a probe makes.

use std::fmt;
use std::time::Duration;

use http::Method;
use http::header::{HeaderName, HeaderValue};
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
    /// The text to look for in the body. A HEAD request has no body: the rule is then left aside.
    pub keyword: Option<KeywordRule>,
    /// A response that took longer is degraded.
    pub degraded_above: Option<Duration>,
    /// Whether a faulty certificate fails the probe. It is recorded in any case.
    pub verify_tls: bool,
    /// Headers of the user. They go to the origin of `url` and no other; reserved ones are left out
    /// (see [`pharos_egress::exchange::is_reserved_header`]).
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The method of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeMethod {
    /// Reads the body too, as a keyword needs it.
    Get,
    /// The head of the answer only.
    Head,
}

impl From<ProbeMethod> for Method {
    fn from(method: ProbeMethod) -> Self {
        match method {
            ProbeMethod::Get => Self::GET,
            ProbeMethod::Head => Self::HEAD,
        }
    }
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
