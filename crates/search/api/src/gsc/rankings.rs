//! The parts that reads of rankings share.

use pharos_domain::window::{Meta, ResolvedWindow};
use pharos_http::operation::Example;
use pharos_search::gsc::{
    days::DataState, figures::SearchType, property::Property, rankings::Between, values::Dimension,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parts::data_through;

/// The rankings that a caller asks for.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct OfRankings {
    /// Where in Google's products the site appeared; left out: the search for pages.
    #[param(inline, value_type = Option<SearchType>)]
    pub(super) search_type: SearchType,
    /// Queries or pages; left out: queries.
    #[param(inline, value_type = Option<Dimension>)]
    pub(super) dimension: Dimension,
}

impl Default for OfRankings {
    fn default() -> Self {
        Self {
            search_type: SearchType::Web,
            dimension: Dimension::Query,
        }
    }
}

/// The window, and as many days right before.
pub(super) fn between(search_type: SearchType, dimension: Dimension, asked: &ResolvedWindow) -> Between {
    Between {
        search_type,
        dimension,
        window: asked.window,
        base: asked.preceding().window,
    }
}

/// The members beside rankings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchRankingsRoot)]
pub(super) struct RankingsRoot {
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// Whether the values are queries or pages.
    dimension: Dimension,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window and, as what it is compared with, the base window.
    meta: Meta,
}

impl RankingsRoot {
    pub(super) fn new(between: &Between, property: &Property, asked: &ResolvedWindow) -> Self {
        Self {
            search_type: between.search_type,
            dimension: between.dimension,
            data_state: property.data_state(between.search_type, asked.window),
            meta: asked.meta(
                Some(&asked.preceding()),
                data_through(property, between.search_type, asked),
            ),
        }
    }
}

impl Example for RankingsRoot {
    fn example() -> Self {
        Self {
            search_type: SearchType::Web,
            dimension: Dimension::Query,
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
