//! RFC 9457 answers.

use pharos_domain::{
    credits::{Exhaustion, SettleError},
    problem::Suffix,
    quota::{QuotaExhausted, QuotaOwner},
    scope::{Scope, ScopeSet},
    settings::{ChangeError, SettingFault},
    store::StoreError,
};
use serde::Serialize;
use utoipa::ToSchema;

/// A refusal on its way to the caller. It becomes a [`ProblemBody`] at the edge, where path and request id are known.
#[derive(Debug)]
pub struct Problem {
    /// The kind of problem, which gives status and title.
    pub suffix: Suffix,
    /// Why this request was refused. Never a secret, never SQL.
    pub detail: String,
    /// The members that some problems add.
    pub extras: Box<Extras>,
    /// Seconds until another attempt makes sense, for `Retry-After`.
    pub retry_after: Option<u32>,
    /// The methods of the path, for `Allow`.
    pub allow: Option<String>,
    /// The cause for the log; the caller never sees it.
    pub cause: Option<String>,
}

/// The members that some problems add to a body.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ProblemExtras)]
pub struct Extras {
    /// On `invalid-request`: every fault of the request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<Fault>,
    /// On `insufficient-scope`: the scope that the operation needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, example = "read:uptime")]
    pub required_scope: Option<Scope>,
    /// On `insufficient-scope`: the scopes that the credential has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<String>>)]
    pub granted_scopes: Option<ScopeSet>,
    /// On `rate-limited`: the bucket that is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, example = "general")]
    pub bucket: Option<&'static str>,
    /// On `rate-limited`: seconds until the next request is heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retry_after_seconds: Option<u32>,
    /// On `quota-exhausted`: how much was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub used: Option<u64>,
    /// On `quota-exhausted`: how much may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<u64>,
    /// On `quota-exhausted`: the day that it begins anew, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = Date, example = "2026-04-30")]
    pub resets_on: Option<String>,
}

/// One fault of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fault {
    /// The query, path or header parameter at fault; absent when the body is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parameter: Option<String>,
    /// Where in the body the fault is (JSON Pointer, RFC 6901); absent when a parameter is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pointer: Option<String>,
    /// The fault, and what would be right.
    pub detail: String,
    /// The other members that it speaks of. Where one of them is at fault itself, nobody knows whether this is one.
    #[serde(skip)]
    #[schema(ignore)]
    pub(crate) beside: Vec<String>,
    /// Whether it lies in the name of the member, which the caller chose. The value may have a fault of its own.
    #[serde(skip)]
    #[schema(ignore)]
    pub(crate) is_of_name: bool,
}

impl Fault {
    /// A fault of a parameter.
    pub fn parameter(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            parameter: Some(shorten(name.into(), MOST_OF_NAME)),
            pointer: None,
            detail: shorten(detail.into(), MOST_OF_DETAIL),
            beside: Vec::new(),
            is_of_name: false,
        }
    }

    /// A fault of the body.
    pub fn pointer(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            parameter: None,
            pointer: Some(shorten(pointer.into(), MOST_OF_NAME)),
            detail: shorten(detail.into(), MOST_OF_DETAIL),
            beside: Vec::new(),
            is_of_name: false,
        }
    }

    /// The same, where it contradicts other members.
    #[must_use]
    pub fn beside(self, pointers: Vec<String>) -> Self {
        Self {
            beside: pointers,
            ..self
        }
    }
}

/// So many faults are told of a request: an answer can't be made large by it.
const MOST_FAULTS: usize = 1_000;

/// How much of the name or place of a member is told.
const MOST_OF_NAME: usize = 300;
/// How much of a fault is told: all values of the longest list that a parameter takes.
const MOST_OF_DETAIL: usize = 600;

/// Echoed text is cut, so that an answer can't be made large by its request.
fn shorten(text: String, most: usize) -> String {
    if text.len() <= most {
        text
    } else {
        text.chars().take(most).chain(['…']).collect()
    }
}

impl Problem {
    /// A problem that needs no extra members.
    pub fn new(suffix: Suffix, detail: impl Into<String>) -> Self {
        Self {
            suffix,
            detail: detail.into(),
            extras: Box::default(),
            retry_after: None,
            allow: None,
            cause: None,
        }
    }

