//! The settings of a client.

use std::time::Duration;

use http::HeaderValue;
use url::Url;

use super::EgressError;
use crate::exchange::ExchangeLimits;

/// How a client behaves toward all servers.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The `User-Agent` that servers see.
    pub user_agent: HeaderValue,
    /// Whether requests may go out unencrypted.
    pub schemes: Schemes,
    /// Whether redirects are followed.
    pub redirects: Redirects,
    /// How much of an answer is needed.
    pub answers: Answers,
    /// The time from one request to a server to the next; zero for servers that need no pace. A server that asks for a pause
    /// gets it in any case.
    pub between: Duration,
    /// How long a request waits for its turn.
    pub patience: Duration,
    /// The bounds on what is read of an answer.
    pub limits: Limits,
}

/// Whether requests may go out unencrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schemes {
    /// Never: every URL and redirect must be https.
    Https,
    /// If the first URL says so, and every redirect so far. Once encrypted, always encrypted.
    NoDowngrade,
    /// Wherever a URL or a redirect says so.
    Any,
}

/// Whether redirects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirects {
    /// A redirect is an error: the request is for this URL alone.
    Refuse,
    /// So many are followed.
    Follow(u32),
    /// A redirect is an answer like any other, with its target in [`super::Answer::redirect`]: the caller decides whether to
    /// follow.
    Return,
}

/// How much of an answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// All of it. If a server asks to be left alone (429, 503), all callers leave it alone.
    Whole,
    /// As much as [`Limits::body_bytes`] holds. The rest is not read, which is no fault. If a server asks to be left alone,
    /// that holds for this request only.
    Beginning,
    /// The status: the body of a success is not read. If a server asks to be left alone, that holds for this request only,
    /// since one server stands for many receivers here.
    Status,
}

/// The bounds on what is read of an answer, whatever its server does.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time for the whole exchange: lookups, connections, redirects, the body. Waiting for a turn does not count.
    pub time: Duration,
    /// Bytes of a body as they are sent.
    pub sent_bytes: usize,
    /// Bytes of a body once it is decompressed.
    pub body_bytes: usize,
    /// The head, and the connection as a whole.
    pub exchange: ExchangeLimits,
    /// The longest pause that a server is granted.
    pub retry_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(20),
            sent_bytes: 1024 * 1024,
            body_bytes: 1024 * 1024,
            exchange: ExchangeLimits::default(),
            retry_after: Duration::from_secs(86_400),
        }
    }
}

impl Schemes {
    pub(super) fn check(self, url: &Url) -> Result<(), EgressError> {
        match self {
            Self::Https if url.scheme() == "http" => Err(EgressError::Insecure),
            _ => Ok(()),
        }
    }

    pub(super) fn check_step(self, from: &Url, to: &Url) -> Result<(), EgressError> {
        let is_downgrade = from.scheme() == "https" && to.scheme() == "http";
        if self == Self::NoDowngrade && is_downgrade {
            return Err(EgressError::Insecure);
        }
        self.check(to)
    }
}

impl Redirects {
    pub(super) const fn limit(self) -> u32 {
        match self {
            Self::Refuse | Self::Return => 0,
            Self::Follow(most) => most,
        }
    }
}
