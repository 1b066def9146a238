//! How a client behaves.

use std::time::Duration;

use http::HeaderValue;
use url::Url;

use super::EgressError;
use crate::exchange::ExchangeLimits;

/// How a client behaves toward all servers.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// Who asks, as servers see it.
    pub user_agent: HeaderValue,
    /// Whether requests may go out unencrypted.
    pub schemes: Schemes,
    /// Whether redirects are followed.
    pub redirects: Redirects,
    /// How much of an answer is asked for.
    pub answers: Answers,
    /// The time from one request to a server to the next; zero where they need no pace. A server that asks for a pause
    /// gets it in any case.
    pub between: Duration,
    /// How long a request waits for its turn.
    pub patience: Duration,
    /// How much of an answer is taken in.
    pub limits: Limits,
}

/// Whether requests may go out unencrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schemes {
    /// Never: every URL and redirect must be https.
    Https,
    /// Where the first URL says so, or all before it; but once encrypted, always encrypted.
    NoDowngrade,
    /// Wherever a URL or a redirect says so.
    Any,
}

/// Whether redirects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirects {
    /// They are an error: the request is for this URL alone.
    Refuse,
    /// So many are followed.
    Follow(u32),
    /// They are answers like any other, with where they lead in [`super::Answer::redirect`]: the caller asks there or does
    /// not.
    Return,
}

/// How much of an answer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// All of it. A server that asks to be left alone (429, 503) is left alone by all who ask.
    Whole,
    /// As much as [`Limits::body_bytes`] holds: what lies beyond is not read, and is no fault. A server that asks to be left
    /// alone asks that of this request alone.
    Beginning,
    /// Its status: the body of a success is not read. A server that asks to be left alone asks that of this request alone:
    /// to this client it stands for many receivers.
    Status,
}

/// How much of an answer is taken in, whatever its server does.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For the whole exchange: look-ups, connections, redirects, the body. Waiting for a turn does not count.
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
