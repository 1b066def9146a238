//! POST /domains/{domain_id}/synthetic/urls/{url_id}/run

use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    identity::DomainAccess,
    ids::SyntheticUrlId,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{NewRun, Run, RunKind},
    scope::Scope,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::OptionalBody, path::PathId, port::Port},
    operation::{ApiResult, Example, stored_answer},
    run::RunPublic,
    spec::{Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use pharos_synthetic::{
    profile::{DEFAULT_PROFILE, Profile},
    run::{Order, job},
    store::LabStore,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{no_such_url, poll_path, schemas::LabProfileId};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "runSyntheticTest",
    method: Verb::Post,
    path: "/domains/{domain_id}/synthetic/urls/{url_id}/run",
    module: Module::Synthetic,
    summary: "Run a lab test of a URL now",
    description: "One test, beside the schedule, also of a URL that is not enabled. `poll_path` is the run with its result. A \
                  page that can't be measured, such as one that answers with 404, fails the run: the run says why, and has no \
                  scores.",
    scope: Some(Scope::RunSynthetic),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::SyntheticUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn run(
    access: Keyed<DomainAccess>,
    PathId(id): PathId<SyntheticUrlId>,
    OptionalBody(body): OptionalBody<LabRunRequest>,
    store: Port<dyn LabStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<RunPublic> {
    let wanted = body.judged(LabRunRequest::profile).map_err(ChangeError::Faults)?;
    let page = store.page(&access, id).await?.ok_or_else(|| no_such_url(id))?;
    let own = page
        .settings
        .profile_ids
        .first()
        .map_or(DEFAULT_PROFILE, String::as_str);
    let profile = wanted.map_or_else(|| Profile::stored(own), Ok)?;
    let run = Run::requested(RunKind::Synthetic, &access, clock.now());
    let order = Order {
        run_id: run.id,
        domain_id: run.domain_id,
    };
    let new = NewRun {
        jobs: vec![job(order, access.workspace().workspace().id)],
        run,
        result_kept: None,
    };
    let answer = |run: &Run| stored_answer(&SPEC, &public(run.clone()));
    let run = store.request(&access, &new, &page, profile, &answer).await?;
    Ok(public(run))
}

fn public(run: Run) -> RunPublic {
    let poll_path = poll_path(run.domain_id, run.id);
    RunPublic::new(run, poll_path)
}

/// How to measure.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[schema(as = LabRunRequest)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LabRunRequest {
    /// The profile; null or left out: the URL's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LabProfileId>)]
    profile_id: Option<String>,
}

impl LabRunRequest {
    fn profile(&self) -> Result<Option<&'static Profile>, Vec<SettingFault>> {
        let mut faults = Faults::default();
        let profile = self.profile_id.as_deref().and_then(|id| {
            let profile = Profile::named(id);
            if profile.is_none() {
                faults.add(
                    "profile_id",
                    format!("not a profile; there are {}", Profile::names()),
                );
            }
            profile
        });
        faults.or(|| profile)
    }
}

impl Example for LabRunRequest {
    fn example() -> Self {
        Self {
            profile_id: Some("desktop".to_owned()),
        }
    }
}
