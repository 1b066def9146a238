//! GET /domains/{domain_id}/synthetic/urls/{url_id}

use pharos_domain::{
    identity::DomainAccess, ids::SyntheticUrlId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_synthetic::store::LabStore;

use super::TrackedUrlPublic;
use crate::no_such_url;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getSyntheticUrl",
    path: "/domains/{domain_id}/synthetic/urls/{url_id}",
    module: Module::Synthetic,
    summary: "A URL that lab tests are run of",
    description: "User, password and cookie are never shown; `basic_auth_configured` and `cookie_configured` say whether there \
                  are any.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    problems: &[Suffix::SyntheticUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<SyntheticUrlId>,
    store: Port<dyn LabStore>,
) -> ApiResult<TrackedUrlPublic> {
    let page = store.page(&access, id).await?.ok_or_else(|| no_such_url(id))?;
    Ok(page.into())
}
