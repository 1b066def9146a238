//! GET /domains/{domain_id}/uptime/config

use pharos_domain::{identity::DomainAccess, module::Module, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_uptime::{monitor::settings::MonitorSettings, store::MonitorStore};

use super::UptimeConfigPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getUptimeConfig",
    path: "/domains/{domain_id}/uptime/config",
    module: Module::Uptime,
    summary: "The settings of the uptime monitor",
    description: "Where no monitor was configured yet: the defaults that one would begin with, `enabled` false.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    store: Port<dyn MonitorStore>,
) -> ApiResult<UptimeConfigPublic> {
    if let Some(monitor) = store.view(&access).await? {
        let updated = (monitor.updated_at, monitor.updated_by);
        return Ok(UptimeConfigPublic::new(monitor.settings, Some(updated)));
    }
    let regions = store.regions().await?;
    let defaults = MonitorSettings::defaults(&access.domain().hostname, &regions);
    Ok(UptimeConfigPublic::new(
        MonitorSettings {
            enabled: false,
            ..defaults
        },
        None,
    ))
}
