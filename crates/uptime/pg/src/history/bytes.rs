//! Distributions as they are stored: pairs of a step from the time before and a count, in the format of postcard.
//!
//! Numbers of few bytes where most are small: a day takes some 1,800 bytes, and no work but to be sent.

use pharos_domain::store::StoreError;
use pharos_uptime::history::distribution::Distribution;

/// As it is stored.
pub(crate) fn write(distribution: &Distribution) -> Result<Vec<u8>, StoreError> {
    let mut last = 0;
    let steps: Vec<(u32, u32)> = distribution
        .counted()
        .iter()
        .map(|(micros, count)| (micros - std::mem::replace(&mut last, *micros), *count))
        .collect();
    postcard::to_allocvec(&steps).map_err(|error| StoreError::Failed(Box::new(error)))
}

/// As it was stored.
pub(crate) fn read(bytes: &[u8]) -> Result<Distribution, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt(format!("a distribution of times: {what}"));
    let mut counted: Vec<(u32, u32)> =
        postcard::from_bytes(bytes).map_err(|error| corrupt(&error.to_string()))?;
    let mut last = 0_u32;
    for (micros, _) in &mut counted {
        last = last
            .checked_add(*micros)
            .ok_or_else(|| corrupt("a time out of range"))?;
        *micros = last;
    }
    Ok(Distribution::new(counted))
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_map, prelude::*};

    use super::*;

    /// Worked out by hand from the description of the format: a length, then numbers of seven bits a byte, the lowest
    /// first.
    #[test]
    fn small_numbers_take_a_byte() {
        let times = Distribution::new(vec![(0, 1), (127, 2), (327, 300)]);
        assert_eq!(write(&times).unwrap(), [3, 0, 1, 127, 2, 0xc8, 1, 0xac, 2]);
    }

    #[test]
    fn what_is_no_distribution_is_corrupt() {
        let beyond = postcard::to_allocvec(&[(u32::MAX, 1_u32), (1, 1)]).unwrap();
        // Nothing, half of one, and a time out of range.
        for bytes in [&[][..], &[2, 5, 1], &beyond] {
            assert!(matches!(read(bytes), Err(StoreError::Corrupt(_))), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(counted in btree_map(any::<u32>(), any::<u32>(), 0..50)) {
            let times = Distribution::new(counted.into_iter().collect());
            prop_assert_eq!(read(&write(&times).unwrap()).unwrap(), times);
        }
    }
}
