//! POST /domains/{domain_id}/gsc/sync

use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{Run, RunKind, RunStore},
    scope::Scope,
};
use pharos_http::{
    extract::{body::OptionalBody, port::Port},
    operation::{ApiResult, Example, stored_answer},
    problem::{Fault, Problem},
    run::RunPublic,
    spec::{BASE_PATH, Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use pharos_search::gsc::{property::PropertyStore, run::sync_run};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parts::linked;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "runGscSync",
    method: Verb::Post,
    path: "/domains/{domain_id}/gsc/sync",
    module: Module::Gsc,
    summary: "Import the newest days again",
    description: "The newest `days` days that Search Console has, provisional ones included, of every search type, beside the \
                  daily import: what is stored of them is replaced. A property is asked at most so often a minute, so it may \
                  take a while. The run becomes `last_run` of `GET /domains/{domain_id}/gsc/property`. Without a body: 3 days.",
    scope: Some(Scope::RunGsc),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::GscPropertyNotLinked],
    ..OperationSpec::GET
};

/// How many days are imported where nobody says.
const DAYS: u8 = 3;

pub(crate) async fn run(
    access: Keyed<DomainAccess>,
    OptionalBody(body): OptionalBody<GscSyncRequest>,
    properties: Port<dyn PropertyStore>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<RunPublic> {
    linked(&access, &properties).await?;
    let days = body
        .judged(|request| Ok::<u8, Vec<Fault>>(request.days.unwrap_or(DAYS)))
        .map_err(Problem::invalid)?;
    let run = Run::requested(RunKind::GscSync, &access, clock.now());
    let new = sync_run(run, access.workspace().workspace().id, days);
    let answer = |run: &Run| stored_answer(&SPEC, &public(run.clone()));
    Ok(public(runs.request(&access, &new, &answer).await?))
}

/// The run, which is read with the property.
pub(super) fn public(run: Run) -> RunPublic {
    let poll_path = format!("{BASE_PATH}/domains/{}/gsc/property", run.domain_id);
    RunPublic::new(run, poll_path)
}

/// How much to import.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[schema(as = GscSyncRequest)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GscSyncRequest {
    /// How many days, the newest ones; left out: 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 16, default = 3)]
    days: Option<u8>,
}

impl Example for GscSyncRequest {
    fn example() -> Self {
        Self { days: Some(3) }
    }
}
