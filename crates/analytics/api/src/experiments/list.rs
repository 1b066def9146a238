//! GET /domains/{domain_id}/analytics/experiments

use pharos_analytics::{experiments::ExperimentStore, store::SiteStore};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};

use super::experiment::ExperimentPublic;
use crate::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listExperiments",
    path: "/domains/{domain_id}/analytics/experiments",
    module: Module::Analytics,
    summary: "The experiments of a domain, the newest first",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    sites: Port<dyn SiteStore>,
    experiments: Port<dyn ExperimentStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<ExperimentPublic>> {
    let found = experiments.list(&access).await?;
    // Those by metrics of search and of vitals need no visits.
    if found.is_empty() {
        sites.view(&access).await?.ok_or_else(missing)?;
    }
    let today = clock.now().date();
    let items = found
        .into_iter()
        .map(|experiment| ExperimentPublic::new(experiment, today));
    Ok(Page::single(items.collect()))
}
