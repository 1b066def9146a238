//! /domains/{domain_id}/gsc/config

mod schemas;
pub(super) mod update;
pub(super) mod view;

use pharos_domain::{ids::UserId, timestamp::Timestamp};
use pharos_http::operation::Example;
use pharos_search::gsc::{
    config::{SearchConfig, SearchSettings},
    figures::SearchType,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// The settings of a domain's search.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GscConfig)]
pub(super) struct GscConfigPublic {
    /// Texts that make a query one for the brand, wherever they stand in it, in upper or lower case. Each is kept once, without
    /// white space around it.
    brand_terms: Vec<String>,
    /// A regular expression that finds the brand in a query, in upper or lower case; null where there is none.
    #[schema(required)]
    brand_regex: Option<String>,
    /// The search types that are imported.
    search_types: Vec<SearchType>,
    /// Paths of pages that opportunities, CTR gaps, cannibalization and content decay leave out; `*` stands for any text.
    excluded_paths: Vec<String>,
    /// How many impressions in 28 days a query needs to be among opportunities, CTR gaps and cannibalization, and a page among
    /// CTR gaps, which ask for 100 at least.
    #[schema(minimum = 0)]
    min_impressions: u32,
    /// When the settings last changed; null before the first change.
    #[schema(required)]
    updated_at: Option<Timestamp>,
    /// Who changed them; null before the first change.
    #[schema(required)]
    updated_by: Option<UserId>,
}

impl From<SearchConfig> for GscConfigPublic {
    fn from(config: SearchConfig) -> Self {
        let SearchSettings {
            brand_terms,
            brand_regex,
            search_types,
            excluded_paths,
            min_impressions,
        } = config.settings;
        Self {
            brand_terms,
            brand_regex,
            search_types,
            excluded_paths,
            min_impressions,
            updated_at: config.updated_at.map(Timestamp::from),
            updated_by: config.updated_by,
        }
    }
}

impl Example for GscConfigPublic {
    fn example() -> Self {
        let SearchSettings {
            search_types,
            min_impressions,
            ..
        } = SearchSettings::default();
        Self {
            brand_terms: vec!["shop example".to_owned()],
            brand_regex: None,
            search_types,
            excluded_paths: vec!["/cart*".to_owned()],
            min_impressions,
            updated_at: Some(datetime!(2026-03-12 14:02:00 UTC).into()),
            updated_by: Some(UserId(uuid!("019aa5c0-7d1e-7000-8000-000000000001"))),
        }
    }
}
