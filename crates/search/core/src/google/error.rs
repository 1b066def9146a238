//! Why Google gives no answer.

use std::time::Duration;

use http::StatusCode;
use pharos_egress::{
    client::{Answer, EgressError, NotJson},
    retry_after::retry_after,
};
use serde::Deserialize;
use time::OffsetDateTime;

use super::account::KeyFault;

/// The longest pause that Google is granted.
const LONGEST_PAUSE: Duration = Duration::from_secs(86_400);
/// Google's words for a quota that is spent.
const QUOTA_WORDS: [&str; 7] = [
    "RATE_LIMIT_EXCEEDED",
    "RESOURCE_EXHAUSTED",
    "dailyLimitExceeded",
    "quotaExceeded",
    "rateLimitExceeded",
    "userRateLimitExceeded",
    "limitExceeded",
];
/// Google's words for an account that may not read a property, or not find it.
const PERMISSION_WORDS: [&str; 5] = [
    "PERMISSION_DENIED",
    "forbidden",
    "insufficientPermissions",
    "NOT_FOUND",
    "notFound",
];
/// Google's words for a project in which nobody enabled the API.
const NOT_ENABLED_WORDS: [&str; 2] = ["SERVICE_DISABLED", "accessNotConfigured"];
/// Google's word for a project that may not use the API, whoever asks.
const PROJECT_WORDS: [&str; 1] = ["CONSUMER_INVALID"];

/// Why there is no answer. The texts hold no secret.
#[derive(Debug, thiserror::Error)]
pub enum GoogleError {
    /// No answer came.
    #[error(transparent)]
    Egress(#[from] EgressError),
    /// The account's consent or key does not count any more: somebody has to link it again.
    #[error("Google does not take the account's consent or key any more{}", word(.reason.as_ref()))]
    Unauthorized {
        /// Google's word for the reason.
        reason: Option<String>,
    },
    /// The account may not read this property, or there is none of this name.
    #[error("the account may not read the property{}", word(.reason.as_ref()))]
    Forbidden {
        /// Google's word for the reason.
        reason: Option<String>,
    },
    /// A quota is spent.
    #[error("a quota of Search Console is spent{}", word(.reason.as_ref()))]
    Quota {
        /// Google's word for the quota.
        reason: Option<String>,
        /// How long to wait, where it says so.
        retry_after: Option<Duration>,
    },
    /// It fails at the moment.
    #[error("Search Console answered {status}")]
    Unavailable {
        /// The status that Google answered with.
        status: StatusCode,
        /// How long to wait, where it says so.
        retry_after: Option<Duration>,
    },
    /// The API is not enabled for the project that the account's key or the OAuth client is of, whoever asks.
    #[error(
        "the Google Search Console API is not enabled in the Google Cloud project that the account reads by{}: enable it \
         there, in the Library of APIs and services (step 2 in docs/guides/search-console.md)",
        word(.reason.as_ref())
    )]
    NotEnabled {
        /// Google's word for the reason.
        reason: Option<String>,
    },
    /// It refuses the request.
    #[error("Search Console answered {status}{}", word(.reason.as_ref()))]
    Refused {
        /// The status that Google answered with.
        status: StatusCode,
        /// Google's word for the reason.
        reason: Option<String>,
    },
    /// The answer is not as it is documented.
    #[error("the answer of Search Console is not as it is documented: {0}")]
    Malformed(&'static str),
    /// The answer is no such JSON.
    #[error(transparent)]
    NotJson(#[from] NotJson),
    /// The key does not sign.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// This installation has no OAuth client, without which a refresh token is worth nothing.
    #[error("google_client_id and google_client_secret are not set on this node")]
    NoClient,
}

fn word(reason: Option<&String>) -> String {
    reason.map(|reason| format!(" ({reason})")).unwrap_or_default()
}

impl GoogleError {
    /// How long to wait before the same is asked again, where Google says so.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Egress(error) => error.retry_after(),
            Self::Quota { retry_after, .. } | Self::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the same request may succeed later without anybody doing anything.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Egress(_) | Self::Quota { .. } | Self::Unavailable { .. } | Self::NotJson(_)
        )
    }

    /// Reads the error from an answer that is no success.
    pub(super) fn of(answer: &Answer, now: OffsetDateTime) -> Self {
        let words = words(answer);
        let is_one_of = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let (is_quota, is_off, is_project, is_permission) = (
            is_one_of(&QUOTA_WORDS),
            is_one_of(&NOT_ENABLED_WORDS),
            is_one_of(&PROJECT_WORDS),
            is_one_of(&PERMISSION_WORDS),
        );
        let reason = words.into_iter().next();
        let retry_after = retry_after(&answer.headers, now, LONGEST_PAUSE);
        match answer.status {
            StatusCode::UNAUTHORIZED if reason.is_some() => Self::Unauthorized { reason },
            StatusCode::TOO_MANY_REQUESTS => Self::Quota { reason, retry_after },
            StatusCode::FORBIDDEN if is_quota => Self::Quota { reason, retry_after },
            StatusCode::FORBIDDEN if is_off => Self::NotEnabled { reason },
            status @ StatusCode::FORBIDDEN if is_project => Self::Refused { status, reason },
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND if is_permission => Self::Forbidden { reason },
            // Somebody in between says so, and not Google of the account.
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND) => {
                Self::Unavailable { status, retry_after }
            }
            status if status.is_server_error() => Self::Unavailable { status, retry_after },
            status => Self::Refused { status, reason },
        }
    }
}

