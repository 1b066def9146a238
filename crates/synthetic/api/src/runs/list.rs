//! GET /domains/{domain_id}/synthetic/runs

use pharos_artefacts::links::Links;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::SyntheticUrlId,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    runs::RunStatus,
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::{
    run::Trigger,
    store::{LabStore, RunFilter},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::LabRunPublic;
use crate::{configured, schemas::LabProfileId};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticRuns",
    path: "/domains/{domain_id}/synthetic/runs",
    module: Module::Synthetic,
    summary: "Lab tests, the newest first",
    description: "Those of URLs that are tracked no longer, too. They are kept for 12 months.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::cursor(100),
    problems: &[Suffix::SyntheticNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct RunsQuery {
    /// Only the tests of this tracked URL.
    #[param(value_type = Option<String>, format = Uuid)]
    url_id: Option<SyntheticUrlId>,
    /// Only those on this profile.
    #[param(inline, value_type = Option<LabProfileId>)]
    profile_id: Option<String>,
    /// Only those that are so far.
    #[param(inline)]
    status: Option<RunStatus>,
    /// Only those that began so.
    #[param(inline)]
    trigger: Option<Trigger>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<RunsQuery>,
    page: PageRequest,
    store: Port<dyn LabStore>,
    links: Port<Links>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<LabRunPublic>> {
    let RunsQuery {
        url_id,
        profile_id,
        status,
        trigger,
    } = query;
    let filter = RunFilter {
        url_id,
        profile_id,
        status,
        trigger,
    };
    let found = store.runs(&access, &filter, &page).await?;
    if found.items.is_empty() {
        configured(&*store, &access).await?;
    }
    let now = clock.now();
    Ok(found.map(|run| LabRunPublic::new(run, access.id(), &links, now)))
}