    /// 400 `invalid-request`, with all faults of the request.
    #[must_use]
    pub fn invalid(mut faults: Vec<Fault>) -> Self {
        let found = faults.len();
        faults.truncate(MOST_FAULTS);
        let detail = match faults.as_slice() {
            [
                Fault {
                    parameter: Some(name),
                    detail,
                    ..
                },
            ] => format!("Parameter {name}: {detail}."),
            [
                Fault {
                    pointer: Some(at),
                    detail,
                    ..
                },
            ] if at.is_empty() => format!("The body: {detail}."),
            [
                Fault {
                    pointer: Some(at),
                    detail,
                    ..
                },
            ] => format!("Member {at}: {detail}."),
            shown if shown.len() < found => {
                format!("The request has {found} faults; errors lists the first {MOST_FAULTS}.")
            }
            _ => format!("The request has {found} faults; errors lists them."),
        };
        Self {
            extras: Box::new(Extras {
                errors: faults,
                ..Extras::default()
            }),
            ..Self::new(Suffix::InvalidRequest, detail)
        }
    }

    /// A problem that waits.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// 500 `internal-error`; `cause` goes to the log alone.
    pub fn internal(cause: impl Into<String>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(
                Suffix::InternalError,
                "Pharos failed to answer this request. Nothing was charged.",
            )
        }
    }
}

impl From<SettingFault> for Fault {
    fn from(fault: SettingFault) -> Self {
        let SettingFault {
            pointer,
            detail,
            beside,
            is_of_name,
        } = fault;
        Self {
            is_of_name,
            ..Self::pointer(pointer, detail).beside(beside)
        }
    }
}

impl From<ChangeError> for Problem {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Faults(faults) => Self::invalid(faults.into_iter().map(Fault::from).collect()),
            ChangeError::Quota(error) => quota_exhausted(error),
            ChangeError::Unsettled(error) => error.into(),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let cause = Some(chain(&error));
        match error {
            StoreError::Unavailable(_) => Self {
                cause,
                ..unavailable()
            },
            StoreError::TooLong(_) => Self {
                cause,
                ..Self::new(
                    Suffix::DatastoreError,
                    "The read took longer than it may, and was ended; nothing was charged. Ask for a shorter window, or try \
                     again later.",
                )
            },
            StoreError::Failed(_) | StoreError::Corrupt(_) => Self {
                cause,
                ..Self::internal("")
            },
        }
    }
}

impl From<SettleError> for Problem {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Exhausted(exhaustion) => exhausted(exhaustion),
            SettleError::KeyReused => key_reused(),
            SettleError::InProgress => key_in_progress(),
            // The gates answer with what the slip holds; nobody sees this.
            SettleError::Replayed => Self::internal("a replay was not answered from its slip"),
            SettleError::Store(error) => error.into(),
        }
    }
}

/// 402: the credits do not suffice.
pub(crate) fn exhausted(exhaustion: Exhaustion) -> Problem {
    let Exhaustion {
        used,
        limit,
        resets_on,
        is_cap,
    } = exhaustion;
    let whose = if is_cap {
        "that the workspace allows you a cycle"
    } else {
        "of the workspace"
    };
    let detail =
        format!("{used} of the {limit} credits {whose} are used; the next cycle begins on {resets_on}.");
    Problem {
        extras: Box::new(Extras {
            used: Some(used),
            limit: Some(limit),
            resets_on: Some(resets_on.to_string()),
            ..Extras::default()
        }),
        ..Problem::new(Suffix::QuotaExhausted, detail)
    }
}

/// 402: a quota does not suffice, of the plan or of a property of the search engine.
fn quota_exhausted(error: QuotaExhausted) -> Problem {
    let QuotaExhausted {
        resource,
        owner,
        asked,
        used,
        limit,
        resets_on,
    } = error;
    let detail = match owner {
        QuotaOwner::Plan => {
            let next = resets_on.map_or_else(
                || "delete one, or ask for a larger plan".to_owned(),
                |day| format!("it begins anew on {day}"),
            );
            format!("{used} of the {limit} {resource} of the workspace's plan are used; {next}.")
        }
        // A larger plan would not help.
        QuotaOwner::Property => {
            let left = limit.saturating_sub(used);
            let next = resets_on
                .map(|day| format!("; all are there again on {day}, Pacific time"))
                .unwrap_or_default();
            format!(
                "{left} of the {limit} inspections that Google grants the property a day are left, and {asked} are asked \
                 for{next}. No plan has more."
            )
        }
    };
    Problem {
        extras: Box::new(Extras {
            used: Some(used),
            limit: Some(limit),
            resets_on: resets_on.map(|day| day.to_string()),
            ..Extras::default()
        }),
        ..Problem::new(Suffix::QuotaExhausted, detail)
    }
}

