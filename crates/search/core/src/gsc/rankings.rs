//! Values that came, went or moved between two windows.

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetRequest, PageRequest},
    store::StoreError,
    window::DateRange,
    wire_enum,
};
use time::Date;

use super::{
    curve::CtrCurve,
    days::History,
    figures::{Figures, SearchType},
    property::Property,
    values::{Dimension, ValueId},
};

/// A value that had no impression in the base window.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRanking {
    /// The query or page.
    pub value: String,
    /// Its figures in the window.
    pub figures: Figures,
    /// The first day of the window on which it was seen.
    pub first_seen_on: Date,
    /// Its best daily position there; `None` where the search type has none.
    pub best_position: Option<f64>,
    /// For a query: the page with the most clicks for it; `None` where the upstream does not tell.
    pub top_page: Option<String>,
}

/// A value that had impressions in the base window, but none in the window.
#[derive(Clone, Debug, PartialEq)]
pub struct LostRanking {
    /// The number that it has in the dictionary.
    pub id: ValueId,
    /// The query or page.
    pub value: String,
    /// Its figures in the base window.
    pub base: Figures,
    /// The last day on which it was seen.
    pub last_seen_on: Date,
    /// Its position on that day; `None` where the search type has none.
    pub last_position: Option<f64>,
    /// The share of what it appeared with in the base window that is still seen, by impressions, 0 to 1: the pages of a query,
    /// or the queries of a page. `None`: the upstream did not say what it appeared with.
    pub kept_share: Option<f64>,
    /// For a page: whether inspections since the base window began found that it left the index, and the newest says that it is
    /// not in it.
    pub is_deindexed: bool,
}

wire_enum! {
    /// The likely reason why a value is not seen any more.
    LostReason as "SearchLostReason" {
        /// People do not search for it any more.
        DemandGone = "demand_gone",
        /// The page is not in the index any more.
        Deindexed = "deindexed",
        /// It fell in the results before it was gone.
        RankLost = "rank_lost",
        /// Other pages of the site are shown for its queries.
        Consolidated = "consolidated",
        /// None of these is likely.
        Unknown = "unknown",
    }
}

/// By how many positions it has to stand worse on its last day than on average for its rank to be the reason.
const FALL: f64 = 5.0;
/// The least share of what it appeared with that counts as still seen.
const MOST: f64 = 0.5;

impl LostRanking {
    /// The likely reason; `None` where nothing can be derived.
    ///
    /// - A page left the index: deindexed.
    /// - Most of the queries that a page was shown for are still seen, so other pages are shown: consolidated.
    /// - It stood five positions worse on its last day than on average: the rank was lost.
    /// - The pages of a query are still seen, or none of the queries of a page is, so nobody searches for it: the demand is gone.
    #[must_use]
    pub fn likely_reason(&self, dimension: Dimension) -> Option<LostReason> {
        let fell = self
            .last_position
            .zip(self.base.position())
            .is_some_and(|(last, average)| last - average >= FALL);
        let kept = self.kept_share;
        let is_kept = kept.is_some_and(|share| share >= MOST);
        match dimension {
            Dimension::Page if self.is_deindexed => Some(LostReason::Deindexed),
            Dimension::Page if is_kept => Some(LostReason::Consolidated),
            _ if fell => Some(LostReason::RankLost),
            Dimension::Query if is_kept => Some(LostReason::DemandGone),
            Dimension::Page if kept == Some(0.0) => Some(LostReason::DemandGone),
            _ => kept.map(|_| LostReason::Unknown),
        }
    }
}

wire_enum! {
    /// Which movers are listed.
    Movement as "SearchMovement" {
        /// Those with more clicks than before.
        Up = "up",
        /// Those with fewer.
        Down = "down",
        /// Both.
        Both = "both",
    }
}

wire_enum! {
    /// The part to which most of a change of clicks is owed.
    Driver as "SearchDriver" {
        /// How often it was seen.
        Demand = "demand",
        /// Where it stood.
        Rank = "rank",
        /// How often it was clicked where it stood.
        Ctr = "ctr",
        /// No part is most of it.
        Mixed = "mixed",
    }
}

