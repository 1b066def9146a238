//! Figures by day, and what is known of a day that has none.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange, wire_enum};
use time::Date;

use super::{
    figures::{Device, Figures, SearchType},
    place::{Country, Place},
    property::Property,
};

wire_enum! {
    /// Whether figures may still change.
    DataState as "SearchDataState" {
        /// They are final.
        Final = "final",
        /// Some days of the window are provisional, or have not been imported.
        All = "all",
        /// Figures by the hour, none of them final.
        HourlyAll = "hourly_all",
    }
}

wire_enum! {
    /// How impressions are counted.
    Aggregation as "SearchAggregation" {
        /// As the upstream sees fit.
        Auto = "auto",
        /// A result that shows several pages of the property is one impression.
        ByProperty = "by_property",
        /// It is one for each page.
        ByPage = "by_page",
        /// By panels of the showcase of news.
        ByNewsShowcasePanel = "by_news_showcase_panel",
    }
}

/// A day on which the property had anything in a search type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredDay {
    /// The search type.
    pub search_type: SearchType,
    /// The day that is stored.
    pub date: Date,
    /// The figures of the whole property.
    pub figures: Figures,
}

impl Property {
    /// Whether the figures of a day can't change any more.
    #[must_use]
    pub fn is_final(&self, date: Date) -> bool {
        self.data_through.is_some_and(|through| date <= through)
    }

    /// Whether those of a window can, in a search type. Days before what was imported may come yet.
    #[must_use]
    pub fn data_state(&self, search_type: SearchType, window: DateRange) -> DataState {
        if self.is_final(window.last()) && self.reach.reaches(search_type, window) {
            DataState::Final
        } else {
            DataState::All
        }
    }

    /// The newest day of a window that is final; `None` where the whole window lies outside of what was imported.
    #[must_use]
    pub fn final_through(&self, search_type: SearchType, window: DateRange) -> Option<Date> {
        let through = self.data_through?.min(window.last());
        let oldest = self.reach.oldest(search_type);
        oldest.is_some_and(|from| from <= through).then_some(through)
    }
}

/// The stored days, and the figures that follow for days without a row.
#[derive(Clone, Debug)]
pub struct History {
    days: BTreeMap<(SearchType, Date), Figures>,
    /// Days on which the property had something in any search type.
    lively: BTreeSet<Date>,
    property: Property,
}

impl History {
    /// The history of a property, of which these days are stored.
    #[must_use]
    pub fn new(property: Property, stored: Vec<StoredDay>) -> Self {
        Self {
            lively: stored.iter().map(|day| day.date).collect(),
            days: stored
                .into_iter()
                .map(|day| ((day.search_type, day.date), day.figures))
                .collect(),
            property,
        }
    }

    /// The property that the days are of.
    #[must_use]
    pub const fn property(&self) -> &Property {
        &self.property
    }

    fn tracks(&self, search_type: SearchType) -> bool {
        self.property.search_types.contains(&search_type)
    }

    /// The figures of a day. A day that is not there is 0 where a final day of a tracked search type was imported and had something
    /// in another; else nothing is known of it.
    #[must_use]
    pub fn day(&self, search_type: SearchType, date: Date) -> Option<Figures> {
        let stored = self.days.get(&(search_type, date)).copied();
        stored.or_else(|| {
            let is_counted = self.property.is_final(date)
                && self.lively.contains(&date)
                && self.tracks(search_type)
                && self.property.reach.has(search_type, date);
            is_counted.then(Figures::default)
        })
    }

    /// The figures of a window: the sum of the days that are stored. Without any, 0 where all days of a tracked search type are
    /// final and imported, and the property had something in another; else nothing is known.
    #[must_use]
    pub fn total(&self, search_type: SearchType, window: DateRange) -> Option<Figures> {
        let range = (search_type, window.first())..=(search_type, window.last());
        let mut stored = self.days.range(range).peekable();
        if stored.peek().is_some() {
            return Some(stored.map(|(_, figures)| *figures).sum());
        }
        let had_something = self.lively.range(window.first()..=window.last()).next().is_some();
        let is_counted = self.property.is_final(window.last())
            && had_something
            && self.tracks(search_type)
            && self.property.reach.reaches(search_type, window);
        is_counted.then(Figures::default)
    }

    /// The same of a window that another is compared with; `None` where it begins before what was imported.
    #[must_use]
    pub fn base(&self, search_type: SearchType, window: DateRange) -> Option<Figures> {
        self.total(search_type, window)
            .filter(|_| self.property.reach.reaches(search_type, window))
    }

    /// Whether anything is stored of a search type in a window.
    #[must_use]
    pub fn has_any(&self, search_type: SearchType, window: DateRange) -> bool {
        let range = (search_type, window.first())..=(search_type, window.last());
        self.days.range(range).next().is_some()
    }

