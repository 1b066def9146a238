//! Role: may the credential's user do this in the workspace? 403.

use pharos_domain::{identity::ReachableWorkspace, problem::Suffix};

use crate::{problem::Problem, spec::OperationSpec};

/// Asks for the role of the credential's user.
pub(super) struct RoleGate<'a>(pub(super) &'a ReachableWorkspace);

impl RoleGate<'_> {
    pub(super) fn pass(&self, spec: &OperationSpec) -> Result<(), Problem> {
        let Self(workspace) = self;
        if workspace.role >= spec.min_role {
            return Ok(());
        }
        let detail = format!(
            "This operation needs the role {} in the workspace; the credential's user is {}.",
            spec.min_role, workspace.role
        );
        Err(Problem::new(Suffix::InsufficientRole, detail))
    }
}
