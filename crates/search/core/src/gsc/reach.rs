//! How far back imports of a property reach.

use std::collections::{BTreeMap, BTreeSet};

use pharos_domain::window::DateRange;
use time::Date;

use super::figures::SearchType;

/// The days of each search type that were imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The oldest day of each search type, with all after it. Those that nothing was imported of have none.
    pub reached: BTreeMap<SearchType, Date>,
    /// Days of each search type that could not be read yet.
    pub missed: BTreeSet<(SearchType, Date)>,
}

impl Reach {
    /// The oldest day that was imported of a search type, with all after it.
    #[must_use]
    pub fn oldest(&self, search_type: SearchType) -> Option<Date> {
        self.reached.get(&search_type).copied()
    }

    /// Whether all of a window was imported of a search type, as far back as it reaches, and every day of it could be read.
    #[must_use]
    pub fn reaches(&self, search_type: SearchType, window: DateRange) -> bool {
        self.oldest(search_type)
            .is_some_and(|from| from <= window.first())
            && !self.misses(search_type, window)
    }

    /// Whether a day was imported of a search type.
    #[must_use]
    pub fn has(&self, search_type: SearchType, date: Date) -> bool {
        self.oldest(search_type).is_some_and(|from| from <= date)
            && !self.missed.contains(&(search_type, date))
    }

    fn misses(&self, search_type: SearchType, window: DateRange) -> bool {
        let days = (search_type, window.first())..=(search_type, window.last());
        self.missed.range(days).next().is_some()
    }
}
