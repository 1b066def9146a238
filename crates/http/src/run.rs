//! The run object: what every operation that dispatches a run answers, and what its polling read shows.

use pharos_domain::{
    identity::CredentialKind,
    ids::{CredentialId, RunId},
    runs::{Requester, Run, RunKind, RunStatus},
    timestamp::Timestamp,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use crate::operation::Example;

/// Work that a caller asked for, and how far it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Run)]
pub struct RunPublic {
    /// Its id.
    pub run_id: RunId,
    /// What it does.
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
    /// When its result is no longer kept (reading it is 410 from then on); null where it is kept with the other data
    /// of its module.
    #[schema(required)]
    pub expires_at: Option<Timestamp>,
    /// How much of it is done, in percent; null where that can't be known.
    #[schema(required, minimum = 0, maximum = 100)]
    pub progress_pct: Option<f64>,
    /// Of how many items it consists; null where it has none.
    #[schema(required, minimum = 0)]
    pub total_items: Option<u32>,
    /// How many of them are done.
    #[schema(required, minimum = 0)]
    pub completed_items: Option<u32>,
    /// How many of them failed.
    #[schema(required, minimum = 0)]
    pub failed_items: Option<u32>,
    /// Why it failed, as the last segment of a problem's `type`; null where it did not.
    #[schema(required, example = "upstream-error")]
    pub error_code: Option<String>,
    /// The same in words, for people.
    #[schema(required)]
    pub error_detail: Option<String>,
    /// Who asked for it.
    pub requested_by: RequesterPublic,
    /// Where to read how far it is, and what it found: a path on this host, base path included.
    pub poll_path: String,
    /// What it cost. A replay shows the same; that a replay itself is free stands in its X-Credits-Cost.
    #[schema(minimum = 0)]
    pub credits_charged: u32,
}

/// The credential that asked for a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunRequester)]
pub struct RequesterPublic {
    /// A key or a token.
    pub kind: CredentialKind,
    /// A key's id, a token's grant.
    pub credential_id: CredentialId,
}

impl RunPublic {
    /// The run, which is read at `poll_path`.
    #[must_use]
    pub fn new(run: Run, poll_path: String) -> Self {
        let Run {
            id,
            kind,
            status,
            requested_at,
            started_at,
            finished_at,
            expires_at,
            progress_pct,
            total_items,
            completed_items,
            failed_items,
            error_code,
            error_detail,
            requested_by:
                Requester {
                    kind: requester,
                    credential_id,
                },
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
            progress_pct,
            total_items,
            completed_items,
            failed_items,
            error_code,
            error_detail,
            requested_by: RequesterPublic {
                kind: requester,
                credential_id,
            },
            poll_path,
            credits_charged,
        }
    }
}

impl Example for RunPublic {
    fn example() -> Self {
        let by = Requester {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId(uuid!("0190f3c2-8b11-7d0c-b1de-91f5c2a77e10")),
        };
        let run_id = RunId(uuid!("0190f3c2-cf93-7186-b2a7-8e6e60bf3d66"));
        let run = Run {
            id: run_id,
            ..Run::requested(RunKind::UptimeCheck, by, 25, datetime!(2026-03-31 09:15:00 UTC))
        };
        let domain = "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33";
        Self::new(
            run,
            format!("/api/public/v1/domains/{domain}/uptime/checks?run_id={run_id}"),
        )
    }
}
