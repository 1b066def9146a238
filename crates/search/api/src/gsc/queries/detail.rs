//! GET /domains/{domain_id}/gsc/queries/detail

use pharos_domain::{identity::DomainAccess, module_block::SearchFigures, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Window},
};
use pharos_search::gsc::{
    days::{DataState, DayReads, PartFilter},
    figures::{Figures, SearchType, share_pct},
    property::PropertyStore,
    values::{Dimension, ValueReads},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::gsc::{
    one_value::{OneValue, top_countries, top_devices},
    overview::ComparisonPublic,
    parts::{
        BASE, CountryPublic, DayPublic, DevicePublic, EXAMPLE, KnownFigures, OfSearchType, data_through,
        linked,
    },
};

/// How many pages are told at most.
const MOST_PAGES: u16 = 1_000;

pub(in crate::gsc) const SPEC: OperationSpec = OperationSpec {
    id: "getGscQuery",
    path: "/domains/{domain_id}/gsc/queries/detail",
    summary: "One query: its pages, devices, countries and days",
    description: "Over the last 28 days, beside the 28 before. Counted by property, pages by page: a result that shows two of them is an \
                  impression of each. A query that never occurred, and any of a search type without queries, is answered with nulls \
                  and empty lists.",
    window: Window::Fixed,
    ..BASE
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(in crate::gsc) struct QueryParameters {
    /// Exactly this query.
    #[param(min_length = 1, max_length = 2_000)]
    query: String,
}

pub(in crate::gsc) async fn view(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(QueryParameters { query }): Query<QueryParameters>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
    values: Port<dyn ValueReads>,
) -> ApiResult<SearchQueryDetailPublic> {
    let property = linked(&access, &properties).await?;
    let window = asked.window;
    let detail = if search_type.is_ranked() {
        values
            .detail(&access, search_type, Dimension::Query, &query, window, MOST_PAGES)
            .await?
    } else {
        None
    };
    let part = PartFilter {
        query: Some(query.clone()).filter(|_| detail.is_some()),
        ..PartFilter::default()
    };
    let one = OneValue::read(&access, &days, property, search_type, &asked, &part).await?;
    let detail = detail.unwrap_or_default();
    let all_clicks = detail.partner_clicks;
    let daily_positions = one.found.values().filter_map(Figures::position);
    Ok(SearchQueryDetailPublic {
        query,
        search_type,
        best_position: daily_positions.min_by(f64::total_cmp),
        totals: one.totals.into(),
        comparison: one.comparison,
        pages: detail
            .partners
            .into_iter()
            .map(|(page, figures)| QueryPagePublic::new(page, figures, all_clicks))
            .collect(),
        devices: top_devices(&detail.places),
        countries: top_countries(&detail.places),
        items: one.items,
        data_state: one.property.data_state(search_type, window),
        meta: asked.meta(
            Some(&asked.preceding()),
            data_through(&one.property, search_type, &asked),
        ),
    })
}

/// A query in detail.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchQueryDetail)]
pub(in crate::gsc) struct SearchQueryDetailPublic {
    /// The query that was asked about.
    query: String,
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// The figures of its days; null where it never occurred, or nothing is known of the days.
    totals: KnownFigures,
    /// The window beside as many days before.
    comparison: ComparisonPublic,
    /// The pages that were shown for it, the most clicks first; 1,000 at most.
    pages: Vec<QueryPagePublic>,
    /// The devices, the most clicks first.
    devices: Vec<DevicePublic>,
    /// The ten countries with the most clicks.
    countries: Vec<CountryPublic>,
    /// The days of the window, in order.
    items: Vec<DayPublic>,
    /// The best of its daily mean positions; null where it has none.
    #[schema(required, minimum = 1)]
    best_position: Option<f64>,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    meta: Meta,
}

/// A page that was shown for a query.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPageOfQuery)]
pub(in crate::gsc) struct QueryPagePublic {
    /// Its URL.
    page: String,
    #[serde(flatten)]
    figures: SearchFigures,
    /// Its share of the clicks of all pages for the query, in percent; null without clicks.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
}

impl QueryPagePublic {
    fn new(page: String, figures: Figures, all_clicks: u64) -> Self {
        Self {
            page,
            figures: figures.into(),
            share_pct: share_pct(figures.clicks, all_clicks),
        }
    }
}

impl Example for SearchQueryDetailPublic {
    fn example() -> Self {
        Self {
            query: "red shoes".to_owned(),
            search_type: SearchType::Web,
            totals: KnownFigures::EXAMPLE,
            comparison: ComparisonPublic::example(),
            pages: vec![QueryPagePublic {
                page: "https://shop.example/shoes/".to_owned(),
                figures: EXAMPLE,
                share_pct: Some(100.0),
            }],
            devices: vec![DevicePublic::example()],
            countries: vec![CountryPublic::example()],
            items: vec![DayPublic::EXAMPLE],
            best_position: Some(3.1),
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
