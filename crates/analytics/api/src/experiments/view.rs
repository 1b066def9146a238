//! GET /domains/{domain_id}/analytics/experiments/{experiment_id}

use pharos_analytics::experiments::ExperimentStore;
use pharos_domain::{clock::Clock, identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use uuid::Uuid;

use super::{experiment::ExperimentPublic, no_experiment};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getExperiment",
    path: "/domains/{domain_id}/analytics/experiments/{experiment_id}",
    module: Module::Analytics,
    summary: "One experiment of a domain",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    problems: &[Suffix::ExperimentNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<Uuid>,
    experiments: Port<dyn ExperimentStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<ExperimentPublic> {
    let found = experiments.find(&access, id).await?;
    let found = found.ok_or_else(|| no_experiment(id))?;
    Ok(ExperimentPublic::new(found, clock.now().date()))
}
