//! GET /domains/{domain_id}/synthetic/urls

use pharos_domain::{identity::DomainAccess, module::Module, page::Page, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::store::LabStore;

use super::TrackedUrlPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticUrls",
    path: "/domains/{domain_id}/synthetic/urls",
    module: Module::Synthetic,
    summary: "The URLs that lab tests are run of, the newest first",
    description: "All of them, in one page.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    store: Port<dyn LabStore>,
) -> ApiResult<Page<TrackedUrlPublic>> {
    let pages = store.pages(&access).await?;
    Ok(Page::single(
        pages.into_iter().map(TrackedUrlPublic::from).collect(),
    ))
}
