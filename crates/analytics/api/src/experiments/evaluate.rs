//! POST /domains/{domain_id}/analytics/experiments/{experiment_id}/evaluate

use pharos_analytics::experiments::{Evaluation, ExperimentStore, NewEvaluation};
use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    identity::DomainAccess,
    module::Module,
    page_facts::{PageSearchDays, PageSpeedDays},
    problem::Suffix,
    ranking_updates::RankingUpdates,
    role::Role,
    scope::Scope,
    site_address::SiteAddresses,
};
use pharos_http::{
    extract::{body::OptionalBody, path::PathId, port::Port},
    operation::{ApiResult, Example, stored_answer},
    problem::Problem,
    spec::{Credits, Idempotency, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{evaluation::EvaluationPublic, no_experiment};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "evaluateExperiment",
    method: Verb::Post,
    path: "/domains/{domain_id}/analytics/experiments/{experiment_id}/evaluate",
    module: Module::Analytics,
    summary: "Evaluate an experiment by the days that are over",
    description: "A draft is running from then on. `mann_whitney` and `did` are answered at once; `bsts` is pending: poll \
                  `evaluations/latest` until it is completed or failed. Where too little is known, the verdict is inconclusive, \
                  and `warnings` say why. Days of search (`gsc_*`) count once Search Console calls them final, two to three \
                  days later; without `post_end_date` the last of them is the last day.",
    scope: Some(Scope::WriteAnalytics),
    min_role: Role::Admin,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    problems: &[Suffix::ExperimentNotFound, Suffix::Conflict],
    ..OperationSpec::GET
};

#[expect(
    clippy::too_many_arguments,
    reason = "what other modules know of pages is asked of each of them"
)]
pub(crate) async fn evaluate(
    access: Keyed<DomainAccess>,
    PathId(id): PathId<Uuid>,
    OptionalBody(body): OptionalBody<ExperimentEvaluateRequest>,
    experiments: Port<dyn ExperimentStore>,
    updates: Port<dyn RankingUpdates>,
    addresses: Port<dyn SiteAddresses>,
    speed: Port<dyn PageSpeedDays>,
    searches: Port<dyn PageSearchDays>,
    clock: Port<dyn Clock>,
) -> ApiResult<EvaluationPublic> {
    body.judged(|ExperimentEvaluateRequest {}| Ok(()))
        .map_err(Problem::invalid)?;
    let found = experiments.find(&access, id).await?;
    let experiment = found.ok_or_else(|| no_experiment(id))?;
    let design = &experiment.settings.design;
    let now = clock.now();
    let NewEvaluation { evaluation, job } = if design.method.takes_long() {
        NewEvaluation::pending(&experiment, access.workspace().workspace().id, now)
    } else {
        let panel = experiments.panel(&access, design).await?;
        let panel = panel
            .completed(design, access.id(), &*addresses, &*speed, &*searches)
            .await?;
        NewEvaluation::completed(&experiment, &panel, &*updates, now)
    };
    let answer = |evaluation: &Evaluation| stored_answer(&SPEC, &EvaluationPublic::from(evaluation.clone()));
    let stored = experiments
        .evaluate(&access, &evaluation, design, job.as_ref(), &answer)
        .await?;
    Ok(stored.ok_or_else(changed)?.into())
}

fn changed() -> Problem {
    Problem::new(
        Suffix::Conflict,
        "The experiment was changed or deleted meanwhile. Read it, and evaluate it again.",
    )
}

/// Nothing needs to be said.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExperimentEvaluateRequest {}

impl Example for ExperimentEvaluateRequest {
    fn example() -> Self {
        Self {}
    }
}
