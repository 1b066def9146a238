//! Plan: does the workspace's plan have the module? 403.

use pharos_domain::{identity::ReachableWorkspace, problem::Suffix};

use crate::{problem::Problem, spec::OperationSpec};

/// Asks for the module in the plan.
pub(super) struct PlanGate<'a>(pub(super) &'a ReachableWorkspace);

impl PlanGate<'_> {
    pub(super) fn pass(&self, spec: &OperationSpec) -> Result<(), Problem> {
        let Self(workspace) = self;
        if workspace.has_module(spec.module) {
            return Ok(());
        }
        let detail = format!("The workspace's plan does not have the module {}.", spec.module);
        Err(Problem::new(Suffix::PlanRestriction, detail))
    }
}
