//! A region of a domain, as statements take it.

use pharos_uptime::complete::Key;
use uuid::Uuid;

/// The two columns that keys are bound as.
pub(super) fn columns(keys: Vec<Key>) -> (Vec<Uuid>, Vec<String>) {
    keys.into_iter()
        .map(|(domain, region)| (domain.0, region))
        .unzip()
}
