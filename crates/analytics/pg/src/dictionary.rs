//! The numbers that stand for texts in sessions, hits and roll-ups.

use pharos_analytics::dimension::{Dimension, LONGEST_VALUE, MOST_NEW_VALUES, OTHER};
use pharos_persistence::dictionary::{self, DictionaryBounds, DictionaryTable};

/// The number of a dimension in the tables.
pub(crate) const fn number(dimension: Dimension) -> i16 {
    dimension as i16
}

/// The tables of the dictionary.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Values;

impl DictionaryTable for Values {
    type Dimension = Dimension;

    const BOUNDS: DictionaryBounds = DictionaryBounds {
        longest: LONGEST_VALUE,
        most_new: MOST_NEW_VALUES,
        other: OTHER,
        remembered: 64 << 20,
    };

    fn number(dimension: Dimension) -> i16 {
        number(dimension)
    }

    pharos_persistence::dictionary_table!(table: "analytics_values", counts: "analytics_new_values");
}

/// The texts that a batch needs the numbers of.
pub(crate) type Wanted = dictionary::Wanted<Values>;
/// Their numbers.
pub(crate) type Numbers = dictionary::Numbers<Values>;
