//! Scope: was the credential given what the operation needs? 403.

use pharos_domain::{identity::Identity, problem::Suffix};

use crate::{
    problem::{Extras, Problem},
    spec::OperationSpec,
};

/// Asks for the operation's scope among those granted.
pub(super) struct ScopeGate<'a>(pub(super) &'a Identity);

impl ScopeGate<'_> {
    pub(super) fn pass(&self, spec: &OperationSpec) -> Result<(), Problem> {
        let Self(identity) = self;
        let Some(needed) = spec.scope.filter(|scope| !identity.scopes.contains(*scope)) else {
            return Ok(());
        };
        Err(Problem {
            extras: Box::new(Extras {
                required_scope: Some(needed),
                granted_scopes: Some(identity.scopes),
                ..Extras::default()
            }),
            ..Problem::new(
                Suffix::InsufficientScope,
                format!("This operation needs the scope {needed}."),
            )
        })
    }
}
