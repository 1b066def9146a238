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
    /// Whether it was added although there was one already.
    is_second: bool,
    /// An `Arc<T>` of the port's type `T`.
    port: Arc<dyn Any + Send + Sync>,
}

impl Ports {
    /// The same with `port`. One of the same type must not be there yet, which [`Ports::added_once`] says.
    #[must_use]
    pub fn with<T: ?Sized + Send + Sync + 'static>(self, port: Arc<T>) -> Self {
        let is_second = self.0.contains_key(&TypeId::of::<T>());
        self.put(port, is_second)
    }

    /// The same with `port` in the place of the one of the same type.
    #[must_use]
    pub fn with_instead<T: ?Sized + Send + Sync + 'static>(self, port: Arc<T>) -> Self {
        self.put(port, false)
    }

    fn put<T: ?Sized + Send + Sync + 'static>(mut self, port: Arc<T>, is_second: bool) -> Self {
        let entry = Entry {
            name: type_name::<T>(),
            is_second,
            port: Arc::new(port),
        };
        Arc::make_mut(&mut self.0).insert(TypeId::of::<T>(), entry);
        self
    }

    /// Whether nobody has added a port that was there already.
    ///
    /// # Errors
    /// Somebody has: a mistake of the program, for which it does not start.
    pub fn added_once(&self) -> Result<(), SecondPort> {
        let second = self.0.values().find(|entry| entry.is_second);
        second.map_or(Ok(()), |entry| Err(SecondPort(entry.name)))
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

/// A port that was added twice, by the name of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the port {0} is wired twice: one group alone implements it and adds it in its `PgGroup`")]
pub struct SecondPort(pub &'static str);

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
        let others = ports.clone().with_instead::<dyn Counter>(Arc::new(Fixed(8)));
        assert_eq!(others.get::<dyn Counter>().unwrap().count(), 8);
        assert_eq!(ports.get::<dyn Counter>().unwrap().count(), 7);
    }

    #[test]
    fn a_port_that_is_added_twice_is_refused_by_its_name() {
        let once = Ports::default().with::<dyn Counter>(Arc::new(Fixed(7)));
        assert_eq!(once.added_once(), Ok(()));
        let replaced = once.clone().with_instead::<dyn Counter>(Arc::new(Fixed(8)));
        assert_eq!(replaced.added_once(), Ok(()));
        let twice = once.clone().with::<dyn Counter>(Arc::new(Fixed(8)));
        let refusal = twice.added_once().unwrap_err().to_string();
        assert!(
            refusal.contains("dyn pharos_domain::ports::tests::Counter is wired twice"),
            "{refusal}"
        );
        assert_eq!(once.added_once(), Ok(()), "a clone is as it was");
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
