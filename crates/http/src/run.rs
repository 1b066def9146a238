//! The run object: what every operation that dispatches a run answers, and what its polling read shows.

use pharos_domain::{
    identity::CredentialKind,
    ids::{CredentialId, DomainId, RunId},
    problem::Suffix,
    runs::{Requester, Run, RunItems, RunKind, RunStatus},
    timestamp::Timestamp,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use crate::{payload::Example, problem::Problem};

/// Work that a caller asked for, and how far it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Run)]
pub struct RunPublic {
    /// The id of the run, by which it is looked up.
    pub run_id: RunId,
    /// The work that it does.
    pub kind: RunKind,
    /// How far it is. `succeeded`, `partial`, `failed`, `canceled` and `expired` are final.
    pub status: RunStatus,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// When it began; null while it is queued.
    #[schema(required)]
    pub started_at: Option<Timestamp>,
    /// When it ended; null until it has.
    #[schema(required)]
    pub finished_at: Option<Timestamp>,
    /// When its result is no longer kept (reading it is 410 from then on, for a year; then the run is forgotten); null where
    /// it is kept with the other data of its module.
    #[schema(required)]
    pub expires_at: Option<Timestamp>,
    /// How much of it is done, in percent; null where that can't be known.
    #[schema(required, minimum = 0, maximum = 100)]
    pub progress_pct: Option<f64>,
    /// How many items it has; null where it has none.
    #[schema(required, minimum = 0)]
    pub total_items: Option<u32>,
    /// How many of them are done; null where it has none.
    #[schema(required, minimum = 0)]
    pub completed_items: Option<u32>,
    /// How many of them failed; null where it has none.
    #[schema(required, minimum = 0)]
    pub failed_items: Option<u32>,
    /// Why it failed, as the last segment of a problem's `type`; null where it did not.
    #[schema(required, example = "upstream-error")]
    pub error_code: Option<String>,
    /// The same in words, for people. A report that was made may have it without an `error_code`: it says what the report is
    /// without. Null where there is nothing to say.
    #[schema(required)]
    pub error_detail: Option<String>,
    /// Who asked for it.
    pub requested_by: RequesterPublic,
    /// Where to read how far it is, and what it found: a path on this host, base path included.
    pub poll_path: String,
    /// The credits that it cost. A replay shows the same; that a replay itself is free stands in its X-Credits-Cost.
    #[schema(minimum = 0)]
    pub credits_charged: u32,
}

/// The credential that asked for a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunRequester)]
pub struct RequesterPublic {
    /// A key or a token; somebody at the console counts as a token.
    pub kind: CredentialKind,
    /// A key's id, a token's grant; of somebody at the console, the user's id.
    pub credential_id: CredentialId,
}

impl From<Requester> for RequesterPublic {
    fn from(requester: Requester) -> Self {
        let Requester { kind, credential_id } = requester;
        Self { kind, credential_id }
    }
}

impl RunPublic {
    /// The run, which is read at `poll_path`.
    #[must_use]
    pub fn new(run: Run, poll_path: String) -> Self {
        let Run {
            id,
            domain_id: _,
            kind,
            status,
            requested_at,
            started_at,
            finished_at,
            expires_at,
            items,
            error_code,
            error_detail,
            requested_by,
            credits_charged,
        } = run;
        Self {
            run_id: id,
            kind,
            status,
            requested_at: requested_at.into(),
            started_at: started_at.map(Into::into),
            finished_at: finished_at.map(Into::into),
            expires_at: expires_at.map(Into::into),
            progress_pct: items.map(RunItems::progress_pct),
            total_items: items.map(|items| items.total),
            completed_items: items.map(|items| items.completed),
            failed_items: items.map(|items| items.failed),
            error_code,
            error_detail,
            requested_by: requested_by.into(),
            poll_path,
            credits_charged,
        }
    }
}

/// The run, where its result is still kept. Whoever shows the run itself shows one that has expired, too.
///
/// # Errors
/// 410 `report-result-expired`.
pub fn with_result(run: Run) -> Result<Run, Problem> {
    if run.status == RunStatus::Expired {
        let detail = format!("The result of the run {} is no longer kept.", run.id);
        return Err(Problem::new(Suffix::ReportResultExpired, detail));
    }
    Ok(run)
}

impl Example for RunPublic {
    fn example() -> Self {
        let run = example();
        let poll_path = format!(
            "/api/public/v1/domains/{}/uptime/checks?run_id={}",
            run.domain_id, run.id
        );
        Self::new(run, poll_path)
    }
}

fn example() -> Run {
    Run {
        id: RunId(uuid!("0190f3c2-cf93-7186-b2a7-8e6e60bf3d66")),
        domain_id: DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")),
        kind: RunKind::UptimeCheck,
        status: RunStatus::Queued,
        requested_at: datetime!(2026-03-31 09:15:00 UTC),
        started_at: None,
        finished_at: None,
        expires_at: None,
        items: Some(RunItems::of(1)),
        error_code: None,
        error_detail: None,
        requested_by: Requester {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId(uuid!("0190f3c2-8b11-7d0c-b1de-91f5c2a77e10")),
        },
        credits_charged: 25,
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    #[test]
    fn a_result_is_gone_from_the_moment_at_which_it_expires() {
        let finished_at = datetime!(2026-03-31 09:20:00 UTC);
        let expires_at = finished_at + Duration::days(7);
        for status in [RunStatus::Succeeded, RunStatus::Partial] {
            let run = Run {
                status,
                finished_at: Some(finished_at),
                expires_at: Some(expires_at),
                ..example()
            };
            let before = run.clone().at(expires_at - Duration::SECOND);
            assert_eq!(with_result(before).unwrap(), run);
            let after = run.at(expires_at);
            assert_eq!(after.status, RunStatus::Expired);
            let gone = with_result(after).unwrap_err();
            assert_eq!(gone.suffix, Suffix::ReportResultExpired);
        }
    }

    #[test]
    fn items_are_told_with_the_progress_that_they_come_to() {
        let items = RunItems {
            total: 8,
            completed: 1,
            failed: 1,
        };
        let run = Run {
            items: Some(items),
            ..example()
        };
        let told = RunPublic::new(run, String::new());
        assert_eq!(
            (told.total_items, told.completed_items, told.failed_items),
            (Some(8), Some(1), Some(1))
        );
        assert_eq!(told.progress_pct, Some(25.0));
    }
}
