//! GET /domains/{domain_id}/robots/test-urls

use pharos_crawl::robots::monitor::store::RobotsStore;
use pharos_domain::{identity::DomainAccess, module::Module, page::Page, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};

use super::{RobotsTestUrlPublic, all};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRobotsTestUrls",
    path: "/domains/{domain_id}/robots/test-urls",
    module: Module::Robots,
    summary: "Saved URLs with what is expected of them, and what is so",
    description: "Held against the file as crawlers take it now: where the last fetch failed, all are disallowed.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    store: Port<dyn RobotsStore>,
) -> ApiResult<Page<RobotsTestUrlPublic>> {
    let saved = store.test_urls(&access).await?;
    let site = store.site(&access).await?;
    all(saved, site).await
}
