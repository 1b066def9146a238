//! GET /domains/{domain_id}/alerts/rules

use pharos_alerting::store::{Reach, RuleFilter, RuleStore};
use pharos_domain::{
    alert_metric::AlertModule,
    identity::DomainAccess,
    module::Module,
    page::{Page, PageRequest},
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::rule::AlertRulePublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listDomainAlertRules",
    path: "/domains/{domain_id}/alerts/rules",
    module: Module::Alerts,
    summary: "The rules of a domain, the newest first",
    scope: Some(Scope::ReadAlerts),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct DomainAlertRulesQuery {
    /// Only the rules on metrics of this module.
    #[param(inline)]
    module: Option<AlertModule>,
    /// Only the rules that are enabled, or those that are not.
    enabled: Option<bool>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<DomainAlertRulesQuery>,
    page: PageRequest,
    rules: Port<dyn RuleStore>,
) -> ApiResult<Page<AlertRulePublic>> {
    let filter = RuleFilter {
        module: query.module,
        enabled: query.enabled,
    };
    let found = rules.list(Reach::Domain(&access), filter, &page).await?;
    Ok(found.map(AlertRulePublic::from))
}
