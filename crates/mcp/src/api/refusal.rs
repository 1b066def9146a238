//! Why there is no answer: the refusals of the API, and its silence.

use std::time::Duration;

use http::StatusCode;
use pharos_domain::problem::Suffix;
use serde_json::{Map, Value, json};

/// The advice where a call may have been carried out although there is no good answer.
const SAME_KEY: &str = "It may have been done all the same: call again with this `idempotency_key`, so that it is done and paid for once.";

/// The suffix of a refusal that has none.
const REFUSED: &str = "refused";
/// The member that says after how many seconds to come again.
pub(super) const RETRY_AFTER: &str = "retry_after_seconds";
/// A refusal that holds for no longer is waited out here.
const SOON: u64 = 2;

/// A refusal of the API (RFC 9457).
#[derive(Clone, Debug)]
pub struct Refused {
    /// The status that the API answered with.
    pub status: StatusCode,
    /// The last part of its type, by which programs tell refusals apart.
    pub suffix: String,
    /// Why this call was refused.
    pub detail: String,
    /// The members that some refusals add, such as `errors` or `resets_on`.
    pub extras: Map<String, Value>,
}

impl Refused {
    /// The refusal that an answer with this body is.
    pub(super) fn of(status: StatusCode, body: Value) -> Self {
        let mut extras = match body {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        let mut text = |name: &str| match extras.remove(name) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let mut suffix = text("type").rsplit('/').next().unwrap_or_default().to_owned();
        let mut detail = text("detail");
        // A server in front of the API refuses in words of its own, or in none.
        if suffix.is_empty() {
            REFUSED.clone_into(&mut suffix);
        }
        if detail.is_empty() {
            detail = format!("The answer has the status {status}, and no reason.");
        }
        for told_already in ["title", "status", "instance"] {
            extras.remove(told_already);
        }
        Self {
            status,
            suffix,
            detail,
            extras,
        }
    }

    /// The advice to the caller. Where the API did not write it, the status alone says.
    fn advice(&self) -> &'static str {
        if let Ok(known) = self.suffix.parse::<Suffix>() {
            return known.advice();
        }
        match self.status.as_u16() {
            401 => Suffix::InvalidCredential.advice(),
            404 => Suffix::NotFound.advice(),
            413 => "Send less, or ask for less.",
            429 | 500..=599 if self.retry_after().is_some() => Suffix::RateLimited.advice(),
            429 | 500..=599 => "Try again in a minute. Where it stays so, tell whoever runs Pharos.",
            _ => "Mend what `detail` names. Where it names nothing of yours, tell whoever runs Pharos.",
        }
    }

