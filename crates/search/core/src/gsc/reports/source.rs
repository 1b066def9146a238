//! The table that a report is read from.

use super::{
    catalogue::ReportKey,
    filter::{Filter, FilterDimension},
};

/// The table that the rows of a report are read from: the one that knows no more than its dimensions and filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// By query, country and device, counted by property.
    Queries,
    /// By page, country and device, counted by page.
    Pages,
    /// By query, page, country and device, counted by page.
    Pairs,
    /// By look and page, counted by page.
    Appearances,
    /// The sums of queries over all places.
    QuerySums,
    /// The sums of pages over all places.
    PageSums,
}

/// Dimensions that the upstream does not tell together: looks with anything but pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unrelated {
    /// The one that does not go with looks.
    pub dimension: FilterDimension,
}

impl Source {
    /// Where a report with these filters is read from.
    ///
    /// # Errors
    /// The upstream does not tell what it asks for.
    pub fn of(report: ReportKey, filters: &[Filter]) -> Result<Self, Unrelated> {
        let filtered: Vec<FilterDimension> = filters.iter().map(|filter| filter.dimension).collect();
        let placed: Vec<_> = filtered.iter().copied().enumerate().collect();
        if let Some((_, unrelated)) = Self::unrelated(report, &placed).into_iter().next() {
            return Err(unrelated);
        }
        let has = |dimension| report.dimensions().contains(&dimension) || filtered.contains(&dimension);
        if has(FilterDimension::SearchAppearance) {
            return Ok(Self::Appearances);
        }
        let has_places = has(FilterDimension::Country) || has(FilterDimension::Device);
        Ok(
            match (
                has(FilterDimension::Query),
                has(FilterDimension::Page),
                has_places,
            ) {
                (true, true, _) => Self::Pairs,
                (true, false, true) => Self::Queries,
                (true, false, false) => Self::QuerySums,
                (false, _, true) => Self::Pages,
                (false, _, false) => Self::PageSums,
            },
        )
    }

    /// The filters that do not go with the rest of a report, by their places. Where the report itself is told by more than
    /// pages, its filters of looks are at fault; else those of anything more, where there are looks.
    #[must_use]
    pub fn unrelated(report: ReportKey, filtered: &[(usize, FilterDimension)]) -> Vec<(usize, Unrelated)> {
        let own = report.dimensions();
        let strange = own.iter().copied().find(|own| !own.is_told_with_looks());
        let is_look = |told: FilterDimension| told == FilterDimension::SearchAppearance;
        let has_looks = own.iter().copied().any(is_look) || filtered.iter().any(|(_, told)| is_look(*told));
        let filtered = filtered.iter().filter(|_| has_looks);
        let unrelated = filtered.filter_map(|(place, told)| {
            let dimension = match strange {
                Some(strange) => Some(strange).filter(|_| is_look(*told)),
                None => Some(*told).filter(|told| !told.is_told_with_looks()),
            };
            Some((
                *place,
                Unrelated {
                    dimension: dimension?,
                },
            ))
        });
        unrelated.collect()
    }

    /// Its number, by which `search_rows` knows it.
    #[must_use]
    pub const fn code(self) -> i16 {
        match self {
            Self::Queries => 1,
            Self::Pages => 2,
            Self::Pairs => 3,
            Self::Appearances => 4,
            Self::QuerySums => 5,
            Self::PageSums => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Operator, *};

    fn source(report: ReportKey, filtered: &[FilterDimension]) -> Result<Source, Unrelated> {
        let filter = |dimension: &FilterDimension| Filter {
            dimension: *dimension,
            operator: Operator::Equals,
            expression: "x".to_owned(),
        };
        Source::of(report, &filtered.iter().map(filter).collect::<Vec<_>>())
    }

    #[test]
    fn a_report_is_read_from_the_table_that_knows_no_more_than_it_asks_for() {
        use FilterDimension::{Country, Device, Page, Query, SearchAppearance};
        let table = [
            (ReportKey::TopQueriesFull, vec![], Source::QuerySums),
            (ReportKey::TopQueriesFull, vec![Query], Source::QuerySums),
            (ReportKey::TopQueriesFull, vec![Device], Source::Queries),
            (ReportKey::TopQueriesFull, vec![Page, Device], Source::Pairs),
            (ReportKey::QueryCountryDevice, vec![], Source::Queries),
            (ReportKey::QueryPageMatrix, vec![], Source::Pairs),
            (ReportKey::PageDaily, vec![], Source::PageSums),
            (ReportKey::PageDaily, vec![Country], Source::Pages),
            (ReportKey::YearOverYear, vec![Query], Source::Pairs),
            (
                ReportKey::YearOverYear,
                vec![SearchAppearance],
                Source::Appearances,
            ),
            (ReportKey::SearchAppearancePages, vec![Page], Source::Appearances),
        ];
        for (report, filtered, expected) in table {
            assert_eq!(source(report, &filtered), Ok(expected), "{report} {filtered:?}");
        }
    }

    #[test]
    fn looks_are_told_by_page_alone() {
        for (report, filtered, dimension) in [
            (
                ReportKey::SearchAppearancePages,
                FilterDimension::Device,
                FilterDimension::Device,
            ),
            (
                ReportKey::TopQueriesFull,
                FilterDimension::SearchAppearance,
                FilterDimension::Query,
            ),
        ] {
            assert_eq!(source(report, &[filtered]), Err(Unrelated { dimension }));
        }
    }
}
