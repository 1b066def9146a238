//! DELETE /domains/{domain_id}/alerts/rules/{rule_id}

use pharos_alerting::store::RuleStore;
use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::AlertRuleId, module::Module,
    problem::Suffix, role::Role, scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};

use super::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteAlertRule",
    method: Verb::Delete,
    path: "/domains/{domain_id}/alerts/rules/{rule_id}",
    module: Module::Alerts,
    summary: "Delete a rule",
    description: "Its open alerts are resolved. Its history stays.",
    scope: Some(Scope::WriteAlerts),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::AlertRuleNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<AlertRuleId>,
    rules: Port<dyn RuleStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if rules.delete(&access, id, now).await? {
        Ok(DeletedResponse::retaining_history(id.0, now))
    } else {
        Err(missing(id))
    }
}
