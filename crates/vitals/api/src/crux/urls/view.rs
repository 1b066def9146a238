//! GET /domains/{domain_id}/crux/urls/{url_id}

use pharos_domain::{identity::DomainAccess, ids::CruxUrlId, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{path::PathId, port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec},
};
use pharos_vitals::crux::store::CruxStore;
use serde::Serialize;
use utoipa::ToSchema;

use super::CruxUrlPublic;
use crate::crux::{no_such_url, parameters::Devices, record::CruxRecordPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxUrl",
    path: "/domains/{domain_id}/crux/urls/{url_id}",
    module: Module::Crux,
    summary: "A page that is followed, with its newest record",
    description: "A page that is not in the report has a `record` that is not `eligible`.",
    scope: Some(Scope::ReadCrux),
    credits: Credits::Cheap,
    problems: &[Suffix::CruxUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<CruxUrlId>,
    Query(devices): Query<Devices>,
    store: Port<dyn CruxStore>,
) -> ApiResult<CruxUrlDetail> {
    let found = store.page(&access, id).await?.ok_or_else(|| no_such_url(id))?;
    Ok(CruxUrlDetail {
        page: (&found).into(),
        record: CruxRecordPublic::newest(&access, &found, devices.form_factor),
    })
}

/// A page that is followed, with its newest record.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxUrlDetail)]
pub(crate) struct CruxUrlDetail {
    #[serde(flatten)]
    page: CruxUrlPublic,
    /// Its newest record on the devices that were asked for.
    record: CruxRecordPublic,
}

impl Example for CruxUrlDetail {
    fn example() -> Self {
        Self {
            page: CruxUrlPublic::example(),
            record: CruxRecordPublic::example(),
        }
    }
}
