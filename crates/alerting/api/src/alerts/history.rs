//! GET /alerts/history

use pharos_alerting::store::{AlertStore, Reach};
use pharos_domain::{
    identity::DomainAccess,
    ids::{DomainId, WorkspaceId},
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Caller},
    problem::out_of_reach,
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::alert::AlertHistoryPublic;
use crate::reach::workspaces;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listAlertHistory",
    path: "/alerts/history",
    module: Module::Alerts,
    summary: "The alerts of all domains in reach, the newest first",
    description: "A row for each time that a rule fired. A breach that outlasts its rule's cooldown fires again. Domains \
                  and workspaces that were deleted are left out.",
    scope: Some(Scope::ReadAlerts),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct AlertHistoryQuery {
    /// Only the alerts of this workspace. One that is out of reach answers 404.
    #[param(value_type = Option<String>, format = Uuid)]
    workspace_id: Option<WorkspaceId>,
    /// Only the alerts of this domain. One that is out of reach answers 404.
    #[param(value_type = Option<String>, format = Uuid)]
    domain_id: Option<DomainId>,
}

pub(crate) async fn list(
    caller: Caller,
    Query(query): Query<AlertHistoryQuery>,
    page: PageRequest,
    alerts: Port<dyn AlertStore>,
) -> ApiResult<Page<AlertHistoryPublic>> {
    let reach = workspaces(&caller, query.workspace_id, Module::Alerts)?;
    let found = match query.domain_id {
        None => alerts.list(Reach::Workspaces(&reach), &page).await?,
        Some(id) => {
            let missing = || out_of_reach(Suffix::DomainNotFound, "domain", id);
            let domain = DomainAccess::open(&caller.0, id).ok_or_else(missing)?;
            if reach
                .iter()
                .all(|access| access.workspace().id != domain.workspace().workspace().id)
            {
                return Err(missing());
            }
            alerts.list(Reach::Domain(&domain), &page).await?
        }
    };
    Ok(found.map(AlertHistoryPublic::from))
}
