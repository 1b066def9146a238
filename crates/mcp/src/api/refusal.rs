//! Why there is no answer: the refusals of the API, and its silence.

use http::StatusCode;
use pharos_domain::problem::Suffix;
use serde_json::{Map, Value, json};

/// The advice where a call may have been carried out although there is no good answer.
const SAME_KEY: &str = "It may have been done all the same: call again with this `idempotency_key`, so that it is done and paid for once.";

/// A refusal of the API (RFC 9457).
#[derive(Debug)]
pub struct Refused {
    /// Its status.
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
        let suffix = text("type").rsplit('/').next().unwrap_or_default().to_owned();
        let detail = text("detail");
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
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The API refused the call.
    #[error("{}: {}", .0.suffix, .0.detail)]
    Refused(Box<Refused>),
    /// The API did not answer, or not as it should.
    #[error("{0}")]
    Away(&'static str),
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

    /// The same of a call with that idempotency key. Where the call may have been carried out all the same, the key is told, so
    /// that the next call does not start, and pay for, the work once more.
    pub(super) fn with_key(self, key: &str) -> Self {
        match self {
            Self::Away(why) => Self::Unsure {
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
                let known = refused.suffix.parse::<Suffix>().ok();
                let mut told = json!({
                    "problem": refused.suffix,
                    "status": refused.status.as_u16(),
                    "detail": refused.detail,
                    "what_to_do": known.map(Suffix::advice),
                });
                if let Some(told) = told.as_object_mut() {
                    told.extend(refused.extras.clone());
                }
                told
            }
            Self::Away(why) => json!({
                "problem": "api-away",
                "detail": why,
                "what_to_do": "Try again in a minute.",
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

    #[test]
    fn the_key_of_a_call_that_may_have_been_carried_out_is_told() {
        let broken = Refused::of(StatusCode::BAD_GATEWAY, json!("x"));
        for error in [
            CallError::Away("The API did not answer in time."),
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
