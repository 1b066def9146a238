//! Which granted scopes a caller can put to use.

use pharos_domain::{
    identity::Identity,
    module::Module,
    role::Role,
    scope::{Scope, ScopeSet},
};

use crate::registry::Registry;

/// For each scope what its operations ask for, read off the registry.
#[derive(Clone, Debug)]
pub struct EffectiveScopes(Vec<(Scope, Role, Module)>);

impl EffectiveScopes {
    /// Reads the registry.
    #[must_use]
    pub fn of(registry: &Registry) -> Self {
        let specs = registry.operations().iter().map(|operation| operation.spec);
        Self(
            specs
                .filter_map(|spec| Some((spec.scope?, spec.min_role, spec.module)))
                .collect(),
        )
    }

    /// The granted scopes that some operation needs whose least role the user holds in a reachable workspace
    /// whose plan has the module.
    #[must_use]
    pub fn effective(&self, identity: &Identity) -> ScopeSet {
        let within_reach = |role: Role, module: Module| {
            identity
                .workspaces
                .iter()
                .any(|workspace| workspace.role >= role && workspace.has_module(module))
        };
        let usable = self
            .0
            .iter()
            .filter(|(_, role, module)| within_reach(*role, *module));
        usable
            .map(|(scope, _, _)| *scope)
            .filter(|scope| identity.scopes.contains(*scope))
            .collect()
    }
}
