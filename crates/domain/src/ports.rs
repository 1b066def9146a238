//! The ports of a process, by their types: groups add what they implement, and handlers, reporters and background work
//! take what they need.

use std::{
    any::{Any, TypeId, type_name},
    collections::HashMap,
    fmt,
    sync::Arc,
};

/// Ports by their types. Clones share them.
#[derive(Clone, Default)]
pub struct Ports(Arc<HashMap<TypeId, Entry>>);

#[derive(Clone)]
struct Entry {
    name: &'static str,
    /// An `Arc<T>` of the port's type `T`.
    port: Arc<dyn Any + Send + Sync>,
}

impl Ports {
    /// The same with `port`, in the place of one of the same type.
    #[must_use]
    pub fn with<T: ?Sized + Send + Sync + 'static>(mut self, port: Arc<T>) -> Self {
        let entry = Entry {
            name: type_name::<T>(),
            port: Arc::new(port),
        };
        Arc::make_mut(&mut self.0).insert(TypeId::of::<T>(), entry);
        self
    }

    /// The port of the type `T`.
    ///
    /// # Errors
    /// Nobody has added one: a mistake of the program, for which it does not start.
    pub fn get<T: ?Sized + Send + Sync + 'static>(&self) -> Result<Arc<T>, MissingPort> {
        let entry = self.0.get(&TypeId::of::<T>());
        let port = entry.and_then(|entry| entry.port.downcast_ref::<Arc<T>>());
        port.cloned().ok_or(MissingPort(type_name::<T>()))
    }
}

impl fmt::Debug for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.0.values().map(|entry| entry.name))
            .finish()
    }
}

/// A port that no group has added, by the name of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the port {0} is not wired: the group that implements it adds it in its `PgGroup`")]
pub struct MissingPort(pub &'static str);

#[cfg(test)]
mod tests {
    use super::*;

    trait Counter: Send + Sync {
        fn count(&self) -> u32;
    }

    struct Fixed(u32);

    impl Counter for Fixed {
        fn count(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn a_port_is_found_by_its_type() {
        let ports = Ports::default().with::<dyn Counter>(Arc::new(Fixed(7)));
        assert_eq!(ports.get::<dyn Counter>().unwrap().count(), 7);
        let others = ports.clone().with::<dyn Counter>(Arc::new(Fixed(8)));
        assert_eq!(others.get::<dyn Counter>().unwrap().count(), 8);
        assert_eq!(ports.get::<dyn Counter>().unwrap().count(), 7);
    }

    #[test]
    fn a_port_that_is_missing_is_named() {
        let missing = Ports::default().get::<dyn Counter>().err().unwrap();
        let sentence = missing.to_string();
        assert!(
            sentence.contains("dyn pharos_domain::ports::tests::Counter"),
            "{sentence}"
        );
    }
}
