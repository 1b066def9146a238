//! GET /domains/{domain_id}/reports/templates

use pharos_domain::{identity::DomainAccess, module::Module, page::Page, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_reporting::store::TemplateStore;

use super::template::ReportTemplatePublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listReportTemplates",
    path: "/domains/{domain_id}/reports/templates",
    module: Module::Reports,
    summary: "The report templates of a domain, by name",
    scope: Some(Scope::ReadReports),
    credits: Credits::Cheap,
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    templates: Port<dyn TemplateStore>,
) -> ApiResult<Page<ReportTemplatePublic>> {
    let found = templates.list(&access).await?.into_iter();
    Ok(Page::single(found.map(ReportTemplatePublic::from).collect()))
}
