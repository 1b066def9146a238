//! GET /domains/{domain_id}/gsc/config

use pharos_domain::{identity::DomainAccess, module::Module, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_search::gsc::config::ConfigStore;

use super::GscConfigPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getGscConfig",
    path: "/domains/{domain_id}/gsc/config",
    module: Module::Gsc,
    summary: "The settings of search: brand, search types, what analyses leave out",
    description: "Where nobody has changed them: the settings that a domain begins with, `updated_at` null.",
    scope: Some(Scope::ReadGsc),
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn view(access: DomainAccess, configs: Port<dyn ConfigStore>) -> ApiResult<GscConfigPublic> {
    Ok(configs.config(&access).await?.into())
}
