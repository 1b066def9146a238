//! DELETE /domains/{domain_id}/reports/templates/{template_id}

use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::ReportTemplateId, module::Module,
    problem::Suffix, role::Role, scope::Scope,
};
use pharos_http::{
    deleted::DeletedResponse,
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Verb},
};
use pharos_reporting::store::TemplateStore;

use super::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "deleteReportTemplate",
    method: Verb::Delete,
    path: "/domains/{domain_id}/reports/templates/{template_id}",
    module: Module::Reports,
    summary: "Delete a report template",
    description: "Nothing is made of it by itself any more. A report that is being made is finished, and its runs and \
                  their results stay.",
    scope: Some(Scope::WriteReports),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::ReportTemplateNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn delete(
    access: Charged<DomainAccess>,
    PathId(id): PathId<ReportTemplateId>,
    templates: Port<dyn TemplateStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DeletedResponse> {
    let now = clock.now();
    if templates.delete(&access, id, now).await? {
        Ok(DeletedResponse::retaining_history(id.0, now))
    } else {
        Err(missing(id))
    }
}
