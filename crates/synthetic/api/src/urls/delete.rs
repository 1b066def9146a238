//! DELETE /domains/{domain_id}/synthetic/urls/{url_id}

use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::SyntheticUrlId, module::Module,
    problem::Suffix, role::Role, scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};
use pharos_synthetic::store::LabStore;

use crate::no_such_url;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteSyntheticUrl",
    method: Verb::Delete,
    path: "/domains/{domain_id}/synthetic/urls/{url_id}",
    module: Module::Synthetic,
    summary: "Run no more lab tests of a URL",
    description: "Its runs stay for as long as all runs do; its budgets, its password and its cookie go. Its place in the quota \
                  is free again.",
    scope: Some(Scope::WriteSynthetic),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::SyntheticUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<SyntheticUrlId>,
    store: Port<dyn LabStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if store.untrack(&access, id, now).await? {
        Ok(DeletedResponse::retaining_history(id.0, now))
    } else {
        Err(no_such_url(id))
    }
}