    /// After how many seconds the API may be called again.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        self.extras.get(RETRY_AFTER)?.as_u64()
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The API refused the call.
    #[error("{}: {}", .0.suffix, .0.detail)]
    Refused(Box<Refused>),
    /// The API answered, with more than is read.
    #[error("The API's answer is too large.")]
    TooLarge {
        /// The credits that it cost.
        cost: u64,
        /// The credits that are left to the workspace that paid.
        remaining: Option<u64>,
    },
    /// The API did not answer, or not as it should.
    #[error("{0}")]
    Away(&'static str),
    /// A server answered that is not the API.
    #[error("{0}")]
    NotApi(&'static str),
    /// The same of a call that may have been carried out all the same.
    #[error("{why}")]
    Unsure {
        /// Why there is no answer.
        why: &'static str,
        /// The idempotency key that the call went out with.
        key: String,
    },
}

impl CallError {
    /// A refusal that this server gives itself, by the words of the API.
    pub(crate) fn refused(suffix: Suffix, detail: impl Into<String>) -> Self {
        Self::Refused(Box::new(Refused {
            status: StatusCode::from_u16(suffix.status()).unwrap_or(StatusCode::BAD_REQUEST),
            suffix: suffix.as_str().to_owned(),
            detail: detail.into(),
            extras: Map::new(),
        }))
    }

    /// The same with this advice in place of that of the API.
    pub(crate) fn advising(mut self, what_to_do: &str) -> Self {
        if let Self::Refused(refused) = &mut self {
            refused.extras.insert("what_to_do".to_owned(), json!(what_to_do));
        }
        self
    }

    /// The refusal of a call that has these faults, which it names as the API does.
    pub(crate) fn invalid(faults: &[String]) -> Self {
        let errors: Vec<Value> = faults.iter().map(|fault| json!({ "detail": fault })).collect();
        let mut extras = Map::new();
        extras.insert("errors".to_owned(), Value::from(errors));
        let suffix = Suffix::InvalidRequest;
        Self::Refused(Box::new(Refused {
            status: StatusCode::from_u16(suffix.status()).unwrap_or(StatusCode::BAD_REQUEST),
            suffix: suffix.as_str().to_owned(),
            detail: "The arguments have faults.".to_owned(),
            extras,
        }))
    }

    /// So many heavy queries of a caller wait here that one more is not heard.
    pub(super) fn crowded() -> Self {
        let detail = "More analytical reads of this credential wait than may be at once. Send the next when some have been answered.";
        let mut refused = Refused {
            status: StatusCode::TOO_MANY_REQUESTS,
            suffix: Suffix::RateLimited.as_str().to_owned(),
            detail: detail.to_owned(),
            extras: Map::new(),
        };
        refused.extras.insert("bucket".to_owned(), json!("heavy-query"));
        refused.extras.insert(RETRY_AFTER.to_owned(), json!(10));
        Self::Refused(Box::new(refused))
    }

    /// The pause after which the call may be made again, where the API refused it for a moment and did nothing.
    pub(super) fn soon(&self) -> Option<Duration> {
        let Self::Refused(refused) = self else {
            return None;
        };
        let seconds = refused.retry_after()?;
        let is_soon = refused.status == StatusCode::TOO_MANY_REQUESTS && seconds <= SOON;
        is_soon.then(|| Duration::from_secs(seconds.max(1)))
    }

    /// The same of a call with that idempotency key. Where the call may have been carried out all the same, the key is told, so
    /// that the next call does not start, and pay for, the work once more.
    pub(super) fn with_key(self, key: &str) -> Self {
        match self {
            Self::Away(why) | Self::NotApi(why) => Self::Unsure {
                why,
                key: key.to_owned(),
            },
            Self::Refused(mut refused) if refused.status.is_server_error() => {
                refused.extras.insert("idempotency_key".to_owned(), json!(key));
                refused.extras.insert("what_to_do".to_owned(), json!(SAME_KEY));
                Self::Refused(refused)
            }
            other => other,
        }
    }

    /// Tells an assistant what happened, and what to do.
    #[must_use]
    pub fn told(&self) -> Value {
        match self {
            Self::Refused(refused) => {
                let mut told = json!({
                    "problem": refused.suffix,
                    "status": refused.status.as_u16(),
                    "detail": refused.detail,
                    "what_to_do": refused.advice(),
                });
                if let Some(told) = told.as_object_mut() {
                    told.extend(refused.extras.clone());
                }
                told
            }
            Self::TooLarge { cost, remaining } => json!({
                "problem": "answer-too-large",
                "detail": "The answer has more than 4 MiB.",
                "what_to_do": "Ask for less: with a smaller `limit`, or a shorter window.",
                "credits": { "cost": cost, "remaining": remaining },
            }),
            Self::Away(why) => json!({
                "problem": "api-away",
                "detail": why,
                "what_to_do": "Try again in a minute.",
            }),
            Self::NotApi(why) => json!({
                "problem": "not-the-api",
                "detail": why,
                "what_to_do": "Check that `--url` and `--api-url` of pharos-mcp name Pharos, or tell whoever runs it.",
            }),
            Self::Unsure { why, key } => json!({
                "problem": "api-away",
                "detail": why,
                "idempotency_key": key,
                "what_to_do": SAME_KEY,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_to_do() {
        let body = json!({
            "type": "https://pharos.example/docs/api/errors/quota-exhausted",
            "title": "Quota exhausted", "status": 402, "detail": "No credits are left.",
            "instance": "/me", "request_id": "1", "resets_on": "2026-04-30",
        });
        let refused = Refused::of(StatusCode::PAYMENT_REQUIRED, body);
        let told = CallError::Refused(Box::new(refused)).told();
        assert_eq!(told["problem"], "quota-exhausted");
        assert_eq!(told["resets_on"], "2026-04-30");
        assert_eq!(told["what_to_do"], Suffix::QuotaExhausted.advice());
        let odd = CallError::Refused(Box::new(Refused::of(StatusCode::BAD_GATEWAY, json!("x"))));
        assert_eq!(odd.told()["status"], 502);
    }

    /// A server in front of the API has words of its own, or none.
    #[test]
    fn a_refusal_that_the_api_did_not_write_says_what_to_do_too() {
        for (status, body) in [
            (503, json!({ "type": "about:blank", "detail": "Maintenance." })),
            (503, json!({ "message": "no healthy upstream" })),
            (429, Value::Null),
            (403, json!("blocked")),
            (
                400,
                json!({ "type": "https://relay.example/bad", "detail": "No." }),
            ),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let told = CallError::Refused(Box::new(Refused::of(status, body))).told();
            for member in ["problem", "detail", "what_to_do"] {
                let text = told[member].as_str().unwrap_or_default();
                assert!(!text.is_empty(), "{status} {member}: {told}");
            }
        }
        let body = json!({ "type": "x/busy", RETRY_AFTER: 30 });
        let busy = CallError::Refused(Box::new(Refused::of(StatusCode::SERVICE_UNAVAILABLE, body)));
        assert_eq!(busy.told()["what_to_do"], Suffix::RateLimited.advice());
    }

    #[test]
    fn a_refusal_that_says_to_mend_errors_has_them() {
        let faults = ["x: there is none.".to_owned(), "y: a number.".to_owned()];
        let told = CallError::invalid(&faults).told();
        assert_eq!(told["problem"], "invalid-request");
        assert_eq!(told["what_to_do"], Suffix::InvalidRequest.advice());
        assert_eq!(
            told["errors"],
            json!([{ "detail": "x: there is none." }, { "detail": "y: a number." }])
        );
    }

    #[test]
    fn a_refusal_for_a_moment_alone_is_waited_out() {
        let refused = |status, seconds: u64| {
            let body = json!({ "type": "x/rate-limited", "retry_after_seconds": seconds });
            CallError::Refused(Box::new(Refused::of(status, body)))
        };
        let too_many = StatusCode::TOO_MANY_REQUESTS;
        for (error, soon) in [
            (refused(too_many, 1), Some(1)),
            (refused(too_many, 2), Some(2)),
            (refused(too_many, 60), None),
            (refused(StatusCode::SERVICE_UNAVAILABLE, 1), None),
            (CallError::refused(Suffix::RateLimited, "No."), None),
            (CallError::crowded(), None),
            (CallError::Away("The API did not answer in time."), None),
        ] {
            assert_eq!(error.soon(), soon.map(Duration::from_secs), "{error}");
        }
    }

    #[test]
    fn the_key_of_a_call_that_may_have_been_carried_out_is_told() {
        let broken = Refused::of(StatusCode::BAD_GATEWAY, json!("x"));
        for error in [
            CallError::Away("The API did not answer in time."),
            CallError::NotApi("The answer is no JSON."),
            CallError::Refused(Box::new(broken)),
        ] {
            let told = error.with_key("of this call").told();
            assert_eq!(told["idempotency_key"], "of this call");
            assert_eq!(told["what_to_do"], SAME_KEY);
        }
        let refused = CallError::refused(Suffix::InvalidRequest, "No.").with_key("of this call");
        assert!(refused.told().get("idempotency_key").is_none());
    }
}
