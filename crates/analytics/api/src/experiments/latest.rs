//! GET /domains/{domain_id}/analytics/experiments/{experiment_id}/evaluations/latest

use pharos_analytics::experiments::ExperimentStore;
use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    problem::Problem,
    spec::{Credits, OperationSpec},
};
use uuid::Uuid;

use super::{evaluation::EvaluationPublic, no_experiment};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getLatestExperimentEvaluation",
    path: "/domains/{domain_id}/analytics/experiments/{experiment_id}/evaluations/latest",
    module: Module::Analytics,
    summary: "The newest evaluation of an experiment",
    description: "Poll it while its status is pending.",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    problems: &[Suffix::ExperimentNotFound, Suffix::EvaluationNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<Uuid>,
    experiments: Port<dyn ExperimentStore>,
) -> ApiResult<EvaluationPublic> {
    if let Some(found) = experiments.latest(&access, id).await? {
        return Ok(found.into());
    }
    experiments
        .find(&access, id)
        .await?
        .ok_or_else(|| no_experiment(id))?;
    Err(Problem::new(
        Suffix::EvaluationNotFound,
        "The experiment was not evaluated yet. POST …/evaluate does that.",
    ))
}
