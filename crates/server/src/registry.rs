//! All operations of all groups.

use pharos_http::registry::{Registry, RegistryError};

/// The one registry.
///
/// # Errors
/// The groups' operations contradict each other; the tests of this crate would have failed.
pub fn registry() -> Result<Registry, RegistryError> {
    let mut operations = pharos_account::http::operations();
    operations.extend(pharos_uptime::http::operations());
    Registry::with_open(operations, pharos_auth::oauth::http::operations())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_groups_operations_make_a_registry() {
        assert!(!super::registry().unwrap().operations().is_empty());
    }
}
