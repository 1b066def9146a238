//! Updates of a search engine's ranking, which one group knows and others heed in their figures.

use time::Date;

use crate::window::DateRange;

/// The updates of rankings that are known.
pub trait RankingUpdates: Send + Sync {
    /// The days of a window on which one began, in order.
    fn begun(&self, window: DateRange) -> Vec<Date>;
}
