//! GET /domains/{domain_id}/analytics/config

use pharos_analytics::store::SiteStore;
use pharos_domain::{collect::site::SiteKeys, identity::DomainAccess, module::Module, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};

use super::AnalyticsConfigPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsConfig",
    path: "/domains/{domain_id}/analytics/config",
    module: Module::Analytics,
    summary: "The settings of web analytics",
    description: "Where analytics was not set up yet: the defaults that it would begin with, `enabled` false.",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    store: Port<dyn SiteStore>,
    keys: Port<dyn SiteKeys>,
) -> ApiResult<AnalyticsConfigPublic> {
    let site = store.view(&access).await?;
    let key = keys.of(&access).await?;
    Ok(AnalyticsConfigPublic::new(site, key))
}
