//! Histograms as they are stored: pairs of a step from the value before and a count, in the format of postcard.
//!
//! Numbers take few bytes where most are small: a day of response times takes some 1,800, and is sent as it is.

use pharos_domain::store::StoreError;

use super::histogram::Histogram;

impl Histogram {
    /// As it is stored.
    ///
    /// # Errors
    /// It could not be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoreError> {
        let mut last = 0;
        let steps: Vec<(u32, u32)> = self
            .counted()
            .iter()
            .map(|(value, count)| (value - std::mem::replace(&mut last, *value), *count))
            .collect();
        postcard::to_allocvec(&steps).map_err(|error| StoreError::Failed(Box::new(error)))
    }

    /// As it was stored.
    ///
    /// # Errors
    /// The bytes are no histogram.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("a histogram: {what}"));
        let mut counted: Vec<(u32, u32)> =
            postcard::from_bytes(bytes).map_err(|error| corrupt(&error.to_string()))?;
        let mut last: Option<u32> = None;
        for (value, _) in &mut counted {
            let next = last.unwrap_or(0).checked_add(*value);
            *value = next.ok_or_else(|| corrupt("a value out of range"))?;
            if last == Some(*value) {
                return Err(corrupt("a value that comes twice"));
            }
            last = Some(*value);
        }
        Ok(Self::in_order(counted))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::{
        collection::{btree_map, vec},
        prelude::*,
    };

    use super::*;

    /// Computed by hand from the description of the format: a length, then numbers of seven bits a byte, the lowest
    /// first.
    #[test]
    fn small_numbers_take_a_byte() {
        let values = Histogram::from(BTreeMap::from([(0, 1), (127, 2), (327, 300)]));
        assert_eq!(values.to_bytes().unwrap(), [3, 0, 1, 127, 2, 0xc8, 1, 0xac, 2]);
    }

    #[test]
    fn what_is_no_histogram_is_corrupt() {
        let beyond = postcard::to_allocvec(&[(u32::MAX, 1_u32), (1, 1)]).unwrap();
        // Nothing, half of one, a value out of range, and one that comes twice.
        for bytes in [&[][..], &[2, 5, 1], &beyond, &[2, 5, 1, 0, 1]] {
            let read = Histogram::from_bytes(bytes);
            assert!(matches!(read, Err(StoreError::Corrupt(_))), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(counted in btree_map(any::<u32>(), any::<u32>(), 0..50)) {
            let values = Histogram::from(counted);
            prop_assert_eq!(Histogram::from_bytes(&values.to_bytes().unwrap()).unwrap(), values);
        }

        /// Whatever lies in the table: it is refused, or is a histogram that holds what histograms do.
        #[test]
        fn bytes_of_any_kind_are_refused_or_in_order(bytes in vec(any::<u8>(), 0..60)) {
            if let Ok(values) = Histogram::from_bytes(&bytes) {
                prop_assert!(values.counted().windows(2).all(|pair| pair[0].0 < pair[1].0));
            }
        }
    }
}
