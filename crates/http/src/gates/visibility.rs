//! Visibility: does the credential reach the workspace or domain of the path? 404, never 403.

use std::sync::Arc;

use pharos_domain::{
    identity::{DomainAccess, Identity, WorkspaceAccess},
    problem::Suffix,
};

use super::parameters::PathIds;
use crate::{operation::Reach, problem::Problem};

/// Asks whether the caller reaches what the path names.
pub(super) struct VisibilityGate(pub(super) Arc<Identity>);

impl VisibilityGate {
    pub(super) fn pass(self, ids: &PathIds) -> Result<Reach, Problem> {
        let Self(identity) = self;
        let domain = ids.domain.map(|id| {
            let missing = || {
                Problem::new(
                    Suffix::DomainNotFound,
                    format!("There is no domain {id} in your reach."),
                )
            };
            DomainAccess::open(&identity, id).ok_or_else(missing)
        });
        let domain = domain.transpose()?;
        let workspace = ids.workspace.map(|id| {
            let missing = || {
                Problem::new(
                    Suffix::WorkspaceNotFound,
                    format!("There is no workspace {id} in your reach."),
                )
            };
            WorkspaceAccess::open(&identity, id).ok_or_else(missing)
        });
        let workspace = workspace
            .transpose()?
            .or_else(|| domain.as_ref().map(|domain| domain.workspace().clone()));
        Ok(Reach {
            identity,
            workspace,
            domain,
        })
    }
}