/// A value that was seen in both windows.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The query or page.
    pub value: String,
    /// Its figures in the window.
    pub figures: Figures,
    /// Its figures in the window before.
    pub before: Figures,
}

/// A change of clicks, split into its causes. The parts have six decimals, in which they add up to the change exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drivers {
    /// Clicks that are owed to how often it was seen.
    pub demand: f64,
    /// Clicks that are owed to where it stood.
    pub rank: f64,
    /// Clicks that are owed to how often it was clicked where it stood.
    pub ctr: f64,
}

/// A number with six decimals.
fn millionths(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The least share of one part that makes it the driver. The share is of all parts without their signs.
const DRIVES: f64 = 0.6;

impl Mover {
    /// How many clicks more it has; fewer are negative.
    #[must_use]
    pub fn clicks_change(&self) -> i64 {
        difference(self.figures.clicks, self.before.clicks)
    }

    /// How many impressions more it has.
    #[must_use]
    pub fn impressions_change(&self) -> i64 {
        difference(self.figures.impressions, self.before.impressions)
    }

    /// The parts of the change: demand is the change of impressions at the old rate; rank the new impressions at the difference of
    /// what the curve expects at both positions, 0 where there are no positions; the rate is the rest.
    #[must_use]
    pub fn drivers(&self, curve: &CtrCurve) -> Drivers {
        let change = self.clicks_change() as f64;
        let demand = millionths(self.impressions_change() as f64 * self.before.ctr().unwrap_or(0.0));
        let expected = |figures: &Figures| figures.position().map(|position| curve.expected(position));
        let rank = expected(&self.figures)
            .zip(expected(&self.before))
            .map_or(0.0, |(now, before)| {
                millionths(self.figures.impressions as f64 * (now - before))
            });
        Drivers {
            demand,
            rank,
            // A difference of decimals has as few digits, but for the error of a double.
            ctr: millionths(change - demand - rank),
        }
    }
}

impl Drivers {
    /// The part that most of the change is owed to.
    #[must_use]
    pub fn driver(&self) -> Driver {
        let all = self.demand.abs() + self.rank.abs() + self.ctr.abs();
        let drives = |part: f64| part.abs() >= DRIVES * all && all > 0.0;
        if drives(self.demand) {
            Driver::Demand
        } else if drives(self.rank) {
            Driver::Rank
        } else if drives(self.ctr) {
            Driver::Ctr
        } else {
            Driver::Mixed
        }
    }
}

/// Counts of a site lie far below the bound.
fn difference(now: u64, before: u64) -> i64 {
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    signed(now).saturating_sub(signed(before))
}

/// Two windows of the values of a search type.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// The search type.
    pub search_type: SearchType,
    /// Whether the values are queries or pages.
    pub dimension: Dimension,
    /// The window.
    pub window: DateRange,
    /// As many days, right before.
    pub base: DateRange,
}

impl Between {
    /// Whether all of the base window was imported: else nothing can be told to have moved, or to be new.
    #[must_use]
    pub fn is_compared(&self, property: &Property) -> bool {
        property.reach.reaches(self.search_type, self.base)
    }

    /// Whether anything is known of the window: else nothing can be told to be lost.
    #[must_use]
    pub fn is_known(&self, history: &History) -> bool {
        history.has_any(self.search_type, self.window)
    }

    /// Whether the search type has such values.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.dimension.is_of(self.search_type)
    }
}

/// Those whose clicks changed the most; none where nothing can be told to have moved.
///
/// # Errors
/// The store failed.
pub async fn moved(
    reads: &dyn RankingReads,
    domain: &DomainAccess,
    property: &Property,
    between: &Between,
    movement: Movement,
    most: u16,
) -> Result<Vec<Mover>, StoreError> {
    if between.is_compared(property) && between.has_values() {
        reads.movers(domain, between, movement, most).await
    } else {
        Ok(Vec::new())
    }
}

