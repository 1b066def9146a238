//! The operations by their ids, for what tells callers about calls.

use std::collections::HashMap;

use crate::{registry::Registry, spec::OperationSpec};

/// The specs of all operations, read off the registry once.
#[derive(Clone, Debug)]
pub struct Catalogue {
    specs: Vec<&'static OperationSpec>,
    by_id: HashMap<&'static str, &'static OperationSpec>,
}

impl Catalogue {
    /// Reads the registry.
    #[must_use]
    pub fn of(registry: &Registry) -> Self {
        let specs: Vec<_> = registry
            .operations()
            .iter()
            .map(|operation| operation.spec)
            .collect();
        Self {
            by_id: specs.iter().map(|spec| (spec.id, *spec)).collect(),
            specs,
        }
    }

    /// All operations, in the order of the registry.
    #[must_use]
    pub fn specs(&self) -> &[&'static OperationSpec] {
        &self.specs
    }

    /// The operation of an id; `None` where only another version of Pharos has it.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&'static OperationSpec> {
        self.by_id.get(id).copied()
    }
}
