//! GET /domains/{domain_id}/synthetic/runs/{run_id}

use pharos_artefacts::links::Links;
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RunId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_synthetic::store::LabStore;

use super::{LabRunPublic, found};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getSyntheticRun",
    path: "/domains/{domain_id}/synthetic/runs/{run_id}",
    module: Module::Synthetic,
    summary: "A lab test with its scores, metrics and budgets",
    description: "Figures are those of Lighthouse, as it told them. A page that could not be measured, such as one that answers \
                  with 404, has `runtime_error_code` and no scores.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    problems: &[Suffix::SyntheticRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    store: Port<dyn LabStore>,
    links: Port<Links>,
    clock: Port<dyn Clock>,
) -> ApiResult<LabRunPublic> {
    let run = found(&*store, &access, id).await?;
    Ok(LabRunPublic::new(run, access.id(), &links, clock.now()))
}
