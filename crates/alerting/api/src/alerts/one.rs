//! GET /alerts/history/{alert_id}

use pharos_alerting::store::AlertStore;
use pharos_domain::{ids::AlertId, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Caller},
    problem::out_of_reach,
    spec::{Credits, OperationSpec},
};

use super::alert::AlertHistoryPublic;
use crate::reach::workspaces;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getAlertHistory",
    path: "/alerts/history/{alert_id}",
    module: Module::Alerts,
    summary: "One alert",
    scope: Some(Scope::ReadAlerts),
    credits: Credits::Cheap,
    problems: &[Suffix::AlertHistoryNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    caller: Caller,
    PathId(id): PathId<AlertId>,
    alerts: Port<dyn AlertStore>,
) -> ApiResult<AlertHistoryPublic> {
    let reach = workspaces(&caller, None, Module::Alerts)?;
    let found = alerts.find(&reach, id).await?;
    let missing = || out_of_reach(Suffix::AlertHistoryNotFound, "alert", id);
    Ok(found.ok_or_else(missing)?.into())
}
