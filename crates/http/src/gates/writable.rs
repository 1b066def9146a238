//! Writable: does the workspace's subscription allow changes? 402, for writes and runs alone.

use pharos_domain::{identity::ReachableWorkspace, problem::Suffix};

use crate::{problem::Problem, spec::OperationSpec};

pub(super) fn gate(workspace: &ReachableWorkspace, spec: &OperationSpec) -> Result<(), Problem> {
    if workspace.subscription.is_writable() || !spec.changes_something() {
        return Ok(());
    }
    let detail = format!(
        "The workspace's subscription is {}; reads are served.",
        workspace.subscription
    );
    Err(Problem::new(Suffix::WorkspaceNotWritable, detail))
}