/// The new values, the most clicks first, and how many in all; `None` where nothing can be told to be new.
///
/// # Errors
/// The store failed.
pub async fn new(
    reads: &dyn RankingReads,
    domain: &DomainAccess,
    property: &Property,
    between: &Between,
    page: OffsetRequest,
) -> Result<(Vec<NewRanking>, Option<u64>), StoreError> {
    if !between.has_values() {
        return Ok((Vec::new(), Some(0)));
    }
    if !between.is_compared(property) {
        return Ok((Vec::new(), None));
    }
    let (found, total) = reads.new_rankings(domain, between, page).await?;
    Ok((found, Some(total)))
}

/// The lost values, the most clicks first: one more than the page has, where there are more. None where nothing can be told to be
/// lost.
///
/// # Errors
/// The store failed.
pub async fn lost(
    reads: &dyn RankingReads,
    domain: &DomainAccess,
    history: &History,
    between: &Between,
    page: &PageRequest<i64, i64>,
) -> Result<Vec<LostRanking>, StoreError> {
    if between.is_known(history) && between.has_values() {
        reads.lost_rankings(domain, between, page).await
    } else {
        Ok(Vec::new())
    }
}

/// Reads what came, went and moved.
#[async_trait]
pub trait RankingReads: Send + Sync {
    /// The new values, the most clicks first, and how many in all.
    async fn new_rankings(
        &self,
        domain: &DomainAccess,
        between: &Between,
        page: OffsetRequest,
    ) -> Result<(Vec<NewRanking>, u64), StoreError>;

    /// The lost values, the most clicks first: one more than the page has, if there are more.
    async fn lost_rankings(
        &self,
        domain: &DomainAccess,
        between: &Between,
        page: &PageRequest<i64, i64>,
    ) -> Result<Vec<LostRanking>, StoreError>;

    /// The values whose clicks changed the most.
    async fn movers(
        &self,
        domain: &DomainAccess,
        between: &Between,
        movement: Movement,
        most: u16,
    ) -> Result<Vec<Mover>, StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::gsc::{
        curve::{POSITIONS, Sample},
        days::tests::{history, window},
    };

    /// Imported from 1 March on; of web search the 2nd and the 5th are stored.
    #[test]
    fn only_what_was_imported_is_compared() {
        let history = history();
        let days = |first, last| {
            window(
                date!(2026 - 03 - 01) + time::Duration::days(first),
                date!(2026 - 03 - 01) + time::Duration::days(last),
            )
        };
        let between = |base, window| Between {
            search_type: SearchType::Web,
            dimension: Dimension::Query,
            window,
            base,
        };
        let stored = between(days(0, 3), days(4, 7));
        assert!(stored.is_compared(history.property()) && stored.is_known(&history));
        let before = between(days(-1, 3), days(4, 8));
        assert!(!before.is_compared(history.property()) && before.is_known(&history));
        let between_them = between(days(0, 1), days(2, 3));
        assert!(between_them.is_compared(history.property()) && !between_them.is_known(&history));
        let discover = Between {
            search_type: SearchType::Discover,
            ..stored
        };
        assert!(stored.has_values() && !discover.has_values());
    }

    fn figures(clicks: u64, impressions: u64, position: f64) -> Figures {
        Figures {
            clicks,
            impressions,
            position_sum: position * impressions as f64,
        }
    }

    fn mover(figures: Figures, before: Figures) -> Mover {
        Mover {
            value: "red shoes".to_owned(),
            figures,
            before,
        }
    }

