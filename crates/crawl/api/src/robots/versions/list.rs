//! GET /domains/{domain_id}/robots/versions

use pharos_crawl::robots::monitor::store::RobotsStore;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};

use super::{super::site, RobotsVersionPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRobotsVersions",
    path: "/domains/{domain_id}/robots/versions",
    module: Module::Robots,
    summary: "Every robots.txt that the site had, the newest first",
    description: "A fetch that fails makes no version. One that finds no file (4xx) makes one without content.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    paging: Paging::cursor(100),
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    page: PageRequest,
    store: Port<dyn RobotsStore>,
) -> ApiResult<Page<RobotsVersionPublic>> {
    let found = store.versions(&access, &page).await?;
    if found.items.is_empty() {
        site(&access, &*store).await?;
    }
    Ok(found.map(RobotsVersionPublic::from))
}
