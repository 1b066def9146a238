//! GET /domains/{domain_id}/rum/config

use pharos_domain::{collect::site::SiteKeys, identity::DomainAccess, module::Module, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_vitals::store::VitalsSites;

use super::RumConfigPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getRumConfig",
    path: "/domains/{domain_id}/rum/config",
    module: Module::Rum,
    summary: "The settings of real-user monitoring",
    description: "Where it was not set up yet: the defaults that it would begin with, `enabled` false.",
    scope: Some(Scope::ReadRum),
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    sites: Port<dyn VitalsSites>,
    keys: Port<dyn SiteKeys>,
) -> ApiResult<RumConfigPublic> {
    let site = sites.view(&access).await?;
    let key = keys.of(&access).await?;
    Ok(RumConfigPublic::new(site, key))
}