    /// By hand, with the published curve: 0.157 at 2, 0.080 at 4. Before: 10 clicks of 100 at 4. Now: 40 of 200 at 2. Demand is
    /// 100 more at 10 %: 10. Rank is 200 times 0.077: 15.4. The rest of 30 is 4.6. Rank is 15.4 of 30, so it is mixed.
    #[test]
    fn a_change_is_split_into_parts_that_add_up() {
        let generic = CtrCurve::of([Sample::default(); POSITIONS]);
        let moved = mover(figures(40, 200, 2.0), figures(10, 100, 4.0));
        let parts = moved.drivers(&generic);
        assert!((parts.demand - 10.0).abs() < 1e-9);
        assert!((parts.rank - 15.4).abs() < 1e-9);
        assert!((parts.ctr - 4.6).abs() < 1e-9);
        assert_eq!(parts.driver(), Driver::Mixed);
        // Twice as many saw it, where it stood, and clicked as often.
        let seen = mover(figures(20, 200, 4.0), figures(10, 100, 4.0)).drivers(&generic);
        assert_eq!((seen.demand, seen.rank, seen.ctr), (10.0, 0.0, 0.0));
        assert_eq!(seen.driver(), Driver::Demand);
        // As many saw it and it stood where it did.
        let clicked = mover(figures(2, 100, 4.0), figures(10, 100, 4.0)).drivers(&generic);
        assert_eq!((clicked.demand, clicked.rank, clicked.ctr), (0.0, 0.0, -8.0));
        assert_eq!(clicked.driver(), Driver::Ctr);
        // Without positions nothing is owed to them.
        let unranked = |clicks, impressions| figures(clicks, impressions, 0.0);
        let discover = mover(unranked(8, 100), unranked(4, 50)).drivers(&generic);
        assert_eq!((discover.demand, discover.rank, discover.ctr), (4.0, 0.0, 0.0));
    }

    /// Sevenths and ninths, which no decimals end.
    #[test]
    fn parts_that_no_decimals_end_add_up_to_the_millionth() {
        let generic = CtrCurve::of([Sample::default(); POSITIONS]);
        for (clicks, impressions, position) in [(13, 1_000, 3.7), (999, 123_457, 8.1), (0, 1, 19.9)] {
            let moved = mover(
                figures(clicks, impressions, position),
                figures(1, 7, 4.0 + 2.0 / 9.0),
            );
            let parts = moved.drivers(&generic);
            let parts = [parts.demand, parts.rank, parts.ctr];
            let told = parts.map(|part| (part * 1e6).round());
            assert_eq!(parts, told.map(|whole| whole / 1e6));
            // Doubles have whole numbers of this size exactly.
            assert_eq!(told.iter().sum::<f64>(), moved.clicks_change() as f64 * 1e6);
        }
    }

    #[test]
    fn exactly_six_tenths_drive() {
        let parts = |demand, rank, ctr| Drivers { demand, rank, ctr }.driver();
        assert_eq!(parts(6.0, -2.0, 2.0), Driver::Demand);
        assert_eq!(parts(5.9, -2.0, 2.1), Driver::Mixed);
        assert_eq!(parts(1.0, -7.0, 2.0), Driver::Rank);
        assert_eq!(parts(0.0, 0.0, 0.0), Driver::Mixed);
    }

    #[test]
    fn the_reason_follows_from_what_is_left() {
        let lost = |last_position: f64, kept_share| LostRanking {
            id: ValueId(1),
            value: "red shoes".to_owned(),
            base: figures(5, 100, 6.0),
            last_seen_on: date!(2026 - 03 - 02),
            last_position: Some(last_position),
            kept_share,
            is_deindexed: false,
        };
        let reason =
            |dimension, last_position, kept_share| lost(last_position, kept_share).likely_reason(dimension);
        use Dimension::{Page, Query};
        assert_eq!(reason(Query, 6.0, Some(1.0)), Some(LostReason::DemandGone));
        assert_eq!(reason(Query, 11.0, Some(1.0)), Some(LostReason::RankLost));
        assert_eq!(reason(Query, 10.9, Some(0.4)), Some(LostReason::Unknown));
        assert_eq!(reason(Query, 6.0, None), None);
        assert_eq!(reason(Page, 30.0, Some(0.5)), Some(LostReason::Consolidated));
        assert_eq!(reason(Page, 30.0, Some(0.4)), Some(LostReason::RankLost));
        assert_eq!(reason(Page, 6.0, Some(0.0)), Some(LostReason::DemandGone));
        assert_eq!(reason(Page, 6.0, Some(0.1)), Some(LostReason::Unknown));
        assert_eq!(reason(Page, 6.0, None), None);
        // Others are shown for what it was shown for, and yet it is not in the index.
        for kept_share in [None, Some(1.0)] {
            let deindexed = LostRanking {
                is_deindexed: true,
                ..lost(30.0, kept_share)
            };
            assert_eq!(deindexed.likely_reason(Page), Some(LostReason::Deindexed));
        }
    }
}
