//! Stored names back into what they name.

use std::str::FromStr;

use pharos_domain::{
    hostname::Hostname,
    store::{StoreError, UnknownName},
};

/// A stored list of names as a set or a list.
pub fn all<T, C>(names: &[String]) -> Result<C, StoreError>
where
    T: FromStr<Err = UnknownName>,
    C: FromIterator<T>,
{
    Ok(names
        .iter()
        .map(|name| name.parse())
        .collect::<Result<C, UnknownName>>()?)
}

/// Those of a stored list of names that this version knows: nodes are upgraded one by one, and one of a later version may have
/// stored others.
#[must_use]
pub fn known<T, C>(names: &[String]) -> C
where
    T: FromStr<Err = UnknownName>,
    C: FromIterator<T>,
{
    names.iter().filter_map(|name| name.parse::<T>().ok()).collect()
}

/// A stored name of a host.
pub fn hostname(name: &str) -> Result<Hostname, StoreError> {
    name.parse()
        .map_err(|_| StoreError::Corrupt(format!("{name:?} is not a hostname")))
}

/// A stored count, which is never negative.
pub fn count<N, T: TryFrom<N>>(number: N) -> Result<T, StoreError>
where
    N: Copy + std::fmt::Display,
{
    T::try_from(number).map_err(|_| StoreError::Corrupt(format!("{number} is out of range")))
}
