//! Scope: was the credential given what the operation needs? 403.

use pharos_domain::{identity::Identity, problem::Suffix};

use crate::{
    problem::{Extras, Problem},
    spec::OperationSpec,
};

pub(super) fn gate(identity: &Identity, spec: &OperationSpec) -> Result<(), Problem> {
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