/// 404: whether there is such a thing at all, is not told.
pub fn out_of_reach(suffix: Suffix, what: &str, id: impl std::fmt::Display) -> Problem {
    Problem::new(suffix, format!("There is no {what} {id} in your reach."))
}

/// 409: the key was used for another request.
pub(crate) fn key_reused() -> Problem {
    Problem::new(
        Suffix::IdempotencyKeyReuse,
        "The Idempotency-Key was used with another method, path or body. Take a new key for a new request.",
    )
}

/// 409: the key's request still runs.
pub(crate) fn key_in_progress() -> Problem {
    Problem::new(
        Suffix::IdempotencyInProgress,
        "The request that the Idempotency-Key belongs to still runs.",
    )
    .retry_after(1)
}

/// 503: the store that credentials, balances and data live in does not answer.
#[must_use]
pub fn unavailable() -> Problem {
    Problem::new(
        Suffix::CreditBalanceUnavailable,
        "The store can not be read at the moment.",
    )
    .retry_after(2)
}

/// An error and what caused it, for the log.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let source_text = source.to_string();
        if !text.ends_with(&source_text) {
            text = format!("{text}: {source_text}");
        }
        next = source.source();
    }
    text
}

/// The body of every refusal: application/problem+json (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody<'a> {
    /// Identifies the problem: a URI that resolves to a page about it. Its last segment is a `ProblemSuffix`; clients
    /// branch on that.
    #[serde(rename = "type")]
    #[schema(
        format = "uri",
        example = "https://pharos.example/docs/api/errors/invalid-request"
    )]
    pub kind: String,
    /// The same for every problem of this type.
    #[schema(example = "Invalid request")]
    pub title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599, example = 400)]
    pub status: u16,
    /// Why this request was refused. For people: never branch on it.
    #[schema(example = "Parameter limit: less than 1.")]
    pub detail: &'a str,
    /// The request's path.
    #[schema(example = "/api/public/v1/me")]
    pub instance: &'a str,
    /// Equals the header X-Request-Id.
    #[schema(example = "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")]
    pub request_id: String,
    /// The members that some problems add.
    #[serde(flatten)]
    pub extras: &'a Extras,
}

#[cfg(test)]
mod tests {
    use pharos_domain::quota::QuotaResource;
    use time::macros::date;

    use super::*;

    #[test]
    fn a_fault_names_all_values_that_there_are_and_echoes_no_more_than_so_much() {
        let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        let all = format!("not one of {}", scopes.join(", "));
        assert!(all.len() > MOST_OF_NAME, "longer than any other list");
        assert_eq!(Fault::parameter("scope", all.as_str()).detail, all);
        let long = Fault::parameter("a".repeat(1_000), "b".repeat(1_000));
        assert_eq!(long.parameter.unwrap().chars().count(), 301);
        assert_eq!(long.detail.chars().count(), 601);
    }

    #[test]
    fn a_spent_quota_is_told_as_that_of_who_sets_it() {
        let of_plan = QuotaExhausted {
            resource: QuotaResource::InspectorUrls,
            owner: QuotaOwner::Plan,
            asked: 200,
            used: 1_803,
            limit: 2_000,
            resets_on: Some(date!(2026 - 11 - 28)),
        };
        let of_property = QuotaExhausted {
            owner: QuotaOwner::Property,
            ..of_plan
        };
        assert_eq!(
            quota_exhausted(of_plan).detail,
            "1803 of the 2000 inspector_urls of the workspace's plan are used; it begins anew on 2026-11-28."
        );
        let problem = quota_exhausted(of_property);
        assert_eq!(
            problem.detail,
            "197 of the 2000 inspections that Google grants the property a day are left, and 200 are asked for; all are there \
             again on 2026-11-28, Pacific time. No plan has more."
        );
        assert_eq!(
            (problem.extras.used, problem.extras.limit),
            (Some(1_803), Some(2_000))
        );
    }
}
