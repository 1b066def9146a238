//! Queries and pages: lists of them, and one of them in detail.

use std::collections::HashMap;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetRequest, SortOrder},
    store::StoreError,
    window::DateRange,
    wire_enum,
};

use super::{
    days::PartFilter,
    figures::{Figures, SearchType},
    place::Place,
};

wire_enum! {
    /// What values are of.
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

/// Whether a query is branded, for a list of those that are or are not.
pub type IsBranded<'a> = dyn Fn(&str) -> bool + Send + Sync + 'a;

/// The question: a page of the list of queries or pages.
pub struct ValuesQuery<'a> {
    /// The search type.
    pub search_type: SearchType,
    /// What is listed.
    pub dimension: Dimension,
    /// The days.
    pub window: DateRange,
    /// The rows that count. What is listed is not a filter of itself.
    pub part: &'a PartFilter,
    /// A part of the value, in whatever case.
    pub search: Option<&'a str>,
    /// Only the branded ones, or only the others, and which those are.
    pub branded: Option<(bool, &'a IsBranded<'a>)>,
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
    /// Its number.
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
    /// What all of them come to.
    pub totals: Figures,
}

/// What a value appears with: of a query pages, of a page queries.
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
    /// What it appears with, the most clicks first.
    pub partners: Vec<(String, Figures)>,
    /// The clicks of all it appears with, also those that are not in the list.
    pub partner_clicks: u64,
    /// By place, in no order.
    pub places: Vec<(Place, Figures)>,
    /// Of a page: by the look of the result.
    pub appearances: Vec<(String, Figures)>,
}

/// Reads queries and pages.
#[async_trait]
pub trait ValueReads: Send + Sync {
    /// A page of the list.
    async fn list(&self, domain: &DomainAccess, query: &ValuesQuery<'_>) -> Result<Values, StoreError>;

    /// What these values appear with. Those without such rows are left out.
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
    /// Of what they are.
    pub dimension: Dimension,
    /// The days.
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
