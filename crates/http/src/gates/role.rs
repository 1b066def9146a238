//! Role: may the credential's user do this in the workspace? 403.

use pharos_domain::{identity::ReachableWorkspace, problem::Suffix};

use crate::{problem::Problem, spec::OperationSpec};

pub(super) fn gate(workspace: &ReachableWorkspace, spec: &OperationSpec) -> Result<(), Problem> {
    if workspace.role >= spec.min_role {
        return Ok(());
    }
    let detail = format!(
        "This operation needs the role {} in the workspace; the credential's user is {}.",
        spec.min_role, workspace.role
    );
    Err(Problem::new(Suffix::InsufficientRole, detail))
}
