//! GET /workspaces

use pharos_account::workspaces::WorkspaceStore;
use pharos_domain::{identity::WorkspaceAccess, page::Page, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Caller},
    spec::{OperationSpec, Paging},
};

use super::WorkspacePublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listWorkspaces",
    path: "/workspaces",
    summary: "The workspaces in reach",
    description: "All in one page, the oldest first. A key reaches exactly one.",
    scope: Some(Scope::ReadDomains),
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(
    caller: Caller,
    store: Port<dyn WorkspaceStore>,
) -> ApiResult<Page<WorkspacePublic>> {
    let reach = WorkspaceAccess::open_all(&caller.0);
    let workspaces = store.list(&reach).await?;
    let items = workspaces.into_iter().filter_map(|workspace| {
        let access = reach
            .iter()
            .find(|access| access.workspace().id == workspace.id)?;
        Some(WorkspacePublic::new(workspace, access))
    });
    Ok(Page::single(items.collect()))
}
