//! GET /domains/{domain_id}/robots/checks

use pharos_crawl::robots::monitor::{
    fetch::FetchFailure,
    site::{CheckOutcome, RobotsCheck},
    store::RobotsStore,
};
use pharos_domain::{
    identity::DomainAccess,
    ids::{RobotsVersionId, RunId},
    module::Module,
    page::Page,
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRobotsChecks",
    path: "/domains/{domain_id}/robots/checks",
    module: Module::Robots,
    summary: "The last 100 fetches of the robots.txt, the newest first",
    description: "`failed`: nobody answered, or the server failed (5xx, and 429 as Google counts it); what was known of the \
                  file stands. Checks are kept for 12 months.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

/// How many checks are listed.
const MOST_CHECKS: u32 = 100;

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct ChecksQuery {
    /// Only the check that this run asked for.
    #[param(value_type = Option<String>, format = Uuid)]
    run_id: Option<RunId>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<ChecksQuery>,
    store: Port<dyn RobotsStore>,
) -> ApiResult<Page<RobotsCheckPublic>> {
    let found = store.checks(&access, query.run_id, MOST_CHECKS).await?;
    // A run that waits has no check yet, and is no reason for a 404.
    if found.is_empty() && query.run_id.is_none() {
        site(&access, &*store).await?;
    }
    Ok(Page::single(
        found.into_iter().map(RobotsCheckPublic::from).collect(),
    ))
}

/// A fetch of a robots.txt.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsCheck)]
pub(super) struct RobotsCheckPublic {
    /// The run that asked for it; null for the schedule.
    #[schema(required)]
    run_id: Option<RunId>,
    /// When it began.
    checked_at: Timestamp,
    /// The outcome of the check.
    outcome: CheckOutcome,
    /// The status; null without an answer.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// How long it took in milliseconds, redirects included; null without an answer.
    #[schema(required)]
    response_ms: Option<f64>,
    /// How many bytes were read; null where it failed.
    #[schema(required, minimum = 0)]
    size_bytes: Option<u32>,
    /// Why nobody answered; null where somebody did. `refused`: Pharos did not ask, since it may not go to the address; a server
    /// that refuses the connection is `connect`.
    #[schema(required)]
    error_class: Option<FetchFailure>,
    /// The version that it found; null where it failed.
    #[schema(required)]
    version_id: Option<RobotsVersionId>,
}

impl From<RobotsCheck> for RobotsCheckPublic {
    fn from(check: RobotsCheck) -> Self {
        let RobotsCheck {
            run_id,
            checked_at,
            outcome,
            status_code,
            response_ms,
            size_bytes,
            error_class,
            version_id,
        } = check;
        Self {
            run_id,
            checked_at: checked_at.into(),
            outcome,
            status_code,
            response_ms,
            size_bytes,
            error_class,
            version_id: version_id.map(RobotsVersionId),
        }
    }
}

impl Example for RobotsCheckPublic {
    fn example() -> Self {
        Self {
            run_id: None,
            checked_at: datetime!(2026-03-31 09:14:30 UTC).into(),
            outcome: CheckOutcome::Unchanged,
            status_code: Some(304),
            response_ms: Some(84.2),
            size_bytes: Some(212),
            error_class: None,
            version_id: Some(RobotsVersionId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e11"))),
        }
    }
}