/// An error of a Google API: `google.rpc.Status`, or the older form with `errors`.
#[derive(Deserialize)]
struct Refusal {
    error: Status,
}

#[derive(Deserialize)]
struct Status {
    status: Option<String>,
    #[serde(default)]
    details: Vec<Detail>,
    #[serde(default)]
    errors: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    reason: Option<String>,
}

/// Google's words for why it refuses, the closest first. Nothing else of the answer is repeated: it may hold what was sent.
fn words(answer: &Answer) -> Vec<String> {
    let Ok(refusal) = answer.json::<Refusal>() else {
        return Vec::new();
    };
    let Status {
        status,
        details,
        errors,
    } = refusal.error;
    let reasons = details.into_iter().chain(errors);
    let reasons = reasons.filter_map(|detail| detail.reason);
    reasons.chain(status).filter(|word| is_word(word)).collect()
}

/// Whether a text is a word of a program, and no data.
pub(super) fn is_word(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use serde_json::json;
    use time::macros::datetime;

    use super::*;

    fn said(status: u16, body: &str, pause: Option<&str>) -> GoogleError {
        let mut headers = HeaderMap::new();
        if let Some(pause) = pause {
            headers.insert("retry-after", pause.parse().unwrap());
        }
        let answer = Answer {
            url: "https://searchconsole.googleapis.com/".parse().unwrap(),
            status: StatusCode::from_u16(status).unwrap(),
            headers,
            body: body.as_bytes().to_vec(),
            redirect: None,
            waited: Duration::ZERO,
            took: Duration::ZERO,
            place: None,
        };
        GoogleError::of(&answer, datetime!(2026-03-31 09:15 UTC))
    }

    #[test]
    fn refusals_are_told_apart_by_status_and_googles_word() {
        let old = |reason| json!({ "error": { "code": 403, "errors": [{ "reason": reason }] } }).to_string();
        let new = |status, reason| {
            json!({ "error": { "status": status, "details": [{ "@type": "x" }, { "reason": reason }] } })
                .to_string()
        };
        assert!(matches!(
            said(401, &new("UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED"), None),
            GoogleError::Unauthorized { reason: Some(reason) } if reason == "ACCESS_TOKEN_EXPIRED"
        ));
        assert!(matches!(
            said(403, &old("forbidden"), None),
            GoogleError::Forbidden { reason: Some(reason) } if reason == "forbidden"
        ));
        assert!(matches!(
            said(403, &new("PERMISSION_DENIED", "SOME_NEW_REASON"), None),
            GoogleError::Forbidden { reason: Some(reason) } if reason == "SOME_NEW_REASON"
        ));
        assert!(matches!(
            said(404, &old("notFound"), None),
            GoogleError::Forbidden { .. }
        ));
        // A proxy, a firewall, a page of an outage.
        for (status, body) in [
            (401, "<html>Sign in to the network</html>".to_owned()),
            (401, String::new()),
            (403, "<html>Forbidden</html>".to_owned()),
            (404, "<html>".to_owned()),
            (403, "{\"error\":{\"co".to_owned()),
            (403, json!({ "error": "blocked" }).to_string()),
            (403, String::new()),
        ] {
            let said = said(status, &body, None);
            assert!(matches!(said, GoogleError::Unavailable { .. }), "{body}: {said}");
            assert!(said.may_pass());
        }
        for body in [
            old("quotaExceeded"),
            new("PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED"),
        ] {
            assert!(
                matches!(said(403, &body, None), GoogleError::Quota { .. }),
                "{body}"
            );
        }
        let disabled = said(403, &new("PERMISSION_DENIED", "SERVICE_DISABLED"), None);
        assert!(matches!(disabled, GoogleError::NotEnabled { .. }) && !disabled.may_pass());
        assert_eq!(
            disabled.to_string(),
            "the Google Search Console API is not enabled in the Google Cloud project that the account reads by \
             (SERVICE_DISABLED): enable it there, in the Library of APIs and services (step 2 in docs/guides/search-console.md)"
        );
        let older = said(403, &old("accessNotConfigured"), None);
        assert!(matches!(older, GoogleError::NotEnabled { .. }));
        let gone = said(403, &new("PERMISSION_DENIED", "CONSUMER_INVALID"), None);
        assert!(matches!(gone, GoogleError::Refused { .. }));
        let busy = said(429, "", Some("3600"));
        assert!(busy.may_pass());
        assert_eq!(busy.retry_after(), Some(Duration::from_secs(3_600)));
        let away = said(503, "", Some("60"));
        assert_eq!(away.retry_after(), Some(Duration::from_secs(60)));
        let secret = said(400, &old("the token ya29.secret"), None);
        assert_eq!(secret.to_string(), "Search Console answered 400 Bad Request");
    }
}
