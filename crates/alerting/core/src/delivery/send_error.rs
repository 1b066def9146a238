//! Why a message did not arrive.

use std::time::Duration as StdDuration;

use http::StatusCode;
use pharos_domain::line::one_line;
use pharos_egress::client::EgressError;
use pharos_mail::mailer::MailError;
use thiserror::Error;
use time::Duration;

use super::{channel::RECEIVER_GONE, target::TargetFault, text::cut};

/// As long a pause as receivers may ask for: all that is told by the channel waits for it, what is critical included.
pub(super) const LONGEST_PAUSE: StdDuration = StdDuration::from_secs(60 * 60);
/// The characters of a refusing answer that are kept.
const LONGEST_REASON: usize = 200;

/// Why a message did not arrive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct SendError {
    /// A clause for people, such as "the receiver answered 500". It names no secret of ours and no URL.
    pub why: String,
    /// When another attempt may help.
    pub next: NextAttempt,
}

/// When another attempt may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAttempt {
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
            next: NextAttempt::Later,
        }
    }

    /// No other attempt will help.
    pub(super) fn never(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            next: NextAttempt::Never,
        }
    }

    /// The receiver answered with a status that is no success, and asked for a pause if it did. Where `is_final`, those of
    /// 400 to 499 that mean that the request is wrong are not tried again. The beginning of its answer says why.
    pub(super) fn answered(
        status: StatusCode,
        answer: &str,
        pause: Option<StdDuration>,
        is_final: bool,
    ) -> Self {
        let mut why = format!("the receiver answered {}", status.as_u16());
        let reason = one_line(&cut(answer, LONGEST_REASON));
        if !reason.is_empty() {
            why.push_str(&format!(": {reason}"));
        }
        match (status, pause.and_then(|pause| Duration::try_from(pause).ok())) {
            (StatusCode::GONE, _) => Self {
                why: RECEIVER_GONE.to_owned(),
                next: NextAttempt::Gone,
            },
            (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE, Some(pause)) => Self {
                why,
                next: NextAttempt::After(pause),
            },
            (
                StatusCode::REQUEST_TIMEOUT
                | StatusCode::CONFLICT
                | StatusCode::TOO_EARLY
                | StatusCode::TOO_MANY_REQUESTS,
                _,
            ) => Self::later(why),
            (status, _) if is_final && status.is_client_error() => Self::never(why),
            _ => Self::later(why),
        }
    }
}

impl From<TargetFault> for SendError {
    fn from(fault: TargetFault) -> Self {
        Self::never(fault.to_string())
    }
}

impl From<MailError> for SendError {
    fn from(error: MailError) -> Self {
        let MailError { why, is_final } = error;
        match is_final {
            true => Self::never(why),
            false => Self::later(why),
        }
    }
}

impl From<EgressError> for SendError {
    fn from(error: EgressError) -> Self {
        let next = match error {
            // No name changes that. Where a redirect or a name leads today, it may not lead tomorrow.
            EgressError::Insecure | EgressError::Unusable => NextAttempt::Never,
            _ => NextAttempt::Later,
        };
        let why = match error {
            // Channels are made by operators: they can permit it.
            EgressError::Forbidden(fault) if fault.is_of_host() => {
                "the receiver's address is not public: to send to it, permit its network by the setting probe_networks"
                    .to_owned()
            }
            error => error.to_string(),
        };
        Self { why, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_says_when_another_attempt_may_help() {
        let retry = |status: u16, is_final| {
            SendError::answered(StatusCode::from_u16(status).unwrap(), "", None, is_final).next
        };
        assert_eq!(retry(410, false), NextAttempt::Gone);
        assert_eq!(
            (retry(404, true), retry(404, false)),
            (NextAttempt::Never, NextAttempt::Later)
        );
        assert_eq!(
            (retry(429, true), retry(500, true)),
            (NextAttempt::Later, NextAttempt::Later)
        );
        let pause = StdDuration::from_secs(30);
        let busy = SendError::answered(StatusCode::TOO_MANY_REQUESTS, "", Some(pause), true);
        assert_eq!(busy.next, NextAttempt::After(Duration::seconds(30)));
    }

    #[test]
    fn the_reason_is_the_beginning_of_the_answer_in_one_line() {
        let body = format!("no\r\n_service{}", "x".repeat(300));
        let error = SendError::answered(StatusCode::NOT_FOUND, &body, None, true);
        assert!(
            error.why.starts_with("the receiver answered 404: no _service"),
            "{error}"
        );
        assert!(error.why.chars().count() < 240, "{error}");
    }
}
