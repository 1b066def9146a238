//! Queries and pages: lists of them, and one of them in detail.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetRequest, SortOrder},
    store::StoreError,
    window::DateRange,
    wire_enum,
};

use super::{
    config::Brand,
    days::PartFilter,
    figures::{Figures, SearchType},
    place::Place,
};

wire_enum! {
    /// The kind of values.
    Dimension as "SearchDimension" {
        /// Queries, counted by property.
        Query = "query",
        /// Pages, counted by page.
        Page = "page",
    }
}

impl Dimension {
    /// Its number in the store, which never changes.
    #[must_use]
    pub const fn code(self) -> i16 {
        match self {
            Self::Query => 1,
            Self::Page => 2,
        }
    }

    /// The other one: queries appear with pages, pages with queries.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Query => Self::Page,
            Self::Page => Self::Query,
        }
    }

    /// Whether the search type has such values.
    #[must_use]
    pub const fn is_of(self, search_type: SearchType) -> bool {
        matches!(self, Self::Page) || search_type.is_ranked()
    }
}

wire_enum! {
    /// By what values are ordered.
    ValueSort as "SearchValueSort" {
        /// Clicks.
        Clicks = "clicks",
        /// Impressions.
        Impressions = "impressions",
        /// Clicks an impression.
        Ctr = "ctr",
        /// The average position.
        Position = "position",
        /// The query or page itself.
        Value = "value",
    }
}

/// A value of a domain, by its number in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub i64);

/// The question: a page of the list of queries or pages.
pub struct ValuesQuery<'a> {
    /// The search type.
    pub search_type: SearchType,
    /// Whether queries or pages are listed.
    pub dimension: Dimension,
    /// The days that the figures are of.
    pub window: DateRange,
    /// The rows that count. The listed dimension does not filter itself.
    pub part: &'a PartFilter,
    /// A part of the value, in whatever case.
    pub search: Option<&'a str>,
    /// Only the branded ones, or only the others, and how those are told apart.
    pub branded: Option<(bool, &'a Arc<Brand>)>,
    /// By what they are ordered; of the same by impressions. Nulls come last in either direction.
    pub sort: ValueSort,
    /// In which direction.
    pub order: SortOrder,
    /// How many, from where.
    pub page: OffsetRequest,
}

/// A query or page with what it comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFigures {
    /// The number that it has in the dictionary.
    pub id: ValueId,
    /// The query, or the page's URL.
    pub value: String,
    /// The figures.
    pub figures: Figures,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The page of the list.
    pub items: Vec<ValueFigures>,
    /// How many there are in all.
    pub total: u64,
    /// The figures of all of them together.
    pub totals: Figures,
}

/// The values that a value appears with: the pages of a query, the queries of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partners {
    /// How many.
    pub count: u64,
    /// The one with the most clicks, and of the same with the most impressions.
    pub top: String,
}

/// A query or page in detail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// The values that it appears with, the most clicks first.
    pub partners: Vec<(String, Figures)>,
    /// The clicks of all it appears with, also those that are not in the list.
    pub partner_clicks: u64,
    /// By place, in no order.
    pub places: Vec<(Place, Figures)>,
    /// For a page: by the look of the result.
    pub appearances: Vec<(String, Figures)>,
}

/// Reads queries and pages.
#[async_trait]
pub trait ValueReads: Send + Sync {
    /// A page of the list.
    async fn list(&self, domain: &DomainAccess, query: &ValuesQuery<'_>) -> Result<Values, StoreError>;

    /// The values that each of these appears with. Those without such rows are left out.
    async fn partners(
        &self,
        domain: &DomainAccess,
        query: &RowsOf<'_>,
        values: &[ValueId],
    ) -> Result<HashMap<ValueId, Partners>, StoreError>;

    /// The figures of these values. Those without rows are left out.
    async fn figures(
        &self,
        domain: &DomainAccess,
        query: &RowsOf<'_>,
        values: &[ValueId],
    ) -> Result<HashMap<ValueId, Figures>, StoreError>;

    /// A query or page in detail, with `most` of what it appears with; `None` where it never occurred.
    async fn detail(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        dimension: Dimension,
        value: &str,
        window: DateRange,
        most: u16,
    ) -> Result<Option<Detail>, StoreError>;
}

/// Rows of queries or pages.
#[derive(Clone, Copy, Debug)]
pub struct RowsOf<'a> {
    /// The search type.
    pub search_type: SearchType,
    /// Whether they are rows of queries or pages.
    pub dimension: Dimension,
    /// The days that the rows are of.
    pub window: DateRange,
    /// The rows that count.
    pub part: &'a PartFilter,
}

impl<'a> ValuesQuery<'a> {
    /// The rows that it is about.
    #[must_use]
    pub const fn rows(&self) -> RowsOf<'a> {
        RowsOf {
            search_type: self.search_type,
            dimension: self.dimension,
            window: self.window,
            part: self.part,
        }
    }
}

/// How many words a query has, as white space tells them apart.
#[must_use]
pub fn word_count(query: &str) -> usize {
    query.split_whitespace().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_unicode_white_space() {
        for (query, words) in [("", 0), ("hats", 1), ("  red\u{3000}shoes\u{a0}size 42 ", 4)] {
            assert_eq!(word_count(query), words, "{query:?}");
        }
    }
}
