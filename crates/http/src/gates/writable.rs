//! Writable: does the workspace's subscription allow changes? 402, for writes and runs alone.

use pharos_domain::{identity::ReachableWorkspace, problem::Suffix};

use crate::{problem::Problem, spec::OperationSpec};

/// Asks for a subscription that allows changes.
pub(super) struct WritableGate<'a>(pub(super) &'a ReachableWorkspace);

impl WritableGate<'_> {
    pub(super) fn pass(&self, spec: &OperationSpec) -> Result<(), Problem> {
        let Self(workspace) = self;
        if workspace.subscription.is_writable() || !spec.changes_something() {
            return Ok(());
        }
        let detail = format!(
            "The workspace's subscription is {}; reads are served.",
            workspace.subscription
        );
        Err(Problem::new(Suffix::WorkspaceNotWritable, detail))
    }
}
