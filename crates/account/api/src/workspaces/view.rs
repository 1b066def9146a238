//! GET /workspaces/{workspace_id}

use pharos_account::workspaces::WorkspaceStore;
use pharos_domain::{identity::WorkspaceAccess, problem::Suffix, scope::Scope};
use pharos_http::{extract::port::Port, operation::ApiResult, problem::out_of_reach, spec::OperationSpec};

use super::WorkspacePublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getWorkspace",
    path: "/workspaces/{workspace_id}",
    summary: "One workspace",
    scope: Some(Scope::ReadDomains),
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: WorkspaceAccess,
    store: Port<dyn WorkspaceStore>,
) -> ApiResult<WorkspacePublic> {
    let found = store
        .list(std::slice::from_ref(&access))
        .await?
        .into_iter()
        .next();
    let workspace =
        found.ok_or_else(|| out_of_reach(Suffix::WorkspaceNotFound, "workspace", access.workspace().id))?;
    Ok(WorkspacePublic::new(workspace, &access))
}