    /// The figures of a part of the property on a day, of which `found` has the days with rows. A day without one is 0 where it
    /// is final and the property had something in the search type.
    #[must_use]
    pub fn part(
        &self,
        search_type: SearchType,
        date: Date,
        found: &BTreeMap<Date, Figures>,
    ) -> Option<Figures> {
        let stored = found.get(&date).copied();
        let is_counted = self.property.is_final(date) && self.days.contains_key(&(search_type, date));
        stored.or_else(|| is_counted.then(Figures::default))
    }
}

/// A part of a property: what fits all that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartFilter {
    /// Exactly this query.
    pub query: Option<String>,
    /// Exactly this page.
    pub page: Option<String>,
    /// A country.
    pub country: Option<Country>,
    /// A device.
    pub device: Option<Device>,
}

impl Aggregation {
    /// How the totals of a search type are counted. Those that rank nothing in a list are counted by page alone.
    #[must_use]
    pub const fn of_totals(search_type: SearchType) -> Self {
        if search_type.is_ranked() {
            Self::ByProperty
        } else {
            Self::ByPage
        }
    }
}

impl PartFilter {
    /// Whether it is the whole property.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }
}

/// Different queries and pages of a window, and what the queries come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many queries.
    pub queries: u64,
    /// How many pages.
    pub pages: u64,
    /// The clicks of all queries.
    pub query_clicks: u64,
    /// The impressions of all queries.
    pub query_impressions: u64,
}

/// Reads figures by day and place.
#[async_trait]
pub trait DayReads: Send + Sync {
    /// The days between the first and the last of these windows, in these search types.
    async fn days(
        &self,
        domain: &DomainAccess,
        search_types: &[SearchType],
        windows: &[DateRange],
    ) -> Result<Vec<StoredDay>, StoreError>;

