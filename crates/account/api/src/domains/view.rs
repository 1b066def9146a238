//! GET /domains/{domain_id}

use pharos_account::domains::DomainStore;
use pharos_domain::{identity::DomainAccess, problem::Suffix, scope::Scope};
use pharos_http::{extract::port::Port, operation::ApiResult, problem::out_of_reach, spec::OperationSpec};

use super::DomainSummary;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getDomain",
    path: "/domains/{domain_id}",
    summary: "One domain",
    scope: Some(Scope::ReadDomains),
    ..OperationSpec::GET
};

pub(crate) async fn view(access: DomainAccess, store: Port<dyn DomainStore>) -> ApiResult<DomainSummary> {
    let domain = store.view(&access).await?;
    let domain = domain.ok_or_else(|| out_of_reach(Suffix::DomainNotFound, "domain", access.id()))?;
    Ok(domain.into())
}
