//! DELETE /domains/{domain_id}/crux/urls/{url_id}

use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::CruxUrlId, module::Module, problem::Suffix,
    role::Role, scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};
use pharos_vitals::crux::store::CruxStore;

use crate::crux::no_such_url;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteCruxUrl",
    method: Verb::Delete,
    path: "/domains/{domain_id}/crux/urls/{url_id}",
    module: Module::Crux,
    summary: "Follow a page no longer",
    description: "Its figures are forgotten. Its place in the quota is free again.",
    scope: Some(Scope::WriteCrux),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::CruxUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<CruxUrlId>,
    store: Port<dyn CruxStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if store.unfollow(&access, id, now).await? {
        Ok(DeletedResponse::forgetting_history(id.0, now))
    } else {
        Err(no_such_url(id))
    }
}
