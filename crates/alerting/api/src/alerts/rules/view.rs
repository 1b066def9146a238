//! GET /domains/{domain_id}/alerts/rules/{rule_id}

use pharos_alerting::store::RuleStore;
use pharos_domain::{
    identity::DomainAccess, ids::AlertRuleId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};

use super::{missing, rule::AlertRulePublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getAlertRule",
    path: "/domains/{domain_id}/alerts/rules/{rule_id}",
    module: Module::Alerts,
    summary: "One rule of a domain",
    scope: Some(Scope::ReadAlerts),
    credits: Credits::Cheap,
    problems: &[Suffix::AlertRuleNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<AlertRuleId>,
    rules: Port<dyn RuleStore>,
) -> ApiResult<AlertRulePublic> {
    let found = rules.find(&access, id).await?;
    Ok(found.ok_or_else(|| missing(id))?.into())
}
