//! All operations of all groups.

use pharos_auth::oauth::limits::OauthLimits;
use pharos_http::registry::{Registry, RegistryError};

use crate::groups::{open_operations, operations};

/// The one registry, with the limits of an installation that is configured as usual.
///
/// # Errors
/// The groups' operations contradict each other; the tests of this crate would have failed.
pub fn registry() -> Result<Registry, RegistryError> {
    registry_with(OauthLimits::default())
}

/// The registry with these limits of the operations that need no credential.
///
/// # Errors
/// As above.
pub fn registry_with(limits: OauthLimits) -> Result<Registry, RegistryError> {
    Registry::with_open(operations(), open_operations(limits))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_groups_operations_make_a_registry() {
        assert!(!super::registry().unwrap().operations().is_empty());
    }
}
