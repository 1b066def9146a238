//! GET /alerts/rules

use pharos_alerting::store::{Reach, RuleFilter, RuleStore};
use pharos_domain::{
    alert_metric::AlertModule,
    ids::WorkspaceId,
    module::Module,
    page::{Page, PageRequest},
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Caller},
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::rule::AlertRulePublic;
use crate::reach::workspaces;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listAlertRules",
    path: "/alerts/rules",
    module: Module::Alerts,
    summary: "The rules of all domains in reach, the newest first",
    scope: Some(Scope::ReadAlerts),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct AlertRulesQuery {
    /// Only the rules of this workspace. One that is out of reach answers 404.
    #[param(value_type = Option<String>, format = Uuid)]
    workspace_id: Option<WorkspaceId>,
    /// Only the rules on metrics of this module.
    #[param(inline)]
    module: Option<AlertModule>,
    /// Only the rules that are enabled, or those that are not.
    enabled: Option<bool>,
}

pub(crate) async fn list(
    caller: Caller,
    Query(query): Query<AlertRulesQuery>,
    page: PageRequest,
    rules: Port<dyn RuleStore>,
) -> ApiResult<Page<AlertRulePublic>> {
    let reach = workspaces(&caller, query.workspace_id, Module::Alerts)?;
    let filter = RuleFilter {
        module: query.module,
        enabled: query.enabled,
    };
    let found = rules.list(Reach::Workspaces(&reach), filter, &page).await?;
    Ok(found.map(AlertRulePublic::from))
}
