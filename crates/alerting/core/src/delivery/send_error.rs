//! Why a message did not arrive.

use std::time::Duration as StdDuration;

use http::StatusCode;
use pharos_egress::client::EgressError;
use thiserror::Error;
use time::Duration;

/// As long a pause as receivers may ask for.
pub const LONGEST_PAUSE: StdDuration = StdDuration::from_secs(24 * 60 * 60);

/// Why a message did not arrive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct SendError {
    /// A clause for people, such as "the receiver answered 500". It names no secret and no URL.
    pub why: String,
    /// When another attempt may help.
    pub retry: Retry,
}

/// When another attempt may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// After the usual pause.
    Later,
    /// After this pause, which the receiver asked for.
    After(Duration),
    /// Never.
    Never,
    /// Never, and the receiver wants nothing else any more.
    Gone,
}

impl SendError {
    /// Another attempt may help after the usual pause.
    pub(super) fn later(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            retry: Retry::Later,
        }
    }

    /// No other attempt will help.
    pub(super) fn never(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            retry: Retry::Never,
        }
    }

    /// The receiver answered with a status that is no success. Where `is_final`, those of 400 to 499 that mean that the
    /// request is wrong are not tried again.
    pub(super) fn answered(status: StatusCode, is_final: bool) -> Self {
        let why = format!("the receiver answered {}", status.as_u16());
        match status {
            StatusCode::GONE => Self {
                why: format!("{why}, which says that it wants nothing any more"),
                retry: Retry::Gone,
            },
            StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT | StatusCode::TOO_EARLY => Self::later(why),
            status if is_final && status.is_client_error() => Self::never(why),
            _ => Self::later(why),
        }
    }
}

impl From<EgressError> for SendError {
    fn from(error: EgressError) -> Self {
        let pause = error.retry_after().and_then(|pause| Duration::try_from(pause).ok());
        let retry = match (&error, pause) {
            (_, Some(pause)) => Retry::After(pause),
            // No address that is refused today is allowed tomorrow, and where redirects lead is not asked.
            (
                EgressError::Forbidden(_) | EgressError::Insecure | EgressError::Unusable | EgressError::Redirected,
                None,
            ) => Retry::Never,
            (_, None) => Retry::Later,
        };
        Self {
            why: error.to_string(),
            retry,
        }
    }
}
