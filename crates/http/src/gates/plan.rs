//! Plan: does the workspace's plan have the module? 403.

use pharos_domain::{identity::ReachableWorkspace, problem::Suffix};

use crate::{problem::Problem, spec::OperationSpec};

pub(super) fn gate(workspace: &ReachableWorkspace, spec: &OperationSpec) -> Result<(), Problem> {
    if workspace.has_module(spec.module) {
        return Ok(());
    }
    let detail = format!("The workspace's plan does not have the module {}.", spec.module);
    Err(Problem::new(Suffix::PlanRestriction, detail))
}
