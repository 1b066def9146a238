//! Why a request has no answer.

use std::{error::Error, io, time::Duration};

use tokio::time::Instant;

use crate::{
    address_policy::{AddressFault, UrlFault},
    connect::ConnectError,
    exchange::Broken,
    redirect::RedirectFault,
    resolver::ResolveError,
};

/// Why there is no answer. The texts, those of sources included, hold no URL, no header and no address that a name
/// resolved to: whoever wrote the URL may read them.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The policy refuses the URL, the URL of a redirect, or an address that its name resolves to.
    #[error("the server's URL is refused: {0}")]
    Forbidden(UrlFault),
    /// The URL, or what it redirects to, is not on https.
    #[error("the service is not offered over https")]
    Insecure,
    /// The URL can't be put into a request.
    #[error("the URL can't be put into a request")]
    Unusable,
    /// The name has no address.
    #[error(transparent)]
    Dns(#[from] ResolveError),
    /// No connection came about.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// TLS failed, during the handshake or after it.
    #[error("the connection can't be encrypted")]
    Tls(#[source] Box<dyn Error + Send + Sync>),
    /// The head of an answer did not come in time.
    #[error("the server did not answer within {} s", seconds(*within))]
    Silent {
        /// The time that it had, from looking its name up.
        within: Duration,
    },
    /// The connection was there, the whole answer did not come in time.
    #[error("the time was over before the whole answer was there")]
    Timeout,
    /// The connection broke.
    #[error("the connection broke off before the whole answer was there")]
    Broken,
    /// The answer, its body as it is sent, or its body once decompressed is larger than the limits.
    #[error("the answer is larger than what is read")]
    TooLarge,
    /// It redirects more often than is followed, or in a circle.
    #[error("the server redirects too often: {0}")]
    TooManyRedirects(RedirectFault),
    /// It redirects where redirects are refused, or would have a body sent to another origin.
    #[error("the server redirects, and the request is not sent on")]
    Redirected,
    /// The server asks to be left alone for a while (429, 503).
    #[error("the server asks to be asked later")]
    RateLimited {
        /// How long, where it says so.
        retry_after: Option<Duration>,
    },
    /// Nothing was sent: the server's turn is too far off, by our own pace or because it had asked for a pause.
    #[error("the server is not to be asked yet")]
    NotYet {
        /// How long.
        wait: Duration,
    },
    /// The answer is not one of HTTP.
    #[error(transparent)]
    Invalid(#[from] InvalidAnswer),
}

/// How an answer is not one of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAnswer {
    /// The head is malformed, or larger than the limits.
    #[error("the answer is not valid HTTP, or has more or longer headers than are accepted")]
    Head,
    /// It redirects to something that is not a URL, or does not say where to.
    #[error("the server redirects to something that is not a URL")]
    Location,
    /// The body is compressed in a way that was not asked for.
    #[error("the answer is compressed in a way that was not asked for")]
    Coding,
    /// The compressed body is damaged, or not whole.
    #[error("the compressed answer is damaged")]
    Damaged,
}

impl EgressError {
    /// When the same request may be tried again, where that is known.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } => *retry_after,
            Self::NotYet { wait } => Some(*wait),
            _ => None,
        }
    }

    /// Why an exchange has no answer for which there was this time, which is over at `deadline`.
    pub(super) fn exchange(broken: Broken, within: Duration, deadline: Instant) -> Self {
        match broken {
            // The system may give a connection up before.
            Broken::Timeout if Instant::now() >= deadline => Self::Silent { within },
            broken => broken.into(),
        }
    }

    pub(super) fn handshake(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::Timeout,
            _ => Self::Tls(error.into()),
        }
    }
}

/// A time in seconds, such as 15 or 2.4: never more than it was.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).floor() / 10.0
}

impl From<UrlFault> for EgressError {
    fn from(fault: UrlFault) -> Self {
        Self::Forbidden(fault)
    }
}

impl From<AddressFault> for EgressError {
    fn from(fault: AddressFault) -> Self {
        Self::Forbidden(fault.into())
    }
}

impl From<RedirectFault> for EgressError {
    fn from(fault: RedirectFault) -> Self {
        match fault {
            RedirectFault::NotAUrl => InvalidAnswer::Location.into(),
            RedirectFault::Refused(fault) => fault.into(),
            RedirectFault::Circle | RedirectFault::TooMany(_) => Self::TooManyRedirects(fault),
        }
    }
}

impl From<Broken> for EgressError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Timeout => Self::Timeout,
            Broken::Tls => Self::Tls(broken.into()),
            Broken::Closed | Broken::Failed => Self::Broken,
            Broken::TooLarge => Self::TooLarge,
            Broken::Invalid => InvalidAnswer::Head.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_says_nothing_is_told_from_one_that_is_cut_off() {
        let silent = |within| EgressError::exchange(Broken::Timeout, within, Instant::now()).to_string();
        assert_eq!(
            silent(Duration::from_secs(15)),
            "the server did not answer within 15 s"
        );
        assert_eq!(
            silent(Duration::from_millis(2_480)),
            "the server did not answer within 2.4 s"
        );
        let later = Instant::now() + Duration::from_secs(60);
        let given_up = EgressError::exchange(Broken::Timeout, Duration::from_secs(60), later);
        assert!(matches!(given_up, EgressError::Timeout), "{given_up:?}");
    }
}
