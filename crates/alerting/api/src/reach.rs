//! The workspaces that a list across workspaces reads.

use pharos_domain::{identity::WorkspaceAccess, ids::WorkspaceId, module::Module, problem::Suffix};
use pharos_http::{
    operation::{ApiResult, Caller},
    problem::out_of_reach,
};

/// The workspace that is named, else all in reach whose plan has the module.
pub(crate) fn workspaces(
    caller: &Caller,
    named: Option<WorkspaceId>,
    module: Module,
) -> ApiResult<Vec<WorkspaceAccess>> {
    if let Some(id) = named {
        let missing = || out_of_reach(Suffix::WorkspaceNotFound, "workspace", id);
        return Ok(vec![WorkspaceAccess::open(&caller.0, id).ok_or_else(missing)?]);
    }
    let mut reach = WorkspaceAccess::open_all(&caller.0);
    reach.retain(|access| access.workspace().has_module(module));
    Ok(reach)
}
