//! Which views a read is about, and lists that are cut.

use pharos_domain::{day::Day, window::DateRange, wire_enum};
use serde::{Deserialize, Deserializer, de};

use crate::overview::ViewFilter;

/// The views that a read is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenViews {
    /// The UTC days on which they began.
    pub days: DateRange,
    /// The properties that they have in common.
    pub filter: ViewFilter,
}

/// How many rows a list has at most.
pub const MOST_ROWS: usize = 1_000;
/// Below so many views a figure says little.
pub const LOW_SAMPLE: u64 = 50;

/// The first rows of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked<T> {
    /// At most [`MOST_ROWS`].
    pub rows: Vec<T>,
    /// Whether there are more.
    pub is_truncated: bool,
}

impl<T> Ranked<T> {
    /// The list of `rows`, of which there may be one more than it has.
    #[must_use]
    pub fn of(mut rows: Vec<T>) -> Self {
        let is_truncated = rows.len() > MOST_ROWS;
        rows.truncate(MOST_ROWS);
        Self { rows, is_truncated }
    }

    /// The list of what each row is turned into.
    #[must_use]
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Ranked<U> {
        Ranked {
            rows: self.rows.into_iter().map(turn).collect(),
            is_truncated: self.is_truncated,
        }
    }

    /// How many rows there are; `None` where there are more than the list has.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        (!self.is_truncated).then_some(self.rows.len() as u64)
    }
}

wire_enum! {
    /// A class of device, in the order of the numbers that stand for it.
    DeviceName as "RumDevice" {
        /// A computer.
        Desktop = "desktop",
        /// A phone.
        Mobile = "mobile",
        /// A tablet.
        Tablet = "tablet",
        /// A television.
        Tv = "tv",
        /// A games console.
        Console = "console",
        /// Anything else.
        Other = "other",
    }
}

/// Reads a day as the API writes it.
pub(crate) fn day<'de, D: Deserializer<'de>>(told: D) -> Result<Day, D::Error> {
    String::deserialize(told)?.parse().map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_devices_are_those_that_are_stored() {
        let stored =
            pharos_domain::collect::client::Device::ALL.map(|device| (device as usize, device.name()));
        let named: Vec<_> = DeviceName::ALL
            .iter()
            .map(|name| (*name as usize, name.as_str()))
            .collect();
        assert_eq!(named, stored);
    }

    #[test]
    fn a_list_that_is_cut_has_no_total() {
        let whole = Ranked::of(vec![(); MOST_ROWS]);
        assert_eq!((whole.is_truncated, whole.total()), (false, Some(1_000)));
        let cut = Ranked::of(vec![(); MOST_ROWS + 1]);
        assert_eq!((cut.rows.len(), cut.total()), (MOST_ROWS, None));
    }
}
