//! GET /domains

use pharos_account::domains::{DomainStore, Modules};
use pharos_domain::{identity::WorkspaceAccess, ids::WorkspaceId, page::Page, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Caller},
    problem::out_of_reach,
    spec::{OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::DomainSummary;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listDomains",
    path: "/domains",
    summary: "The domains in reach",
    description: "All in one page, the oldest first. Loop over it to work across all domains.",
    scope: Some(Scope::ReadDomains),
    paging: Paging::Single,
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct DomainFilter {
    /// Only the domains of this workspace. One that is out of reach answers 404.
    #[param(value_type = Option<String>, format = Uuid)]
    workspace_id: Option<WorkspaceId>,
    /// Whether to list each domain's active modules. Without them the answer is cheaper to make.
    #[serde(default = "yes")]
    #[param(default = true, required = false)]
    include_modules: bool,
}

fn yes() -> bool {
    true
}

pub(crate) async fn list(
    caller: Caller,
    Query(filter): Query<DomainFilter>,
    store: Port<dyn DomainStore>,
) -> ApiResult<Page<DomainSummary>> {
    let reach = match filter.workspace_id {
        None => WorkspaceAccess::open_all(&caller.0),
        Some(id) => {
            let missing = || out_of_reach(Suffix::WorkspaceNotFound, "workspace", id);
            vec![WorkspaceAccess::open(&caller.0, id).ok_or_else(missing)?]
        }
    };
    let modules = if filter.include_modules {
        Modules::Included
    } else {
        Modules::LeftOut
    };
    let domains = store.list(&reach, modules).await?;
    Ok(Page::single(
        domains.into_iter().map(DomainSummary::from).collect(),
    ))
}
