//! GET /domains/{domain_id}/crux/urls/{url_id}/history

use pharos_domain::{identity::DomainAccess, ids::CruxUrlId, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{path::PathId, port::Port, query::Query},
    operation::ApiResult,
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_vitals::crux::{
    Metric,
    store::{CruxStore, Grain},
};

use crate::crux::{
    history::CruxHistoryPublic,
    no_such_url,
    parameters::{Devices, Periods},
    populations,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxUrlHistory",
    path: "/domains/{domain_id}/crux/urls/{url_id}/history",
    module: Module::Crux,
    summary: "A page's field data, week by week",
    description: concat!(
        populations!(),
        " Periods end on Saturdays, a week apart. The oldest comes first. All lists have `period_count` values; null where \
         the report had none."
    ),
    scope: Some(Scope::ReadCrux),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::CruxUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<CruxUrlId>,
    Query(Devices { form_factor }): Query<Devices>,
    Query(Periods { periods }): Query<Periods>,
    store: Port<dyn CruxStore>,
) -> ApiResult<CruxHistoryPublic> {
    let found = store.page(&access, id).await?.ok_or_else(|| no_such_url(id))?;
    let weeks = store.periods(&found, form_factor, Grain::Week, periods).await?;
    Ok(CruxHistoryPublic::new(form_factor, Metric::ALL, &weeks))
}
