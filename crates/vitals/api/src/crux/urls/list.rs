//! GET /domains/{domain_id}/crux/urls

use pharos_domain::{identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_vitals::crux::store::CruxStore;

use super::CruxUrlPublic;
use crate::crux::origin;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listCruxUrls",
    path: "/domains/{domain_id}/crux/urls",
    module: Module::Crux,
    summary: "The pages that are followed, the newest first",
    description: "All of them, in one page, each with its newest 75th percentiles.",
    scope: Some(Scope::ReadCrux),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::CruxNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(access: DomainAccess, store: Port<dyn CruxStore>) -> ApiResult<Page<CruxUrlPublic>> {
    let pages = store.pages(&access).await?;
    if pages.is_empty() {
        let _ = origin(&*store, &access).await?;
    }
    Ok(Page::single(pages.iter().map(CruxUrlPublic::from).collect()))
}