    /// The different queries and pages of a window.
    async fn seen(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<Seen, StoreError>;

    /// The days of a part of the property that have rows; `None` where its query or page never occurred.
    async fn series(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
        part: &PartFilter,
    ) -> Result<Option<BTreeMap<Date, Figures>>, StoreError>;

    /// The figures of a window by place, in no order.
    async fn places(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<Vec<(Place, Figures)>, StoreError>;

    /// The figures of a window by the look of results, those with the most clicks first.
    async fn appearances(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<Vec<(String, Figures)>, StoreError>;
}

/// The sums of places that have something in common, the one with the most clicks first.
pub fn grouped<Key: Ord + Copy>(
    places: &[(Place, Figures)],
    key: impl Fn(Place) -> Key,
) -> Vec<(Key, Figures)> {
    let mut sums: BTreeMap<Key, Figures> = BTreeMap::new();
    for (place, figures) in places {
        *sums.entry(key(*place)).or_default() += *figures;
    }
    let mut sums: Vec<(Key, Figures)> = sums.into_iter().collect();
    // Stable: of the same in the order of their keys.
    sums.sort_by_key(|(_, figures)| std::cmp::Reverse((figures.clicks, figures.impressions)));
    sums
}

#[cfg(test)]
pub(super) mod tests {
    use time::{
        Duration,
        macros::{date, datetime},
    };

    use super::*;
    use crate::gsc::{
        property::{Permission, PropertyStatus},
        reach::Reach,
    };

    fn property(search_types: &[SearchType], data_through: Option<Date>) -> Property {
        Property {
            site_url: "sc-domain:ada.example".to_owned(),
            permission: Permission::Owner,
            status: PropertyStatus::Connected,
            linked_at: datetime!(2026-01-01 00:00 UTC),
            linked_by: None,
            last_sync_at: None,
            last_sync_status: None,
            last_failure: None,
            data_through,
            provisional_through: None,
            first_incomplete_date: None,
            first_incomplete_hour: None,
            reach: Reach {
                reached: search_types
                    .iter()
                    .map(|search_type| (*search_type, date!(2026 - 03 - 01)))
                    .collect(),
                missed: BTreeSet::new(),
            },
            search_types: search_types.to_vec(),
        }
    }

    pub(in crate::gsc) fn figures(clicks: u64, impressions: u64) -> Figures {
        Figures {
            clicks,
            impressions,
            position_sum: impressions as f64 * 2.0,
        }
    }

    pub(in crate::gsc) fn window(first: Date, last: Date) -> DateRange {
        DateRange::new(first, last).unwrap()
    }

    /// Web has the 2nd and the 5th, of which the 5th is provisional; Discover is tracked and has nothing, News is not tracked.
    pub(in crate::gsc) fn history() -> History {
        let tracked = [SearchType::Web, SearchType::Discover];
        let stored = |date, clicks| StoredDay {
            search_type: SearchType::Web,
            date,
            figures: figures(clicks, 10),
        };
        History::new(
            property(&tracked, Some(date!(2026 - 03 - 04))),
            vec![stored(date!(2026 - 03 - 02), 3), stored(date!(2026 - 03 - 05), 1)],
        )
    }

    #[test]
    fn a_day_without_a_row_is_zero_only_where_others_had_something_and_it_is_final() {
        let history = history();
        let (second, fifth) = (date!(2026 - 03 - 02), date!(2026 - 03 - 05));
        assert_eq!(history.day(SearchType::Web, second), Some(figures(3, 10)));
        assert_eq!(
            history.day(SearchType::Discover, second),
            Some(Figures::default())
        );
        assert_eq!(history.day(SearchType::News, second), None, "not tracked");
        assert_eq!(
            history.day(SearchType::Web, date!(2026 - 03 - 03)),
            None,
            "nothing at all"
        );
        assert_eq!(history.day(SearchType::Discover, fifth), None, "not final");
        assert!(!history.property.is_final(fifth) && history.property.is_final(date!(2026 - 03 - 04)));
    }

    #[test]
    fn a_day_without_a_row_is_unknown_where_it_was_not_imported() {
        let (first, second, third) = (
            date!(2026 - 03 - 01),
            date!(2026 - 03 - 02),
            date!(2026 - 03 - 03),
        );
        let discover = |from: Option<Date>, missed: &[Date]| {
            let mut history = history();
            let reached = from.map(|from| (SearchType::Discover, from));
            let missed = missed.iter().map(|date| (SearchType::Discover, *date));
            history.property.reach = Reach {
                reached: reached.into_iter().collect(),
                missed: missed.collect(),
            };
            history
        };
        let zero = Some(Figures::default());
        for (history, state, expected) in [
            (discover(Some(second), &[]), DataState::Final, zero),
            (discover(Some(third), &[]), DataState::All, None),
            (discover(None, &[]), DataState::All, None),
            (discover(Some(first), &[second]), DataState::All, None),
            (discover(Some(first), &[third]), DataState::Final, zero),
        ] {
            let (property, asked) = (&history.property, window(second, second));
            assert_eq!(
                history.day(SearchType::Discover, second),
                expected,
                "{property:?}"
            );
            assert_eq!(
                history.total(SearchType::Discover, asked),
                expected,
                "{property:?}"
            );
            assert_eq!(property.data_state(SearchType::Discover, asked), state);
        }
    }

    #[test]
    fn a_window_without_rows_is_zero_only_where_it_is_covered() {
        let history = history();
        let covered = window(date!(2026 - 03 - 01), date!(2026 - 03 - 04));
        let beyond = window(date!(2026 - 03 - 01), date!(2026 - 03 - 05));
        assert_eq!(history.total(SearchType::Web, beyond), Some(figures(4, 20)));
        assert_eq!(
            history.total(SearchType::Discover, covered),
            Some(Figures::default())
        );
        assert_eq!(history.total(SearchType::Discover, beyond), None);
        assert_eq!(history.total(SearchType::News, covered), None);
        let empty = window(date!(2026 - 03 - 03), date!(2026 - 03 - 04));
        assert_eq!(history.total(SearchType::Web, empty), None);
        let state = |window| history.property.data_state(SearchType::Web, window);
        assert_eq!(state(covered), DataState::Final);
        assert_eq!(state(beyond), DataState::All);
    }

    /// The history begins on 1 March, and is final up to the 4th.
    #[test]
    fn what_was_not_imported_is_not_final() {
        let history = history();
        let property = &history.property;
        for (first, last, state, through) in [
            (1, 4, DataState::Final, Some(4)),
            (2, 3, DataState::Final, Some(3)),
            (1, 9, DataState::All, Some(4)),
            (-5, 3, DataState::All, Some(3)),
            (-5, 0, DataState::All, None),
        ] {
            let day = |number| date!(2026 - 02 - 28) + Duration::days(number);
            let asked = window(day(first), day(last));
            assert_eq!(property.data_state(SearchType::Web, asked), state, "{asked:?}");
            assert_eq!(
                property.final_through(SearchType::Web, asked),
                through.map(day),
                "{asked:?}"
            );
        }
    }

    #[test]
    fn a_base_before_the_history_is_unknown() {
        let history = history();
        let early = window(date!(2026 - 02 - 28), date!(2026 - 03 - 02));
        assert_eq!(history.total(SearchType::Web, early), Some(figures(3, 10)));
        assert_eq!(history.base(SearchType::Web, early), None);
        assert_eq!(
            history.base(
                SearchType::Web,
                window(date!(2026 - 03 - 01), date!(2026 - 03 - 02))
            ),
            Some(figures(3, 10))
        );
    }

    #[test]
    fn places_are_added_up_by_what_they_have_in_common() {
        let place = |letters, device| Place {
            country: Country::new(letters),
            device: Some(device),
        };
        let places = [
            (place("DE", Device::Mobile), figures(1, 5)),
            (place("FR", Device::Mobile), figures(3, 4)),
            (place("DE", Device::Desktop), figures(2, 5)),
        ];
        let countries = grouped(&places, |place| place.country);
        assert_eq!(
            countries,
            [
                (Country::new("DE"), figures(3, 10)),
                (Country::new("FR"), figures(3, 4))
            ]
        );
    }
}
