//! DELETE /domains/{domain_id}/analytics/experiments/{experiment_id}

use pharos_analytics::experiments::ExperimentStore;
use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, module::Module, problem::Suffix, role::Role,
    scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};
use uuid::Uuid;

use super::no_experiment;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteExperiment",
    method: Verb::Delete,
    path: "/domains/{domain_id}/analytics/experiments/{experiment_id}",
    module: Module::Analytics,
    summary: "Delete an experiment",
    description: "Its evaluations go with it. To keep them put it to `archived`.",
    scope: Some(Scope::WriteAnalytics),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    problems: &[Suffix::ExperimentNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<Uuid>,
    experiments: Port<dyn ExperimentStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if experiments.delete(&access, id).await? {
        Ok(DeletedResponse::forgetting_history(id, now))
    } else {
        Err(no_experiment(id))
    }
}
