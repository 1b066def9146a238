//! GET /domains/{domain_id}/reports/templates/{template_id}

use pharos_domain::{
    identity::DomainAccess, ids::ReportTemplateId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_reporting::store::TemplateStore;

use super::{missing, template::ReportTemplatePublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getReportTemplate",
    path: "/domains/{domain_id}/reports/templates/{template_id}",
    module: Module::Reports,
    summary: "A report template",
    description: "The addresses that a schedule mails to are not told.",
    scope: Some(Scope::ReadReports),
    credits: Credits::Cheap,
    problems: &[Suffix::ReportTemplateNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<ReportTemplateId>,
    templates: Port<dyn TemplateStore>,
) -> ApiResult<ReportTemplatePublic> {
    let found = templates.find(&access, id).await?;
    Ok(found.ok_or_else(|| missing(id))?.into())
}
