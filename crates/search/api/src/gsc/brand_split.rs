//! GET /domains/{domain_id}/gsc/brand-split

use pharos_domain::{day::Day, identity::DomainAccess, module_block::SearchFigures, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Window},
};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked,
        brand::{self, BrandSplit},
    },
    config::ConfigStore,
    days::DataState,
    figures::SearchType,
    property::PropertyStore,
};
use serde::Serialize;
use time::{Date, macros::date};
use utoipa::ToSchema;

use super::parts::{BASE, EXAMPLE, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getGscBrandSplit",
    path: "/domains/{domain_id}/gsc/brand-split",
    summary: "Who searched for the brand, and who for something else",
    description: "Over the last 28 days, counted by property. A query is for the brand where one of `brand_terms` of the settings stands in \
                  it, in whatever case, or `brand_regex` is found in it. `anonymized` are the figures of the property less those of \
                  all queries that are known: the upstream hides rare ones, of which nobody knows what they were for, nor where the \
                  site stood. Where the settings say nothing of the brand, where the search type has no queries, and where nothing \
                  is known of the window, the blocks are null.",
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn view(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    reads: Port<dyn AnalysisReads>,
) -> ApiResult<BrandSplitPublic> {
    let property = linked(&access, &properties).await?;
    let config = configs.config(&access).await?;
    let root = WindowRoot::new(search_type, &property, &asked);
    let rows = Asked {
        search_type,
        window: asked.window,
    };
    let is_configured = config.brand().is_configured();
    let days = if is_configured && search_type.is_ranked() {
        reads.brand_days(&access, rows, config.brand()).await?
    } else {
        Vec::new()
    };
    let (sum, by_day) = brand::split(&days);
    let sum = (!by_day.is_empty()).then_some(sum);
    let day = |date| {
        let found = by_day.iter().find(|(day, _)| *day == date);
        BrandDayPublic::new(date, found.map(|(_, split)| *split))
    };
    let terms = config.settings.brand_terms.len();
    Ok(BrandSplitPublic::new(
        is_configured,
        terms,
        sum,
        if is_configured && search_type.is_ranked() {
            asked.window.dates().map(day).collect()
        } else {
            Vec::new()
        },
        root,
    ))
}

/// Who searched for the brand, and who for something else. The blocks are null where the settings do not say how the
/// brand is called, where nothing is known of the days, and of discover and google_news.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchBrandSplit)]
pub(super) struct BrandSplitPublic {
    /// Whether the settings say how the brand is called.
    configured: bool,
    /// How many terms they have.
    #[schema(minimum = 0)]
    brand_terms_count: usize,
    /// Queries for the brand.
    #[schema(required)]
    branded: Option<SearchFigures>,
    /// Other queries.
    #[schema(required)]
    non_branded: Option<SearchFigures>,
    /// Queries that the upstream hides since they are rare; they have no position.
    #[schema(required)]
    anonymized: Option<SearchFigures>,
    /// Every day of the window; none where the blocks can't be known.
    items: Vec<BrandDayPublic>,
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl BrandSplitPublic {
    fn new(
        configured: bool,
        terms: usize,
        sum: Option<BrandSplit>,
        items: Vec<BrandDayPublic>,
        root: WindowRoot,
    ) -> Self {
        let WindowRoot {
            search_type,
            data_state,
            meta,
        } = root;
        Self {
            configured,
            brand_terms_count: terms,
            branded: sum.map(|sum| sum.branded.into()),
            non_branded: sum.map(|sum| sum.non_branded.into()),
            anonymized: sum.map(|sum| sum.anonymized.into()),
            items,
            search_type,
            data_state,
            meta,
        }
    }
}

/// A day; its figures are null where nothing is known of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchBrandDay)]
pub(super) struct BrandDayPublic {
    /// The day, as the upstream calls it: in Pacific time.
    date: Day,
    /// Clicks of queries for the brand.
    #[schema(required, minimum = 0)]
    branded_clicks: Option<u64>,
    /// Their impressions.
    #[schema(required, minimum = 0)]
    branded_impressions: Option<u64>,
    /// Clicks of other queries.
    #[schema(required, minimum = 0)]
    non_branded_clicks: Option<u64>,
    /// Their impressions.
    #[schema(required, minimum = 0)]
    non_branded_impressions: Option<u64>,
    /// Clicks of queries that the upstream hides.
    #[schema(required, minimum = 0)]
    anonymized_clicks: Option<u64>,
    /// Their impressions.
    #[schema(required, minimum = 0)]
    anonymized_impressions: Option<u64>,
}

impl BrandDayPublic {
    fn new(date: Date, split: Option<BrandSplit>) -> Self {
        Self {
            date: Day(date),
            branded_clicks: split.map(|split| split.branded.clicks),
            branded_impressions: split.map(|split| split.branded.impressions),
            non_branded_clicks: split.map(|split| split.non_branded.clicks),
            non_branded_impressions: split.map(|split| split.non_branded.impressions),
            anonymized_clicks: split.map(|split| split.anonymized.clicks),
            anonymized_impressions: split.map(|split| split.anonymized.impressions),
        }
    }
}

impl Example for BrandSplitPublic {
    fn example() -> Self {
        let day = BrandDayPublic {
            date: Day(date!(2026 - 03 - 29)),
            branded_clicks: Some(40),
            branded_impressions: Some(61),
            non_branded_clicks: Some(88),
            non_branded_impressions: Some(2_499),
            anonymized_clicks: Some(9),
            anonymized_impressions: Some(310),
        };
        let anonymized = SearchFigures {
            position: None,
            ..EXAMPLE
        };
        Self {
            branded: Some(EXAMPLE),
            non_branded: Some(EXAMPLE),
            anonymized: Some(anonymized),
            ..Self::new(true, 2, None, vec![day], WindowRoot::example())
        }
    }
}
